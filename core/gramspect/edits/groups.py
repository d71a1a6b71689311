"""Groups of failing tests with a cause each: a suite that shows several faults dilutes one ranking.

Tests belong together that one edit repairs, where it is nearly the best one of each of them; what
no edit repairs goes by where the parse stopped. The groups are found greedily, as sets are covered:
the edit that is worth most for the tests that are left makes the next one. Then each group is
ranked by itself, beside all passing tests, and groups with the same first element are one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gramspect.edits.failing import Searched
from gramspect.edits.model import Key
from gramspect.edits.scores import rank_edits
from gramspect.edits.weights import Weights, mending
from gramspect.grammars.grammar import Grammar
from gramspect.scoring.evidence import Scores
from gramspect.scoring.metrics import Metric
from gramspect.scoring.ranking import Ranking, Ties, group_by_nonterminal, rank
from gramspect.spectrum.matrix import SpectrumMatrix

__all__ = ["Group", "best_of_groups", "groups", "rank_groups"]

EXPLAINS = 0.1
"""An edit explains a test for which it is worth this part of the best one: about two words more."""


@dataclass(frozen=True, eq=False)
class Group:
    """Failing tests by their numbers, and the ranking that they alone give.

    They are `repaired` if some edit gives one of them the right verdict. `size` is their number,
    and up to one more, the more the first definition stands out.
    """

    tests: tuple[int, ...]
    ranking: Ranking
    repaired: bool
    size: float


def groups(
    matrix: SpectrumMatrix,
    grammar: Grammar,
    metric: Metric,
    ties: Ties,
    depths: Scores | None,
    searched: Sequence[Searched],
    stops: Mapping[int, Hashable],
    weights: Weights | None = None,
) -> tuple[Group, ...]:
    """The failing tests in groups, the largest first; the arguments are those of `rank_edits`.

    `stops` says for tests by number where they stopped. Failing tests that are neither there nor
    `searched` are in no group.
    """
    known = {one.test: one for one in searched}
    wanted = set(np.flatnonzero(matrix.failing).tolist())

    def ranked(tests: tuple[int, ...]) -> Group:
        mine = [known[number] for number in tests if number in known]
        of_group = matrix.without(sorted(wanted.difference(tests)))
        ranking = rank_edits(of_group, grammar, metric, ties, depths, mine, weights)
        repaired = any(one.mends(outcome) for one in mine for outcome in one.outcomes)
        return Group(tests, ranking, repaired, len(tests) + _share_of_first(grammar, ranking))

    wanted_stops = {n: stop for n, stop in stops.items() if n in wanted}
    parts = _parted(grammar, known, wanted_stops, weights)
    while True:
        found = [ranked(tests) for tests in parts]
        together: dict[int, list[int]] = defaultdict(list)
        for group in found:
            together[int(group.ranking.elements[0])].extend(group.tests)
        if len(together) == len(found):
            return tuple(sorted(found, key=lambda group: (-group.size, group.tests)))
        parts = [tuple(sorted(tests)) for tests in together.values()]


def rank_groups(
    grammar: Grammar, found: Sequence[Group], of_all: Ranking, first_stays: bool = False
) -> Ranking:
    """The elements by the best that a group gives them, as a part of its first one's score.

    What a group gives counts by its size. `of_all` is the ranking for all tests, the first element
    of which may stay first.
    """
    of_groups = best_of_groups(found)
    best: Scores = np.zeros(len(of_all))
    for group in found:
        scores = group.ranking.scores_of_elements
        part = of_groups[group.tests] / (scores.max(initial=0.0) or 1.0)
        np.maximum(best, part * scores, out=best)
    if first_stays:
        best[of_all.scores_of_elements == of_all.scores.max(initial=0.0)] = 1.0
    return rank(best, grammar, of_all.kind, of_all.ties, caveats=of_all.caveats)


def best_of_groups(found: Sequence[Group]) -> dict[tuple[int, ...], float]:
    """The score of the best element of each group, by the tests of the group: its part of all."""
    total = sum(group.size for group in found)
    return {group.tests: group.size / total for group in found}


def _share_of_first(grammar: Grammar, ranking: Ranking) -> float:
    """The score of the first definition as a part of those of all."""
    scores = group_by_nonterminal(ranking, grammar).scores
    return float(scores[0] / scores.sum()) if scores.any() else 0.0


# --- which tests belong together ---------------------------------------------------------------


def _parted(
    grammar: Grammar,
    known: Mapping[int, Searched],
    stops: Mapping[int, Hashable],
    weights: Weights | None,
) -> list[tuple[int, ...]]:
    """The tests by their repairs, and the others by where they stop, beside their like."""
    worth = {number: mending(grammar, one, weights) for number, one in known.items()}
    parts = [list(tests) for tests in _covered({n: found for n, found in worth.items() if found})]
    placed = {number for part in parts for number in part}
    part_of: dict[Hashable, list[int]] = {}
    for part in reversed(parts):
        part_of.update((stops[number], part) for number in part if number in stops)
    for number in sorted(known.keys() | stops.keys()):
        if number not in placed:
            stop = stops.get(number)
            if stop not in part_of:
                part_of[stop] = []
                parts.append(part_of[stop])
            part_of[stop].append(number)
    return [tuple(sorted(part)) for part in parts]


def _covered(worth: Mapping[int, Mapping[Key, float]]) -> Iterator[Sequence[int]]:
    """The tests in parts that one edit explains, those for which it is worth most first."""
    left = dict(worth)
    while left:
        total: dict[Key, float] = defaultdict(float)
        for of_test in left.values():
            for key, value in _explaining(of_test):
                total[key] += value
        chosen = max(total, key=lambda key: (total[key], repr(key)))
        part = [number for number, of_test in left.items() if chosen in dict(_explaining(of_test))]
        yield part
        for number in part:
            del left[number]


def _explaining(worth: Mapping[Key, float]) -> Iterator[tuple[Key, float]]:
    """The edits that explain a test, with their worth as parts of the best."""
    best = max(worth.values())
    return ((key, value / best) for key, value in worth.items() if value >= EXPLAINS * best)
