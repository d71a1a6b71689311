"""Runs a suite through a parser and keeps its spectra: what rankings and coverage are made of."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, cast

import numpy as np

from gramspect.recognizer import LoadOptions, Recognizer, adapter_for
from gramspect.results import FailingTest, UndecidedTest
from gramspect.runner import Loader, LoadSpec, run, silenced
from gramspect.spectrum import SpectrumKind, SpectrumMatrix, matrices_of
from gramspect.suite import Expectation, TestCase, TestSuite
from gramspect.trace import Extraction, Observation, Verdict

__all__ = [
    "BatchRecognizer",
    "Loaded",
    "Progress",
    "Recording",
    "load",
    "record",
    "unexpected_tests",
]

Progress = Callable[[int, int], None]
"""Called with the number of tests that are done and of all."""

_BATCH = 300
"""From this many tests on, a recognizer's own batch form is used if it has one."""


class BatchRecognizer(Recognizer, Protocol):
    """A recognizer that can write the spectra of a whole suite at once."""

    def record(
        self, tests: Sequence[TestCase], extraction: Extraction, kind: SpectrumKind
    ) -> SpectrumMatrix:
        """The spectrum of the tests, undecided ones included."""
        ...


class Loaded(NamedTuple):
    """A recognizer, the name of the adapter that it is from, and what makes it again."""

    recognizer: Recognizer
    adapter: str | None
    loader: Loader | None


def load(
    source: str | os.PathLike[str] | Recognizer,
    *,
    adapter: str | None = None,
    options: LoadOptions,
    loader: Loader | None = None,
) -> Loaded:
    """The recognizer of a source; one that is given is taken as it is, with its `loader`.

    Raises:
        GramspectError: the source cannot be used.
    """
    if not isinstance(source, str | os.PathLike):
        return Loaded(source, adapter, loader)
    source = os.fspath(source)
    name = adapter or adapter_for(source).name
    loader = LoadSpec(name, source, options)
    with silenced():
        return Loaded(loader(), name, loader)


@dataclass(frozen=True, eq=False)
class Recording:
    """What a parser did with a suite.

    `matrices` holds the spectra of the kinds that were asked for; `unexpected` the observations of
    failing and undecided tests by their numbers, without their spectra.
    """

    matrices: Mapping[SpectrumKind, SpectrumMatrix]
    unexpected: Mapping[int, Observation]


def record(
    recognizer: Recognizer,
    suite: TestSuite,
    extraction: Extraction,
    kinds: Sequence[SpectrumKind],
    *,
    loader: Loader | None = None,
    timeout: float | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Recording:
    """Run all tests, each once; see `gramspect.runner.run` for the limits and what is raised."""
    if timeout is None and len(suite) >= _BATCH and hasattr(recognizer, "record"):
        batch = cast(BatchRecognizer, recognizer)
        return _record_batch(batch, suite, extraction, kinds, progress)
    unexpected: dict[int, Observation] = {}
    results = run(recognizer, suite.tests, extraction, loader=loader, timeout=timeout, jobs=jobs)

    def noted() -> Iterator[Observation]:
        for number, observation in enumerate(results):
            if not _is_expected(observation, suite.tests[number].expectation):
                unexpected[number] = _without_spectra(observation)
            if progress is not None:
                progress(number + 1, len(suite))
            yield observation

    expectations = [test.expectation for test in suite]
    return Recording(matrices_of(kinds, recognizer.grammar, noted(), expectations), unexpected)


def _record_batch(
    recognizer: BatchRecognizer,
    suite: TestSuite,
    extraction: Extraction,
    kinds: Sequence[SpectrumKind],
    progress: Progress | None,
) -> Recording:
    matrices = {kind: recognizer.record(suite.tests, extraction, kind) for kind in kinds}
    numbers = np.flatnonzero(~matrices[kinds[0]].passing).tolist()
    again = run(recognizer, [suite.tests[number] for number in numbers], extraction)
    unexpected: dict[int, Observation] = {}
    for number, observation in zip(numbers, again, strict=True):
        unexpected[number] = _without_spectra(observation)
        if progress is not None:
            progress(len(suite) - len(numbers) + len(unexpected), len(suite))
    return Recording(matrices, unexpected)


def unexpected_tests(
    suite: TestSuite, recording: Recording
) -> tuple[tuple[FailingTest, ...], tuple[UndecidedTest, ...]]:
    """The failing and the undecided tests, in the order of the suite."""
    observed = [(suite.tests[number], seen) for number, seen in recording.unexpected.items()]
    return (
        tuple(
            FailingTest(test, seen.verdict, seen.error)
            for test, seen in observed
            if seen.verdict is not Verdict.UNDECIDED
        ),
        tuple(
            UndecidedTest(test, seen.reason)
            for test, seen in observed
            if seen.verdict is Verdict.UNDECIDED
        ),
    )


def _is_expected(observation: Observation, expectation: Expectation) -> bool:
    accepted = observation.verdict is Verdict.ACCEPTED
    decided = observation.verdict is not Verdict.UNDECIDED
    return decided and accepted == (expectation is Expectation.ACCEPT)


def _without_spectra(observation: Observation) -> Observation:
    """What is kept of a failing test; its spectra are in the matrices."""
    none: frozenset[int] = frozenset()
    return replace(observation, rules=none, items=none, shift_items=none)
