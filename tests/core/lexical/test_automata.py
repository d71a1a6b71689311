"""Automata of regular expressions, against Python's own matching."""

from __future__ import annotations

import re
from string import printable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulation import reads

from gramspect.lexical.characters import CharSet, category
from gramspect.lexical.regular import of_groups, of_regex

PATTERNS = (
    "abc|ab|c",
    "[0-9]+(.[0-9]+)*",
    '"([^"\\\\\n]|\\\\.)*"',
    "a{2,3}b?",
    "(?i:Ab)c",
    "(a|b)*abb",
    r"\w+\s*\d",
    "[^a-c]|b+",
    "(?s:.)a",
    "(x(y|z)?){0,2}",
)


@pytest.mark.parametrize("pattern", PATTERNS)
@given(data=st.data())
def test_an_automaton_reads_what_the_expression_matches(pattern: str, data: st.DataObject) -> None:
    likely = st.from_regex(pattern, fullmatch=True)
    others = st.text(st.sampled_from('abcxyz019."\\\n Z_'), max_size=6)
    text = data.draw(likely | others)
    found = of_regex(pattern, "T")
    assert found.exact
    assert reads(found, text) == (re.fullmatch(pattern, text) is not None)


def test_what_looks_around_makes_an_automaton_inexact() -> None:
    assert not of_regex(r"\bif\b", "IF").exact
    assert not of_regex(r"(?!x)[a-z]+", "T").exact
    assert not of_regex(r"(a+)\1", "T").exact


def test_words() -> None:
    assert of_regex("COUNT|SUM|AVG", "T").words == ("COUNT", "SUM", "AVG")
    assert of_regex("(?i:min|max)", "T").words == ("MIN", "MAX")
    assert of_regex("a+", "T").words is None
    nothing = of_regex(r"[^\s\S]x|abc", "T")
    assert nothing.words == ("abc",), "what no character begins is no word"
    assert of_regex("[ab]c", "T").words is None


def test_properties_of_unicode_stand_for_letters() -> None:
    found = of_regex(r"[\p{XID_Start}_]\w*", "NAME")
    assert not found.exact
    assert reads(found, "größe")


def test_groups_are_taken_apart() -> None:
    found = dict(of_groups("(?P<t_A>a(b))|(?P<t_B>c+)", 0, lambda name: name[2:]))
    assert reads(found["t_A"], "ab")
    assert reads(found["t_B"], "cc")
    assert {edge.chain for edge in found["t_A"].edges} == {("A",)}


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300)), max_size=5), st.characters())
def test_sets_of_characters(pairs: list[tuple[int, int]], character: str) -> None:
    ranges = [(min(pair), max(pair)) for pair in pairs]
    found, code = CharSet.of(ranges), ord(character)
    inside = any(first <= code <= last for first, last in ranges)
    assert (character in found) == inside
    assert (character in found.complement()) != inside
    assert found.complement().complement() == found
    assert found.size == len({c for first, last in ranges for c in range(first, last + 1)})


@pytest.mark.parametrize("letter", "dsw")
def test_categories(letter: str) -> None:
    for character in (*printable, "ä", "٣", "中", "\u2003", "\U0001f600"):
        assert (character in category(letter)) == bool(re.match(rf"\{letter}", character))


def test_letters_in_both_cases() -> None:
    assert CharSet.of([(ord("a"), ord("c"))]).folded() == CharSet.of([(65, 67), (97, 99)])


@pytest.mark.parametrize(
    ("pattern", "single"),
    [("[a-z]", True), ("a|[0-9]", True), ("a?", True), ("a+", False), ("ab", False)],
)
def test_automata_of_single_characters(pattern: str, single: bool) -> None:
    assert of_regex(pattern, "T").single is single
