"""From scores to ranks: how ties are resolved, and rankings of rules and non-terminals.

A *tie* is a set of elements with the same score. Scores that differ by no more than
floating-point noise (`TIE_TOLERANCE`, relative) are the same score.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gramspect.grammars.grammar import Grammar
from gramspect.scoring.evidence import Caveat, Evidence, caveats_of
from gramspect.scoring.evidence import scores as scores_of
from gramspect.scoring.metrics import Metric
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix

__all__ = [
    "TIE_TOLERANCE",
    "Grouping",
    "Ranked",
    "Ranking",
    "Ties",
    "group_by_nonterminal",
    "rank",
    "rank_spectra",
    "rule_ranking",
]

TIE_TOLERANCE = 1e-13
"""Neighbouring scores tie if they differ by at most this part of the higher one."""

Integers: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]


class Ties(StrEnum):
    """Which rank the elements of a tie get.

    `MID`: the mean of the ranks they share, the number of elements one expects to look at when
    they are inspected in random order. `WORST`: the last of these ranks. (Raselimo and Fischer
    2024, Section 2.)

    `KMAX`: of each rule in the tie the item with the largest designated position comes first, and
    the others, which it subsumes, directly below. Each of the two parts is a tie of its own, ranked
    as by `MID`. (Section 4.4, in the variant of its footnote 3, which drops no item.) For spectra
    of rules it is `MID`.
    """

    MID = "mid"
    WORST = "worst"
    KMAX = "kmax"


@dataclass(frozen=True, eq=False)
class Ranked:
    """Elements in rank order, most suspicious first; within a tie by number.

    All arrays have one entry for each: `ranks` (from 1; x.5 is possible), `tie_sizes` (how many
    share the rank; 1 for a rank of its own) and `scores`.
    """

    elements: Integers
    ranks: Floats
    tie_sizes: Integers
    scores: Floats

    def __len__(self) -> int:
        return len(self.elements)

    @property
    def n_significant(self) -> int:
        """How many have a score above 0; they are the first ones."""
        return int(np.count_nonzero(self.scores > 0))

    @property
    def scores_of_elements(self) -> Floats:
        """The scores in the order of the elements' numbers, if all elements are ranked."""
        scores = np.zeros(len(self))
        scores[self.elements] = self.scores
        return scores

    @cached_property
    def _position(self) -> dict[int, int]:
        return {element: position for position, element in enumerate(self.elements.tolist())}

    def position_of(self, element: int) -> int:
        """Where an element stands in the arrays, from 0.

        Raises:
            KeyError: it is not ranked.
        """
        return self._position[element]

    def rank_of(self, element: int) -> float:
        """The rank of an element.

        Raises:
            KeyError: it is not ranked.
        """
        return float(self.ranks[self._position[element]])


@dataclass(frozen=True, eq=False)
class Ranking(Ranked):
    """The elements of a grammar ranked: all of them, or none if no test fails."""

    kind: SpectrumKind
    ties: Ties
    caveats: tuple[Caveat, ...] = ()


@dataclass(frozen=True, eq=False)
class Grouping(Ranked):
    """Rules or non-terminals ranked by the best element of each.

    `elements` are rule or symbol numbers, `ranks` count rules or non-terminals. `best` is the best
    element of each in the ranking they come from, and `best_ranks` its rank there.
    """

    best: Integers
    best_ranks: Floats


def rank(
    scores: Floats,
    grammar: Grammar,
    kind: SpectrumKind,
    ties: Ties,
    caveats: tuple[Caveat, ...] = (),
) -> Ranking:
    """Rank all elements of a grammar by score, the highest first.

    Raises:
        ValueError: there is not one score for each element, or one is not finite.
    """
    if scores.shape != (kind.n_elements(grammar),):
        raise ValueError(f"{scores.shape} scores for {kind.n_elements(grammar)} {kind} elements")
    if not np.isfinite(scores).all():
        raise ValueError("a score is infinite or undefined")
    order = np.argsort(-scores)
    descending = scores[order]
    apart = descending[:-1] - descending[1:] > TIE_TOLERANCE * np.abs(descending[:-1])
    tie = _tie_numbers(apart, len(order))
    order = order[np.lexsort((order, tie))]
    if ties is Ties.KMAX:
        subsumed = _subsumed(tie, _rule_of_elements(grammar, kind)[order])
        split = np.lexsort((order, subsumed, tie))
        order, tie, subsumed = order[split], tie[split], subsumed[split]
        tie = _tie_numbers((np.diff(tie) != 0) | np.diff(subsumed), len(order))
    ranks, sizes = _ranks(tie, ties)
    return Ranking(order, ranks, sizes, scores[order], kind, ties, caveats)


def rank_spectra(
    matrix: SpectrumMatrix,
    grammar: Grammar,
    metric: Metric,
    ties: Ties,
    *,
    evidence: Evidence = Evidence.SPECTRUM,
    depths: Floats | None = None,
) -> Ranking:
    """Score the elements of a matrix and rank them; without a failing test the ranking is empty.

    `depths` are the `gramspect.scoring.evidence.depth_scores` of the same tests. The `caveats` of
    the result name its limits.

    Raises:
        ValueError: the matrix or the depth scores are not of this grammar.
    """
    limits = caveats_of(matrix, evidence, depths)
    if Caveat.NO_FAILING_TEST in limits:
        none = np.empty(0, np.int64)
        return Ranking(none, np.empty(0), none, np.empty(0), matrix.kind, ties, limits)
    return rank(scores_of(matrix, metric, evidence, depths), grammar, matrix.kind, ties, limits)


def rule_ranking(ranking: Ranking, grammar: Grammar) -> Grouping:
    """The rules of a grammar, ranked by the best item of each (Section 4.1)."""
    return _grouped(ranking, _rule_of_elements(grammar, ranking.kind))


def group_by_nonterminal(ranking: Ranking, grammar: Grammar) -> Grouping:
    """The non-terminals that the user wrote, ranked by the best element in each one's definition.

    Elements of helper non-terminals belong to the definition in which the helper stands.
    """
    owner = np.array([grammar.user_nonterminal(rule.lhs) for rule in grammar.rules], np.int64)
    return _grouped(ranking, owner[_rule_of_elements(grammar, ranking.kind)])


def _grouped(ranking: Ranking, group_of: Integers) -> Grouping:
    """Groups in the order of their best elements; they tie if these do."""
    groups = group_of[ranking.elements]
    _, first = np.unique(groups, return_index=True)
    first.sort()
    best_ranks = ranking.ranks[first]
    tie = _tie_numbers(np.diff(best_ranks) != 0, len(first))
    ranks, sizes = _ranks(tie, ranking.ties)
    best = ranking.elements[first]
    return Grouping(groups[first], ranks, sizes, ranking.scores[first], best, best_ranks)


def _rule_of_elements(grammar: Grammar, kind: SpectrumKind) -> Integers:
    """The rule of each element."""
    rules = np.arange(grammar.n_rules)
    return rules if kind is SpectrumKind.RULE else np.repeat(rules, np.diff(grammar.item_start))


def _tie_numbers(apart: NDArray[np.bool_], n: int) -> Integers:
    """The number of the tie of each of n elements, from which neighbours are apart."""
    return np.cumsum(np.concatenate(([False], apart)), dtype=np.int64)[:n]


def _subsumed(tie: Integers, rule: Integers) -> NDArray[np.bool_]:
    """Which items, sorted by tie and number, are followed by one of the same rule in their tie."""
    subsumed = np.zeros(len(tie), np.bool_)
    subsumed[:-1] = (tie[:-1] == tie[1:]) & (rule[:-1] == rule[1:])
    return subsumed


def _ranks(tie: Integers, ties: Ties) -> tuple[Floats, Integers]:
    """Rank and tie size of each element, from the ascending number of its tie."""
    sizes: Integers = np.bincount(tie)
    last = np.cumsum(sizes).astype(np.float64)
    ranks = last if ties is Ties.WORST else last - (sizes - 1) / 2
    return ranks[tie], sizes[tie]
