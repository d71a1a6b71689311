"""How often tests execute elements, for each suite: what every metric is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gramspect.builtin.native import NativeRecognizer
from gramspect.campaigns.suites import Tests
from gramspect.kernel import can_compile
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.trace import Extraction, Observation
from gramspect.running.runner import run
from gramspect.scoring.evidence import depth_scores
from gramspect.spectrum.matrix import ACCEPTED, UNDECIDED, Counts, SpectrumKind, matrices_of
from gramspect.suites.suite import Expectation

__all__ = ["Counted", "count"]

COMPILE_FROM = 20_000
"""The tokens of all tests from which on compiled code is used, where there is a compiler."""

GroupCounts: TypeAlias = dict[SpectrumKind, NDArray[np.int64]]
"""For each kind the tests that execute an element, shape (groups, 2, elements): passing ones, then
failing ones."""


@dataclass(frozen=True, eq=False)
class Counted:
    """What the parser of one mutant did with all tests.

    `verdicts` are the codes of all tests, `groups` the counts by extraction, `look` the observation
    of some tests, for what spectra do not tell.
    """

    tests: Tests
    recognizer: Recognizer
    verdicts: NDArray[np.uint8]
    groups: dict[Extraction, GroupCounts]
    look: Callable[[Sequence[int]], Sequence[Observation]]

    def totals(self, suite: int) -> tuple[int, int, int]:
        """The failing, passing and undecided tests of a suite."""
        verdicts = self.verdicts[self.tests.of_suite(suite)]
        expected = self.tests.encoded.expected[self.tests.of_suite(suite)]
        undecided = int(np.count_nonzero(verdicts == UNDECIDED))
        passing = int(np.count_nonzero(verdicts == expected))
        return len(verdicts) - undecided - passing, passing, undecided

    def counts(self, suite: int, extraction: Extraction, kind: SpectrumKind) -> Counts:
        """What the metrics take."""
        found = self.groups[extraction][kind][self.tests.members[:, suite]].sum(axis=0)
        failing, passing, _ = self.totals(suite)
        ep, ef = found[0], found[1]
        return Counts(ef, ep, failing - ef, passing - ep)

    def depths(self, suite: int, kinds: Sequence[SpectrumKind], most: int) -> DepthScores:
        """The depth scores of the elements of each kind, from the first `most` tests of a suite
        that should be accepted and are rejected."""
        expected = self.tests.encoded.expected
        wrong = (expected == ACCEPTED) & (self.verdicts != ACCEPTED) & (self.verdicts != UNDECIDED)
        chosen = np.flatnonzero(wrong & self.tests.of_suite(suite))[:most].tolist()
        seen = self.look(chosen)
        wanted = [Expectation.ACCEPT] * len(chosen)
        grammar = self.recognizer.grammar
        return {kind: depth_scores(kind, grammar, seen, wanted) for kind in kinds}


DepthScores: TypeAlias = dict[SpectrumKind, NDArray[np.float64] | None]


def count(recognizer: Recognizer, tests: Tests, extractions: Sequence[Extraction]) -> Counted:
    """Run all tests."""
    if isinstance(recognizer, NativeRecognizer):
        return _count_native(recognizer, tests, extractions)
    return _count_observed(recognizer, tests, extractions)


def _count_native(
    recognizer: NativeRecognizer, tests: Tests, extractions: Sequence[Extraction]
) -> Counted:
    """Spectra are added up where they arise, in the kernel; no test has one of its own."""
    compiled = len(tests.encoded.tokens) >= COMPILE_FROM and can_compile()
    groups = {}
    for extraction in extractions:
        verdicts, groups[extraction] = recognizer.count_tokens(
            tests.encoded, extraction, compiled=compiled
        )

    def look(chosen: Sequence[int]) -> Sequence[Observation]:
        return list(run(recognizer, [tests.case(number) for number in chosen]))

    return Counted(tests, recognizer, verdicts, groups, look)


def _count_observed(
    recognizer: Recognizer, tests: Tests, extractions: Sequence[Extraction]
) -> Counted:
    """Any recognizer: one observation for each test and extraction."""
    expectations = [case.expectation for case in tests.cases]
    first: list[Observation] = []

    def kept(observations: Iterator[Observation]) -> Iterator[Observation]:
        for observation in observations:
            first.append(observation)
            yield observation

    groups: dict[Extraction, GroupCounts] = {}
    for extraction in extractions:
        observations = run(recognizer, tests.cases, extraction)
        seen = observations if first else kept(observations)
        matrices = matrices_of(tuple(SpectrumKind), recognizer.grammar, seen, expectations)
        groups[extraction] = {}
        for kind, matrix in matrices.items():
            members = [
                [matrix.executing(tested & (tests.encoded.group == group))
                 for tested in (matrix.passing, matrix.failing)]
                for group in range(tests.encoded.n_groups)
            ]  # fmt: skip
            groups[extraction][kind] = np.array(members, np.int64)
        verdicts = matrix.verdicts
    return Counted(
        tests, recognizer, verdicts, groups, lambda chosen: [first[number] for number in chosen]
    )
