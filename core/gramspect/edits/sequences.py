"""Several edits for an input that no single one helps: it shows several faults.

After an edit that gets the parse further the search goes on, in the grammar with that edit made,
from where the parse got to; the most promising beginnings are kept (a beam search).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from gramspect.edits.model import Edit, EditKind, applied, worth_of
from gramspect.edits.search import Outcome, Searching
from gramspect.effort import now
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import Chart, parse_chart

__all__ = ["Steps", "original_item", "sequences"]

LONGEST = 3
"""The most edits that are made one after the other."""
BEAM = 3
"""How many beginnings are kept at every step."""
WAYS = 16
"""How many equivalent sequences are kept of each."""
MARGIN = 2.0
"""Sequences that cost this much more than the cheapest one are left out."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Edits that make an input accepted together: their positions in the grammar as it was."""

    items: tuple[int, ...]
    cost: float


def original_item(grammar: Grammar, edit: Edit, edited: Grammar, item: int) -> int:
    """The item of `grammar` that an item of `edited`, with a new alternative, stands for.

    An item of the new alternative stands for the same position in the rule it was made from, or for
    that of the edit where there is none.
    """
    rule, dot = grammar.split_item(edit.item)
    edited_rule, place = edited.split_item(item)
    if edited_rule <= rule:
        return grammar.item(edited_rule, place)
    if edited_rule > rule + 1:
        return grammar.item(edited_rule - 1, place)
    if edit.kind is not EditKind.END and place >= dot + len(edit.symbols):
        lost = len(grammar.rules[rule].rhs) - len(edited.rules[edited_rule].rhs)
        return grammar.item(rule, place + lost)
    return grammar.item(rule, min(place, dot))


@dataclass(frozen=True, eq=False)
class _State:
    """A beginning: the grammar with its edits made, and what each of its items was.

    `ways` are the sequences that lead there: edits for the same symbols that get the parse as far
    are taken for one, whose place is a matter of taste.
    """

    grammar: Grammar
    ways: Sequence[Steps]
    original: Sequence[int]

    @property
    def cost(self) -> float:
        return self.ways[0].cost


_Tried = tuple[_State, Outcome]


def sequences(
    chart: Chart, tokens: Sequence[int], outcomes: Sequence[Outcome], deadline: float
) -> tuple[Steps, ...]:
    """The shortest sequences of edits with which the `tokens` are accepted, cheapest first.

    `chart` is theirs, `outcomes` what single edits achieve. After `deadline` (by
    `gramspect.effort.now`) the search ends with what it has found.
    """
    start = _State(chart.grammar, [Steps((), 0.0)], range(chart.grammar.n_items))
    tried: list[_Tried] = [(start, outcome) for outcome in outcomes]
    for _ in range(LONGEST - 1):
        found: list[Steps] = []
        following: list[_Tried] = []
        for state in _beginnings(tried, chart.end):
            for outcome in _searched(state, tokens, chart.space.compiled, deadline):
                if outcome.accepted:
                    found += _extended((state, outcome))
                else:
                    following.append((state, outcome))
            if now() >= deadline:
                break
        if found:
            most = min(steps.cost for steps in found) + MARGIN
            kept = {steps for steps in found if steps.cost <= most}
            return tuple(sorted(kept, key=lambda steps: (steps.cost, steps.items)))
        tried = following
    return ()


def _beginnings(tried: Sequence[_Tried], error: int) -> Iterator[_State]:
    """The most promising beginnings, one for each place that the parse gets to and new symbols."""
    groups: dict[object, list[_Tried]] = {}
    for one in sorted(tried, key=lambda one: -_worth(one, error)):
        state, outcome = one
        if not outcome.edit.kind.restrictive:
            alike = id(state), outcome.reached, outcome.edit.symbols
            groups.setdefault(alike, []).append(one)
    for group in islice(groups.values(), BEAM):
        state, edit = group[0][0], group[0][1].edit
        edited = applied(state.grammar, edit)
        original = [
            state.original[original_item(state.grammar, edit, edited, item)]
            for item in range(edited.n_items)
        ]
        ways = [steps for one in group for steps in _extended(one)]
        yield _State(edited, sorted(ways, key=lambda steps: steps.cost)[:WAYS], original)


def _worth(one: _Tried, error: int) -> float:
    state, outcome = one
    cost: float = state.cost + outcome.edit.cost
    return worth_of(cost) * (outcome.reached - error)


def _extended(one: _Tried) -> list[Steps]:
    """The sequences with one more edit."""
    state, edit = one[0], one[1].edit
    item = state.original[edit.item]
    return [Steps((*steps.items, item), steps.cost + edit.cost) for steps in state.ways]


def _searched(
    state: _State, tokens: Sequence[int], compiled: bool, deadline: float
) -> Sequence[Outcome]:
    chart = parse_chart(state.grammar, tokens, compiled)
    if chart.accepted:
        return ()
    searching = Searching(chart, tokens)
    for _ in searching.run():
        if now() >= deadline:
            break
    return searching.outcomes(deadline)
