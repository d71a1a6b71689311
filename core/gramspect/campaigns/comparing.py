"""Is one method better than another on the same mutants?

The test is the one of Wilcoxon for pairs ("Individual comparisons by ranking methods", Biometrics
Bulletin 1(6), 1945), two-sided, pairs without a difference left out. The effect size is A12 of
Vargha and Delaney ("A critique and improvement of the CL common language effect size statistics of
McGraw and Wong", Journal of Educational and Behavioral Statistics 25(2), 2000).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import erfc, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gramspect.campaigns.placing import Method
from gramspect.campaigns.tables import ITEM, RULE, Place, Records
from gramspect.errors import GramspectError

__all__ = ["Comparison", "Side", "a12", "compare_sides", "named_place", "read_side", "wilcoxon"]

EXACT_UP_TO = 50
"""Pairs with a difference up to which the p-value is exact."""

Ranks = NDArray[np.float64]


class Side(NamedTuple):
    """One of the two that are compared: a series of units, a suite and a method, by numbers."""

    text: str
    series: int
    suite: int
    method: int


@dataclass(frozen=True)
class Comparison:
    """How two sides rank the same faults.

    Attributes:
        place: ``rule`` or ``item``.
        n: the mutants that both have a rank for.
        better, equal, worse: how often the first side's rank is smaller, the same, larger.
        means, firsts: of each side the mean rank, and how many ranks are 1.
        p: the p-value of Wilcoxon's test.
        a12: the probability that the first side's rank of a mutant is smaller than the second
            side's of another one, ties counting half.
    """

    first: str
    second: str
    place: str
    n: int
    better: int
    equal: int
    worse: int
    means: tuple[float, float]
    firsts: tuple[int, int]
    p: float
    a12: float


def compare_sides(records: Records, first: str, second: str, place: Place = RULE) -> Comparison:
    """Compare two sides; see `read_side` for how they are written.

    Raises:
        GramspectError: a side is none of the campaign's, or they have no mutant in common.
    """
    sides = [read_side(records, first), read_side(records, second)]
    (x, y) = _paired(records, sides, place)
    if not len(x):
        raise GramspectError("there is no mutant that both sides rank")
    difference = x - y
    return Comparison(
        first=sides[0].text,
        second=sides[1].text,
        place=place.name,
        n=len(x),
        better=int(np.count_nonzero(difference < 0)),
        equal=int(np.count_nonzero(difference == 0)),
        worse=int(np.count_nonzero(difference > 0)),
        means=(float(x.mean()), float(y.mean())),
        firsts=(int(np.count_nonzero(x <= 1)), int(np.count_nonzero(y <= 1))),
        p=wilcoxon(difference),
        a12=a12(x, y),
    )


def _paired(records: Records, sides: Sequence[Side], place: Place) -> tuple[Ranks, Ranks]:
    """The ranks of the mutants that both sides have one for."""
    given = [records.series[side.series] for side in sides]
    _, *rows = np.intersect1d(given[0].numbers, given[1].numbers, return_indices=True)
    x, y = (
        each.ranks[row, side.suite, side.method, place.number].astype(np.float64)
        for each, side, row in zip(given, sides, rows, strict=True)
    )
    both = ~(np.isnan(x) | np.isnan(y))
    return x[both], y[both]


_KEYS = ("grammar", "recognizer", "suite", *Method._fields)


def read_side(records: Records, text: str) -> Side:
    """A side as it is written: ``suite=large,spectrum=item,metric=ochiai``.

    What is left out is the first one of the campaign.

    Raises:
        GramspectError: a key or value is not one of the campaign.
    """
    wanted: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        key, is_given, value = part.partition("=")
        if key.strip() not in _KEYS or not is_given:
            near = get_close_matches(key.strip(), _KEYS, n=1)
            hint = f"did you mean {near[0]}=...?" if near else f"there are: {', '.join(_KEYS)}"
            raise GramspectError(f"{text!r} has no part {part!r} that is known; {hint}")
        wanted[key.strip()] = value.strip()
    series = [{"grammar": each.grammar, "recognizer": each.recognizer} for each in records.series]
    methods = [{k: str(v) for k, v in each._asdict().items()} for each in records.methods]
    suites = [{"suite": name} for name in records.suites]
    found = [_chosen(wanted, each) for each in (series, suites, methods)]
    chosen = {**series[found[0]], **suites[found[1]], **methods[found[2]]}
    return Side(",".join(f"{key}={chosen[key]}" for key in _KEYS), *found)


def _chosen(wanted: dict[str, str], offered: Sequence[dict[str, str]]) -> int:
    """The number of the first of those offered that has what is wanted."""
    asked = {key: value for key, value in wanted.items() if key in offered[0]}
    for number, each in enumerate(offered):
        if all(each[key] == value for key, value in asked.items()):
            return number
    for key, value in asked.items():
        known = list(dict.fromkeys(each[key] for each in offered))
        if value not in known:
            raise GramspectError(f"there is no {key} {value!r}; there are: {', '.join(known)}")
    shown = ", ".join(f"{key}={value}" for key, value in asked.items())
    raise GramspectError(f"the campaign has no {shown} together")


# --- statistics ----------------------------------------------------------------------------


def wilcoxon(differences: Ranks) -> float:
    """The two-sided p-value of Wilcoxon's signed rank test; 1 if there is no difference.

    Exact for few pairs, ties or not: then every sign is as likely as the other, and the sums of
    ranks that all choices of signs give are counted. Else by the normal distribution, its variance
    corrected for ties.
    """
    differences = differences[differences != 0]
    n = len(differences)
    if not n:
        return 1.0
    doubled = _doubled_ranks(np.abs(differences))
    positive = int(doubled[differences > 0].sum())
    total = int(doubled.sum())
    smaller = min(positive, total - positive)
    if n <= EXACT_UP_TO:
        ways = [1] + [0] * total
        for rank in doubled.tolist():
            for value in range(total, rank - 1, -1):
                ways[value] += ways[value - rank]
        return min(1.0, float(2 * sum(ways[: smaller + 1])) / float(2**n))
    # The ranks are doubled, so their sum and its deviation are, too.
    deviation = sqrt(float(np.sum(doubled.astype(np.float64) ** 2)) / 4)
    distance = abs(smaller - total / 2) / deviation if deviation else 0.0
    return float(erfc(distance / sqrt(2)))


def _doubled_ranks(values: Ranks) -> NDArray[np.int64]:
    """Twice the rank of each value, the smallest first; equal ones share the mean, which is whole
    then."""
    _, place, sizes = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    found: NDArray[np.int64] = (2 * last - sizes + 1)[place]
    return found


def a12(first: Ranks, second: Ranks) -> float:
    """Vargha and Delaney's A12 for ranks, of which small ones are good: P(X < Y) + P(X = Y) / 2."""
    ordered = np.sort(second)
    larger = len(ordered) - np.searchsorted(ordered, first, side="right")
    equal = np.searchsorted(ordered, first, side="right") - np.searchsorted(ordered, first)
    return float((larger.sum() + equal.sum() / 2) / (len(first) * len(second)))


def named_place(name: str) -> Place:
    """The place of that name."""
    return {each.name: each for each in (RULE, ITEM)}[name]
