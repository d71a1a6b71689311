"""How a suite is run: the options of every function that runs one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.trace import Observation

__all__ = ["Loader", "Progress", "RunOptions"]

Loader = Callable[[], Recognizer]
"""Makes a recognizer again in another process; it must be picklable."""

Progress = Callable[[int, int], None]
"""Called with the number of tests that are done and of all."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a suite is run.

    Attributes:
        timeout: seconds that a test may take, extraction included; None for any time. With a time
            limit the tests run in worker processes, and one that exceeds it is undecided.
        jobs: number of worker processes. One job without a time limit is this process.
        loader: makes the recognizer again in a worker; only needed, for `timeout` and `jobs`, where
            the source is a recognizer.
        progress: called after each test.
        recorded: the observations of tests that have run already, by their names; with them no test
            of the suite runs again (`gramspect.recordings`).

    Raises:
        ValueError: `timeout` or `jobs` is not positive.
    """

    timeout: float | None = None
    jobs: int = 1
    loader: Loader | None = field(default=None, repr=False)
    progress: Progress | None = field(default=None, repr=False)
    recorded: Mapping[str, Observation] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.jobs < 1 or (self.timeout is not None and self.timeout <= 0):
            raise ValueError("the time limit and the number of jobs must be positive")
