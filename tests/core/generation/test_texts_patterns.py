"""Texts of token patterns: networks, and regular expressions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from gramspect.generation.texts.candidates import fitting
from gramspect.generation.texts.network import Network, preferred
from gramspect.generation.texts.regular import alternatives, regex_texts

ALPHABET = "ab0"


def expressions(sets: Sequence[str], repetitions: Sequence[str]) -> SearchStrategy[str]:
    """Regular expressions of such sets, with such repetitions."""
    return st.recursive(
        st.sampled_from(sets),
        lambda inner: st.one_of(
            st.tuples(inner, inner).map("".join),
            st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})"),
            st.tuples(inner, st.sampled_from(repetitions)).map(lambda two: f"(?:{two[0]}){two[1]}"),
            inner.map(lambda one: f"({one})"),
        ),
        max_leaves=5,
    )


GREEDY_AND_LAZY = ["*", "+", "?", "{2}", "{1,2}", "*?"]
EXPRESSIONS = expressions(
    ["a", "b", "0", "[ab]", "[^b]", r"\d", r"\w", "."], [*GREEDY_AND_LAZY, "++"]
)
OF_LETTERS = expressions(["a", "b", "[ab]"], GREEDY_AND_LAZY)
"""Of sets that have no characters but a and b."""


def shortest_length(expression: str) -> int | None:
    """By trying all texts of up to four characters."""
    lengths = (
        n
        for n in range(5)
        for text in product(ALPHABET, repeat=n)
        if re.fullmatch(expression, "".join(text))
    )
    return next(lengths, None)


class TestExpressions:
    @given(EXPRESSIONS)
    def test_every_text_matches_and_the_shortest_comes_first(self, expression: str) -> None:
        texts = list(islice(regex_texts(expression), 20))
        possessive = "++" in expression
        if not possessive:
            assert texts
            assert all(re.fullmatch(expression, text) for text in texts)
        assert len(set(texts)) == len(texts)
        assert sorted(map(len, texts)) == list(map(len, texts))
        least = shortest_length(expression)
        if least is not None and not possessive:
            assert len(texts[0]) == least

    @given(OF_LETTERS)
    def test_all_short_texts_over_a_small_alphabet_are_found(self, expression: str) -> None:
        texts = islice(regex_texts(expression), 3000)
        found = {text for text in texts if len(text) <= 2}
        for n in range(3):
            for letters in product("ab", repeat=n):
                text = "".join(letters)
                assert bool(re.fullmatch(expression, text)) == (text in found), text

    @pytest.mark.parametrize(
        ("expression", "first"),
        [
            (r"[a-zA-Z_]\w*", ["a", "b", "c"]),
            (r'"(?:[^"\\]|\\.)*"', ['""', '"a"', '"b"']),
            (r"0[xX][0-9a-f]{2,}", ["0xaa", "0xba", "0xab"]),
            (r"\d+(?:\.\d+)?", ["1", "2", "3"]),
            (r"(?i:select)", ["select"]),
            (r"[\u00e0-\u00fc]", ["\u00e0"]),
            (r"(?P<q>['`])a(?P=q)", ["'a'", "'a`", "`a'"]),
            (r"\s", [" "]),
            (r"[^\W\d]", ["a", "b", "c"]),
            (r"(a)?(?(1)b|c)", ["b", "c", "ab"]),
            (r"(?=x)a\b$", ["a"]),
            (r"(?>ab)", ["ab"]),
        ],
    )
    def test_first_texts(self, expression: str, first: list[str]) -> None:
        assert list(islice(regex_texts(expression), 3)) == first

    def test_wide_sets_have_all_of_ascii(self) -> None:
        assert {"a", "Z", "0", "~", " "} <= set(islice(regex_texts(".", wide=True), 200))

    def test_what_re_does_not_know_has_no_text(self) -> None:
        assert list(regex_texts(r"\p{L}+")) == []

    def test_the_groups_of_a_lexer(self) -> None:
        parts = {g: list(islice(t, 2)) for g, t in alternatives("(?P<A>a|b)|(?P<B>(x)y)")}
        assert parts == {1: ["a", "b"], 2: ["xy"]}
        assert {g: list(t) for g, t in alternatives("(?P<A>a)")} == {1: ["a"]}


class TestNetworks:
    def test_recursive_calls(self) -> None:
        """Nested brackets: n -> '(' n ')' | 'x'."""
        network = Network()
        start, opened, inside, end = (network.state() for _ in range(4))
        network.finals.add(end)
        network.read(start, opened, "(")
        network.call(opened, inside, start)
        network.read(inside, end, ")")
        network.read(start, end, "x")
        assert list(islice(network.texts(start), 3)) == ["x", "(x)", "((x))"]

    def test_what_has_no_end_has_no_text(self) -> None:
        network = Network()
        start, other = network.state(), network.state()
        network.read(start, other, "a")
        network.call(start, other, start)
        network.finals.add(network.state())
        assert list(network.texts(start)) == []

    def test_loops_without_characters_end(self) -> None:
        network = Network()
        start = network.state()
        network.skip(start, start)
        network.call(start, start, start)
        network.finals.add(start)
        assert list(network.texts(start)) == [""]

    def test_nicest_characters(self) -> None:
        assert preferred(str.isdigit) == "123456789"
        assert preferred("_-Z".__contains__) == "Z"
        assert preferred("\u00e9".__contains__) == ""


class TestCandidates:
    def test_only_those_that_fit_each_once(self) -> None:
        assert fitting(["", "a", "b", "a", "c"], lambda t: t != "b", 5) == ["a", "c"]
        assert fitting("abcdef", lambda _: True, 2) == ["a", "b"]

    def test_the_search_gives_up(self) -> None:
        asked: list[str] = []

        def fits(text: str) -> bool:
            asked.append(text)
            return text == "x"

        assert fitting(["x", *(f"n{i}" for i in range(10_000))], fits, 3) == ["x"]
        assert len(asked) < 100
