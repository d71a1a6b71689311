"""The derivation tree of an input, from its chart; of an ambiguous input the first one.

The order of trees, from the root down: at each node the rule with the lowest number, and with it
the symbols of the right-hand side, from the last to the first, each over as few tokens as possible.
So ``sum -> sum '+' sum`` makes trees that lean to the left. In a cyclic grammar, where a node can
have itself below it over the same tokens, a rule is taken only if it leads on to a finite tree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gramspect.algebra.patterns import Pattern
from gramspect.recognition.chart import Chart

__all__ = ["first_tree"]


class Part(NamedTuple):
    """A node with what it spans: the tokens ``start`` to ``end - 1``."""

    symbol: int
    start: int
    end: int


def first_tree(chart: Chart) -> Pattern:
    """The first derivation tree of an accepted input.

    Raises:
        ValueError: the input was rejected.
    """
    if not chart.accepted:
        raise ValueError("a rejected input has no derivation tree")
    forest = Forest(chart)
    pending = [Part(chart.grammar.start, 0, chart.end)]
    rules = []
    while pending:
        rule, parts = forest.chosen(pending.pop())
        rules.append(rule)
        pending.extend(reversed(parts))
    return Pattern(chart.grammar.start, tuple(rules))


class Forest:
    """The derivations of an input, read from its chart."""

    def __init__(self, chart: Chart) -> None:
        self.grammar = grammar = chart.grammar
        self._cyclic = grammar.analysis.cyclic
        self._rules: dict[Part, list[int]] = defaultdict(list)
        self._starts: dict[tuple[int, int], list[int]] = defaultdict(list)
        """By symbol and end: where constituents begin, the nearest first."""
        self._entries: set[tuple[int, int, int]] = set()
        self._rounds: dict[tuple[int, int], dict[int, int]] = {}
        for column in range(chart.end + 1):
            for item, origin in chart.column(column):
                self._entries.add((item, origin, column))
                rule, dot = grammar.split_item(item)
                if dot == len(grammar.rules[rule].rhs):
                    part = Part(grammar.rules[rule].lhs, origin, column)
                    if part not in self._rules:
                        self._starts[part.symbol, column].append(origin)
                    self._rules[part].append(rule)
        for starts in self._starts.values():
            starts.sort(reverse=True)
        for found in self._rules.values():
            found.sort()

    def chosen(self, part: Part) -> tuple[int, Sequence[Part]]:
        """The first rule of a part, and its non-terminals with what they span."""
        rounds: dict[int, int] = {}
        if part.symbol in self._cyclic:
            rounds = self._settled(part.start, part.end)
        for rule in self._rules[part]:
            for parts in self._splits(rule, part):
                if not rounds or self._leads_on(parts, part, rounds):
                    return rule, parts
        raise AssertionError("every part of a chart has a finite tree")

    def _leads_on(self, parts: Sequence[Part], above: Part, rounds: dict[int, int]) -> bool:
        """Whether no child spans what its parent spans, unless its tree was found earlier."""
        return all(
            (part.start, part.end) != (above.start, above.end)
            or rounds.get(part.symbol, 0) < rounds[above.symbol]
            for part in parts
        )

    def _settled(self, start: int, end: int) -> dict[int, int]:
        """The rounds in which the cyclic symbols over a span are found to have finite trees."""
        known = self._rounds.get((start, end))
        if known is not None:
            return known
        waiting = {s for s in self._cyclic if Part(s, start, end) in self._rules}
        rounds: dict[int, int] = {}
        number = 0
        while waiting:
            number += 1
            settled = {s for s in waiting if self._has_finite(Part(s, start, end), waiting)}
            assert settled, "every part of a chart has a finite tree"
            rounds.update(dict.fromkeys(settled, number))
            waiting -= settled
        self._rounds[start, end] = rounds
        return rounds

    def _has_finite(self, part: Part, waiting: set[int]) -> bool:
        return any(
            all(
                (below.start, below.end) != (part.start, part.end) or below.symbol not in waiting
                for below in parts
            )
            for rule in self._rules[part]
            for parts in self._splits(rule, part)
        )

    def _splits(self, rule: int, part: Part) -> Iterator[tuple[Part, ...]]:
        """The ways in which a rule's non-terminals share the span of its part, in order."""
        grammar = self.grammar
        rhs, first_item = grammar.rules[rule].rhs, grammar.item_start[rule]
        pending: list[tuple[int, int, tuple[Part, ...]]] = [(len(rhs), part.end, ())]
        while pending:
            dot, end, parts = pending.pop()
            while dot and grammar.is_terminal(rhs[dot - 1]):
                dot, end = dot - 1, end - 1
            if not dot:
                if end == part.start:
                    yield parts
                continue
            symbol, dot = rhs[dot - 1], dot - 1
            if not dot:  # the first symbol begins where the whole does
                whole = Part(symbol, part.start, end)
                if whole in self._rules:
                    yield (whole, *parts)
                continue
            pending += [
                (dot, start, (Part(symbol, start, end), *parts))
                for start in reversed(self._starts[symbol, end])
                if start >= part.start and (first_item + dot, part.start, start) in self._entries
            ]
