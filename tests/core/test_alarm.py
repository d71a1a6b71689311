"""Interrupts by the clock."""

from __future__ import annotations

import signal
import threading
from math import inf
from time import monotonic, sleep

import pytest

from gramspect.running.alarm import TimeIsUp, until


def test_endless_code_ends() -> None:
    with pytest.raises(TimeIsUp), until(monotonic() + 0.05):
        endless()


def endless() -> None:
    while True:
        pass


def test_it_rings_again_if_nobody_heard() -> None:
    with pytest.raises(TimeIsUp), until(monotonic() + 0.05):
        deaf()


def deaf() -> None:
    try:
        sleep(60)
    except KeyboardInterrupt:
        sleep(60)


def test_nothing_is_left_behind() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with until(monotonic() + 600):
        assert signal.getsignal(signal.SIGALRM) is not before
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_the_outer_one_still_rings() -> None:
    with pytest.raises(TimeIsUp), until(monotonic() + 0.2):
        nested()


def nested() -> None:
    with until(monotonic() + 600):
        pass
    sleep(60)


def test_no_end() -> None:
    with until(inf):
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_in_another_thread_nothing_happens() -> None:
    done = []

    def work() -> None:
        with until(monotonic()):
            sleep(0.05)
            done.append(1)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done
