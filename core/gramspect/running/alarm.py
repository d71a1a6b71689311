"""A time limit for code that never looks at the clock, such as a tool's in this process."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isfinite
from time import monotonic
from types import FrameType

__all__ = ["TimeIsUp", "cancelled_by", "until"]

_AGAIN = 0.5
"""Seconds until the next alarm, in case the running code has swallowed the first one."""


class TimeIsUp(KeyboardInterrupt):
    """An interrupt by the clock. Code that lets interrupts from the keyboard through lets this
    through."""


_CANCELLERS: list[tuple[int, Callable[[bool], None]]] = []
"""With the process that each is of: no JVM goes along when a process is forked."""


def cancelled_by(canceller: Callable[[bool], None]) -> None:
    """Register what stops code that is not in Python, such as that of a JVM.

    When the time is up it is called with True, in a thread of its own while the code runs, and with
    False when the code has ended.
    """
    _CANCELLERS.append((os.getpid(), canceller))


@contextmanager
def until(deadline: float) -> Iterator[None]:
    """Raise `TimeIsUp` in the code inside at a point in time (by `time.monotonic`).

    It works in the main thread, on systems that have interval timers, and on code in Python: other
    code is interrupted when it returns, or by its own canceller (`cancelled_by`). Elsewhere nothing
    happens. May be nested.
    """
    here = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not here or not isfinite(deadline):
        yield
        return
    armed = True

    def ring(_number: int, _frame: FrameType | None) -> None:
        if armed:
            raise TimeIsUp

    begin = monotonic()
    handler = signal.signal(signal.SIGALRM, ring)
    left, interval = signal.setitimer(signal.ITIMER_REAL, max(deadline - begin, 1e-3), _AGAIN)
    try:
        with _cancelling(deadline - begin):
            yield
    finally:
        armed = False
        if left:
            left = max(left - (monotonic() - begin), 1e-3)
        signal.setitimer(signal.ITIMER_REAL, left, interval)
        signal.signal(signal.SIGALRM, handler)


@contextmanager
def _cancelling(seconds: float) -> Iterator[None]:
    """Call the cancellers after so many seconds, if the code inside still runs.

    They may be registered meanwhile: a JVM starts when the first of its parsers is loaded.
    """

    def cancel(wanted: bool) -> None:
        for process, canceller in _CANCELLERS:
            if process == os.getpid():
                canceller(wanted)

    timer = threading.Timer(max(0.0, seconds), cancel, [True])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        cancel(False)
