"""The pairs of tokens that an edit lets meet, against the pairs of the edited grammar."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import strategies
from cfg import Cfg
from gramspect.builtin.chart import ChartRecognizer
from gramspect.edits.failing import search_failing
from gramspect.edits.growth import new_pairs
from gramspect.edits.model import NEW_TOKEN, Edit, EditKind, applied, rewritten
from gramspect.edits.weights import Weights, chosen_weights, mending
from gramspect.generation.adjacency import Adjacency
from gramspect.grammars.grammar import Grammar
from gramspect.suites.suite import TestSuite
from toy import grammar

EXTENDING = (EditKind.INSERT, EditKind.REPLACE, EditKind.END)


def edit_of(item: int, kind: EditKind, *symbols: int) -> Edit:
    return Edit(item, kind, symbols, 0, 1.0)


def n_new(g: Grammar, edit: Edit) -> int:
    return new_pairs(g, [edit])[edit.key]


def pairs(g: Grammar) -> set[tuple[int, int]]:
    """All pairs that the grammar allows; END for the beginning and the end."""
    after = Adjacency(g).after
    return {(a, b) for a in range(g.n_terminals) for b in range(g.n_terminals) if after[a] >> b & 1}


def leads_to(g: Grammar, symbol: int, target: int) -> bool:
    return target in {symbol, *replace(g, start=symbol).analysis.reachable}


@given(rules=strategies.grammars(), data=st.data())
def test_the_pairs_are_those_that_the_edited_grammar_has_more(
    rules: Cfg, data: st.DataObject
) -> None:
    g = Grammar.from_rules(rules.rules, start=rules.start)
    item = data.draw(st.integers(0, g.n_items - 1))
    rule, dot = g.split_item(item)
    kind = data.draw(st.sampled_from(EXTENDING))
    assume(kind is not EditKind.REPLACE or dot < len(g.rules[rule].rhs))
    lhs = g.rules[rule].lhs
    apart = [s.index for s in g.symbols if s.index and not leads_to(g, s.index, lhs)]
    assume(apart)
    new = data.draw(st.lists(st.sampled_from(apart), min_size=1, max_size=3))
    edit = edit_of(item, kind, *new)
    edited = applied(g, edit)
    more = len(pairs(edited) - pairs(g))
    if edited.analysis.nullable.issuperset(rewritten(g, edit)):
        assert n_new(g, edit) >= more  # both sides of it may be from different sentences
    elif stands_beside_itself(rules, g.symbols[lhs].name) or any(
        leads_to(g, symbol, lhs) for symbol in rewritten(g, edit)
    ):
        assert n_new(g, edit) <= more  # one new alternative may stand beside another
    else:
        assert n_new(g, edit) == more


def stands_beside_itself(rules: Cfg, name: str) -> bool:
    """Whether two of a non-terminal may be neighbours: two marks, if it could be a mark, too."""
    marked = Grammar.from_rules([*rules.rules, (name, ["mark"])], start=rules.start)
    mark = marked.symbol("mark")
    return (mark, mark) in pairs(marked)


def test_a_new_alternative_beside_another_is_not_counted() -> None:
    """After ``s -> b`` two of ``b`` may stand side by side."""
    g = Grammar.from_rules([("s", ["a"]), ("s", ["s", "s"]), ("t", ["b"])], start="s")
    edit = edit_of(g.item(0, 0), EditKind.REPLACE, g.symbol("b"))
    assert n_new(g, edit) == 4  # (begin, b), (a, b), (b, a), (b, end)
    assert len(pairs(applied(g, edit)) - pairs(g)) == 5


def test_a_word_among_operators_lets_more_meet_than_a_name() -> None:
    """After ``expr -> expr 'from' expr`` every operand may stand beside ``from``."""
    g = grammar("s -> expr\nexpr -> expr + term\nexpr -> term\nterm -> id\nterm -> part from id")
    plus, part = g.symbol("+"), g.symbol("part")
    operator = edit_of(g.item(1, 1), EditKind.REPLACE, g.symbol("from"))
    name = edit_of(g.item(4, 0), EditKind.REPLACE, plus)
    found = new_pairs(g, [operator, name])
    assert found == {operator.key: 2, name.key: 3}
    assert part  # (id, from), (from, part); (begin, +), (+, +), (+, from)


def test_restrictions_let_nothing_meet() -> None:
    g = grammar("s -> a b")
    assert n_new(g, edit_of(g.item(0, 1), EditKind.NARROW)) == 0


def test_a_token_that_the_lexer_does_not_have_is_new_to_all_neighbours() -> None:
    g = grammar("s -> a b\ns -> a c")
    assert n_new(g, edit_of(g.item(0, 1), EditKind.INSERT, NEW_TOKEN)) == 2
    assert n_new(g, edit_of(g.item(0, 2), EditKind.INSERT, NEW_TOKEN)) == 2


@pytest.mark.parametrize("power", [0.0, 0.5])
def test_an_edit_is_worth_less_the_more_it_lets_meet(power: float) -> None:
    g = grammar("s -> x expr y\nexpr -> id\nexpr -> num\nexpr -> x expr y")
    suite = TestSuite.from_texts(accept=["x id ! y"])
    (searched,) = search_failing(ChartRecognizer(g), list(enumerate(suite)))
    plain = mending(g, searched, _with(0.0))
    weighed = mending(g, searched, _with(power))
    assert len(plain) > 3
    for key, worth in weighed.items():
        assert worth == pytest.approx(plain[key] * (1 + searched.growth[key]) ** -power)


def _with(growth: float) -> Weights:
    return replace(chosen_weights(), growth=growth)
