"""One difference after the other: rank, set aside what the first element explains, rank again.

Raselimo and Fischer (2024, Sections 8 and 9) mend the fault that is found first and run the tests
again. A campaign has nobody who mends, so it sets aside the failing tests that execute the first
element; the passing ones stay. Every test is asked once, whatever the number of rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from gramspect.blackboxes.observed import Observed
from gramspect.localization.notes import suite_notes
from gramspect.localization.patterns import StopPattern, patterns_of
from gramspect.localization.results import (
    Basis,
    Localization,
    Method,
    Note,
    RankedElement,
    ranked_elements,
)
from gramspect.recognition.trace import Verdict
from gramspect.running.recording import FailingTest, UndecidedTest
from gramspect.scoring.evidence import Evidence, depth_scores, of_elements
from gramspect.scoring.metrics import metric as metric_named
from gramspect.scoring.ranking import rank_spectra
from gramspect.spectrum.matrix import UNDECIDED, SpectrumKind, SpectrumMatrix

__all__ = ["Deviation", "deviations_of", "localized"]


@dataclass(frozen=True)
class Deviation:
    """A difference between grammar and system: the first element of a ranking.

    `explained` are the failing tests that execute it and no element that was set aside before,
    shortest texts first, and `patterns` those at which they stop. `found` is the ranking it comes
    from.
    """

    element: RankedElement
    explained: tuple[FailingTest, ...] = field(repr=False)
    found: Localization = field(repr=False)
    patterns: tuple[StopPattern, ...] = field(default=(), repr=False)


def localized(observed: Observed, method: Method, notes: Sequence[Note] = ()) -> Localization:
    """The ranking for all tests."""
    return _localized(observed, method, frozenset(), notes)


def deviations_of(
    observed: Observed, method: Method, first: Localization, at_most: int
) -> Iterator[Deviation]:
    """The differences, at most `at_most`, beginning with that of the ranking `first`."""
    found, aside = first, frozenset[int]()
    numbers = {test.name: number for number, test in enumerate(observed.suite)}
    for _ in range(at_most):
        failing = {numbers[test.test.name]: test for test in found.failing}
        matrix = observed.matrices[method.spectrum]
        element = next((element for element in found.ranking if element.ef), None)
        if element is None:
            return
        executing = frozenset(matrix.executed(element.element).tolist())
        explained = [failing[number] for number in failing if number in executing]
        explained.sort(key=lambda test: len(test.test.text))
        stops = {n: stop for n, stop in observed.stops.items() if n in failing and n in executing}
        patterns = patterns_of(observed.grammar, stops)
        yield Deviation(element, tuple(explained), found, patterns)
        aside |= executing.intersection(failing)
        found = _localized(observed, method, aside)


def _localized(
    observed: Observed, method: Method, aside: frozenset[int], notes: Sequence[Note] = ()
) -> Localization:
    """The ranking for the tests that are not set aside."""
    grammar, suite = observed.grammar, observed.suite
    unexpected = {n: seen for n, seen in observed.unexpected.items() if n not in aside}
    matrices = {kind: _without(matrix, aside) for kind, matrix in observed.matrices.items()}
    matrix = matrices[method.spectrum]
    expectations = [suite.tests[number].expectation for number in unexpected]
    item_depths = depth_scores(SpectrumKind.ITEM, grammar, unexpected.values(), expectations)
    depths = None
    if item_depths is not None and method.evidence is not Evidence.SPECTRUM:
        depths = of_elements(method.spectrum, grammar, item_depths)
    ranking = rank_spectra(
        matrix,
        grammar,
        metric_named(method.metric),
        method.ties,
        evidence=method.evidence,
        depths=depths,
    )
    tests = {number: suite.tests[number] for number in unexpected}
    return Localization(
        grammar=grammar,
        suite=suite,
        adapter=None,
        method=method,
        n_passing=matrix.n_passing,
        failing=tuple(
            FailingTest(tests[number], seen.verdict, seen.error)
            for number, seen in unexpected.items()
            if seen.verdict is not Verdict.UNDECIDED
        ),
        undecided=tuple(
            UndecidedTest(tests[number], seen.reason)
            for number, seen in unexpected.items()
            if seen.verdict is Verdict.UNDECIDED
        ),
        ranking=ranked_elements(grammar, matrix, ranking, method.grouped),
        notes=(*notes, *suite_notes(suite, ranking)),
        patterns=patterns_of(
            grammar, {n: stop for n, stop in observed.stops.items() if n not in aside}
        ),
        basis=Basis(matrices, item_depths),
    )


def _without(matrix: SpectrumMatrix, aside: frozenset[int]) -> SpectrumMatrix:
    """The matrix with these tests neither failing nor passing."""
    if not aside:
        return matrix
    verdicts = matrix.verdicts.copy()
    verdicts[list(aside)] = UNDECIDED
    return replace(matrix, verdicts=verdicts)
