"""Edits as evidence: what it would take, in each element, to make the failing inputs pass.

That some edit helps says little: on real grammars dozens of rules have one. How cheap the cheapest
is says nearly everything. The *edit weight* of an element is the mean, over the failing tests
that were searched, of 2 ** -cost of its cheapest edit that makes the input accepted. An edit that only
lets the parse get further counts `PROGRESS` of that, in proportion to the part of the remaining input that it gains.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gramspect.chart import parse_chart
from gramspect.edits.model import Edit, EditKind
from gramspect.edits.search import EditSearch, Outcome, search
from gramspect.evidence import Scores
from gramspect.grammar import Grammar
from gramspect.spectrum import SpectrumKind

__all__ = ["Proposal", "Searched", "edit_weights", "proposals", "search_input"]

PROGRESS = 0.25
"""What an edit is worth that lets the parse get further, but not to the end."""


@dataclass(frozen=True)
class Searched:
    """A failing input and the edits that help it; the chart stops at token `error` of `n_tokens`."""

    test: int
    error: int
    n_tokens: int
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """An edit with the failing tests that it makes pass. `edit.cost` is its mean cost there."""

    edit: Edit
    tests: tuple[int, ...]


def search_input(
    grammar: Grammar,
    test: int,
    tokens: Sequence[int],
    options: EditSearch | None = None,
    *,
    compiled: bool,
) -> Searched | None:
    """Search the edits for one input; None if the grammar accepts it as it is."""
    chart = parse_chart(grammar, tokens, compiled)
    if chart.accepted:
        return None
    return Searched(test, chart.end, len(tokens), search(chart, tokens, options))


def edit_weights(kind: SpectrumKind, grammar: Grammar, searched: Sequence[Searched]) -> Scores:
    """The edit weight of every element, from 0 to 1."""
    weights = np.zeros(grammar.n_items)
    for one in searched:
        best = np.zeros(grammar.n_items)
        for outcome in one.outcomes:
            worth = 2.0**-outcome.edit.cost * _share(one, outcome)
            best[outcome.edit.item] = max(best[outcome.edit.item], worth)
        weights += best
    weights /= max(1, len(searched))
    if kind is SpectrumKind.RULE:
        of_rules: Scores = np.maximum.reduceat(weights, grammar.item_start[:-1])
        return of_rules
    return weights


def _share(searched: Searched, outcome: Outcome) -> float:
    if outcome.accepted:
        return 1.0
    gained = outcome.reached - searched.error
    return PROGRESS * gained / max(1, searched.n_tokens - searched.error)


def proposals(searched: Iterable[Searched]) -> Mapping[int, tuple[Proposal, ...]]:
    """For every item its edits that make inputs pass: those that serve most, then the cheapest."""
    found: dict[tuple[int, EditKind, tuple[int, ...]], list[tuple[int, Edit]]] = {}
    for one in searched:
        for outcome in one.outcomes:
            if outcome.accepted:
                edit = outcome.edit
                key = edit.item, edit.kind, edit.symbols
                found.setdefault(key, []).append((one.test, edit))
    by_item: dict[int, list[Proposal]] = {}
    for (item, _, _), uses in found.items():
        cheapest = {test: edit for test, edit in reversed(uses)}
        best = min(cheapest.values(), key=lambda edit: edit.cost)
        by_item.setdefault(item, []).append(Proposal(best, tuple(sorted(cheapest))))
    return {
        item: tuple(sorted(listed, key=lambda p: (-len(p.tests), p.edit.cost)))
        for item, listed in by_item.items()
    }
