"""The general chart: Earley recognition of token sequences for any context-free grammar.

Ambiguity, cycles, empty rules and left recursion are normal. The inner loops are in
`gramspect.kernel.earley`; here arrays are sized, enlarged and read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from gramspect.grammar import Grammar
from gramspect.kernel import load
from gramspect.kernel.tables import (
    N_ENTRIES,
    GrammarTables,
    Numbers,
    as_array,
    chart_arrays,
    grammar_tables,
)
from gramspect.kernel.tables import Chart as ChartArrays

__all__ = ["Chart", "parse_chart", "tables_of"]

_TABLES: WeakKeyDictionary[Grammar, dict[bool, GrammarTables]] = WeakKeyDictionary()


def tables_of(grammar: Grammar, compiled: bool = False) -> GrammarTables:
    """The grammar as flat arrays, made once."""
    made = _TABLES.setdefault(grammar, {})
    if compiled not in made:
        made[compiled] = grammar_tables(grammar, compiled)
    return made[compiled]


@dataclass(frozen=True, eq=False)
class Chart:
    """The Earley sets of a token sequence up to the first error.

    `end` is the last column: the number of tokens, or the index of the first one that
    no viable prefix continues with.
    """

    grammar: Grammar
    tables: GrammarTables
    arrays: ChartArrays
    end: int
    accepted: bool
    compiled: bool

    def column(self, index: int) -> Iterator[tuple[int, int]]:
        """The entries of a column as (item, origin), the augmented items left out.

        Items with the dot in front are given by `predicted`.
        """
        first, last = self.arrays.column_start[index], self.arrays.column_start[index + 1]
        for e in range(first, last):
            if self.arrays.item[e] < self.tables.n_items:
                yield self.arrays.item[e], self.arrays.origin[e]

    def predicted(self, index: int) -> Iterator[int]:
        """The non-terminals predicted in a column."""
        base = self.arrays.row[index] * self.tables.n_nonterminals
        for nonterminal in range(self.tables.n_nonterminals):
            if self.arrays.predicted[base + nonterminal]:
                yield nonterminal + self.tables.n_terminals


def parse_chart(grammar: Grammar, tokens: Sequence[int], compiled: bool = False) -> Chart:
    """Recognize a sequence of terminals; -1 stands for a token that the grammar does not know."""
    tables = tables_of(grammar, compiled)
    earley = load("earley", compiled)
    n = len(tokens)
    numbers = as_array(tokens, compiled)
    arrays = chart_arrays(tables, n + 2, 64 + 32 * n, n + 2, compiled)
    outcome = earley.recognize(tables, arrays, numbers, -1, n)
    while outcome <= earley.FULL:
        column = earley.FULL - outcome
        arrays = _enlarged(tables, arrays, n + 2, compiled)
        earley.rehash(tables, arrays)
        outcome = earley.recognize(tables, arrays, numbers, column - 1, n)
    end = int(outcome)
    return Chart(grammar, tables, arrays, end, _accepts(tables, arrays, end, n), compiled)


def _accepts(tables: GrammarTables, arrays: ChartArrays, end: int, n: int) -> bool:
    entries = range(arrays.column_start[end], arrays.count[N_ENTRIES])
    return end == n and any(arrays.item[e] == tables.n_items + 1 for e in entries)


def _enlarged(
    tables: GrammarTables, arrays: ChartArrays, columns: int, compiled: bool
) -> ChartArrays:
    """The same chart with twice the room for entries; its waiting lists are still to be filled."""
    bigger = chart_arrays(tables, columns, 2 * len(arrays.item), 0, compiled)
    n = arrays.count[N_ENTRIES]
    for name in ("item", "origin", "column", "prev", "child"):
        _copy(getattr(arrays, name), getattr(bigger, name), n)
    _copy(arrays.count, bigger.count, len(arrays.count))
    return bigger._replace(
        column_start=arrays.column_start,
        row=arrays.row,
        predicted=arrays.predicted,
        marks=arrays.marks,
    )


def _copy(source: Any, target: Numbers, n: int) -> None:
    target[:n] = source[:n]
