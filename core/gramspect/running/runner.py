"""Runs a recognizer over tests; whatever a parser does costs one test at most.

A recognizer whose parser is in another process runs them there (`gramspect.running.isolated`).
Others run tests in this process, or with a time limit or several jobs in worker processes
(`gramspect.running.workers`), which can be stopped. In this process, a recognizer with a batch form
(`Batching`) gets many tests at once; if that raises, it gets them one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Protocol, TypeVar, runtime_checkable

from gramspect.recognition.recognizer import (
    Batching,
    Deciding,
    Recognizer,
)
from gramspect.recognition.trace import Extraction, Observation, ParseError, Trace, Verdict
from gramspect.running.observing import observe_test, observed, silenced
from gramspect.running.options import Loader
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import TestCase

__all__ = ["RunningElsewhere", "run"]

T = TypeVar("T")

BATCH_TESTS = 100
BATCH_CHARACTERS = 100_000
"""The size of a batch: the traces of all its tests are in memory together."""


@runtime_checkable
class RunningElsewhere(Protocol):
    """A recognizer whose parser is in another process."""

    def run(
        self,
        tests: Sequence[TestCase],
        extraction: Extraction | None,
        timeout: float | None,
        jobs: int,
    ) -> Iterator[Observation]:
        """What it does with each test, in their order; the arguments are those of `run`."""
        ...


def run(
    recognizer: Recognizer,
    tests: Sequence[TestCase],
    extraction: Extraction | None = Extraction.EXACT,
    *,
    loader: Loader | None = None,
    timeout: float | None = None,
    jobs: int = 1,
) -> Iterator[Observation]:
    """Yield the observation of each test by `recognizer`, in the order of `tests`.

    Without an `extraction`, observations have verdicts and errors only, which takes less time.
    With a `timeout` (seconds per test, extraction included) or more than one of `jobs`, the tests
    run in worker processes that make the recognizer again with `loader`. A parse that takes too
    long, crashes or raises makes its test undecided.

    Raises:
        ValueError: worker processes are asked for and there is no loader.
        AdapterError: the recognizer does not load in a worker.
    """
    if isinstance(recognizer, RunningElsewhere):
        return recognizer.run(tests, extraction, timeout, jobs)
    if timeout is None and jobs == 1:
        return _observe_here(recognizer, tests, extraction)
    if loader is None:
        raise ValueError(
            "a time limit and jobs need a loader, to make the parser in other processes"
        )
    from gramspect.running.workers import run_in_workers

    return run_in_workers(loader, tests, extraction, timeout=timeout, jobs=jobs)


def _observe_here(
    recognizer: Recognizer, tests: Sequence[TestCase], extraction: Extraction | None
) -> Iterator[Observation]:
    for batch in _batches(tests):
        said: Sequence[Trace | ParseError | None] | None = None
        if extraction is None and isinstance(recognizer, Deciding):
            said = _of_batch(recognizer.decisions, batch)
        elif isinstance(recognizer, Batching):
            said = _of_batch(recognizer.traces, batch)
        if said is None:
            yield from (observe_test(recognizer, test, extraction) for test in batch)
        else:
            yield from (observed(partial(_observation, one, extraction)) for one in said)


def _observation(said: Trace | ParseError | None, extraction: Extraction | None) -> Observation:
    if said is None:
        return Observation(Verdict.ACCEPTED)
    if isinstance(said, ParseError):
        return Observation(Verdict.REJECTED, said)
    return observe(said, extraction)


def _batches(tests: Sequence[TestCase]) -> Iterator[Sequence[TestCase]]:
    """The tests in order; a batch has several only as long as their texts are short together."""
    first = size = 0
    for number, test in enumerate(tests):
        size += len(test.text)
        if number > first and (number - first == BATCH_TESTS or size > BATCH_CHARACTERS):
            yield tests[first:number]
            first, size = number, len(test.text)
    if first < len(tests):
        yield tests[first:]


def _of_batch(
    run_all: Callable[[Sequence[TestCase]], Sequence[T]], tests: Sequence[TestCase]
) -> Sequence[T] | None:
    """None if the batch as a whole fails."""
    try:
        with silenced():
            return run_all(tests)
    except KeyboardInterrupt:
        raise
    except BaseException:  # running each test alone will show which one it was
        return None
