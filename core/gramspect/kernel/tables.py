"""The memory of the kernel: one array of numbers that holds every table.

Compiled code is fast only if it passes few arrays around, so all tables of a job live in one
memory, and the classes below say where each begins: ``m[t.item_next + item]`` is what would
elsewhere be ``item_next[item]``. The memory is a list in plain Python and an array when
compiled; neither needs numpy, which a program that is recorded does without.

A job's memory, with the fields that say where its parts begin::

    m  | rule_lhs | rule_len | ... | empty_rules | item | origin | ... | call_key | ... |
       '------------- GrammarTables -------------'------ Chart ------'------ Walk ------'
         t.rule_lhs                                c.item              w.call_key

    m[t.rule_lhs + r]     the left-hand side of rule r
    m[c.item + e]         the item of chart entry e
    m[w.edge_to + k]      where edge k of the walk leads

Non-terminals are counted from 0 here (symbol - n_terminals). Rule ``n_rules`` is the
augmented rule ``$accept -> start``, its items are ``n_items`` and ``n_items + 1``.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, MutableSequence, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gramspect.grammars.grammar import Grammar

__all__ = ["Chart", "GrammarTables", "Memory", "Numbers", "Output", "as_numbers", "grammar_tables"]

Numbers = MutableSequence[int]
"""Of 64 bits each when compiled."""
Narrow = MutableSequence[int]
"""Of 32 bits each when compiled: large tables and suites."""

N_ENTRIES = 0
"""``m[c.counts + N_ENTRIES]``: the number of entries."""
SEEN_STAMP = 1
"""``m[c.counts + SEEN_STAMP]``: the mark of the current column in `Chart.seen_stamp`."""
WAIT_STAMP = 2
"""``m[c.counts + WAIT_STAMP]``: the mark of the current chart in `Chart.wait_stamp`."""


class GrammarTables(NamedTuple):
    """A grammar.

    `item_next` is the symbol after the dot or -1, `rest` the shortest length of what follows that
    symbol, `remaining` the shortest length of everything after the dot. Between ``uses_start[x]``
    and ``uses_start[x + 1]`` `uses` lists the rules that start with symbol x, `rules` likewise the
    rules of a non-terminal, `corners` the non-terminals that these start with, each once, and
    `empties` those of them with an empty right-hand side; `empty_rules` are all of these.
    `nullable` flags the non-terminals that derive nothing.
    """

    n_terminals: int
    n_nonterminals: int
    n_rules: int
    n_items: int
    n_empty: int
    rule_lhs: int
    rule_len: int
    item_start: int
    item_rule: int
    item_next: int
    rest: int
    remaining: int
    uses_start: int
    uses: int
    rules_start: int
    rules: int
    corners_start: int
    corners: int
    empties_start: int
    empties: int
    nullable: int
    empty_rules: int


class Chart(NamedTuple):
    """Earley sets, or an LR stack seen as Earley sets.

    Entry e is an item with its `origin` column, standing in `column`; only items with the dot
    after a symbol, the augmented ones and completed empty rules are entries: items with the dot
    in front are given by `predicted`, whose row ``row[column]`` flags the predicted non-terminals.
    `prev` and `child` are the entry and the completed entry (or -1) that made entry e first.
    Entries of a column stand together, from ``column_start``. `wait_*` hash (column, symbol) to
    the list of entries waiting for it, `seen_*` find known entries of the current column. `marks`
    flags every item that was an entry. There is room for `columns` columns and `entries` entries,
    `widest` of them in one column; the hash tables have ``wait_mask + 1`` and ``seen_mask + 1``
    places.
    """

    columns: int
    entries: int
    widest: int
    wait_mask: int
    seen_mask: int
    counts: int
    column_start: int
    row: int
    item: int
    origin: int
    column: int
    prev: int
    child: int
    wait_next: int
    wait_key: int
    wait_head: int
    wait_stamp: int
    seen_key: int
    seen_stamp: int
    predicted: int
    marks: int
    scratch: int


class Output(NamedTuple):
    """The spectra of one test: bit sets in words of 32 bits, bit ``e & 31`` of word ``e >> 5``."""

    rules: int
    items: int
    shifts: int


class Memory:
    """Plans the one array: every call reserves a stretch and says where it begins."""

    def __init__(self) -> None:
        self.size = 0
        self._values: list[tuple[int, Numbers]] = []

    def put(self, values: Iterable[int]) -> int:
        """Reserve a stretch with these values."""
        return self.copy(list(values))

    def copy(self, values: Numbers) -> int:
        """Reserve a stretch with what these numbers are when the array is made."""
        start = self.room(len(values))
        self._values.append((start, values))
        return start

    def room(self, size: int) -> int:
        """Reserve `size` zeros."""
        start = self.size
        self.size += size
        return start

    def make(self, compiled: bool) -> Numbers:
        """The array, in the form that the kernel wants."""
        made = zeros(self.size, compiled)
        for start, values in self._values:
            made[start : start + len(values)] = as_numbers(values, compiled)
        return made

    def chart(self, t: GrammarTables, columns: int, entries: int, widest: int, rows: int) -> Chart:
        """Reserve a chart with so many rows of predicted non-terminals."""
        waits, seen = hash_size(entries), hash_size(widest)
        counts = self.put([0, 1, 1])  # arrays of zeros hold nothing of the first column
        flags = [rows * t.n_nonterminals, t.n_items + 2, t.n_nonterminals + 1]
        sizes = [columns + 2, columns, *[entries] * 6, *[waits] * 3, *[seen] * 2, *flags]
        return Chart(columns, entries, widest, waits - 1, seen - 1, counts, *map(self.room, sizes))

    def output(self, t: GrammarTables) -> Output:
        """Reserve the spectra of one test."""
        return Output(*(self.room(n_words(n)) for n in (t.n_rules, t.n_items, t.n_items)))


def hash_size(entries: int) -> int:
    """A power of two that leaves an open-addressing table at least half empty."""
    return 1 << max(4, (2 * entries - 1).bit_length())


def n_words(n_elements: int) -> int:
    """The width of a bit set in words of 32 bits, at least one."""
    return max(1, -(-n_elements // 32))


def zeros(size: int, compiled: bool) -> Numbers:
    """So many zeros in the form that the kernel wants."""
    return array("q", bytes(8 * size)) if compiled else [0] * size


def as_numbers(values: Sequence[int], compiled: bool) -> Numbers:
    """Numbers in the form that the kernel wants; those that are in it already as they are."""
    return _in_form(values, "q" if compiled else None)


def as_narrow(values: Sequence[int], compiled: bool) -> Narrow:
    """The same for numbers of 32 bits."""
    return _in_form(values, "i" if compiled else None)


def _in_form(values: Sequence[int], typecode: str | None) -> MutableSequence[int]:
    if typecode is None:
        return values if isinstance(values, list) else list(values)
    if isinstance(values, array) and values.typecode == typecode:
        return values
    return array(typecode, values)


def grammar_tables(grammar: Grammar) -> tuple[GrammarTables, Numbers]:
    """The tables of a grammar and the memory they begin with."""
    shortest = grammar.analysis.shortest_length
    n_rules = grammar.n_rules
    lhs = [rule.lhs - grammar.n_terminals for rule in grammar.rules]
    rhs = [rule.rhs for rule in grammar.rules] + [(grammar.start,)]
    uses: list[list[int]] = [[] for _ in grammar.symbols]
    rules: list[list[int]] = [[] for _ in range(grammar.n_nonterminals)]
    for rule in range(n_rules):
        rules[lhs[rule]].append(rule)
        if rhs[rule]:
            uses[rhs[rule][0]].append(rule)
    item_next, rest, remaining = [], [], []
    for symbols in rhs:
        tail = list(accumulate((shortest[s] for s in reversed(symbols)), initial=0))[::-1]
        item_next += [*symbols, -1]
        remaining += tail
        rest += [*tail[1:], 0]
    empty = [rule for rule in range(n_rules) if not rhs[rule]]
    first = [[rhs[rule][0] for rule in own if rhs[rule]] for own in rules]
    corners = [
        [s - grammar.n_terminals for s in dict.fromkeys(symbols) if not grammar.is_terminal(s)]
        for symbols in first
    ]
    nullable = grammar.analysis.nullable
    memory = Memory()
    tables = GrammarTables(
        grammar.n_terminals,
        grammar.n_nonterminals,
        n_rules,
        grammar.n_items,
        len(empty),
        memory.put([*lhs, -1]),
        memory.put(map(len, rhs)),
        memory.put(accumulate((len(symbols) + 1 for symbols in rhs), initial=0)),
        memory.put(rule for rule, symbols in enumerate(rhs) for _ in range(len(symbols) + 1)),
        memory.put(item_next),
        memory.put(rest),
        memory.put(remaining),
        *_put_rows(memory, uses),
        *_put_rows(memory, rules),
        *_put_rows(memory, corners),
        *_put_rows(memory, [[rule for rule in own if not rhs[rule]] for own in rules]),
        memory.put(int(symbol.index in nullable) for symbol in grammar.nonterminals),
        memory.put(empty),
    )
    return tables, memory.make(compiled=False)


def _put_rows(memory: Memory, table: list[list[int]]) -> tuple[int, int]:
    """A ragged table: where its rows start, and its values."""
    starts = memory.put(accumulate(map(len, table), initial=0))
    return starts, memory.put(value for row in table for value in row)
