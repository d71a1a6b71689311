"""Suites that cover all k-paths (Havrikov, Kampmann and Zeller 2024, Section 4).

Algorithm 1: for each k-path that no test contains yet, the derivation tree grows from the root on
the shortest way to the first node of the path, then along the path; what is open is closed off, and
all k-paths that the tree contains are done. Trees are closed off

* minimally, as all tests of a plan are (`gramspect.generation.minimal`), or
* at random within a depth (Algorithm 2). Choices there depend on nothing but the depth, so the
  slots can be filled in any order; they are from left to right.

The depth of a node is the number of edges of the grammar graph from the root, synthetic nodes
included (Definition 2.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from heapq import heappop, heappush
from math import inf
from random import Random
from typing import Protocol

from gramspect.errors import GramspectError
from gramspect.generation.derivation import Around, Derivation
from gramspect.generation.kpaths import KPaths
from gramspect.generation.kpaths_graph import GrammarGraph
from gramspect.generation.minimal import LARGEST, Minimal, sides

__all__ = ["MOST", "KPathCover", "bounded_k_paths", "k_paths"]

MOST = 100_000_000
"""The most paths to be covered; each takes a byte of memory."""

_ABOVE_ROOT = -1
"""The depth of the start symbol, as if it occurred in a rule above the root."""


def k_paths(minimal: Minimal, k: int) -> Iterator[tuple[Derivation, str]]:
    """All k-paths, closed off minimally."""
    return KPathCover(minimal, k).derivations()


def bounded_k_paths(minimal: Minimal, k: int, depth: int) -> Iterator[tuple[Derivation, str]]:
    """All k-paths that trees of that depth contain, closed off at random."""
    return KPathCover(minimal, k, depth).derivations()


class CloseOff(Protocol):
    """How the symbols that a path leaves open are derived."""

    def part(self, symbol: int, depth: int) -> Derivation:
        """A derivation from the symbol of a node at that depth."""
        ...

    def around(self, item: int, depth: int) -> Around:
        """Derivations beside the symbol after the dot, the left-hand side being at that depth."""
        ...


class KPathCover:
    """A suite in the making.

    Args:
        minimal: the minimal derivations to close off with, and the seed of random ones.
        k: how many nodes the paths have.
        depth: the largest depth of a tree, with random derivations; None for minimal ones.

    Raises:
        GramspectError: k is out of range, there are more than `MOST` paths, or no tree is so low.
    """

    def __init__(self, minimal: Minimal, k: int, depth: int | None = None) -> None:
        self.minimal = minimal
        self.graph = GrammarGraph(minimal.grammar, minimal.rules)
        self.paths = KPaths(self.graph, k)
        self.depth = depth
        if self.paths.count > MOST:
            raise GramspectError(
                f"the grammar has {self.paths.count:,} {k}-paths, more than the {MOST:,} that a"
                " suite can cover; take a smaller k"
            )
        self.heights = Heights(self.graph)
        self._limit = inf if depth is None else depth
        least = _ABOVE_ROOT + self.heights.of_symbol[minimal.grammar.start]
        if least > self._limit:
            raise GramspectError(
                f"the limit on depth, {depth}, is too small: the shallowest tree has depth {least}"
            )

    def derivations(self) -> Iterator[tuple[Derivation, str]]:
        """The tests, each with the path it is made for; the same ones every time."""
        close_off: CloseOff
        if self.depth is None:
            close_off = _Shortly(self.minimal)
        else:
            random = Random(self.minimal.variant)
            close_off = _AtRandom(self.graph, self.heights, self.depth, random)
        is_done = bytearray(self.paths.count)
        number = is_done.find(0)
        while number >= 0:
            is_done[number] = 1
            path = self.paths.path(number)
            way = self.way(path)
            if way is not None:
                derivation = self._grown(way, close_off)
                for each in self.paths.within(derivation.rules):
                    is_done[each] = 1
                yield derivation, " ".join(map(self._place, path))
            number = is_done.find(0, number)

    def beyond(self) -> int:
        """How many paths no tree within the depth contains."""
        numbers = range(self.paths.count) if self.depth is not None else ()
        return sum(self.way(self.paths.path(number)) is None for number in numbers)

    def _place(self, node: int) -> str:
        return self.minimal.grammar.item_label(self.graph.nodes[node].item)

    # --- ways ----------------------------------------------------------------------------

    def way(self, path: tuple[int, ...]) -> list[int] | None:
        """The items from the start symbol to the end of a path; None if that is too deep."""
        first = path[0]
        if first not in self._ways_from_root:
            return None
        way = list(self._ways_from_root[first])
        above = self.graph.nodes[first].symbol
        for node in path[1:]:
            way += self.graph.ways[above][node]
            above = self.graph.nodes[node].symbol
        if self._limit < inf:
            depth = _ABOVE_ROOT
            for item in way:
                if not self._fits_beside(item, depth):
                    return None
                depth += self.graph.steps[item]
            if depth + self.heights.of_symbol[above] > self._limit:
                return None
        return way

    def _fits_beside(self, item: int, depth: int) -> bool:
        return depth + self.heights.beside(item) <= self._limit

    @cached_property
    def _ways_from_root(self) -> dict[int, tuple[int, ...]]:
        """The shortest way to each node with room for what is beside it (Dijkstra 1959).

        Nothing fits lower down that does not fit higher up, so the shortest is also the best.
        """
        graph, start = self.graph, self.minimal.grammar.start
        found: dict[int, tuple[int, ...]] = {}
        entered: set[int] = set()
        queue: list[tuple[int, int, int, tuple[int, ...]]] = [(_ABOVE_ROOT, 0, start, ())]
        n_seen = 0
        while queue:
            depth, _, symbol, way = heappop(queue)
            if symbol in entered:
                continue
            entered.add(symbol)
            for node, inner in graph.ways[symbol].items():
                if node in found:
                    continue
                below = depth
                for item in inner:
                    if not self._fits_beside(item, below):
                        break
                    below += graph.steps[item]
                else:
                    n_seen += 1
                    found[node] = way + inner
                    reached = graph.nodes[node].symbol
                    if not graph.is_leaf(reached):
                        heappush(queue, (below, n_seen, reached, found[node]))
        return found

    def _grown(self, way: list[int], close_off: CloseOff) -> Derivation:
        """The tree with this way in it."""
        steps = self.graph.steps
        parts = []
        depth = _ABOVE_ROOT
        for item in way:
            parts.append(close_off.around(item, depth))
            depth += steps[item]
        last = self.graph.nodes[self.graph.node_of[way[-1]]].symbol
        return _nested(parts, close_off.part(last, depth))


def _nested(parts: list[Around], inner: Derivation) -> Derivation:
    """Each part around the next, and the last around the inner derivation."""
    rules: list[int] = []
    tokens: list[int] = []
    for part in parts:
        rules += part.rules_before
        tokens += part.tokens_before
    rules += inner.rules
    tokens += inner.tokens
    for part in reversed(parts):
        rules += part.rules_after
        tokens += part.tokens_after
    return Derivation(tuple(rules), tuple(tokens))


class Heights:
    """How many edges there are at least below symbols and rules, from the node of the symbol."""

    def __init__(self, graph: GrammarGraph) -> None:
        self.graph = graph
        grammar = graph.grammar
        self.of_symbol: dict[int, float] = dict.fromkeys(range(grammar.n_terminals), 0)
        self.shallowest: dict[int, int] = {}
        """A rule of each non-terminal that leads to the lowest tree."""
        self.of_symbol.update(dict.fromkeys(graph.rules_of, inf))
        changed = True
        while changed:
            changed = False
            for symbol, rules in graph.rules_of.items():
                for rule in rules:
                    height = self.of_rule(rule)
                    if height < self.of_symbol[symbol]:
                        self.of_symbol[symbol], self.shallowest[symbol] = height, rule
                        changed = True

    def of_rule(self, rule: int, gap: int = -1) -> float:
        """The height if a rule is applied; the symbol after the dot `gap` does not count."""
        grammar, steps = self.graph.grammar, self.graph.steps
        height: float = self.graph.least[rule]
        for dot, symbol in enumerate(grammar.rules[rule].rhs):
            if dot != gap:
                height = max(height, steps[grammar.item(rule, dot)] + self.of_symbol[symbol])
        return height

    def beside(self, item: int) -> float:
        """The height of a rule without what is after the dot."""
        return self.of_rule(*self.graph.grammar.split_item(item))


class _Shortly:
    """Close off minimally."""

    def __init__(self, minimal: Minimal) -> None:
        self.minimal = minimal

    def part(self, symbol: int, depth: int) -> Derivation:
        return self.minimal.part(symbol)

    def around(self, item: int, depth: int) -> Around:
        return self.minimal.around(item)


class _AtRandom:
    """Close off at random, no deeper than the limit (Algorithm 2).

    A tree of more than `LARGEST` rules is completed by the lowest derivations.
    """

    def __init__(self, graph: GrammarGraph, heights: Heights, limit: int, random: Random) -> None:
        self.graph = graph
        self.heights = heights
        self.limit = limit
        self.random = random
        self._by_height = {
            symbol: sorted((heights.of_rule(rule), rule) for rule in rules)
            for symbol, rules in graph.rules_of.items()
        }

    def around(self, item: int, depth: int) -> Around:
        grammar = self.graph.grammar
        rule, gap = grammar.split_item(item)
        parts = [
            self.part(symbol, depth + self.graph.steps[grammar.item(rule, dot)])
            if dot != gap
            else None
            for dot, symbol in enumerate(grammar.rules[rule].rhs)
        ]
        return sides(rule, filter(None, parts[:gap]), filter(None, parts[gap + 1 :]))

    def part(self, symbol: int, depth: int) -> Derivation:
        grammar, steps = self.graph.grammar, self.graph.steps
        rules: list[int] = []
        tokens: list[int] = []
        pending = [(symbol, depth)]
        while pending:
            symbol, depth = pending.pop()
            if grammar.is_terminal(symbol):
                tokens.append(symbol)
                continue
            rule = self._drawn(symbol, depth, len(rules) < LARGEST)
            rules.append(rule)
            below = [
                (inner, depth + steps[item])
                for item, inner in enumerate(grammar.rules[rule].rhs, grammar.item_start[rule])
            ]
            below.reverse()
            pending += below
        return Derivation(tuple(rules), tuple(tokens))

    def _drawn(self, symbol: int, depth: int, is_free: bool) -> int:
        """A random rule that fits."""
        if not is_free:
            return self.heights.shallowest[symbol]
        fitting = [rule for height, rule in self._by_height[symbol] if depth + height <= self.limit]
        return fitting[int(self.random.random() * len(fitting))]
