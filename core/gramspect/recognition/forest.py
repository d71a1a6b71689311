"""The forest of an accepted input: all its derivation trees, read from the chart on demand.

Trees share their parts: whatever derives the same stretch of the input from the same symbol is one
node here, however many trees have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from gramspect.grammars.grammar import Grammar
from gramspect.kernel.tables import N_ENTRIES
from gramspect.recognition.chart import Chart

__all__ = ["Forest", "Part"]

Part = int
"""A node of a forest: all derivations of a stretch of the input from a symbol.

It is one number, so that millions are cheap; `Forest.part` makes it and `Forest.symbol` reads it.
"""


class Forest:
    """The derivations of an accepted input.

    Raises:
        ValueError: the chart is that of an input that is no sentence.
    """

    def __init__(self, chart: Chart) -> None:
        if not chart.accepted:
            raise ValueError("an input that is no sentence has no derivations")
        self.grammar = grammar = chart.grammar
        self._width = chart.end + 1
        self.root = self.part(grammar.start, 0, chart.end)
        tables = _items_of(grammar)
        self._backwards, self._n_terminals = tables.backwards, grammar.n_terminals
        memory, room = chart.space.memory, chart.space.chart
        n = int(memory[room.counts + N_ENTRIES])
        items, origins, self._columns = (
            np.asarray(memory[first : first + n], np.int64)
            for first in (room.item, room.origin, room.column)
        )
        self._entries_at = (items * self._width + origins) * self._width
        done = tables.completed[items] >= 0
        rules = tables.completed[items[done]]
        ends = self._columns[done]
        at = tables.lhs[rules] * self._width * self._width + ends
        parts = at + origins[done] * self._width
        self._rules: dict[Part, list[int]] = {}
        """The rules with which each part can begin."""
        self._starts: dict[int, list[int]] = {}
        """By symbol and end, as a part that begins at 0: where its constituents begin."""
        columns = (each.tolist() for each in (parts, rules, at, origins[done]))
        for part, rule, place, origin in zip(*columns, strict=True):
            known = self._rules.get(part)
            if known is None:
                self._rules[part] = [rule]
                self._starts.setdefault(place, []).append(origin)
            else:
                known.append(rule)

    def part(self, symbol: int, start: int, end: int) -> Part:
        """All derivations of the tokens from `start` to `end` from a symbol."""
        return (symbol * self._width + start) * self._width + end

    def symbol(self, part: Part) -> int:
        """The symbol that a part derives."""
        return part // (self._width * self._width)

    def below(self, part: Part) -> list[tuple[int, Part]]:
        """The constituents of a part by its rules, in all ways to divide it up.

        Each comes with the item that has it after the dot; some come repeatedly. A token has none.
        """
        width, n_terminals = self._width, self._n_terminals
        rest, end = divmod(part, width)
        start = rest % width
        found: list[tuple[int, Part]] = []
        for rule in self._rules.get(part, ()):
            ends = [end]
            for item, symbol, is_first in self._backwards[rule]:
                base = symbol * width
                middles: list[int] = []
                for last in ends:
                    if symbol < n_terminals:
                        begins = [last - 1]
                    elif is_first:
                        begins = [start]
                    else:
                        begins = self._starts[base * width + last]
                        if len(begins) > 1:
                            begins = self._begun(item, start, begins)
                    found += [(item, (base + middle) * width + last) for middle in begins]
                    middles = begins if len(ends) == 1 else list({*middles, *begins})
                ends = middles
        return found

    def _begun(self, item: int, origin: int, columns: list[int]) -> list[int]:
        """Those of the columns that an item is in, with its rule begun at an origin."""
        entries, base = self._entries, (item * self._width + origin) * self._width
        return [column for column in columns if base + column in entries]

    @cached_property
    def _entries(self) -> set[int]:
        """Items with their origins and columns, each as a part with the item for its symbol."""
        return set((self._entries_at + self._columns).tolist())


class _Items(NamedTuple):
    """What a forest asks of the items of a grammar."""

    completed: np.ndarray
    """By item: the rule that it completes; -1 if it completes none."""
    lhs: np.ndarray
    """By rule: its left-hand side."""
    backwards: Sequence[Sequence[tuple[int, int, bool]]]
    """By rule: its items from the last one with a symbol after the dot to the first, each with that
    symbol and whether it is the first."""


def _items_of(grammar: Grammar) -> _Items:
    known = _ITEMS.get(grammar)
    if known is None:
        completed = np.full(grammar.n_items + 2, -1)  # with the two items of $accept
        backwards = []
        for rule in grammar.rules:
            start, n = grammar.item_start[rule.index], len(rule.rhs)
            completed[start + n] = rule.index
            backwards.append([(start + d, rule.rhs[d], d == 0) for d in reversed(range(n))])
        lhs = np.array([rule.lhs for rule in grammar.rules])
        known = _ITEMS[grammar] = _Items(completed, lhs, backwards)
    return known


_ITEMS: WeakKeyDictionary[Grammar, _Items] = WeakKeyDictionary()
