"""The weights of elements by what edits are worth, against sums of plain numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import exp, log, log2
from statistics import fmean

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from gramspect.edits.failing import Searched
from gramspect.edits.growth import new_pairs
from gramspect.edits.likeness import likeness
from gramspect.edits.model import Edit, EditKind, Key
from gramspect.edits.search import Outcome
from gramspect.edits.sequences import Steps
from gramspect.edits.weights import Weights, chosen_weights, edit_weights, likelihood, mending
from gramspect.grammars.ebnf import Alternative, Block, Definition, Reference
from gramspect.grammars.grammar import Grammar, expand
from gramspect.grammars.symbols import Operator
from gramspect.spectrum.matrix import SpectrumKind

LEAST = 0.1
"""A test whose best edit is worth less counts as much less as that is less than this."""


def made(**rules: str) -> Grammar:
    """A grammar from alternatives between bars; ``[x]`` is an optional x."""

    def element(name: str) -> Reference | Block:
        inner = Alternative((Reference(name.strip("[]")),))
        return Block(Operator.OPTION, (inner,)) if name[0] == "[" else Reference(name)

    return expand(
        [
            Definition(
                lhs,
                tuple(Alternative(tuple(map(element, x.split()))) for x in text.split("|")),
            )
            for lhs, text in rules.items()
        ]
    )


GRAMMAR = made(
    s="stmt ; s | stmt",
    stmt="ra | rb | rc | rc | y | stmt",
    ra="x id_1 | [rd] x",
    rb="x rd | rc",
    rc="id_2 | ra",
    rd="id_3",
)


@st.composite
def weightings(draw: DrawFn) -> Weights:
    names = list(Weights.__dataclass_fields__)
    return Weights(**{name: draw(st.sampled_from([0.1, 0.35, 1.0, 2.0])) for name in names})


@st.composite
def searches(draw: DrawFn) -> list[Searched]:
    """What was found for some tests, with the same few edits again and again."""
    items = st.integers(0, GRAMMAR.n_items - 1)
    places = draw(st.lists(items, min_size=1, max_size=4, unique=True))
    found = []
    for test in range(draw(st.integers(0, 3))):
        accept = draw(st.booleans())
        kinds = [EditKind.INSERT, EditKind.END] if accept else [EditKind.REQUIRE]
        edits = st.builds(
            Edit,
            st.sampled_from(places),
            st.sampled_from(kinds),
            st.sampled_from([(1,), (GRAMMAR.symbol("id_1"),)]),
            st.just(0),
            st.sampled_from([0.0, 0.5, 1.0, 4.0]),
        )
        outcome = st.builds(Outcome, edits, st.booleans(), st.integers(3, 8))
        outcomes = tuple(draw(st.lists(outcome, max_size=5)))
        counts = st.dictionaries(
            st.sampled_from([o.edit.key for o in outcomes] or [(0, EditKind.END, (1,))]),
            st.integers(0, 3),
        )
        steps = st.builds(Steps, st.lists(items, max_size=2).map(tuple), st.just(1.5))
        found.append(
            Searched(
                test,
                3,
                outcomes,
                accept,
                sequences=tuple(draw(st.lists(steps, max_size=1))),
                conflicts=draw(counts),
                growth=draw(counts),
            )
        )
    return found


def many(n: int) -> float:
    return 1 + log2(max(n, 1)) / 2


def worths(searched: Searched, weights: Weights) -> Iterator[tuple[Outcome, float]]:
    """The outcomes of a test with what each is worth."""
    for outcome in searched.outcomes:
        edit = outcome.edit
        worth = 3**-edit.cost * (1 + weights.likeness * likeness(GRAMMAR, edit))
        worth *= (1 + searched.growth.get(edit.key, 0)) ** -weights.growth
        there = [n for key, n in searched.conflicts.items() if key[0] == edit.item]
        brought = searched.conflicts.get(edit.key, max(there, default=weights.unknown_conflicts))
        worth *= (1 + brought) ** -weights.conflicts
        if outcome.accepted is not searched.accept:
            gains = [one.reached - searched.error for one in searched.outcomes]
            gained = outcome.reached - searched.error
            worth *= weights.progress * (gained / max(gains) if gained else 0)
        yield outcome, worth


def shares(searched: Searched, weights: Weights) -> list[float]:
    best = [0.0] * GRAMMAR.n_items
    for outcome, worth in worths(searched, weights):
        best[outcome.edit.item] = max(best[outcome.edit.item], worth)
    for steps in searched.sequences:
        for item in steps.items:
            best[item] = max(best[item], 3**-steps.cost)
    return [worth / max(LEAST, *best) for worth in best]


def items_of(owner: int) -> list[int]:
    return [item for item in range(GRAMMAR.n_items) if GRAMMAR.definition_of(item) == owner]


OWNERS = [symbol.index for symbol in GRAMMAR.nonterminals if symbol.owner is None]
CALLS = {
    owner: {
        symbol
        for item in items_of(owner)
        for symbol in GRAMMAR.rules[GRAMMAR.split_item(item)[0]].rhs
        if symbol in OWNERS and symbol != owner
    }
    for owner in OWNERS
}


def over_tests(searched: Sequence[Searched], weights: Weights) -> list[float]:
    """The arithmetic mean of each item, raised by the geometric one of its non-terminal."""
    of_tests = [shares(one, weights) for one in searched]
    found = [fmean(column) for column in zip(*of_tests, strict=True)] or [0.0] * GRAMMAR.n_items
    for owner in OWNERS:
        items = items_of(owner)
        best = max(found[item] for item in items)
        if best:
            logs = [log(max(test[i] for i in items) + weights.edit_floor) for test in of_tests]
            part = (exp(fmean(logs)) - weights.edit_floor) / best
            for item in items:
                found[item] *= (1 + weights.agreement * part) / (1 + weights.agreement)
    return found


def raised_choices(found: list[float], weights: Weights) -> list[float]:
    """Alternatives that are one call weigh like the second best that they call, and all more."""
    raised = list(found)
    for owner in OWNERS:
        fronts = {
            GRAMMAR.item(rule.index, 0): max(found[item] for item in items_of(rule.rhs[0]))
            for rule in GRAMMAR.rules
            if GRAMMAR.user_nonterminal(rule.lhs) == owner
            and len(rule.rhs) == 1
            and rule.rhs[0] in CALLS[owner]
        }
        bent = {GRAMMAR.rules[GRAMMAR.split_item(i)[0]].rhs[0]: w for i, w in fronts.items() if w}
        if len(bent) > 1:
            second = sorted(bent.values())[-2]
            for front, weight in fronts.items():
                raised[front] = max(raised[front], second if weight else 0)
            for item in items_of(owner):
                raised[item] *= many(len(bent)) ** weights.choices
    return raised


@given(searched=searches(), weights=weightings())
def test_the_weights_of_items_are_those_of_the_definition(
    searched: list[Searched], weights: Weights
) -> None:
    mended = [{o.edit.key for o in one.outcomes if o.accepted is one.accept} for one in searched]
    serving_all = {key[0] for key in set.intersection(*mended)} if mended else set()
    parts = []
    for accept in (True, False):
        these = [one for one in searched if one.accept is accept]
        part = len(these) / max(1, len(searched))
        found = [weight * part for weight in over_tests(these, weights)]
        parts.append(
            [w * (weights.serving_all if i in serving_all else 1) for i, w in enumerate(found)]
        )
    extending, restricting = raised_choices(parts[0], weights), parts[1]
    expected = []
    for item, (one, other) in enumerate(zip(extending, restricting, strict=True)):
        owner = GRAMMAR.definition_of(item)
        callers = sum(owner in called for called in CALLS.values())
        expected.append((one + other) / many(callers))
    found = edit_weights(SpectrumKind.ITEM, GRAMMAR, searched, weights)
    assert found.tolist() == pytest.approx(expected)
    of_rules = edit_weights(SpectrumKind.RULE, GRAMMAR, searched, weights)
    starts = GRAMMAR.item_start
    assert of_rules.tolist() == [
        max(found[starts[rule] : starts[rule + 1]]) for rule in range(GRAMMAR.n_rules)
    ]


@pytest.mark.parametrize("accept", [True, False])
def test_an_edit_that_serves_all_tests_makes_its_position_weigh_more(accept: bool) -> None:
    """The same edit in all of them, not another one at the same position."""
    common, other = GRAMMAR.item(0, 1), GRAMMAR.item(0, 2)
    kind = EditKind.INSERT if accept else EditKind.REQUIRE
    searched = []
    for test in (1, 2):
        edits = Edit(common, kind, (1,), 0, 1.0), Edit(other, kind, (test,), 0, 0.5)
        outcomes = tuple(Outcome(edit, accepted=accept, reached=9) for edit in edits)
        searched.append(Searched(test, 3, outcomes, accept))
    plain, weighed = (
        edit_weights(
            SpectrumKind.ITEM, GRAMMAR, searched, replace(chosen_weights(), serving_all=times)
        )
        for times in (1.0, 3.0)
    )
    assert plain[common] > 0 < plain[other]
    assert weighed[common] == pytest.approx(3 * plain[common])
    assert weighed[other] == pytest.approx(plain[other])


@given(searched=searches(), weights=weightings())
def test_the_edits_that_mend_a_test_have_their_best_worth(
    searched: list[Searched], weights: Weights
) -> None:
    assume(searched)
    for one in searched:
        expected: dict[Key, float] = {}
        for outcome, worth in worths(one, weights):
            if outcome.accepted is one.accept:
                expected[outcome.edit.key] = max(worth, expected.get(outcome.edit.key, 0))
        assert mending(GRAMMAR, one, weights) == pytest.approx(expected)


@pytest.mark.parametrize("brought", [0, 2])
def test_an_edit_is_taken_to_bring_the_conflicts_of_others_at_its_position(brought: int) -> None:
    """As many as the weights say if none was looked at there."""
    places = GRAMMAR.item(0, 1), GRAMMAR.item(0, 1), GRAMMAR.item(0, 2)
    known, beside, elsewhere = (
        Edit(place, EditKind.INSERT, (number,), 0, 1.0) for number, place in enumerate(places, 1)
    )
    outcomes = tuple(Outcome(e, accepted=True, reached=9) for e in (known, beside, elsewhere))
    searched = Searched(0, 3, outcomes, conflicts={known.key: brought})
    found, chosen = mending(GRAMMAR, searched), chosen_weights()
    fewer = (1 + brought) / (1 + chosen.unknown_conflicts)
    assert found[beside.key] == found[known.key]
    assert found[elsewhere.key] == pytest.approx(found[known.key] * fewer**chosen.conflicts)


def test_the_weights_that_were_chosen_are_used_unless_others_are_given() -> None:
    edit = Edit(GRAMMAR.item(0, 1), EditKind.REPLACE, (GRAMMAR.symbol("id_1"),), 0, 1.5)
    searched = Searched(0, 1, (Outcome(edit, accepted=True, reached=2),))
    chosen = chosen_weights()
    assert mending(GRAMMAR, searched) == mending(GRAMMAR, searched, chosen)
    assert (
        edit_weights(SpectrumKind.ITEM, GRAMMAR, [searched]).tolist()
        == edit_weights(SpectrumKind.ITEM, GRAMMAR, [searched], chosen).tolist()
    )


@pytest.mark.parametrize("symbol", ["id_2", "y"])
def test_an_edit_is_as_likely_as_its_cost_its_pairs_and_its_names_say(symbol: str) -> None:
    place = GRAMMAR.item(GRAMMAR.rules_of[GRAMMAR.symbol("ra")][0], 1)
    edit = Edit(place, EditKind.REPLACE, (GRAMMAR.symbol(symbol),), 0, 1.5)
    chosen, brought = chosen_weights(), new_pairs(GRAMMAR, [edit])[edit.key]
    expected = 3**-1.5 * (1 + brought) ** -chosen.growth
    expected *= 1 + chosen.likeness * likeness(GRAMMAR, edit)
    assert likelihood(GRAMMAR, edit) == pytest.approx(expected)
    assert brought > 0
    assert (likeness(GRAMMAR, edit) > 0) is (symbol == "id_2")
