"""Edits as evidence: what it would take, in each element, to make the failing tests pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gramspect.edits.failing import (
    MOST_TOKENS,
    Searched,
    search_failing,
)
from gramspect.edits.model import Edit, Key
from gramspect.edits.weights import Weights, chosen_weights, edit_weights
from gramspect.grammars.grammar import Grammar
from gramspect.scoring.evidence import Caveat, Evidence, Scores, caveats_of, scores
from gramspect.scoring.metrics import Metric
from gramspect.scoring.ranking import Ranking, Ties, rank, rank_spectra
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix

__all__ = [
    "MOST_TOKENS",
    "Proposal",
    "Searched",
    "edit_scores",
    "edit_weights",
    "proposals",
    "rank_edits",
    "search_failing",
]


@dataclass(frozen=True, slots=True)
class Proposal:
    """An edit with the failing tests that it makes pass. `edit.cost` is its least cost there."""

    edit: Edit
    tests: tuple[int, ...]


def edit_scores(
    grammar: Grammar,
    kind: SpectrumKind,
    other: Scores,
    of_edits: Scores,
    weights: Weights | None = None,
) -> Scores:
    """(other + `Weights.other_floor`) * (edit weight + `Weights.edit_floor`), for every element.

    `other` is the score by `Evidence.BOTH`, as a part of the best score. It is mostly that of the
    best element of the same non-terminal, for an edit often applies a token or two before the
    position where the parse stopped, and to a part `Weights.own_part` the element's own. `of_edits`
    are the edit weights. Elements without any evidence have 0.
    """
    chosen = weights or chosen_weights()
    rules = list(range(grammar.n_rules))
    if kind is not SpectrumKind.RULE:
        rules = [rule.index for rule in grammar.rules for _ in range(len(rule.rhs) + 1)]
    owner = np.array([grammar.user_nonterminal(grammar.rules[rule].lhs) for rule in rules])
    best = np.zeros(len(grammar.symbols))
    np.maximum.at(best, owner, other)
    mixed = (1 - chosen.own_part) * best[owner] + chosen.own_part * other
    weighed: Scores = mixed / (other.max(initial=0.0) or 1.0) + chosen.other_floor
    weighed *= of_edits + chosen.edit_floor
    return np.where((other > 0) | (of_edits > 0), weighed, 0.0)


def rank_edits(
    matrix: SpectrumMatrix,
    grammar: Grammar,
    metric: Metric,
    ties: Ties,
    depths: Scores | None,
    searched: Sequence[Searched],
    weights: Weights | None = None,
) -> Ranking:
    """The ranking by `Evidence.EDITS`; by `Evidence.BOTH`, with a caveat, if no edit helps."""
    of_edits = edit_weights(matrix.kind, grammar, searched, weights)
    unfinished = () if all(one.complete for one in searched) else (Caveat.UNFINISHED,)
    if not matrix.n_failing or not of_edits.any():
        ranking = rank_spectra(matrix, grammar, metric, ties, evidence=Evidence.BOTH, depths=depths)
        missed = (Caveat.NO_EDIT, *unfinished) if matrix.n_failing else ()
        return replace(ranking, caveats=(*ranking.caveats, *missed))
    other = scores(matrix, metric, Evidence.BOTH, depths)
    weighed = edit_scores(grammar, matrix.kind, other, of_edits, weights)
    caveats = (*caveats_of(matrix, Evidence.EDITS, depths), *unfinished)
    return rank(weighed, grammar, matrix.kind, ties, caveats=caveats)


def proposals(searched: Iterable[Searched]) -> Mapping[int, tuple[Proposal, ...]]:
    """For every item its edits that make inputs pass: those that serve most, then the cheapest."""
    found: dict[Key, list[tuple[int, Edit]]] = {}
    for one in searched:
        for outcome in one.outcomes:
            if one.mends(outcome):
                found.setdefault(outcome.edit.key, []).append((one.test, outcome.edit))
    by_item: dict[int, list[Proposal]] = {}
    for (item, _, _), uses in found.items():
        cheapest = dict(reversed(uses))
        best = min(cheapest.values(), key=lambda edit: edit.cost)
        by_item.setdefault(item, []).append(Proposal(best, tuple(sorted(cheapest))))
    return {
        item: tuple(sorted(listed, key=lambda p: (-len(p.tests), p.edit.cost)))
        for item, listed in by_item.items()
    }
