"""Edits: every promise is checked with the edit really made, by a recognizer of its own."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from examples import fewer
from gramspect.edits import Edit, EditKind, EditSearch, Outcome, applied, search
from gramspect.edits.model import NEW_TOKEN
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.seeding import Mutation, sample
from gramspect.recognition.chart import parse_chart
from toy import grammar, toy


def tokens(g: Grammar, text: str) -> list[int]:
    found = [g.token(word) for word in text.split()]
    return [-1 if token is None else token for token in found]


def outcomes(g: Grammar, text: str, compiled: bool = False) -> tuple[Outcome, ...]:
    words = tokens(g, text)
    return search(parse_chart(g, words, compiled), words)


def accepts(g: Grammar, words: list[int]) -> bool:
    return parse_chart(g, words).accepted


def test_the_missing_else() -> None:
    best = outcomes(toy(), "program id = { if id then sleep ; } .")[0]
    assert best.accepted
    assert toy().item_label(best.edit.item) == "stmt:2:4"
    assert (best.edit.kind, best.edit.symbols, best.edit.cost) == (
        EditKind.END,
        (),
        1.0,
    )
    assert best.edit.describe(toy()) == "also allow the rule to end here"


def test_the_body_of_while() -> None:
    g = toy()
    found = outcomes(g, "program id = { while id do sleep ; } .")
    calls = [o for o in found if o.accepted and g.item_label(o.edit.item) == "stmt:3:3"]
    assert {o.edit.symbols for o in calls} >= {(g.symbol("sleep"),), (g.symbol("stmt"),)}


def test_another_symbol_for_the_only_one_of_a_rule_is_an_alternative() -> None:
    g = grammar("s -> a\ns -> b c\ns -> t\nt -> d")

    def said(item: str, *words: str) -> str:
        number = [g.item_label(i) for i in range(g.n_items)].index(item)
        symbols = tuple(map(g.symbol, words))
        return Edit(number, EditKind.REPLACE, symbols, 0, 1.0).describe(g)

    assert said("s:1:0", "t", "c") == "add the alternative t c"
    assert said("s:2:0", "t") == "also allow t instead of b"
    assert said("s:3:0") == "make t optional"


def test_long_texts_of_new_tokens_are_shortened() -> None:
    item = toy().item_start[1]
    said = Edit(item, EditKind.INSERT, (NEW_TOKEN,), 0, 1.0, texts=("!" * 30_000,)).describe(toy())
    assert said.startswith(f'also allow "{"!" * 37}..." ')
    assert len(said) < 80


def test_an_edit_applies_again_where_its_position_is_reached_again() -> None:
    g = toy()
    best = outcomes(g, "program id = { if id then sleep ; if id then sleep ; } .")[0]
    assert best.accepted
    assert g.item_label(best.edit.item) == "stmt:2:4"


def test_nothing_helps_against_an_unknown_token() -> None:
    assert not outcomes(toy(), "program id = { id = id , id ; } .")


def test_progress_is_reported_after_what_is_accepted() -> None:
    found = outcomes(toy(), "program id = { if id then sleep ; while id do sleep ; } .")
    assert not any(o.accepted and len(o.edit.symbols) < 2 for o in found)
    further = [o for o in found if not o.accepted]
    assert any(toy().item_label(o.edit.item) == "stmt:2:4" and o.reached == 12 for o in further)


@pytest.mark.parametrize(
    ("kind", "symbols", "rhs"),
    [
        (EditKind.INSERT, "b", "a b c d"),
        (EditKind.REPLACE, "b", "a b d"),
        (EditKind.REPLACE, "", "a d"),
        (EditKind.END, "b", "a b"),
        (EditKind.END, "", "a"),
    ],
)
def test_applied(kind: EditKind, symbols: str, rhs: str) -> None:
    g = grammar("s -> a c d\ns -> b")
    changed = applied(g, Edit(g.item(0, 1), kind, tuple(map(g.symbol, symbols.split())), 1, 0.0))
    shown = [changed.rule_text(rule.index) for rule in changed.rules]
    assert shown == ["s -> a c d", f"s -> {rhs}", "s -> b"]
    assert [rule.label for rule in changed.rules] == ["s:1", "s:2", "s:3"]


SENTENCES = [
    "program id = { var id : bool ; id = ( id + num ) ; } .",
    "program id = { if id = id then id = num else { sleep ; } ; sleep ; } .",
    "program id = { while num do { } ; { var id : int ; sleep ; } ; } .",
    "program id = { var id : int ; var id : bool ; } .",
]


@fewer(0.6)
@given(seed=st.integers(0, 10_000), text=st.sampled_from(SENTENCES), data=st.data())
def test_what_is_promised_holds(seed: int, text: str, data: st.DataObject) -> None:
    """Every edit said to be accepted is, with the edit made; and progress is real."""
    operators = [Mutation.DELETION, Mutation.SUBSTITUTION, Mutation.TRANSPOSITION]
    mutant = sample(toy(), 1, seed, operators)[0].grammar
    words = tokens(mutant, text)
    chart = parse_chart(mutant, words)
    assume(not chart.accepted)
    found = search(chart, words, EditSearch(look_back=6, longest=3))
    assume(found)
    for outcome in data.draw(st.lists(st.sampled_from(found), min_size=1, max_size=20)):
        result = parse_chart(applied(mutant, outcome.edit), words)
        assert result.accepted >= outcome.accepted
        assert result.end >= outcome.reached


@fewer(0.4)
@given(seed=st.integers(0, 10_000), text=st.sampled_from(SENTENCES))
def test_a_deleted_symbol_is_found(seed: int, text: str) -> None:
    """The edit that undoes a deletion is among the accepted ones wherever the deletion bites."""
    mutant = sample(toy(), 1, seed, [Mutation.DELETION])[0]
    words = tokens(mutant.grammar, text)
    chart = parse_chart(mutant.grammar, words)
    assume(not chart.accepted and accepts(toy(), words))
    assert mutant.original_rule is not None
    deleted_from = toy().rules[mutant.original_rule].rhs
    accepted = [outcome.edit for outcome in search(chart, words) if outcome.accepted]
    assert deleted_from in {
        rule.rhs for edit in accepted for rule in applied(mutant.grammar, edit).rules
    }


def test_compiled_and_plain_agree() -> None:
    text = "program id = { if id then sleep ; } ."
    assert outcomes(toy(), text, compiled=True) == outcomes(toy(), text, compiled=False)
