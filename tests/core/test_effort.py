"""The clock that counts work."""

from __future__ import annotations

from math import inf
from time import monotonic

from gramspect.effort import Effort, clock, counting, now, spend


def test_work_is_counted_by_the_innermost_clock() -> None:
    with counting() as outer:
        spend(3)
        with counting() as inner:
            assert now() == 0
            spend(5)
            assert now() == 5
        spend(4)
        assert (outer.steps, inner.steps, now()) == (7, 5, 7)
        assert clock() is outer


def test_time_that_is_over_is_infinitely_late() -> None:
    with counting(monotonic() - 1) as ended:
        assert not ended.late
        assert now() == inf
        assert ended.late


def test_an_inner_clock_ends_with_the_outer_one() -> None:
    with counting(monotonic() - 1), counting() as inner:
        assert now() == inf
        assert inner.late


def test_more_effort_is_more_work() -> None:
    assert Effort.LOW.steps < Effort.NORMAL.steps < Effort.HIGH.steps
