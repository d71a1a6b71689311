"""Charts of the core grammar from what a parser of Lark's has recorded.

Lark's rules are not the core's (`gramspect_lark.correspondence`), so its Earley items and the items
of its LR states are not copied but followed: the chart holds every item of the core grammar that
the tokens justify and that stands for something the parser had there. Where both grammars have the
same rules these are the parser's own items.

Columns need not be tokens in a row. Lark's dynamic lexer matches terminals of different
lengths at the same place; a column is then a place in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary

from gramspect.adapter_api import Chart, ChartSpace, Grammar, Space, as_numbers, is_compiled

__all__ = ["Column", "FollowedChart"]


class Column(NamedTuple):
    """What a parser had at one place of its input.

    `scanned` are the terminals that end there, each with the column where it began; `passed` the
    columns from which text that is ignored leads here. `items` are the core items that may be here,
    `complete` the rules with their origins that may be complete (of those in
    `FollowedChart.restricted`); None allows all.
    """

    scanned: Collection[tuple[int, int]]
    passed: Collection[int] = ()
    items: Set[int] | None = None
    complete: Set[tuple[int, int]] | None = None


class FollowedChart(Chart):
    """A chart that is made when it is first looked into."""

    def __init__(
        self,
        grammar: Grammar,
        n_columns: int,
        accepted: bool,
        columns: Callable[[], Iterable[Column]],
        restricted: Set[int] = frozenset(),
    ) -> None:
        for name, value in (
            ("grammar", grammar),
            ("end", n_columns - 1),
            ("accepted", accepted),
            ("_columns", columns),
            ("restricted", restricted),
        ):
            object.__setattr__(self, name, value)

    _columns: Callable[[], Iterable[Column]]
    restricted: Set[int]

    @cached_property
    def space(self) -> ChartSpace:
        """The chart in the form of the kernel."""
        following = _Following(_tables(self.grammar), self._columns(), self.restricted)
        following.run()
        return _written(self.grammar, following)

    def __reduce__(self) -> tuple[type[Chart], tuple[Grammar, ChartSpace, int, bool]]:
        """Make the chart before it goes to another process, where it is like any other."""
        return Chart, (self.grammar, self.space, self.end, self.accepted)


@dataclass(frozen=True, eq=False)
class _Tables:
    """A grammar by item and by symbol; rule `n_rules` is the augmented one."""

    grammar: Grammar
    next_symbol: Sequence[int]
    item_rule: Sequence[int]
    uses: Sequence[Sequence[int]]
    rules: Sequence[Sequence[int]]


_TABLES: WeakKeyDictionary[Grammar, _Tables] = WeakKeyDictionary()


def _tables(grammar: Grammar) -> _Tables:
    if grammar not in _TABLES:
        uses: list[list[int]] = [[] for _ in grammar.symbols]
        rules: list[list[int]] = [[] for _ in grammar.symbols]
        following: list[int] = []
        numbers: list[int] = []
        for rule in grammar.rules:
            rules[rule.lhs].append(rule.index)
            if rule.rhs:
                uses[rule.rhs[0]].append(rule.index)
            following += [*rule.rhs, -1]
            numbers += [rule.index] * (len(rule.rhs) + 1)
        following += [grammar.start, -1]
        numbers += [grammar.n_rules] * 2
        _TABLES[grammar] = _Tables(grammar, following, numbers, uses, rules)
    return _TABLES[grammar]


@dataclass(eq=False)
class _Following:
    """Earley's algorithm within what the columns allow.

    Entries are items with the dot after a symbol, the augmented ones and complete empty rules, as
    in the kernel. `prev` and `child` name earlier entries, so derivations are well-founded.
    """

    tables: _Tables
    columns: Iterable[Column]
    restricted: Set[int]
    item: list[int] = field(default_factory=list)
    origin: list[int] = field(default_factory=list)
    column: list[int] = field(default_factory=list)
    prev: list[int] = field(default_factory=list)
    child: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    predicted: list[set[int]] = field(default_factory=list)
    waiting: list[dict[int, list[int]]] = field(default_factory=list)

    def run(self) -> None:
        """Make all columns."""
        n_items = self.tables.grammar.n_items
        for number, column in enumerate(self.columns):
            self.starts.append(len(self.item))
            self.predicted.append(set())
            self.waiting.append({})
            self._seen: dict[tuple[int, int], int] = {}
            self._empty: dict[int, list[int]] = {}
            self._number, self._here = number, column
            self._augmented = {n_items, n_items + 1}
            if number == 0:
                self._add(n_items, 0, -1, -1)
            for origin, terminal in column.scanned:
                self._advance(origin, terminal, -1)
            for earlier in column.passed:
                self._carry(earlier)
            self._close()
        self.starts.append(len(self.item))

    def _add(self, item: int, origin: int, prev: int, child: int) -> None:
        if (item, origin) in self._seen:
            return
        allowed = self._here.items
        if allowed is not None and item not in allowed and item not in self._augmented:
            return
        self._seen[item, origin] = len(self.item)
        self.item.append(item)
        self.origin.append(origin)
        self.column.append(self._number)
        self.prev.append(prev)
        self.child.append(child)

    def _advance(self, origin: int, symbol: int, child: int) -> None:
        """Advance every entry of a column that waits for a symbol over that symbol."""
        grammar = self.tables.grammar
        for entry in tuple(self.waiting[origin].get(symbol, ())):
            self._add(self.item[entry] + 1, self.origin[entry], entry, child)
        predicted = self.predicted[origin]
        for rule in self.tables.uses[symbol]:
            if grammar.rules[rule].lhs in predicted:
                self._add(grammar.item_start[rule] + 1, origin, -1, child)

    def _carry(self, earlier: int) -> None:
        """Ignored text changes nothing: what was there before it is here, too."""
        for entry in range(self.starts[earlier], self.starts[earlier + 1]):
            item, origin = self.item[entry], self.origin[entry]
            self._augmented.add(item)
            self._add(item, origin, self.prev[entry], self.child[entry])

    def _close(self) -> None:
        """Complete and predict until the column no longer grows."""
        entry = self.starts[-1]
        while entry < len(self.item):
            symbol = self.tables.next_symbol[self.item[entry]]
            if symbol >= 0:
                self.waiting[-1].setdefault(symbol, []).append(entry)
                if symbol >= self.tables.grammar.n_terminals:
                    self._predict(symbol)
                    for child in tuple(self._empty.get(symbol, ())):
                        self._add(self.item[entry] + 1, self.origin[entry], entry, child)
            else:
                self._complete(entry)
            entry += 1

    def _complete(self, entry: int) -> None:
        rule, origin = self.tables.item_rule[self.item[entry]], self.origin[entry]
        grammar = self.tables.grammar
        if rule == grammar.n_rules:
            return
        complete = self._here.complete
        if complete is not None and rule in self.restricted and (rule, origin) not in complete:
            return
        symbol = grammar.rules[rule].lhs
        if origin == self._number:
            self._empty.setdefault(symbol, []).append(entry)
        self._advance(origin, symbol, entry)

    def _predict(self, symbol: int) -> None:
        """A non-terminal and all that its rules can start with."""
        grammar, tables, number = self.tables.grammar, self.tables, self._number
        predicted = self.predicted[-1]
        pending = [symbol]
        while pending:
            current = pending.pop()
            if current in predicted:
                continue
            predicted.add(current)
            for rule in tables.rules[current]:
                rhs = grammar.rules[rule].rhs
                if not rhs:
                    self._add(grammar.item_start[rule], number, -1, -1)
                elif rhs[0] >= grammar.n_terminals:
                    pending.append(rhs[0])
                    for child in tuple(self._empty.get(rhs[0], ())):
                        self._add(grammar.item_start[rule] + 1, number, -1, child)


class _ExactSpace(ChartSpace):
    """Room for a chart whose size is known."""

    def __init__(self, grammar: Grammar, made: _Following, compiled: bool) -> None:
        Space.__init__(self, grammar, compiled)
        bounds = zip(made.starts, made.starts[1:], strict=False)
        self.n_tokens = len(made.predicted) - 1
        self.entries = len(made.item)
        self.widest = max(end - start for start, end in bounds)
        self._make()


def _written(grammar: Grammar, made: _Following) -> ChartSpace:
    """The entries in the memory of the kernel."""
    n_columns = len(made.predicted)
    space = _ExactSpace(grammar, made, is_compiled())
    memory, chart, tables = space.memory, space.chart, space.tables
    for place, values in (
        (chart.item, made.item),
        (chart.origin, made.origin),
        (chart.column, made.column),
        (chart.prev, made.prev),
        (chart.child, made.child),
        (chart.column_start, made.starts),
        (chart.row, range(n_columns)),
        (chart.counts, [len(made.item)]),
    ):
        memory[place : place + len(values)] = as_numbers(values, space.compiled)
    for number, symbols in enumerate(made.predicted):
        base = chart.predicted + number * tables.n_nonterminals - tables.n_terminals
        for symbol in symbols:
            memory[base + symbol] = 1
    space.kernel("earley").rehash(memory, tables, chart)
    return space
