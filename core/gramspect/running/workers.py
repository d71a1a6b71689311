"""Worker processes for tests that may hang or crash.

Every worker takes one test at a time. One that exceeds the time limit is killed and replaced, one
that dies is replaced: either costs the test it had. A worker is a new process that loads the parser
once (`spawning`), or a copy of one that has loaded it (`gramspect.running.hosts`). What a test and
its result are is up to the caller: `run_in_workers` makes observations of test cases.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import parent_process
from typing import Any, Generic, Protocol, TypeVar

from gramspect.errors import AdapterError, GramspectError
from gramspect.recognition.surroundings import one_line
from gramspect.recognition.trace import Extraction, Observation
from gramspect.running.hosts import become_expendable, exit_if_not, how_it_ended
from gramspect.running.observing import observe_test, silenced, undecided
from gramspect.running.options import Loader
from gramspect.suites.suite import TestCase

__all__ = [
    "Launch",
    "Process",
    "answer_tests",
    "ends_of",
    "run_in_workers",
    "spawning",
    "tested_in_workers",
]

T = TypeVar("T")
R = TypeVar("R")

Start = Callable[[], Callable[[T], R]]
"""Makes, in a worker, what turns a test into its result; it must be picklable."""


class Process(Protocol):
    """Another process that takes tests and gives results through a pipe."""

    @property
    def connection(self) -> Connection: ...

    @property
    def sentinel(self) -> int | None:
        """An object that is readable when the process has ended; None if there is only the pipe."""
        ...

    def kill(self) -> int:
        """Ends it, whatever it is doing; its exit status, negative for a signal."""
        ...


def ends_of(process: Process) -> list[Connection | int]:
    """The objects that are readable when a process has answered or ended."""
    sentinel = process.sentinel
    return [process.connection, *([] if sentinel is None else [sentinel])]


Launch = Callable[[], Process]
"""Starts a process that runs `answer_tests`."""


def run_in_workers(
    loader: Loader,
    tests: Sequence[TestCase],
    extraction: Extraction | None,
    *,
    timeout: float | None,
    jobs: int,
) -> Iterator[Observation]:
    """The observations of `tests`, in their order. See `gramspect.running.runner.run`."""
    launch = spawning(partial(_observer, loader, extraction))
    return tested_in_workers(launch, tests, undecided, timeout=timeout, jobs=jobs)


def _observer(loader: Loader, extraction: Extraction | None) -> Callable[[TestCase], Observation]:
    return partial(observe_test, loader(), extraction=extraction)


def tested_in_workers(
    launch: Launch,
    tests: Sequence[T],
    undecided: Callable[[str], R],
    *,
    timeout: float | None,
    jobs: int,
) -> Iterator[R]:
    """The results of `tests`, in their order.

    Args:
        launch: starts a worker.
        tests: anything picklable.
        undecided: makes the result of a test that its worker did not survive, given the reason.
        timeout: seconds that a test may take; None for any time.
        jobs: number of workers.

    Raises:
        AdapterError: a worker cannot start, or a test raises a `GramspectError`.
    """
    done: dict[int, R] = {}
    reported = 0
    with closing(_as_completed(launch, tests, undecided, timeout, jobs)) as results:
        for number, result in results:
            done[number] = result
            while reported in done:
                yield done.pop(reported)
                reported += 1


def _as_completed(
    launch: Launch,
    tests: Sequence[T],
    undecided: Callable[[str], R],
    timeout: float | None,
    jobs: int,
) -> Generator[tuple[int, R], None, None]:
    """Numbers and results of the tests as they are done."""
    unsent = deque(enumerate(tests))
    workers: list[_Worker[T, R]] = []
    try:
        workers.extend(_Worker(launch, undecided, timeout) for _ in range(min(jobs, len(tests))))
        while workers:
            deadline = min(worker.deadline for worker in workers)
            patience = None if math.isinf(deadline) else max(0.0, deadline - time.monotonic())
            ready = wait([end for worker in workers for end in worker.ends], patience)
            for worker in tuple(workers):
                yield from worker.poll(any(end in ready for end in worker.ends))
                ahead = len(unsent) > jobs * _AHEAD
                while unsent and (worker.idle or (ahead and worker.has_room)):
                    worker.start(*unsent.popleft())
                if worker.idle:
                    worker.stop()
                if worker.stopped:
                    workers.remove(worker)
                    unsent.extendleft(reversed(worker.sent))
                    if unsent:
                        workers.append(_Worker(launch, undecided, timeout))
    finally:
        for worker in workers:
            worker.stop()


_AHEAD, _BYTES_AHEAD = 16, 4096
"""So many tests of that size together are sent before the result of the first has come: who has to
wait for the other loses the processor. The pipe holds them, so sending never blocks."""


class _Worker(Generic[T, R]):
    """The parent's end of a worker process. `sent` holds the tests whose results have not come."""

    def __init__(
        self, launch: Launch, undecided: Callable[[str], R], timeout: float | None
    ) -> None:
        self._process = launch()
        self._undecided = undecided
        self._timeout = math.inf if timeout is None else timeout
        self._loaded = False
        self.sent: deque[tuple[int, T]] = deque()
        self._bytes_ahead = 0
        self.deadline = math.inf
        self.stopped = False

    @property
    def ends(self) -> list[Connection | int]:
        """The objects that are readable when there is something to `poll`."""
        return ends_of(self._process)

    @property
    def idle(self) -> bool:
        return self._loaded and not self.sent and not self.stopped

    @property
    def has_room(self) -> bool:
        """Whether one more test can be sent before the result of the first has come."""
        known = self._loaded and not self.stopped
        return known and len(self.sent) < _AHEAD and self._bytes_ahead < _BYTES_AHEAD

    def start(self, number: int, test: T) -> None:
        """Gives the worker a test; its time limit counts from now, or from the last result."""
        message = pickle.dumps(test, pickle.HIGHEST_PROTOCOL)
        if not self.sent:
            self.deadline = time.monotonic() + self._timeout
            self._bytes_ahead = 0
        self._bytes_ahead += len(message)
        self.sent.append((number, test))
        with suppress(OSError):  # it died while idle: seen when the answer is read
            self._process.connection.send_bytes(message)

    def poll(self, ready: bool) -> Iterator[tuple[int, R]]:
        """The tests that are finished, one way or another, and their results."""
        if ready:
            for result in self._receive():
                number, _ = self.sent.popleft()
                self.deadline = time.monotonic() + self._timeout if self.sent else math.inf
                yield number, result
        elif time.monotonic() >= self.deadline:
            self.stop()
            number, _ = self.sent.popleft()
            yield number, self._undecided(f"time limit of {self._timeout:g} s")

    def _receive(self) -> Iterator[R]:
        """The results that have come; the news that the parser is loaded comes before them."""
        connection = self._process.connection
        while True:
            try:
                if not connection.poll():  # the process has ended, but something holds the pipe
                    raise EOFError
                message = connection.recv()
            except (EOFError, OSError, pickle.UnpicklingError):
                self.stopped = True
                reason = f"the parser's process died ({how_it_ended(self._process.kill())})"
                if not self._loaded:
                    raise AdapterError(f"{reason} when the parser was loaded") from None
                if self.sent:
                    yield self._undecided(reason)
                return
            if isinstance(message, GramspectError):
                raise message
            if isinstance(message, _Raised):
                yield self._undecided(f"the parser raised {message.what}")
            elif self._loaded:
                yield message
            self._loaded = True
            if not connection.poll():
                return

    def stop(self) -> None:
        """Ends the process, whatever it is doing."""
        self._process.kill()
        self.stopped = True


# --- workers that load the parser themselves -----------------------------------------------


def spawning(start: Start[Any, Any]) -> Launch:
    """Starts workers that are new processes: `start` is called in each, once."""
    return partial(_Spawned, start)


class _Spawned:
    """A worker that is a new process."""

    def __init__(self, start: Start[Any, Any]) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(there, start), daemon=True)
        with _no_interrupts():
            self._process.start()
        there.close()
        self.sentinel: int | None = self._process.sentinel

    def kill(self) -> int:
        if self.connection.closed:
            return self._process.exitcode or 0
        self._process.kill()
        self._process.join()
        self.connection.close()
        return self._process.exitcode or 0


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


def _serve(connection: Connection, start: Start[Any, Any]) -> None:
    """Run a worker: load the parser, then answer tests."""
    become_expendable()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        with silenced():
            answer = start()
    except GramspectError as problem:
        connection.send(AdapterError(str(problem)))
        return
    except BaseException as problem:
        what = one_line(problem)
        connection.send(AdapterError(f"the parser does not load in a worker process: {what}"))
        return
    answer_tests(connection, answer)


def _end_with_parent() -> None:
    """Keeps a worker that hangs from outliving a parent that was killed."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


# --- in every worker -----------------------------------------------------------------------

_LOADED = "loaded"


@dataclass(frozen=True, slots=True)
class _Raised:
    """Instead of a result: what the user's code raised that nobody else has caught."""

    what: str


def answer_tests(connection: Connection, answer: Callable[[Any], Any]) -> None:
    """Says that the parser is loaded, then answers tests until the pipe is closed."""
    me = os.getpid()
    connection.send(_LOADED)
    while True:
        try:
            test = connection.recv()
        except EOFError:
            return
        try:
            result = answer(test)
        except GramspectError as problem:
            result = AdapterError(str(problem))
        except BaseException as problem:  # Ctrl-C is not for workers
            result = _Raised(one_line(problem))
        exit_if_not(me)
        connection.send(result)
