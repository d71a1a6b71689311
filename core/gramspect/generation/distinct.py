"""The tests that have been seen before: token sequences by a hash value of 64 bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from gramspect.generation.generated import GeneratedTest

__all__ = ["BYTES_PER_TEST", "Seen", "all_distinct"]

BYTES_PER_TEST = 16
"""The memory that a remembered test takes, at most."""

_BATCH = 1 << 14


class Seen:
    """A set of hash values that only grows, in sorted arrays of doubling sizes.

    A test counts as seen if another one has the same value. With 20 million tests, the chance that
    this happens to any two is one in 90,000.
    """

    def __init__(self) -> None:
        self._runs: list[NDArray[np.int64]] = []

    def __len__(self) -> int:
        return sum(map(len, self._runs))

    def add(self, values: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Remember values and say which are new; of equal ones only the first is."""
        unique, first = np.unique(values, return_index=True)
        new = np.ones(len(unique), np.bool_)
        for run in self._runs:
            at = np.searchsorted(run, unique)
            at[at == len(run)] = 0
            new &= run[at] != unique
        found = np.zeros(len(values), np.bool_)
        found[first[new]] = True
        run = unique[new]
        while self._runs and len(self._runs[-1]) <= 2 * len(run):
            run = np.concatenate([self._runs.pop(), run])
            run.sort(kind="stable")
        if len(run):
            self._runs.append(run)
        return found


def all_distinct(tests: Iterable[GeneratedTest], seen: Seen) -> Iterator[GeneratedTest]:
    """The tests without those with the tokens of an earlier one, however long ago."""
    stream = iter(tests)
    while batch := list(islice(stream, _BATCH)):
        values = np.fromiter((hash(test.tokens) for test in batch), np.int64, len(batch))
        for test, is_new in zip(batch, seen.add(values).tolist(), strict=True):
            if is_new:
                yield test
