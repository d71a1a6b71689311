"""What happens in a worker: batches of units, watched over."""

from __future__ import annotations

import faulthandler
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple, TypeAlias

from gramspect.campaigns.plan import Plan, UnitName
from gramspect.campaigns.units import Result, compute
from gramspect.recognition.surroundings import one_line
from gramspect.running.alarm import TimeIsUp, until

__all__ = [
    "Answer",
    "Trouble",
    "begin_worker",
    "take_plan",
    "too_long",
    "work",
    "work_as_planned",
]

_GRACE = 5.0
"""Seconds that code which does not look up when its time is over may still take."""


class Trouble(NamedTuple):
    """A unit that could not be computed, this time, and why."""

    unit: UnitName
    reason: str


Answer: TypeAlias = Result | Trouble


_plans: dict[str, Plan] = {}
"""The plans of this worker by their digests: a cluster may serve several campaigns at once."""


def take_plan(plan: Plan) -> None:
    """Keep what is sent to a worker once, and is too large to go with each batch."""
    _plans[plan.digest] = plan


def work_as_planned(digest: str, units: Sequence[UnitName]) -> list[Answer]:
    """Compute units by a plan that this worker has taken."""
    return work(_plans[digest], units)


def begin_worker(parent: int, plan: Plan) -> None:
    """Make this process one that ends with its parent, and leaves Ctrl-C to it."""
    take_plan(plan)
    with suppress(ValueError):  # only the main thread may
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def too_long(seconds: float) -> str:
    """What is said of a unit that takes too long."""
    return f"it took longer than {seconds:g} seconds"


def work(plan: Plan, units: Sequence[UnitName]) -> list[Answer]:
    """Compute units one after the other; whatever goes wrong costs that one unit."""
    engine = plan.config.engine
    if engine.memory is not None and engine.backend != "here":
        _limit_memory(engine.memory)
    return [_watched(plan, unit, engine.timeout) for unit in units]


def _watched(plan: Plan, unit: UnitName, seconds: float) -> Answer:
    try:
        plan.subject(unit.grammar)  # the first unit of a grammar makes tests and mutants
        with _ended_after(seconds + _GRACE, plan), until(monotonic() + seconds):
            return compute(plan, unit)
    except TimeIsUp:
        return Trouble(unit, too_long(seconds))
    except KeyboardInterrupt:
        raise
    except MemoryError:
        return Trouble(unit, "it needed more memory than there is")
    except BaseException as problem:  # a tool's code may do anything
        return Trouble(unit, one_line(problem))


@contextmanager
def _ended_after(seconds: float, plan: Plan) -> Iterator[None]:
    """End this process if the code inside hangs where no alarm is heard, as in compiled code.

    The watch is kept in C, so it needs neither the interpreter nor its lock.
    """
    if plan.config.engine.backend == "here":
        yield
        return
    with Path(os.devnull).open("w") as nowhere:
        faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


def _limit_memory(megabytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    limit = megabytes << 20
    with suppress(ValueError, OSError):  # there may be a lower limit already
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
