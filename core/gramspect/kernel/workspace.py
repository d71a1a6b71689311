"""The memory of a job, sized and enlarged.

A memory holds the tables of a grammar, a chart, room for the walk back through it, the spectra of
one test and, for an LR parser, its item sets and stacks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from gramspect.grammars.grammar import Grammar
from gramspect.kernel import batch, load, lr, spectra, walk
from gramspect.kernel.tables import (
    N_ENTRIES,
    Chart,
    GrammarTables,
    Memory,
    Numbers,
    as_numbers,
    grammar_tables,
    n_words,
)

__all__ = ["ChartSpace", "LRSpace", "Space", "entries_for"]

_TABLES: WeakKeyDictionary[Grammar, tuple[GrammarTables, dict[bool, Numbers]]] = WeakKeyDictionary()


def _tables_of(grammar: Grammar, compiled: bool) -> tuple[GrammarTables, Numbers]:
    """The tables of a grammar and the cells they begin a memory with, made once in either form."""
    if grammar not in _TABLES:
        tables, cells = grammar_tables(grammar)
        _TABLES[grammar] = tables, {False: cells}
    tables, forms = _TABLES[grammar]
    if compiled not in forms:
        forms[compiled] = as_numbers(forms[False], compiled)
    return tables, forms[compiled]


class Space:
    """The memory that charts and LR parsers have in common."""

    memory: Numbers
    chart: Chart
    walk: walk.Walk
    scratch: spectra.Scratch

    def __init__(self, grammar: Grammar, compiled: bool) -> None:
        self.grammar = grammar
        self.compiled = compiled
        self.tables, self._cells = _tables_of(grammar, compiled)
        self.calls = 64

    def kernel(self, module: str) -> Any:
        """A module of the kernel, plain or compiled."""
        return load(module, self.compiled)

    def _begin(self) -> Memory:
        memory = Memory()
        memory.copy(self._cells)
        self.output = memory.output(self.tables)
        return memory

    def _reserve_walk(self, memory: Memory) -> None:
        entries = self.chart.entries
        self.walk = walk.walk_room(memory, self.calls, 4 * self.calls, entries)
        self.scratch = spectra.scratch_room(memory, self.tables, entries)

    def explored(self, column: int) -> bool:
        """Find all calls on a way from the last column to the root; False if there is no room."""
        explore = self.kernel("walk").explore
        return bool(explore(self.memory, self.tables, self.chart, self.walk, column))

    def clear_output(self) -> None:
        """Empty the spectra."""
        for word in range(self.output.rules, self.output.shifts + n_words(self.tables.n_items)):
            self.memory[word] = 0

    def elements(self, start: int, n_elements: int) -> Iterator[int]:
        """The elements of the bit set at `start`, ascending."""
        for index in range(n_words(n_elements)):
            word = int(self.memory[start + index])
            while word:
                lowest = word & -word
                yield 32 * index + lowest.bit_length() - 1
                word ^= lowest


def entries_for(n_tokens: int) -> int:
    """How many entries a chart has room for at first."""
    return 64 + 16 * n_tokens


class ChartSpace(Space):
    """Room for the chart of one input."""

    def __init__(self, grammar: Grammar, n_tokens: int, compiled: bool) -> None:
        super().__init__(grammar, compiled)
        self.n_tokens = n_tokens
        self.entries = entries_for(n_tokens)
        self.widest = min(self.entries, 1024)
        self._make()

    def _make(self) -> None:
        columns = self.n_tokens + 2
        memory = self._begin()
        self.chart = memory.chart(self.tables, columns, self.entries, self.widest, columns)
        self._reserve_walk(memory)
        self.memory = memory.make(self.compiled)

    def explore(self, column: int) -> None:
        """Find all calls on a way from the last column to the root, in as much room as it takes."""
        while not self.explored(column):
            self.calls *= 4
            self._move()

    def grow(self) -> None:
        """Twice the room for entries."""
        self.entries *= 2
        self.widest *= 2
        self._move()

    def _move(self) -> None:
        """Take new room for the chart as it is so far."""
        old, chart = self.memory, self.chart
        self._make()
        n = old[chart.counts + N_ENTRIES]
        columns = chart.columns
        n_flags, n_items = columns * self.tables.n_nonterminals, self.tables.n_items + 2
        for name, size in (
            *((name, n) for name in ("item", "origin", "column", "prev", "child")),
            *(("counts", 3), ("column_start", columns + 2), ("row", columns)),
            *(("predicted", n_flags), ("marks", n_items)),
        ):
            source, target = getattr(chart, name), getattr(self.chart, name)
            self.memory[target : target + size] = old[source : source + size]
        self.kernel("earley").rehash(self.memory, self.tables, self.chart)


class LRSpace(Space):
    """Room to run an LR parser and to see its stack as a chart.

    `kernels` are the kernel items of its states. The stack has room for `depth` states to begin
    with. Explained errors are kept with their spectrum of one kind, or with `every` one.
    """

    def __init__(
        self,
        grammar: Grammar,
        kernels: Sequence[Sequence[int]],
        compiled: bool,
        depth: int = 128,
        *,
        every: bool = False,
    ) -> None:
        super().__init__(grammar, compiled)
        self.kernels = kernels
        self._rows = self._rows_of(kernels)
        self.depth = depth
        self.every = every
        self._make()

    def _rows_of(self, kernels: Sequence[Sequence[int]]) -> list[int]:
        """A number for each state, the same for all with the same non-terminals after the dot."""
        n_terminals, start = self.tables.n_terminals, self.tables.item_next
        after = self._cells[start : start + self.tables.n_items + 2]
        numbers: dict[frozenset[int], int] = {}
        rows: list[int] = []
        for kernel in kernels:
            predicted = frozenset(after[item] for item in kernel if after[item] >= n_terminals)
            rows.append(numbers.setdefault(predicted, len(numbers)))
        return rows

    def _make(self) -> None:
        memory = self._begin()
        n_states = len(self.kernels)
        self.lr = lr.lr_room(memory, self.kernels, self._rows, n_words(self.tables.n_items))
        entries = 8 * self.depth
        self.chart = memory.chart(self.tables, self.depth + 1, entries, entries, self.lr.n_rows + 1)
        self._reserve_walk(memory)
        self.run = lr.run_room(memory, self.tables, n_states, self.depth)
        n_places = 8192 if self.compiled else 1024
        kept = self.n_output_words if self.every else self.lr.width
        self.errors = batch.errors_room(memory, kept, n_places, deepest=32)
        self.memory = memory.make(self.compiled)

    @property
    def n_output_words(self) -> int:
        """The words of all three spectra of a test, from `Output.rules` on."""
        return self.output.shifts + self.lr.width - self.output.rules

    def grow(self) -> None:
        """Double the room for everything; the data of the states is computed again."""
        self.depth *= 2
        self.calls *= 2
        self._make()
