"""The arrays that the kernel works in, sized and enlarged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gramspect.kernel import load, lr, spectra, walk
from gramspect.kernel.tables import Chart, GrammarTables, Numbers, chart_arrays, zeros

__all__ = ["LRSpace", "WalkSpace", "elements", "n_words"]


def n_words(n_elements: int) -> int:
    """The width of a bit set in words of 32 bits, at least one."""
    return max(1, -(-n_elements // 32))


def elements(words: Numbers) -> Iterator[int]:
    """The elements of a bit set, ascending."""
    for index in range(len(words)):
        word = int(words[index])
        while word:
            lowest = word & -word
            yield 32 * index + lowest.bit_length() - 1
            word ^= lowest


@dataclass
class WalkSpace:
    """Room to walk back through a chart."""

    tables: GrammarTables
    chart: Chart
    compiled: bool
    calls: int = 64

    def __post_init__(self) -> None:
        self._make()

    def _make(self) -> None:
        entries = len(self.chart.item)
        self.walk = walk.walk_arrays(self.calls, 4 * self.calls, entries, self.compiled)
        self.scratch = spectra.scratch_arrays(self.tables, entries, self.compiled)

    def explore(self, column: int) -> None:
        """Find all calls on a way from the last column to the root, in as much room as it takes."""
        kernel = load("walk", self.compiled)
        while not kernel.explore(self.tables, self.chart, self.walk, column):
            self.grow_walk()

    def grow_walk(self) -> None:
        self.calls *= 2
        self._make()

    def words(self, n_elements: int) -> Numbers:
        """An empty bit set."""
        return zeros(n_words(n_elements), self.compiled)


class LRSpace(WalkSpace):
    """Room to run an LR parser and to see its stack as a chart.

    `action`, `goto` and `kernels` are as in `gramspect.kernel.lr.LRArrays`; `depth` is the room
    for states on the stack to begin with.
    """

    def __init__(
        self,
        tables: GrammarTables,
        lr_arrays: lr.LRArrays,
        compiled: bool,
        depth: int = 128,
    ) -> None:
        n_states = len(lr_arrays.ready)
        self.lr = lr_arrays
        self.depth = depth
        self.run = lr.run_arrays(
            n_states, tables.n_rules, depth, n_words(tables.n_items), compiled
        )
        super().__init__(tables, self._chart(tables, n_states, compiled), compiled)

    def _chart(self, tables: GrammarTables, n_states: int, compiled: bool) -> Chart:
        return chart_arrays(tables, self.depth + 1, 8 * self.depth, n_states + 1, compiled)

    def grow(self) -> None:
        """Twice the room for everything. What is known of the states is kept."""
        self.depth *= 2
        n_states, known = len(self.lr.ready), self.chart.predicted
        self.run = lr.run_arrays(
            n_states, self.tables.n_rules, self.depth, n_words(self.tables.n_items), self.compiled
        )
        self.chart = self._chart(self.tables, 0, self.compiled)._replace(predicted=known)
        self.grow_walk()

    def kernel(self) -> Any:
        """The LR kernel, plain or compiled."""
        return load("lr", self.compiled)
