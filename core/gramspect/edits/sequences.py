"""Several edits for an input that no single one helps: it shows several faults.

Behind an edit that gets the parse further the search goes on, in the grammar with that edit made,
from where the parse got to; the most promising beginnings are kept (a beam search).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

from gramspect.chart import Chart, parse_chart
from gramspect.edits.model import Edit, applied
from gramspect.edits.search import Outcome, Searching
from gramspect.grammar import Grammar

__all__ = ["Steps", "original_item", "sequences"]

LONGEST = 3
"""The most edits that are made one behind the other."""
BEAM = 3
"""How many beginnings are kept at every step."""
MARGIN = 2.0
"""Sequences that cost so much more than the cheapest one are left out."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Edits that make an input accepted together: their positions in the grammar as it was."""

    items: tuple[int, ...]
    cost: float


def original_item(grammar: Grammar, edit: Edit, edited: Grammar, item: int) -> int:
    """The item of `grammar` that an item of `edited`, with a new alternative, stands for.

    An item of the new alternative stands for the same position in the rule it was made from, or for
    that of the edit if it is behind that.
    """
    rule, dot = grammar.split_item(edit.item)
    edited_rule, place = edited.split_item(item)
    if edited_rule <= rule:
        return grammar.item(edited_rule, place)
    if edited_rule == rule + 1:
        return grammar.item(rule, min(place, dot))
    return grammar.item(edited_rule - 1, place)


@dataclass(frozen=True, eq=False)
class _State:
    """A beginning: the grammar with its edits made, and what each of its items was."""

    grammar: Grammar
    steps: Steps
    original: Sequence[int]


def sequences(
    chart: Chart, tokens: Sequence[int], outcomes: Sequence[Outcome], deadline: float
) -> tuple[Steps, ...]:
    """The shortest sequences of edits with which the `tokens` are accepted, cheapest first.

    `chart` is theirs, `outcomes` what single edits achieve. Behind `deadline` (by `time.monotonic`)
    the search ends with what it has found.
    """
    start = _State(chart.grammar, Steps((), 0.0), range(chart.grammar.n_items))
    tried = [(start, outcome) for outcome in outcomes]
    for _ in range(LONGEST - 1):
        found: list[Steps] = []
        following: list[tuple[_State, Outcome]] = []
        for state in _beginnings(tried, chart.end):
            for outcome in _searched(state, tokens, chart.space.compiled, deadline):
                if outcome.accepted:
                    found.append(_extended(state, outcome.edit))
                else:
                    following.append((state, outcome))
            if monotonic() > deadline:
                break
        if found:
            most = min(steps.cost for steps in found) + MARGIN
            return tuple(
                sorted((s for s in found if s.cost <= most), key=lambda s: (s.cost, s.items))
            )
        tried = following
    return ()


def _beginnings(tried: Sequence[tuple[_State, Outcome]], error: int) -> Iterator[_State]:
    """The most promising beginnings, one for each place that the parse gets to and new symbols."""

    def worth(one: tuple[_State, Outcome]) -> float:
        state, outcome = one
        cost: float = state.steps.cost + outcome.edit.cost
        value: float = 2.0**-cost * (outcome.reached - error)
        return value

    seen: set[object] = set()
    for state, outcome in sorted(tried, key=worth, reverse=True):
        edit = outcome.edit
        alike = state.steps.items, outcome.reached, edit.symbols
        if alike not in seen and len(seen) < BEAM and not edit.kind.restrictive:
            seen.add(alike)
            edited = applied(state.grammar, edit)
            original = [
                state.original[original_item(state.grammar, edit, edited, item)]
                for item in range(edited.n_items)
            ]
            yield _State(edited, _extended(state, edit), original)


def _extended(state: _State, edit: Edit) -> Steps:
    return Steps((*state.steps.items, state.original[edit.item]), state.steps.cost + edit.cost)


def _searched(
    state: _State, tokens: Sequence[int], compiled: bool, deadline: float
) -> Sequence[Outcome]:
    chart = parse_chart(state.grammar, tokens, compiled)
    if chart.accepted:
        return ()
    searching = Searching(chart, tokens)
    for _ in searching.run():
        if monotonic() > deadline:
            break
    return searching.outcomes(deadline)
