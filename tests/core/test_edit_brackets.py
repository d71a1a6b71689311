"""Tokens that stand around something, and edits that put something between them."""

from __future__ import annotations

import pytest

from gramspect.edits.brackets import bracket_pairs, closing_of
from gramspect.edits.model import NEW_TOKEN
from gramspect.edits.search import search
from gramspect.recognition.chart import parse_chart
from toy import grammar


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("s -> ( t )\ns -> x [ t ]\nt -> x\nt ->", {"(": ")", "[": "]"}),
        ("s -> if t then t\ns -> ( t ) x\nt -> x", {}),  # no rule ends there
        ("s -> begin t end\ns -> begin x t end\nt -> x", {"begin": "end"}),
        ("s -> ( t )\ns -> ( x\nt -> x", {}),  # opened, and not closed
        ("s -> ( t )\ns -> x )\nt -> x", {}),  # closed, and not opened
        ("s -> ( t )\ns -> ) x (\nt -> x", {}),
        ("s -> ( x )", {}),  # a token is nothing that they hold
        ("s -> | t |\nt -> x", {}),  # what opens does not close
        ("s -> ( t )\ns -> ( t ]\nt -> x", {}),  # two that close
        ("s -> ( t )\ns -> [ t )\nt -> x", {}),  # two that open
        ("s -> a t b\ns -> b t c\nt -> x", {}),
    ],
)
def test_brackets_stand_around_a_nonterminal_and_never_alone(
    rules: str, expected: dict[str, str]
) -> None:
    g = grammar(rules)
    names = g.symbols
    assert {names[a].name: names[b].name for a, b in bracket_pairs(g).items()} == expected


def test_what_closes_a_bracket() -> None:
    pairs = {1: 2}
    tokens = [1, 3, 1, 3, 2, 2, 1, 2, NEW_TOKEN, 3, NEW_TOKEN]
    assert closing_of(pairs, tokens, 0, len(tokens)) == 5
    assert closing_of(pairs, tokens, 0, 5) is None  # too far away
    assert closing_of(pairs, tokens, 1, len(tokens)) is None  # no bracket
    assert closing_of(pairs, tokens, 2, len(tokens)) == 4
    assert closing_of(pairs, tokens, 6, len(tokens)) is None  # it holds nothing
    assert closing_of(pairs, tokens, 8, len(tokens)) == 10


def test_what_brackets_hold_may_be_anything() -> None:
    """A call of `expr` costs what a token would, and the bracket that closes costs nothing."""
    g = grammar(
        "s -> expr\nexpr -> expr + term\nexpr -> term\nterm -> id\nterm -> call\n"
        "call -> id ( args )\nargs -> expr\nargs -> args , expr"
    )
    tokens = [g.symbol(word) for word in "id + ( id + id ) + id".split()]
    found = search(parse_chart(g, tokens), tokens)
    symbols = tuple(map(g.symbol, ("(", "expr", ")")))
    costs = {
        o.edit.cost
        for o in found
        if o.accepted and o.edit.symbols == symbols and g.item_text(o.edit.item).startswith("term")
    }
    assert costs == {3.0}
