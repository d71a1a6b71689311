"""From counts to the ranks of the faulty rule and the faulty item, and of nothing else.

The ranks are those of `gramspect.scoring.ranking`, which ranks everything; here only the elements
that are to be found are counted out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gramspect.campaigns.config import MethodConfig
from gramspect.campaigns.faults import Spot
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.trace import Extraction
from gramspect.scoring.evidence import Evidence
from gramspect.scoring.ranking import TIE_TOLERANCE, Ties
from gramspect.spectrum.matrix import SpectrumKind

__all__ = ["Method", "Place", "Placing", "methods_of"]

Integers: TypeAlias = NDArray[np.int64]


class Method(NamedTuple):
    """A way of ranking."""

    spectrum: SpectrumKind
    extraction: Extraction
    evidence: Evidence
    metric: str
    ties: Ties


class Place(NamedTuple):
    """The rank of the faulty rule among the rules and of the faulty item among the items.

    Of several faults those of the one that is found first. NaN where there is none.
    """

    rule: float
    item: float


def methods_of(config: MethodConfig) -> tuple[Method, ...]:
    """All combinations; where depth alone decides there is one metric, ``-``."""
    found = {
        Method(
            SpectrumKind(spectrum),
            Extraction(extraction),
            Evidence(evidence),
            "-" if evidence == Evidence.ERROR else metric,
            Ties(ties),
        ): None
        for spectrum, extraction, evidence, metric, ties in product(
            config.spectra, config.extractions, config.evidence, config.metrics, config.ties
        )
    }
    return tuple(found)


class Placing:
    """Finds the places of the faults of one mutant.

    A rule's rank by items is that of its best one (Raselimo and Fischer 2024, Section 4.1), an
    item's rank by rules that of all items with the score of their rule (Section 7.1).
    """

    def __init__(self, grammar: Grammar, spots: Sequence[Spot]) -> None:
        self._rules = [list(spot.rules) for spot in spots if spot.rules]
        self._items = [spot.item for spot in spots if spot.item is not None]
        self._starts = np.array(grammar.item_start[:-1], np.int64)
        self._rule_of = np.repeat(np.arange(grammar.n_rules), np.diff(grammar.item_start))

    def places(
        self, kind: SpectrumKind, scores: NDArray[np.float64], ties: Sequence[Ties]
    ) -> list[Place]:
        """The places by these scores of the elements, for each way to resolve ties."""
        tie = _tie_numbers(scores)
        if kind is SpectrumKind.RULE:
            of_rules, of_items = tie, tie[self._rule_of]
        else:
            of_rules, of_items = np.minimum.reduceat(tie, self._starts), tie
        best = [min(of_rules[rules]) for rules in self._rules]
        found = []
        for way in ties:
            rule = min((_rank(of_rules, number, way) for number in best), default=np.nan)
            split = way is Ties.KMAX and kind is not SpectrumKind.RULE
            ranks = (
                self._kmax(of_items, item) if split else _rank(of_items, of_items[item], way)
                for item in self._items
            )
            found.append(Place(rule, min(ranks, default=np.nan)))
        return found

    def _kmax(self, tie: Integers, item: int) -> float:
        """The rank of an item if of each rule in a tie the last item comes first."""
        number = tie[item]
        before = np.count_nonzero(tie < number)
        tied = np.flatnonzero(tie == number)
        rules = self._rule_of[tied]
        is_last = np.append(rules[1:] != rules[:-1], True)
        n_last = np.count_nonzero(is_last)
        if is_last[np.searchsorted(tied, item)]:
            return float(before + (n_last + 1) / 2)
        return float(before + n_last + (len(tied) - n_last + 1) / 2)


def _tie_numbers(scores: NDArray[np.float64]) -> Integers:
    """The number of the tie of each element, 0 for the highest score."""
    order = np.argsort(-scores, kind="stable")
    descending = scores[order]
    apart = descending[:-1] - descending[1:] > TIE_TOLERANCE * np.abs(descending[:-1])
    found = np.zeros(len(scores), np.int64)
    found[order[1:]] = np.cumsum(apart)
    return found


def _rank(tie: Integers, number: int, ties: Ties) -> float:
    """The rank that the members of a tie share."""
    before = np.count_nonzero(tie < number)
    size = np.count_nonzero(tie == number)
    return float(before + size if ties is Ties.WORST else before + (size + 1) / 2)
