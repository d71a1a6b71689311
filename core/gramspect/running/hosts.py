"""Processes that hold objects made by the user's code, and are copied for each use.

A host is forked from this process, loads something once, and then only waits: each copy of it that
is asked for is a fork, so whatever the user's code does to a copy, the next one is unharmed, and it
costs milliseconds. A host and its copies see nothing of this process: their standard streams are
the null device, they are a session of their own, and they end when this process does.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import cache
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from typing import Any, Generic, NoReturn, TypeVar, cast
from weakref import finalize

from gramspect.errors import AdapterError, GramspectError
from gramspect.recognition.surroundings import one_line
from gramspect.running.observing import silenced

__all__ = [
    "Copy",
    "Host",
    "HostLostError",
    "become_expendable",
    "exit_if_not",
    "how_it_ended",
    "is_expendable",
    "too_slow",
]

T = TypeVar("T")
D = TypeVar("D")


class HostLostError(AdapterError):
    """The process is gone that a copy was asked of."""


_PROMPT = 60.0
"""A host that needs more seconds than this for a task of milliseconds is taken for lost."""


_FIRST = 0.5
"""The seconds in which a host ends its copies, before the process that guards it ends the host."""


_expendable = not hasattr(os, "fork")


def is_expendable() -> bool:
    """Whether this process may run the user's code itself: no harm is done if it is lost.

    Where the system cannot fork, it is so everywhere.
    """
    return _expendable


def become_expendable() -> None:
    """Note that this process was started for the user's code."""
    global _expendable  # noqa: PLW0603
    _expendable = True


def how_it_ended(status: int) -> str:
    """An exit status, which is negative for a signal, in words."""
    return f"exit status {status}" if status >= 0 else signal.Signals(-status).name


def too_slow(name: str, seconds: float) -> str:
    """The message for a source that does not load in time."""
    return (
        f"{name}: loading it takes longer than {seconds:g} s; --load-timeout SECONDS gives it more"
    )


class Host(Generic[T, D]):
    """A process that has loaded something of the type T; `description` is what it says of it.

    Args:
        name: what is loaded, for messages.
        load: runs in the host, once.
        describe: runs there after it; the result is sent here.
        seconds: how long both may take.

    Raises:
        AdapterError: loading takes too long, ends the process, or raises what is no `Exception`.
        GramspectError: what `load` raises.
    """

    def __init__(
        self, name: str, load: Callable[[], T], describe: Callable[[T], D], seconds: float
    ) -> None:
        self._control, there = Pipe()
        lifeline = _lifeline()
        kept = {there.fileno(), lifeline[0]}
        self._pid = _guarded(
            kept, lifeline[0], lambda: _be_host(name, there, lifeline[0], load, describe)
        )
        there.close()
        self._copies: set[int] = set()
        self._end = finalize(self, _end, os.getpid(), self._pid, self._copies, self._control)
        try:
            self.description: D = self._loaded(name, seconds)
        except BaseException:
            self._end()
            raise

    def _loaded(self, name: str, seconds: float) -> D:
        if not self._control.poll(seconds):
            raise AdapterError(too_slow(name, seconds))
        try:
            loaded, said = self._control.recv()
        except Exception:  # its process has ended, or its code has written into the pipe
            _await_end(self._pid)
            how = how_it_ended(_ended(self._pid))
            raise AdapterError(
                f"{name}: its code ended the process that loaded it ({how})"
            ) from None
        if not loaded:
            raise said
        return cast(D, said)

    @property
    def is_lost(self) -> bool:
        """Whether the process is gone: threads of the user's code may end it."""
        try:
            return not self._end.alive or self._control.poll()
        except OSError:
            return True

    def copy(self, serve: Callable[[T, Connection], object]) -> Copy:
        """A copy of the process, in which `serve` runs; that must be picklable.

        Raises:
            HostLostError: the host is lost.
        """
        here, there = Pipe()
        try:
            self._control.send(serve)
            send_handle(self._control, there.fileno(), self._pid)
            pid = self._answer()
        except Exception:
            here.close()
            raise HostLostError("the process that held the user's parser is lost") from None
        finally:
            there.close()
        self._copies.add(pid)
        return Copy(self, here, pid)

    def reap(self, pid: int) -> int:
        """The exit status of a copy that has ended; that of a killed one if the host is lost."""
        self._copies.discard(pid)
        try:
            self._control.send(pid)
            return self._answer()
        except Exception:
            return -signal.SIGKILL

    def _answer(self) -> int:
        if not self._control.poll(_PROMPT):
            raise TimeoutError
        return cast(int, self._control.recv())

    def close(self) -> None:
        """Ends the process and its copies."""
        self._end()


class Copy:
    """A copy of a host; `connection` leads to what runs in it."""

    def __init__(self, host: Host[Any, Any], connection: Connection, pid: int) -> None:
        self.connection = connection
        self._host, self._pid = host, pid
        self._status: int | None = None
        # What the user's code has started may hold the other end of the pipe longer than it lives.
        try:
            self.sentinel: int | None = os.pidfd_open(pid)
        except (AttributeError, OSError):
            self.sentinel = None

    def kill(self) -> int:
        """Ends the process, whatever it is doing, with all that it has started; how it ended."""
        if self._status is None:
            _kill_group(self._pid)
            self._status = self._host.reap(self._pid)
            self.connection.close()
            if self.sentinel is not None:
                os.close(self.sentinel)
        return self._status


def _end(owner: int, pid: int, copies: set[int], control: Connection) -> None:
    if os.getpid() != owner:  # a fork of the process whose host it is
        return
    _kill_groups((*copies, pid))
    control.close()
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)


def _ended(pid: int) -> int:
    """The exit status of a child that ends or is useless."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)  # changes nothing of a process that has ended
    try:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    except ChildProcessError:
        return -signal.SIGKILL


def _await_end(pid: int) -> None:
    """Give a child process the time to say how it has ended."""
    for _ in range(100):
        with suppress(ChildProcessError):
            if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                time.sleep(0.01)
                continue
        return


def _kill_group(pid: int) -> None:
    for kill in (os.killpg, os.kill):  # right after its start it is in the group of its parent
        with suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _kill_groups(pids: Collection[int]) -> None:
    for pid in tuple(pids):
        _kill_group(pid)


# --- in the host and its copies ------------------------------------------------------------


def _forked(run: Callable[[], object]) -> int:
    """Run in the child process."""
    with warnings.catch_warnings():
        # Only this thread is forked. What others hold is not waited for: of this process the child
        # uses what it has itself, and it ends without going back.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        _run_and_exit(run)
    return pid


def _guarded(kept: set[int], lifeline: int, run: Callable[[], object]) -> int:
    """Run in a child of a child process; the pid of the one between, which ends as it ends.

    What the user's code takes for its parent is that one, which does nothing else: if it is killed,
    nothing is lost. It leads the session and the group of both, and only `kept` of the open files.
    It also ends both with the `lifeline`, for the user's code may let no other thread run.
    """

    def guard() -> None:
        os.setsid()
        _lose_files(kept)
        pid = _forked(run)
        for descriptor in kept - {lifeline}:
            os.close(descriptor)
        _end_with(lifeline, after=_FIRST)
        _, status = os.waitpid(pid, 0)
        end = os.waitstatus_to_exitcode(status)
        if end < 0:
            with suppress(OSError):  # some signals cannot be handled anyway
                signal.signal(-end, signal.SIG_DFL)
            os.kill(os.getpid(), -end)
        os._exit(end)

    return _forked(guard)


def _run_and_exit(run: Callable[[], object]) -> NoReturn:
    status = 1
    try:
        run()
        status = 0
    finally:
        os._exit(status)


def _be_host(
    name: str,
    control: Connection,
    lifeline: int,
    load: Callable[[], T],
    describe: Callable[[T], object],
) -> None:
    become_expendable()
    _lifeline.cache_clear()
    me = os.getpid()
    gc.freeze()
    copies: set[int] = set()
    _end_with(lifeline, copies)
    with silenced():
        try:
            thing = load()
            said: tuple[bool, object] = True, describe(thing)
        except GramspectError as problem:
            said = False, problem
        except BaseException as problem:
            said = False, _refusal(name, problem)
        exit_if_not(me)
        control.send(said)
        try:
            while said[0]:
                _answer_request(control, lifeline, thing, copies)
        finally:  # the other end is gone
            _kill_groups(copies)


def _answer_request(control: Connection, lifeline: int, thing: Any, copies: set[int]) -> None:
    """Make a copy, or say how one has ended."""
    request = control.recv()
    if isinstance(request, int):
        copies.discard(request)
        control.send(_ended(request))
        return
    end = recv_handle(control)
    pid = _forked(lambda: _be_copy(control, end, lifeline, request, thing))
    copies.add(pid)
    control.send(pid)
    os.close(end)


def _refusal(name: str, problem: BaseException) -> Exception:
    """The error for a problem in loading: the problem itself may not survive pickling."""
    what = f"{name}: loading it raised {one_line(problem)}"
    ours = isinstance(problem, Exception) and not isinstance(problem, RecursionError | MemoryError)
    return RuntimeError(what) if ours else AdapterError(what)


def exit_if_not(process: int) -> None:
    """End here what the user's code has forked: only the process itself goes on."""
    if os.getpid() != process:
        os._exit(0)


def _be_copy(
    control: Connection,
    end: int,
    lifeline: int,
    serve: Callable[[T, Connection], object],
    thing: T,
) -> None:
    os.setpgid(0, 0)
    control.close()
    _end_with(lifeline)
    serve(thing, Connection(end))


def _lose_files(kept: set[int]) -> None:
    """Makes all open files the null device, the standard streams too, but not those."""
    null = os.open(os.devnull, os.O_RDWR)
    for name in ("0", "1", "2", *os.listdir("/dev/fd")):  # noqa: PTH208
        if int(name) not in {null, *kept}:
            os.dup2(null, int(name), inheritable=int(name) <= 2)


@cache
def _lifeline() -> tuple[int, int]:
    """A pipe whose reading end is in all hosts and copies, and shows there that we have ended."""
    return os.pipe()


def _end_with(lifeline: int, copies: Collection[int] = (), after: float = 0.0) -> None:
    """Ends this process, and what it has started, when the one that has made the lifeline ends.

    The `copies` are in groups of their own. A regular expression that reads without end lets no
    thread of its process run, so they do not always end by themselves. `after` are the seconds that
    others have to do the same.
    """

    def wait() -> None:
        os.read(lifeline, 1)
        time.sleep(after)
        _kill_groups(copies)
        os.killpg(os.getpgrp(), signal.SIGKILL)

    threading.Thread(target=wait, daemon=True).start()
