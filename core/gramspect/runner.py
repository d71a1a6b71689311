"""Runs a recognizer over tests; whatever a parser does costs one test at most.

Without a time limit and with one job, tests run in this process. Else they run in worker processes
(`gramspect.workers`), which can be stopped. In this process, a recognizer with a batch form
(`Batching`) gets many tests at once; if that raises, it gets them one after the other.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TextIO

from gramspect.errors import GramspectError, MissingDependency
from gramspect.extraction import observe
from gramspect.recognizer import (
    Batching,
    LoadOptions,
    Recognizer,
    Tokenizing,
    adapter,
    check_options,
)
from gramspect.suite import TestCase
from gramspect.trace import Extraction, Observation, Trace, Undecided, Verdict

__all__ = ["LoadSpec", "Loader", "observe_test", "run", "silenced", "tokens_of", "undecided"]

Loader = Callable[[], Recognizer]
"""Makes a recognizer again in another process; it must be picklable."""

BATCH_TESTS = 100
BATCH_CHARACTERS = 100_000
"""How much a recognizer gets at once: the traces of a batch are in memory together."""


@dataclass(frozen=True, slots=True)
class LoadSpec:
    """A recognizer by the names of its adapter and source; calling it loads the recognizer.

    Raises:
        AdapterError: there is no such adapter, it cannot load the source, or an option is unknown.
        GrammarError: the source's grammar is broken.
        MissingDependency: something the adapter needs is not installed.
    """

    adapter: str
    source: str
    options: LoadOptions = field(default_factory=LoadOptions)

    def __call__(self) -> Recognizer:
        found = adapter(self.adapter)
        missing = found.missing()
        if missing is not None:
            raise MissingDependency(missing)
        check_options(found, self.options)
        return found.load(self.source, self.options)


def run(
    recognizer: Recognizer,
    tests: Sequence[TestCase],
    extraction: Extraction = Extraction.EXACT,
    *,
    loader: Loader | None = None,
    timeout: float | None = None,
    jobs: int = 1,
) -> Iterator[Observation]:
    """What `recognizer` does with each test, in the order of `tests`, as they are done.

    With a `timeout` (seconds per test, extraction included) or more than one of `jobs`, the tests
    run in worker processes that make the recognizer again with `loader`. A parse that takes too
    long, crashes or raises makes its test undecided.

    Raises:
        ValueError: worker processes are asked for and there is no loader.
        AdapterError: the recognizer does not load in a worker.
    """
    if timeout is None and jobs == 1:
        return _observe_here(recognizer, tests, extraction)
    if loader is None:
        raise ValueError(
            "a time limit and jobs need a loader, to make the parser in other processes"
        )
    from gramspect.workers import run_in_workers

    return run_in_workers(loader, tests, extraction, timeout=timeout, jobs=jobs)


def _observe_here(
    recognizer: Recognizer, tests: Sequence[TestCase], extraction: Extraction
) -> Iterator[Observation]:
    for batch in _batches(tests):
        traces = _batch_traces(recognizer, batch) if isinstance(recognizer, Batching) else None
        if traces is None:
            yield from (observe_test(recognizer, test, extraction) for test in batch)
        else:
            yield from (_observed(partial(observe, trace, extraction)) for trace in traces)


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


def _batch_traces(recognizer: Batching, tests: Sequence[TestCase]) -> Sequence[Trace] | None:
    """None if the batch as a whole fails."""
    try:
        with silenced():
            return recognizer.traces(tests)
    except KeyboardInterrupt:
        raise
    except BaseException:  # which test it was shows when they run alone
        return None


def observe_test(recognizer: Recognizer, test: TestCase, extraction: Extraction) -> Observation:
    """The observation of one test; undecided if the parser raises.

    Raises:
        GramspectError: the recognizer cannot supply the extraction.
    """
    return _observed(lambda: observe(_traced(recognizer, test), extraction))


def _observed(observation: Callable[[], Observation]) -> Observation:
    try:
        return observation()
    except (KeyboardInterrupt, GramspectError):
        raise
    except RecursionError:
        return undecided("the parse is nested too deeply for the stack of this process")
    except MemoryError:
        return undecided("the parse needs more memory than there is")
    except BaseException as problem:  # a parser may even call sys.exit
        return undecided(f"the parser raised {type(problem).__name__}: {problem}")


def _traced(recognizer: Recognizer, test: TestCase) -> Trace:
    try:
        with silenced():
            return recognizer.trace(test)
    except GramspectError as problem:
        return Undecided(str(problem))


def undecided(reason: str) -> Observation:
    """The observation of a parse that did not finish."""
    return Observation(Verdict.UNDECIDED, reason=reason)


def tokens_of(recognizer: Tokenizing, test: TestCase) -> Sequence[int] | None:
    """The terminals of a test; None if they are not known or the parser's own code fails."""
    try:
        with silenced():
            return recognizer.tokens(test)
    except KeyboardInterrupt:
        raise
    except BaseException:  # what the parse of the test makes of it is in the results
        return None


@contextmanager
def silenced() -> Iterator[None]:
    """Runs the user's code with its standard streams at the null device.

    A parser module may print its own syntax errors, or wait for somebody to type.
    """
    streams = sys.stdin, sys.stdout, sys.stderr
    if any(stream.closed for stream in _null_device()):  # the user's code may have closed one
        _null_device.cache_clear()
    sys.stdin, sys.stdout, sys.stderr = _null_device()
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams


@cache
def _null_device() -> tuple[TextIO, TextIO, TextIO]:
    path = Path(os.devnull)
    write = path.open("w")
    return path.open(), write, write
