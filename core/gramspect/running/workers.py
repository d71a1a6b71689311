"""Worker processes for tests that may hang or crash.

Every worker loads the parser once and then takes one test at a time. A worker that exceeds the
time limit is killed and replaced, one that dies is replaced: either costs the test it had. What a
test and its result are is up to the caller: `run_in_workers` makes observations of test cases.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import parent_process
from typing import Any, Generic, TypeVar

from gramspect.errors import AdapterError, GramspectError
from gramspect.recognition.trace import Extraction, Observation
from gramspect.running.observing import observe_test, silenced, undecided
from gramspect.running.options import Loader
from gramspect.suites.suite import TestCase

__all__ = ["run_in_workers", "tested_in_workers"]

T = TypeVar("T")
R = TypeVar("R")

Start = Callable[[], Callable[[T], R]]
"""Makes, in a worker, what turns a test into its result; it must be picklable."""


def run_in_workers(
    loader: Loader,
    tests: Sequence[TestCase],
    extraction: Extraction,
    *,
    timeout: float | None,
    jobs: int,
) -> Iterator[Observation]:
    """The observations of `tests`, in their order. See `gramspect.running.runner.run`."""
    start = partial(_observer, loader, extraction)
    return tested_in_workers(start, tests, undecided, timeout=timeout, jobs=jobs)


def _observer(loader: Loader, extraction: Extraction) -> Callable[[TestCase], Observation]:
    return partial(observe_test, loader(), extraction=extraction)


def tested_in_workers(
    start: Start[T, R],
    tests: Sequence[T],
    undecided: Callable[[str], R],
    *,
    timeout: float | None,
    jobs: int,
) -> Iterator[R]:
    """The results of `tests`, in their order.

    Args:
        start: called once in every worker; what it returns is called with each test.
        tests: anything picklable.
        undecided: makes the result of a test that its worker did not survive, given the reason.
        timeout: seconds that a test may take; None for any time.
        jobs: number of workers.

    Raises:
        AdapterError: `start` raises, or what it returns raises a `GramspectError`.
    """
    done: dict[int, R] = {}
    reported = 0
    with closing(_as_completed(start, tests, undecided, timeout, jobs)) as results:
        for number, result in results:
            done[number] = result
            while reported in done:
                yield done.pop(reported)
                reported += 1


def _as_completed(
    start: Start[T, R],
    tests: Sequence[T],
    undecided: Callable[[str], R],
    timeout: float | None,
    jobs: int,
) -> Generator[tuple[int, R], None, None]:
    """Numbers and results of the tests as they are done."""
    unsent = deque(enumerate(tests))
    workers = [_Worker(start, undecided, timeout) for _ in range(min(jobs, len(tests)))]
    try:
        while workers:
            deadline = min(worker.deadline for worker in workers)
            patience = None if math.isinf(deadline) else max(0.0, deadline - time.monotonic())
            readable = wait([worker.connection for worker in workers], patience)
            for worker in tuple(workers):
                finished = worker.poll(worker.connection in readable)
                if finished is not None:
                    yield finished
                if worker.idle and unsent:
                    worker.start(*unsent.popleft())
                elif worker.idle:
                    worker.stop()
                if worker.stopped:
                    workers.remove(worker)
                    if unsent:
                        workers.append(_Worker(start, undecided, timeout))
    finally:
        for worker in workers:
            worker.stop()


class _Worker(Generic[T, R]):
    """The parent's end of a worker process."""

    def __init__(
        self, start: Start[T, R], undecided: Callable[[str], R], timeout: float | None
    ) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, remote = context.Pipe()
        self._process = context.Process(target=_serve, args=(remote, start), daemon=True)
        with _no_interrupts():
            self._process.start()
        remote.close()
        self._undecided = undecided
        self._timeout = timeout
        self._loaded = False
        self._test: int | None = None
        self.deadline = math.inf
        self.stopped = False

    @property
    def idle(self) -> bool:
        return self._loaded and self._test is None and not self.stopped

    def start(self, number: int, test: T) -> None:
        """Gives the worker a test; the time limit counts from now."""
        self._test = number
        if self._timeout is not None:
            self.deadline = time.monotonic() + self._timeout
        try:
            self.connection.send(test)
        except OSError:  # it died while idle: seen when the answer is read
            self.deadline = math.inf

    def poll(self, readable: bool) -> tuple[int, R] | None:
        """The test that is finished, one way or another, and its result."""
        if readable:
            results = self._receive()
        elif time.monotonic() >= self.deadline:
            self.stop()
            results = [self._undecided(f"time limit of {self._timeout:g} s")]
        else:
            results = []
        if not results or self._test is None:
            return None
        finished = self._test, results[0]
        self._test, self.deadline = None, math.inf
        return finished

    def _receive(self) -> list[R]:
        """The next result; none for the news that the parser is loaded."""
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            self.stop()
            reason = f"the parser's process died ({self._how_it_ended()})"
            if not self._loaded:
                raise AdapterError(f"{reason} when the parser was loaded") from None
            return [self._undecided(reason)]
        if isinstance(message, GramspectError):
            raise message
        news = not self._loaded
        self._loaded = True
        return [] if news else [message]

    def _how_it_ended(self) -> str:
        status = self._process.exitcode or 0
        return f"exit status {status}" if status >= 0 else signal.Signals(-status).name

    def stop(self) -> None:
        """Ends the process, whatever it is doing."""
        self._process.kill()
        self._process.join()
        self.connection.close()
        self.stopped = True


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Blocks Ctrl-C for processes started meanwhile: it is the parent that stops them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # when it starts, it unblocks the signal
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


_LOADED = "loaded"


def _serve(connection: Connection, start: Start[Any, Any]) -> None:
    """What a worker does: loads the parser, then answers tests until the pipe is closed."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        with silenced():
            answer = start()
    except GramspectError as problem:
        connection.send(AdapterError(str(problem)))
        return
    except BaseException as problem:
        what = f"{type(problem).__name__}: {problem}"
        connection.send(AdapterError(f"the parser does not load in a worker process: {what}"))
        return
    connection.send(_LOADED)
    while True:
        try:
            test = connection.recv()
        except EOFError:
            return
        try:
            connection.send(answer(test))
        except GramspectError as problem:
            connection.send(AdapterError(str(problem)))


def _end_with_parent() -> None:
    """Keeps a worker that hangs from outliving a parent that was killed."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
