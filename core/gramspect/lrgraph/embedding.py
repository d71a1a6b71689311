"""Where reduction paths can be embedded (Rossouw and Fischer 2023, Sections 5 and 7).

The reduction path of a pop edge ends with its goto. That goto is an edge of other reduction paths,
in which the path can be embedded, and so on up to the root. The *embedding tree* holds for every
goto the places with the fewest reduction paths above them. It is found layer by layer, in time
linear in the size of the graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from gramspect.lrgraph.graph import Flags, Ints, LRGraph, rows_of

__all__ = ["EmbeddingTree"]


class EmbeddingTree:
    """The shallowest embeddings of all gotos of a graph.

    Only reduction paths of the rules in `rules` count.
    """

    def __init__(self, graph: LRGraph, rules: Iterable[int]) -> None:
        self.graph = graph
        self._usable: Flags = np.zeros(graph.grammar.n_rules, np.bool_)
        self._usable[list(rules)] = True

    @cached_property
    def pops(self) -> Ints:
        """The pop edges whose reduction paths can be embedded, ascending, counted from 0."""
        graph = self.graph
        reached = np.zeros(graph.n_push, np.bool_)
        reached[[graph.root, *self.places]] = True
        return np.flatnonzero(self._usable[graph.label[graph.n_push :]] & reached[graph.pop_goto])

    @cached_property
    def places(self) -> dict[int, tuple[tuple[int, int], ...]]:
        """For every goto but the root where it can be embedded: items, and the gotos above."""
        graph = self.graph
        item_start = np.array(graph.grammar.item_start)
        found: dict[int, tuple[tuple[int, int], ...]] = {}
        seen = np.zeros(graph.n_push, np.bool_)
        layer = np.array([graph.root], np.int64)
        while len(layer):
            seen[layer] = True
            pops = rows_of(graph.pop_start, layer)
            pops = pops[self._usable[graph.label[graph.n_push + pops]]]
            places = rows_of(graph.path_start, pops)
            sizes = graph.path_start[pops + 1] - graph.path_start[pops]
            owner = np.repeat(pops, sizes)
            edges = graph.path[places]
            new = np.flatnonzero(graph.is_goto[edges] & ~seen[edges])
            new = new[np.argsort(edges[new], kind="stable")]
            position = places[new] - graph.path_start[owner[new]]
            item = item_start[graph.label[graph.n_push + owner[new]]] + position
            above = graph.pop_goto[owner[new]]
            layer, start = np.unique(edges[new], return_index=True)
            pairs = list(zip(item.tolist(), above.tolist(), strict=True))
            bounds = [*start.tolist(), len(pairs)]
            for goto, first, end in zip(layer.tolist(), bounds, bounds[1:], strict=False):
                found[goto] = tuple(pairs[first:end])
        return found
