"""The likeness of a new symbol to those beside which it may stand, by their names."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramspect.builtin.chart import ChartRecognizer
from gramspect.edits.failing import search_failing
from gramspect.edits.likeness import likeness
from gramspect.edits.model import NEW_TOKEN, Edit, EditKind
from gramspect.edits.weights import chosen_weights, mending
from gramspect.grammars.grammar import Grammar
from gramspect.suites.suite import TestSuite
from toy import grammar

OPERATORS = grammar(
    "s -> id AND id\ns -> id OR id\ns -> id rshift id\ns -> num\n"
    "t -> _AND\nt -> _OR\nt -> rshiftu\nt -> s"
)
NAMES = st.text("abc_", min_size=1, max_size=5)


def edit_of(g: Grammar, rule: int, dot: int, kind: EditKind, new: str) -> Edit:
    return Edit(g.item(rule, dot), kind, (g.symbol(new),), 0, 1.0)


def pairs(name: str) -> set[str]:
    letters = ["^", *name.replace("_", ""), "$"]
    return {a + b for a, b in pairwise(letters)} - {"^$"}


@pytest.mark.parametrize(("new", "place"), [("_AND", 0), ("_OR", 1), ("rshiftu", 2)])
def test_the_place_of_a_new_operator_is_where_its_like_is(new: str, place: int) -> None:
    found = [
        likeness(OPERATORS, edit_of(OPERATORS, rule, 1, EditKind.REPLACE, new)) for rule in range(3)
    ]
    assert max(range(3), key=found.__getitem__) == place
    assert found[place] > 0.6


def test_a_new_alternative_is_compared_with_the_first_symbol_of_each() -> None:
    g = grammar("s -> t\nt -> STAG : id\nt -> DTAG : id\nt -> id\nu -> TAGS")
    alone = likeness(g, edit_of(g, 3, 0, EditKind.REPLACE, "TAGS"))
    assert alone == likeness(g, edit_of(g, 1, 0, EditKind.END, "TAGS")) > 0.2


@pytest.mark.parametrize("kind", [EditKind.INSERT, EditKind.REQUIRE, EditKind.SEPARATE])
def test_what_is_put_in_between_is_compared_with_nothing(kind: EditKind) -> None:
    assert likeness(OPERATORS, edit_of(OPERATORS, 0, 1, kind, "_AND")) == 0


def test_leaving_out_is_compared_with_nothing() -> None:
    assert likeness(OPERATORS, Edit(OPERATORS.item(0, 1), EditKind.REPLACE, (), 0, 1.0)) == 0


def test_a_rule_that_calls_itself_is_compared_with_nothing() -> None:
    g = grammar("s -> list\nlist -> [ listitems ]\nlistitems -> id")
    assert likeness(g, edit_of(g, 1, 1, EditKind.REPLACE, "list")) == 0
    assert likeness(g, edit_of(g, 0, 0, EditKind.REPLACE, "listitems")) > 0


def test_a_token_that_the_lexer_does_not_have_is_compared_by_its_text() -> None:
    item = OPERATORS.item(0, 1)
    assert likeness(
        OPERATORS, Edit(item, EditKind.REPLACE, (NEW_TOKEN,), 0, 1.0, texts=("AND",))
    ) == pytest.approx(1)
    assert likeness(OPERATORS, Edit(item, EditKind.REPLACE, (NEW_TOKEN,), 0, 1.0)) == 0


@given(st.lists(NAMES, min_size=3, max_size=6, unique=True))
def test_it_is_the_cosine_of_the_weighed_pairs_of_letters(names: list[str]) -> None:
    g = Grammar.from_rules([("S", [*names])], start="S")
    symbols = [g.symbol(name) for name in names]
    tokens = [pairs(g.symbols[t].display.strip("\"'<>")) for t in range(g.n_terminals)]

    def weight(pair: str) -> float:
        having = sum(pair in of_token for of_token in tokens)
        return log(1 + len(tokens) / (1 + having)) if having else log(1 + len(tokens))

    def dot(one: set[str], other: set[str]) -> float:
        return sum(weight(pair) ** 2 for pair in one & other)

    one, other = tokens[symbols[0]], tokens[symbols[1]]
    norm = sqrt(dot(one, one) * dot(other, other))
    expected = dot(one, other) / norm if norm else 0.0
    found = likeness(g, Edit(g.item(0, 1), EditKind.REPLACE, (symbols[0],), 0, 1.0))
    assert found == pytest.approx(expected)
    assert 0 <= found <= 1 + 1e-9


def test_an_edit_is_worth_more_the_more_its_names_are_alike() -> None:
    recognizer = ChartRecognizer(OPERATORS)
    (searched,) = search_failing(recognizer, list(enumerate(TestSuite.from_texts(["id _AND id"]))))
    chosen = chosen_weights()
    plain = mending(OPERATORS, searched, replace(chosen, likeness=0.0))
    weighed = mending(OPERATORS, searched, replace(chosen, likeness=2.0))
    alike = {o.edit.key: likeness(OPERATORS, o.edit) for o in searched.outcomes}
    assert {value > 0 for value in alike.values()} == {True, False}
    for key, worth in weighed.items():
        assert worth == pytest.approx(plain[key] * (1 + 2 * alike[key]))
