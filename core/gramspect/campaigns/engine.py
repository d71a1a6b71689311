"""Many units through a pool: nothing that happens to a worker costs the campaign anything.

A worker that dies takes the units with it that it had, and maybe those that others had. All of
them are suspect: they are computed again one at a time, each alone in the pool, and so the one
that kills its worker is found. It fails when it has done so as often as the configuration allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from itertools import islice

from gramspect.campaigns.plan import Plan, UnitName
from gramspect.campaigns.pools import Answers, Pool, open_pool
from gramspect.campaigns.units import Result, failed
from gramspect.campaigns.working import Trouble

__all__ = ["run_units"]

Keep = Callable[[Sequence[Result]], None]
"""What is done with results, as they come."""

_ENDED = "the worker that computed it ended"


def run_units(plan: Plan, units: Sequence[UnitName], keep: Keep) -> None:
    """Compute units, in any order.

    Raises:
        GramspectError: the backend cannot be used.
    """
    pool = open_pool(plan)
    try:
        suspects = _together(pool, units, plan.config.engine.batch, keep)
        for unit in suspects:
            keep([_alone(plan, pool, unit)])
    finally:
        pool.close()


def _together(pool: Pool, units: Sequence[UnitName], batch: int, keep: Keep) -> list[UnitName]:
    """Compute units in batches; those that must be computed again, alone."""
    suspects: list[UnitName] = []
    running: dict[Answers, list[UnitName]] = {}
    batches = _batches(units, batch)
    while True:
        died = False
        for chosen in islice(batches, max(0, pool.size + 1 - len(running))):
            try:
                running[pool.submit(chosen)] = chosen
            except RuntimeError:  # the pool has broken meanwhile
                suspects += chosen
                died = True
        if not running and not died:
            return suspects
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            chosen = running.pop(future)
            if future.exception() is not None:
                suspects += chosen
                died = True
                continue
            answers = future.result()
            keep([each for each in answers if isinstance(each, Result)])
            suspects += [each.unit for each in answers if isinstance(each, Trouble)]
        if died:
            suspects += [unit for chosen in running.values() for unit in chosen]
            running.clear()
            pool.renew()


def _batches(units: Sequence[UnitName], size: int) -> Iterator[list[UnitName]]:
    """Batches of neighbours, small ones if there are few units."""
    for first in range(0, len(units), size):
        yield list(units[first : first + size])


def _alone(plan: Plan, pool: Pool, unit: UnitName) -> Result:
    """Compute a unit while nothing else is computed, as often as is allowed."""
    reason = _ENDED
    for _ in range(max(1, plan.config.engine.retries)):
        try:
            answer = pool.submit([unit]).result()[0]
        except KeyboardInterrupt:
            raise
        except Exception:
            reason = _ENDED
            pool.renew()
            continue
        if isinstance(answer, Result):
            return answer
        reason = answer.reason
    return failed(plan, unit, reason)
