"""Shortest sentences of symbols, with texts, and ways from a symbol to another by single steps."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple

from gramspect.grammars.grammar import Grammar
from gramspect.reduction.trees import Node, Word

__all__ = ["Sentence", "Sentences", "Surroundings", "Way"]

_TOKEN = 1 << 16
"""What a token costs, in characters: fewer tokens always win."""


class Sentence(NamedTuple):
    """The nodes of a derivation tree, and how many words and characters its sentence has."""

    nodes: tuple[Node, ...]
    n_words: int
    length: int


class Way(NamedTuple):
    """The nodes before and after an inner node that alone has words."""

    above: tuple[Node, ...]
    below: tuple[Node, ...]


class Surroundings(NamedTuple):
    """The nodes of a derivation tree before and after an inner node, and their words."""

    above: tuple[Node, ...]
    below: tuple[Node, ...]
    n_words: int


class Sentences:
    """The shortest sentences of one grammar, in tokens and then in characters.

    `texts` has a text for each terminal that may be used.
    """

    def __init__(self, grammar: Grammar, texts: Mapping[int, str]) -> None:
        self.grammar = grammar
        self.texts = texts
        self._made: dict[int, Sentence | None] = {}
        self._ways: dict[int, Mapping[int, Way]] = {}

    def shortest(self, symbol: int) -> Sentence | None:
        """The shortest sentence of a symbol; None if it has none, or no text for it is known."""
        if symbol not in self._cost:
            return None
        pending = [symbol]
        while pending:
            top = pending[-1]
            if top in self._made:
                pending.pop()
                continue
            if self.grammar.is_terminal(top):
                text = self.texts[top]
                self._made[top] = Sentence((Word(top, text, " "),), 1, len(text))
                continue
            rule = self._rule[top]
            missing = [s for s in self.grammar.rules[rule].rhs if s not in self._made]
            pending += missing
            if not missing:
                self._made[top] = self._joined(rule)
        return self._made[symbol]

    def _joined(self, rule: int) -> Sentence | None:
        parts = [self._made[symbol] for symbol in self.grammar.rules[rule].rhs]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        nodes: tuple[Node, ...] = (rule, *(node for part in known for node in part.nodes))
        return Sentence(
            nodes, sum(part.n_words for part in known), sum(part.length for part in known)
        )

    @cached_property
    def _rule(self) -> dict[int, int]:
        """The rule that begins the shortest sentence of each non-terminal that has one."""
        return self._least[1]

    @cached_property
    def _cost(self) -> dict[int, int]:
        return self._least[0]

    @cached_property
    def _least(self) -> tuple[dict[int, int], dict[int, int]]:
        """Costs and rules (Knuth 1977, "A generalization of Dijkstra's algorithm")."""
        grammar = self.grammar
        cost = {terminal: _TOKEN + len(text) for terminal, text in self.texts.items()}
        rule_of: dict[int, int] = {}
        uses: dict[int, list[int]] = {}
        waiting = [0] * grammar.n_rules
        heap: list[tuple[int, int]] = []
        for rule in grammar.rules:
            unknown = [symbol for symbol in rule.rhs if symbol not in cost]
            waiting[rule.index] = len(unknown)
            for symbol in unknown:
                uses.setdefault(symbol, []).append(rule.index)
            if not unknown:
                heappush(heap, (sum(cost[s] for s in rule.rhs), rule.index))
        while heap:
            found, number = heappop(heap)
            lhs = grammar.rules[number].lhs
            if lhs in cost:
                continue
            cost[lhs], rule_of[lhs] = found, number
            for user in uses.get(lhs, ()):
                waiting[user] -= 1
                if not waiting[user]:
                    heappush(heap, (sum(cost[s] for s in grammar.rules[user].rhs), user))
        return cost, rule_of

    def around(self, symbol: int) -> Surroundings | None:
        """The fewest words with which a symbol is in a sentence; None if it never is."""
        above: tuple[Node, ...] = ()
        below: tuple[Node, ...] = ()
        n_words = 0
        while symbol != self.grammar.start:
            if symbol not in self._outside:
                return None
            rule, at = self._outside[symbol]
            rhs = self.grammar.rules[rule].rhs
            left = [node for s in rhs[:at] if (one := self.shortest(s)) for node in one.nodes]
            right = [node for s in rhs[at + 1 :] if (one := self.shortest(s)) for node in one.nodes]
            above, below = (rule, *left, *above), (*below, *right)
            n_words += sum(isinstance(node, Word) for node in (*left, *right))
            symbol = self.grammar.rules[rule].lhs
        return Surroundings(above, below, n_words)

    @cached_property
    def _outside(self) -> Mapping[int, tuple[int, int]]:
        """The rule, and the place in it, of each symbol in the shortest sentence around it."""
        found: dict[int, tuple[int, int]] = {}
        heap = [(0, self.grammar.start, (-1, 0))]
        while heap:
            cost, symbol, place = heappop(heap)
            if symbol in found:
                continue
            found[symbol] = place
            for rule in self.grammar.rules_of.get(symbol, ()):
                rhs = self.grammar.rules[rule].rhs
                costs = [self._cost.get(inner) for inner in rhs]
                for at, inner in enumerate(rhs):
                    beside = [*costs[:at], *costs[at + 1 :]]
                    if inner not in found and None not in beside:
                        total = cost + sum(each for each in beside if each is not None)
                        heappush(heap, (total, inner, (rule, at)))
        return found

    def ways(self, symbol: int) -> Mapping[int, Way]:
        """The symbols that a symbol derives alone, all beside it empty, by the fewest steps."""
        found = self._ways.get(symbol)
        if found is None:
            found = self._ways[symbol] = self._all_ways(symbol)
        return found

    def _all_ways(self, symbol: int) -> dict[int, Way]:
        ways = {symbol: Way((), ())}
        pending = deque([symbol])
        while pending:
            top = pending.popleft()
            above, below = ways[top]
            for rule in self.grammar.rules_of.get(top, ()):
                for inner, way in self._steps(rule):
                    if inner not in ways:
                        ways[inner] = Way(above + way.above, way.below + below)
                        pending.append(inner)
        return ways

    def _steps(self, rule: int) -> Iterator[tuple[int, Way]]:
        """The symbols that a rule derives alone."""
        rhs = self.grammar.rules[rule].rhs
        empty = [self.shortest(symbol) for symbol in rhs]
        solid = [at for at, each in enumerate(empty) if each is None or each.n_words]
        for at in solid if len(solid) == 1 else () if solid else range(len(rhs)):
            above = [node for each in empty[:at] if each is not None for node in each.nodes]
            below = [node for each in empty[at + 1 :] if each is not None for node in each.nodes]
            yield rhs[at], Way((rule, *above), tuple(below))
