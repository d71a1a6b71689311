"""Least ways through a grammar: from symbols to the symbols that occur in what they derive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

__all__ = ["STEP", "Edge", "Edges", "Step", "least_edges", "spread"]

STEP = 1
"""The cost of a step; `TOKEN` is that of a token, which outweighs any number of steps."""
TOKEN = 1 << 24

SOURCE = -1
"""Stands for where a way began."""


class Edge(NamedTuple):
    """From a non-terminal over an item to the symbol after its dot.

    `rank` says which of equally good edges is taken: the lowest.
    """

    cost: int
    rank: int
    item: int
    symbol: int


Edges = Sequence[Sequence[Edge]]
"""The edges from each symbol."""


class Step(NamedTuple):
    """The last step of a least way to `symbol`: over `item`, from the symbol `origin`."""

    symbol: int
    item: int
    origin: int
    cost: int


def least_edges(edges: Iterable[Edge]) -> list[Edge]:
    """The best edge to each symbol."""
    best: dict[int, Edge] = {}
    for edge in edges:
        known = best.get(edge.symbol)
        if known is None or edge < known:
            best[edge.symbol] = edge
    return list(best.values())


def spread(starts: Iterable[tuple[Edge, int]], edges: Edges) -> Iterator[Step]:
    """All symbols that ways lead to, the nearest first, with the last step of the least way.

    `starts` are first edges and what `Step.origin` is to be for each. Ways of the same cost are
    ordered by the rank of the last edge (Dijkstra 1959).
    """
    heap = [(edge.cost, edge.rank, edge.item, edge.symbol, origin) for edge, origin in starts]
    heapify(heap)
    known: set[int] = set()
    while heap:
        cost, _, item, symbol, origin = heappop(heap)
        if symbol in known:
            continue
        known.add(symbol)
        yield Step(symbol, item, origin, cost)
        for more, rank, next_item, target in edges[symbol]:
            if target not in known:
                heappush(heap, (cost + more, rank, next_item, target, symbol))
