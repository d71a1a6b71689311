"""The evidence for a score: the spectra, the places where failing parses stopped, or both.

Spectra flatten a rejected test: they do not tell the item at which the parse stopped from one that
was done with long before. The *depth score* of an item brings that back. It is the mean, over the
failing tests that have an error position, of 1 / (1 + depth), where the depth is the item's
distance from the error (`Observation.active`: 0 for an item that waits where the error is, 1 for
its caller and so on), and 0 for a test in which the item is not active. An item that could
start at the error (`Observation.predicted`) counts a part of that, `PREDICTED_WEIGHT`. A rule has
the score of its best item.

A failing test has an error position if it is rejected and should be accepted, and some item was
active or predicted. A test that is wrongly accepted says nothing about where, and is left out of
the mean.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gramspect.grammars.grammar import Grammar
from gramspect.recognition.trace import Observation, Verdict
from gramspect.scoring.metrics import Metric
from gramspect.spectrum.matrix import Counts, SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import Expectation

__all__ = [
    "DEPTH_FLOOR",
    "PREDICTED_WEIGHT",
    "SPECTRUM_FLOOR",
    "Caveat",
    "Evidence",
    "caveats_of",
    "counted_scores",
    "depth_scores",
    "of_elements",
    "scores",
]

SPECTRUM_FLOOR = 0.2
"""The part of the spectrum's score that remains under `Evidence.BOTH` far from every error."""

DEPTH_FLOOR = 0.1
"""What depth alone brings under `Evidence.BOTH`, as a part of the best score by the metric: an item
that waits at the error is suspicious even where the extraction left it out of the spectrum."""

PREDICTED_WEIGHT = 0.25
"""The weight of an item predicted at the error, as a part of that of an active one as far away."""

Scores: TypeAlias = NDArray[np.float64]


class Evidence(StrEnum):
    """Which evidence a score uses.

    `SPECTRUM` is the metric of the counts (Raselimo and Fischer 2024), `ERROR` the depth score
    alone, and `BOTH` is `SPECTRUM_FLOOR` * metric + (metric + `DEPTH_FLOOR` * best metric) * depth
    score. `EDITS` weighs that by what small changes of the grammar there would achieve
    (`gramspect.edits`).
    """

    SPECTRUM = "spectrum"
    ERROR = "error"
    BOTH = "both"
    EDITS = "edits"


class Caveat(StrEnum):
    """A limit of a ranking that its reader has to know."""

    NO_FAILING_TEST = "no-failing-test"
    """Nothing is ranked."""
    NO_PASSING_TEST = "no-passing-test"
    """The metrics cannot tell apart what all failing tests have in common."""
    NO_ERROR_POSITION = "no-error-position"
    """`Evidence.ERROR` and `BOTH` fell back to the spectrum."""
    NO_EDIT = "no-edit"
    """`Evidence.EDITS` fell back to `BOTH`: no edit makes a failing test pass."""
    UNFINISHED = "unfinished-search"
    """The search for edits was stopped, by its budget or from the keyboard."""


def depth_scores(
    kind: SpectrumKind,
    grammar: Grammar,
    observations: Iterable[Observation],
    expectations: Iterable[Expectation],
    predicted_weight: float = PREDICTED_WEIGHT,
) -> Scores | None:
    """The depth score of every element, from 0 to 1; None if no failing test has an error position.

    Observations and expectations go together one by one. Only failing tests count, so the others
    may be left out. A predicted item counts ``predicted_weight / (1 + distance)`` where that is
    more than it counts as an active one.

    Raises:
        ValueError: there are not as many observations as expectations.
    """
    # Occurrences are counted first and weighed last, in one order for all items: then items that
    # occur at the same depths have the same score to the last bit, and tie.
    occurrences: Counter[tuple[float, int]] = Counter()
    located = 0
    for observation, expected in zip(observations, expectations, strict=True):
        if _has_error_position(observation, expected):
            located += 1
            worth = _contributions(observation, predicted_weight)
            occurrences.update((value, item) for item, value in worth.items())
    if not located:
        return None
    of_items = np.zeros(grammar.n_items)
    for (value, item), tests in sorted(occurrences.items()):
        of_items[item] += value * tests
    return of_elements(kind, grammar, of_items / located)


def of_elements(kind: SpectrumKind, grammar: Grammar, of_items: Scores) -> Scores:
    """The values of items as those of elements: a rule has that of its best item."""
    if kind is not SpectrumKind.RULE:
        return of_items
    best: Scores = np.maximum.reduceat(of_items, grammar.item_start[:-1])
    return best


def _has_error_position(observation: Observation, expected: Expectation) -> bool:
    return (
        observation.verdict is Verdict.REJECTED
        and expected is Expectation.ACCEPT
        and bool(observation.active or observation.predicted)
    )


def _contributions(observation: Observation, predicted_weight: float) -> dict[int, float]:
    """The depth scores that one failing test adds to the items."""
    worth = {item: 1 / (1 + depth) for item, depth in observation.active.items()}
    if predicted_weight:
        for item, distance in observation.predicted.items():
            worth[item] = max(worth.get(item, 0.0), predicted_weight / (1 + distance))
    return worth


def scores(
    matrix: SpectrumMatrix,
    metric: Metric,
    evidence: Evidence = Evidence.SPECTRUM,
    depths: Scores | None = None,
) -> Scores:
    """The suspiciousness of every element, shape (elements,).

    `depths` are the `depth_scores` of the same elements; if None, the spectrum alone decides.

    Raises:
        ValueError: `depths` has another shape than the matrix has elements.
    """
    if depths is not None and depths.shape != (matrix.n_elements,):
        raise ValueError(f"{depths.shape} depth scores for {matrix.n_elements} elements")
    return counted_scores(matrix.counts(), metric, evidence, depths)


def counted_scores(
    counts: Counts, metric: Metric, evidence: Evidence, depths: Scores | None
) -> Scores:
    """The same from the counts of a matrix; the depth scores are those of its elements."""
    if evidence is Evidence.ERROR and depths is not None:
        return depths
    spectrum = metric(counts.ef, counts.ep, counts.nf, counts.np_)
    if evidence is not Evidence.SPECTRUM and depths is not None:
        of_depth = DEPTH_FLOOR * float(spectrum.max(initial=0.0))
        both: Scores = SPECTRUM_FLOOR * spectrum + (spectrum + of_depth) * depths
        return both
    return spectrum


def caveats_of(
    matrix: SpectrumMatrix, evidence: Evidence, depths: Scores | None
) -> tuple[Caveat, ...]:
    """The limits of a ranking of these tests by this evidence."""
    found = {
        Caveat.NO_FAILING_TEST: not matrix.n_failing,
        Caveat.NO_PASSING_TEST: not matrix.n_passing,
        Caveat.NO_ERROR_POSITION: evidence is not Evidence.SPECTRUM and depths is None,
    }
    return tuple(caveat for caveat, holds in found.items() if holds)
