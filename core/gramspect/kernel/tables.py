"""Flat arrays that the kernel works on.

Fields are lists or memory views of numbers in plain Python and numpy arrays when compiled; the
kernel only indexes them. Non-terminals are counted from 0 here (symbol - n_terminals).
Rule ``n_rules`` is the augmented rule ``$accept -> start``, its items are ``n_items`` and ``n_items + 1``.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from gramspect.grammar import Grammar

__all__ = ["Chart", "GrammarTables", "Numbers", "as_array", "chart_arrays", "grammar_tables", "zeros"]

Numbers = MutableSequence[int]

N_ENTRIES = 0
"""`Chart.count[N_ENTRIES]`: the number of entries."""
SEEN_STAMP = 1
"""`Chart.count[SEEN_STAMP]`: the mark of the current column in `Chart.seen_stamp`."""
WAIT_STAMP = 2
"""`Chart.count[WAIT_STAMP]`: the mark of the current chart in `Chart.wait_stamp`."""


class GrammarTables(NamedTuple):
    """A grammar.

    `item_next` is the symbol behind the dot or -1, `rest` the shortest length of what follows
    that symbol, `remaining` the shortest length of everything behind the dot. ``uses[uses_start[x] : uses_start[x + 1]]`` are the rules
    that start with symbol x, `rules` likewise the rules of a non-terminal,
    `empty_rules` those with an empty right-hand side.
    """

    n_terminals: int
    n_nonterminals: int
    n_rules: int
    n_items: int
    rule_lhs: Numbers
    rule_len: Numbers
    item_start: Numbers
    item_rule: Numbers
    item_next: Numbers
    rest: Numbers
    remaining: Numbers
    uses_start: Numbers
    uses: Numbers
    rules_start: Numbers
    rules: Numbers
    empty_rules: Numbers


class Chart(NamedTuple):
    """Earley sets, or an LR stack seen as Earley sets (see `gramspect.chart`).

    Entry e is an item with its `origin` column, standing in `column`; only items with the dot behind a symbol,
    the augmented ones and completed empty rules are entries: items with the dot in front are given by `predicted`, whose row
    ``row[column]`` flags the predicted non-terminals. `prev` and `child` are the entry and the completed entry (or -1) that made
    entry e first. Entries of a column stand together, from ``column_start``. `wait_*` hash (column, symbol) to the list of entries
    waiting for it, `seen_*` finds known entries of the current column. `marks` flags every item seen so far.
    """

    count: Numbers
    column_start: Numbers
    row: Numbers
    item: Numbers
    origin: Numbers
    column: Numbers
    prev: Numbers
    child: Numbers
    wait_next: Numbers
    wait_key: Numbers
    wait_head: Numbers
    wait_stamp: Numbers
    seen_key: Numbers
    seen_stamp: Numbers
    predicted: Numbers
    marks: Numbers
    scratch: Numbers


def as_array(values: Iterable[int], compiled: bool) -> Numbers:
    """Numbers in the form the kernel wants."""
    listed = list(values)
    return np.array(listed, dtype=np.int64) if compiled else listed  # type: ignore[return-value]


def zeros(size: int, compiled: bool) -> Numbers:
    """`size` zeros the kernel may write."""
    return np.zeros(size, dtype=np.int64) if compiled else [0] * size  # type: ignore[return-value]


def flags(size: int, compiled: bool) -> Numbers:
    """`size` small zeros, one byte each."""
    return np.zeros(size, dtype=np.uint8) if compiled else bytearray(size)  # type: ignore[return-value]


def grammar_tables(grammar: Grammar, compiled: bool) -> GrammarTables:
    """The grammar as flat arrays."""
    shortest = grammar.analysis.shortest_length
    n_terminals, n_rules = grammar.n_terminals, grammar.n_rules
    lhs = [rule.lhs - n_terminals for rule in grammar.rules] + [-1]
    rhs = [rule.rhs for rule in grammar.rules] + [(grammar.start,)]
    starts, item_rule, item_next, rest, remaining = [], [], [], [], []
    uses: list[list[int]] = [[] for _ in grammar.symbols]
    rules: list[list[int]] = [[] for _ in range(grammar.n_nonterminals)]
    for rule, symbols in enumerate(rhs):
        starts.append(len(item_rule))
        tail = [0]
        for symbol in reversed(symbols):
            tail.append(tail[-1] + shortest[symbol])
        tail.reverse()
        item_rule += [rule] * (len(symbols) + 1)
        item_next += [*symbols, -1]
        remaining += tail
        rest += [*tail[1:], 0]
        if rule < n_rules:
            rules[lhs[rule]].append(rule)
            if symbols:
                uses[symbols[0]].append(rule)
    starts.append(len(item_rule))
    columns = (lhs, [len(symbols) for symbols in rhs], starts, item_rule, item_next, rest, remaining)
    arrays = [as_array(values, compiled) for values in columns]
    arrays += [as_array(values, compiled) for table in (uses, rules) for values in _rows(table)]
    arrays.append(as_array((r for r in range(n_rules) if not rhs[r]), compiled))
    sizes = (n_terminals, grammar.n_nonterminals, n_rules, grammar.n_items)
    return GrammarTables(*sizes, *arrays)


def _rows(table: list[list[int]]) -> tuple[list[int], list[int]]:
    """A ragged table as starts and values."""
    starts = [0]
    for row in table:
        starts.append(starts[-1] + len(row))
    return starts, [value for row in table for value in row]


def chart_arrays(tables: GrammarTables, columns: int, entries: int, rows: int, compiled: bool) -> Chart:
    """An empty chart with room for so many columns, entries and rows of predicted non-terminals."""
    size = 1 << max(4, (2 * entries - 1).bit_length())

    def room(length: int) -> Numbers:
        return zeros(length, compiled)

    return Chart(
        count=as_array([0, 0, 1], compiled),
        column_start=room(columns + 2),
        row=room(columns + 1),
        item=room(entries),
        origin=room(entries),
        column=room(entries),
        prev=room(entries),
        child=room(entries),
        wait_next=room(entries),
        wait_key=room(size),
        wait_head=room(size),
        wait_stamp=room(size),
        seen_key=room(size),
        seen_stamp=room(size),
        predicted=flags(rows * tables.n_nonterminals, compiled),
        marks=flags(tables.n_items + 2, compiled),
        scratch=room(tables.n_nonterminals + 1),
    )
