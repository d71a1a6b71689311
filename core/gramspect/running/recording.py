"""Runs a suite through a parser and keeps its spectra, for rankings and coverage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from gramspect.recognition.recognizer import BatchRecording, Recognizer
from gramspect.recognition.trace import Extraction, Observation, ParseError, Verdict
from gramspect.running.options import Progress, RunOptions
from gramspect.running.runner import run
from gramspect.spectrum.kinds import SpectrumKind
from gramspect.suites.suite import Expectation, TestCase, TestSuite

if TYPE_CHECKING:
    from gramspect.spectrum.matrix import SpectrumMatrix

__all__ = [
    "FailingTest",
    "Recording",
    "UndecidedTest",
    "commonest_reason",
    "record",
]

_BATCH = 300
"""From this many tests on, a recognizer's own batch form is used if it has one."""


@dataclass(frozen=True, slots=True)
class FailingTest:
    """A test whose verdict is not the expected one. `error` is None if it was accepted."""

    test: TestCase
    verdict: Verdict
    error: ParseError | None = None

    @property
    def line(self) -> int | None:
        """The line of the error in the file that the test is from, from 1."""
        if self.error is None or self.error.line is None:
            return None
        return self.error.line + self.test.line - 1

    @property
    def place(self) -> str:
        """Where to look: ``file:line:column`` of the error, or what is known of that."""
        if self.error is None or self.line is None:
            return self.test.name
        column = "" if self.error.column is None else f":{self.error.column}"
        if self.test.path is None:
            return f"{self.test.name} at {self.line}{column}"
        return f"{self.test.path}:{self.line}{column}"


@dataclass(frozen=True, slots=True)
class UndecidedTest:
    """A test whose parse did not finish, and why."""

    test: TestCase
    reason: str


@dataclass(frozen=True, eq=False)
class Recording:
    """The outcome of running a suite, whose tests pass, fail or are undecided.

    `matrices` holds the spectra of the kinds that were asked for; `unexpected` the observations of
    failing and undecided tests by their numbers, without their spectra.
    """

    suite: TestSuite
    matrices: Mapping[SpectrumKind, SpectrumMatrix]
    unexpected: Mapping[int, Observation]

    @cached_property
    def passing(self) -> tuple[TestCase, ...]:
        """The tests with the expected verdict, in the order of the suite, as are the others."""
        return tuple(test for n, test in enumerate(self.suite) if n not in self.unexpected)

    @cached_property
    def failing_numbers(self) -> tuple[int, ...]:
        """The numbers of the failing tests."""
        seen = self.unexpected.items()
        return tuple(n for n, one in seen if one.verdict is not Verdict.UNDECIDED)

    @cached_property
    def failing(self) -> tuple[FailingTest, ...]:
        """The tests with another verdict than the expected one."""
        seen = ((self.suite.tests[n], self.unexpected[n]) for n in self.failing_numbers)
        return tuple(FailingTest(test, one.verdict, one.error) for test, one in seen)

    @cached_property
    def undecided(self) -> tuple[UndecidedTest, ...]:
        """The tests without a verdict."""
        return tuple(
            UndecidedTest(self.suite.tests[n], one.reason)
            for n, one in self.unexpected.items()
            if one.verdict is Verdict.UNDECIDED
        )


def record(
    recognizer: Recognizer,
    suite: TestSuite,
    extraction: Extraction,
    kinds: Sequence[SpectrumKind],
    options: RunOptions = RunOptions(),
) -> Recording:
    """Run all tests, each once; see `gramspect.running.runner.run` for the limits and what is
    raised."""
    if options.recorded is not None:
        seen = [options.recorded[test.name] for test in suite]
        return _from_observations(recognizer, suite, kinds, seen, options.progress)
    many = options.timeout is None and len(suite) >= _BATCH
    if many and isinstance(recognizer, BatchRecording):
        matrices = {kind: recognizer.record(suite.tests, extraction, kind) for kind in kinds}
        return _from_matrices(recognizer, suite, extraction, matrices, options.progress)
    results = run(
        recognizer, suite.tests, extraction,
        loader=options.loader, timeout=options.timeout, jobs=options.jobs,
    )  # fmt: skip
    return _from_observations(recognizer, suite, kinds, results, options.progress)


def _from_observations(
    recognizer: Recognizer,
    suite: TestSuite,
    kinds: Sequence[SpectrumKind],
    observations: Iterable[Observation],
    progress: Progress | None,
) -> Recording:
    """The recording of observations in the order of the suite, as they come."""
    unexpected: dict[int, Observation] = {}

    def noted() -> Iterator[Observation]:
        for number, observation in enumerate(observations):
            if not _is_expected(observation, suite.tests[number].expectation):
                unexpected[number] = _without_spectra(observation)
            if progress is not None:
                progress(number + 1, len(suite))
            yield observation

    expectations = [test.expectation for test in suite]
    if not kinds:  # no matrix is wanted, so numpy is not
        for _ in noted():
            pass
        return Recording(suite, {}, unexpected)
    from gramspect.spectrum.matrix import matrices_of

    matrices = matrices_of(kinds, recognizer.grammar, noted(), expectations)
    return Recording(suite, matrices, unexpected)


def _from_matrices(
    recognizer: Recognizer,
    suite: TestSuite,
    extraction: Extraction,
    matrices: Mapping[SpectrumKind, SpectrumMatrix],
    progress: Progress | None,
) -> Recording:
    """The recording of a batch; tests that do not pass run again, to be looked at one by one."""
    import numpy as np

    numbers = np.flatnonzero(~next(iter(matrices.values())).passing).tolist()
    again = run(recognizer, [suite.tests[number] for number in numbers], extraction)
    unexpected: dict[int, Observation] = {}
    for number, observation in zip(numbers, again, strict=True):
        unexpected[number] = _without_spectra(observation)
        if progress is not None:
            progress(len(suite) - len(numbers) + len(unexpected), len(suite))
    return Recording(suite, matrices, unexpected)


def commonest_reason(undecided: Sequence[UndecidedTest]) -> tuple[str, int]:
    """The reason that most of the tests share, of several the first, and how many share it."""
    return Counter(one.reason for one in undecided).most_common(1)[0]


def _is_expected(observation: Observation, expectation: Expectation) -> bool:
    accepted = observation.verdict is Verdict.ACCEPTED
    decided = observation.verdict is not Verdict.UNDECIDED
    return decided and accepted == (expectation is Expectation.ACCEPT)


def _without_spectra(observation: Observation) -> Observation:
    """The observation of a failing test without its spectra, which are in the matrices."""
    none: frozenset[int] = frozenset()
    return replace(observation, rules=none, items=none, shift_items=none)
