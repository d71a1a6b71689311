"""k-paths: how many there are, which number each has, and which a derivation contains.

A k-path is a path in the grammar graph (`gramspect.generation.kpaths_graph`) with exactly k
symbolic nodes, one at either end (Havrikov, Kampmann and Zeller 2024, Definition 3.1). Between two
symbolic nodes the synthetic ones are determined, so the symbolic ones name the path. There are
exponentially many in k; they are counted and numbered without being listed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gramspect.errors import GramspectError
from gramspect.generation.kpaths_graph import GrammarGraph

__all__ = ["LONGEST", "KPaths"]

LONGEST = 100
"""The largest k; far smaller ones give more paths than anyone can cover."""


class KPaths:
    """The k-paths of a grammar graph, numbered in the order of their nodes.

    A path is a tuple of node indices. Its number is the sum of an offset for its first node and
    one for every step, which counts the paths before those that go on this way.

    Raises:
        GramspectError: k is not from 1 to `LONGEST`.
    """

    def __init__(self, graph: GrammarGraph, k: int) -> None:
        if not 1 <= k <= LONGEST:
            raise GramspectError(f"k-paths have from 1 to {LONGEST} nodes, not {k}")
        self.graph = graph
        self.k = k
        symbols = [node.symbol for node in graph.nodes]
        tails = dict.fromkeys([*symbols, *graph.ways], 1)
        self.offsets: list[Mapping[int, Mapping[int, int]]] = [{}]
        """The offset of the step from a symbol to a node if so many nodes come in all."""
        for _ in range(1, k):
            offsets, longer = {}, {}
            for symbol in tails:
                children = graph.children(symbol)
                offsets[symbol], longer[symbol] = _offsets(children, symbols, tails)
            self.offsets.append(offsets)
            tails = longer
        self.first, self.count = _offsets(range(len(symbols)), symbols, tails)
        """The offset of each node at the beginning; how many paths there are."""
        self._starts = list(self.first.values())

    def number(self, path: Sequence[int]) -> int:
        """The number of a path, from 0.

        Raises:
            KeyError: it is none of the k-paths of the graph.
        """
        if len(path) != self.k:
            raise KeyError(path)
        at = path[0]
        found = self.first[at]
        left = self.k
        for node in path[1:]:
            left -= 1
            found += self.offsets[left][self.graph.nodes[at].symbol][node]
            at = node
        return found

    def path(self, number: int) -> tuple[int, ...]:
        """The path of that number.

        Raises:
            IndexError: there are not so many.
        """
        if not 0 <= number < self.count:
            raise IndexError(number)
        node = bisect_right(self._starts, number) - 1
        number -= self._starts[node]
        path = [node]
        for left in range(self.k - 1, 0, -1):
            node, number = _last_before(self.offsets[left][self.graph.nodes[node].symbol], number)
            path.append(node)
        return tuple(path)

    def within(self, rules: Sequence[int]) -> Iterator[int]:
        """The numbers of the paths in a derivation tree, given as a left parse, some repeatedly."""
        grammar, node_of, k = self.graph.grammar, self.graph.node_of, self.k
        n_terminals, number = grammar.n_terminals, self.number
        pending: list[tuple[int, ...]] = [()]  # the nodes that lead to each open non-terminal
        for rule in rules:
            above = pending.pop()
            opened = []
            for item, symbol in enumerate(grammar.rules[rule].rhs, grammar.item_start[rule]):
                path = above
                node = node_of[item]
                if node >= 0:
                    path = (*above, node)
                    if len(path) > k:
                        path = path[1:]
                    if len(path) == k:
                        yield number(path)
                if symbol >= n_terminals:
                    opened.append(path)
            opened.reverse()
            pending += opened

    def text(self, path: Sequence[int]) -> str:
        """A path as the labels of its nodes."""
        return " -> ".join(map(self.graph.label, path))


def _offsets(
    nodes: Iterable[int], symbols: Sequence[int], tails: Mapping[int, int]
) -> tuple[dict[int, int], int]:
    """How many paths begin with the nodes before each node, and the number of all."""
    total, found = 0, {}
    for node in nodes:
        found[node] = total
        total += tails[symbols[node]]
    return found, total


def _last_before(offsets: Mapping[int, int], number: int) -> tuple[int, int]:
    """The node whose paths include this number, and which of them it is."""
    nodes = list(offsets)
    values = list(offsets.values())
    node = nodes[bisect_right(values, number) - 1]
    return node, number - offsets[node]
