"""The general chart: Earley recognition of token sequences for any context-free grammar.

Ambiguity, cycles, empty rules and left recursion are normal. The inner loops are in
`gramspect.kernel.earley`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from math import inf

from gramspect.effort import spend
from gramspect.grammars.grammar import Grammar
from gramspect.kernel import is_compiled
from gramspect.kernel.earley import FULL
from gramspect.kernel.tables import N_ENTRIES, as_numbers
from gramspect.kernel.workspace import ChartSpace, entries_for

__all__ = ["Chart", "ChartTooLarge", "parse_chart"]


class ChartTooLarge(Exception):
    """A chart would have more entries than it may."""


@dataclass(frozen=True, eq=False)
class Chart:
    """The Earley sets of a token sequence up to the first error.

    `end` is the last column: the number of tokens, or the index of the first one that
    no viable prefix continues with.
    """

    grammar: Grammar
    space: ChartSpace
    end: int
    accepted: bool

    def column(self, index: int) -> Iterator[tuple[int, int]]:
        """The entries of a column as (item, origin), the augmented items left out.

        Items with the dot in front are given by `predicted`.
        """
        m, chart = self.space.memory, self.space.chart
        for e in range(m[chart.column_start + index], m[chart.column_start + index + 1]):
            if m[chart.item + e] < self.grammar.n_items:
                yield int(m[chart.item + e]), int(m[chart.origin + e])

    def predicted(self, index: int) -> Iterator[int]:
        """The non-terminals predicted in a column."""
        tables, chart = self.space.tables, self.space.chart
        base = chart.predicted + self.space.memory[chart.row + index] * tables.n_nonterminals
        for nonterminal in range(tables.n_nonterminals):
            if self.space.memory[base + nonterminal]:
                yield nonterminal + tables.n_terminals

    def items(self) -> Iterator[int]:
        """Every item of every column, the augmented items left out."""
        m, tables, chart = self.space.memory, self.space.tables, self.space.chart
        yield from compress(range(tables.n_items), m[chart.marks : chart.marks + tables.n_items])
        width = tables.n_nonterminals
        flags = m[chart.predicted : chart.predicted + (self.end + 1) * width]
        for nonterminal in range(width):
            if any(flags[nonterminal::width]):
                for rule in self.grammar.rules_of[nonterminal + tables.n_terminals]:
                    yield self.grammar.item_start[rule]


def parse_chart(
    grammar: Grammar, tokens: Sequence[int], compiled: bool | None = None, most: float = inf
) -> Chart:
    """Recognize a sequence of terminals; -1 stands for a token that the grammar does not know.

    `compiled` chooses the form of the kernel; by default it is the compiled one if there is one.

    Raises:
        ChartTooLarge: there would be more than about `most` entries. Unlike time, their number
            is the same on every machine.
    """
    n = len(tokens)
    if entries_for(n) > most:
        raise ChartTooLarge
    compiled = is_compiled() if compiled is None else compiled
    numbers = as_numbers(tokens, compiled)
    space = ChartSpace(grammar, n, compiled)
    kernel = space.kernel("earley")
    column = -1
    while True:
        end = kernel.recognize(space.memory, space.tables, space.chart, numbers, column, n)
        if end > FULL:
            spend(int(space.memory[space.chart.counts + N_ENTRIES]))
            return Chart(grammar, space, int(end), _accepts(space, end, n))
        if 2 * space.entries > most:
            raise ChartTooLarge
        column = FULL - end - 1
        space.grow()


def _accepts(space: ChartSpace, end: int, n: int) -> bool:
    m, chart = space.memory, space.chart
    entries = range(m[chart.column_start + end], m[chart.counts + N_ENTRIES])
    return end == n and any(m[chart.item + e] == space.tables.n_items + 1 for e in entries)
