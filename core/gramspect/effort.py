"""Limits on a search: they count work, and time is the emergency stop only.

A search that ends when its seconds are over finds less on a slow or busy machine. So work is
counted in *steps*, and a search finds the same everywhere. A modern machine does about ten million
steps in a second with the compiled kernel. The `Clock` in use counts the steps. It shows how many
were done, and infinity once its seconds are over, so a search that compares `now` with a deadline
(``now() >= deadline``) stops for either reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from time import monotonic

__all__ = ["Clock", "Effort", "clock", "counting", "now", "spend", "waiting"]


class Effort(StrEnum):
    """How much work a search for repairs may be."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"

    @property
    def steps(self) -> float:
        """The most steps that it may take."""
        return _STEPS[self]


_STEPS = {Effort.LOW: 3e7, Effort.NORMAL: 3e8, Effort.HIGH: 3e9}


@dataclass
class Clock:
    """The work that was done so far.

    Attributes:
        stop: the time at which all work ends, by `time.monotonic`.
        steps: the steps that were done.
        late: whether `now` has told a search that the time is over.
    """

    stop: float = inf
    steps: float = 0.0
    late: bool = False


_OF_PROCESS = Clock()
_CLOCK: ContextVar[Clock | None] = ContextVar("clock", default=None)


def clock() -> Clock:
    """The clock in use; where nobody is `counting`, that of the process, which never ends."""
    return _CLOCK.get() or _OF_PROCESS


def now() -> float:
    """The steps that were done, infinity if the time is over."""
    here = clock()
    if monotonic() > here.stop:
        here.late = True
        return inf
    return here.steps


def spend(steps: float) -> None:
    """Count work."""
    clock().steps += steps


@contextmanager
def counting(stop: float = inf) -> Iterator[Clock]:
    """A clock for the code inside, which ends at `stop` or, if that is earlier, with the outer one.

    The outer one does not see the work.
    """
    made = Clock(min(stop, clock().stop))
    token = _CLOCK.set(made)
    try:
        yield made
    finally:
        _CLOCK.reset(token)


@contextmanager
def waiting() -> Iterator[None]:
    """Time in which others work: the clock in use ends as much later."""
    began = monotonic()
    try:
        yield
    finally:
        clock().stop += monotonic() - began
