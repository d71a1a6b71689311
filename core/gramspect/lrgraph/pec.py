"""Pop edge coverage: a sentence for every pop edge (Rossouw and Fischer 2023, Algorithm 3).

The reduction path of a pop edge ends with its goto. That goto is an edge of other reduction paths,
in which the path is embedded, and so on up to the root. The *embedding tree* (Section 7) holds for
every goto the places where it can be embedded with the fewest reduction paths above it; it is found
layer by layer, in time linear in the size of the graph. What is open beside the path is derived
minimally (`gramspect.generation.minimal`).

Since every useful push edge lies on the reduction path of some pop edge, the sentences cover all
edges of the graph.

Among equally shallow embeddings the first is taken; with a seed, a choice is drawn for each
sentence anew. That is what gives suites of the sizes in the paper's Table 2: with one choice for a
whole suite, the sentence of the pop edge that a minimal derivation uses would be that of the pop
edge above it far more often.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from random import Random

import numpy as np
from numpy.typing import NDArray

from gramspect.generation.derivation import Around, Derivation
from gramspect.generation.minimal import Minimal
from gramspect.lrgraph.graph import LRGraph, rows_of

__all__ = ["PopEdgeCover", "accepting_path"]

Ints = NDArray[np.int64]

_OUTSIDE = Around((), (), (), ())


class PopEdgeCover:
    """The sentences of one graph under one choice among equals.

    `minimal` is of the same grammar. Pop edges are counted from 0 here. Those that no sentence
    uses, or only with a derivation that is too large (`gramspect.generation.minimal.LARGEST`), have
    no sentence.
    """

    def __init__(self, graph: LRGraph, minimal: Minimal) -> None:
        self.graph = graph
        self.minimal = minimal
        self._random = Random(minimal.variant) if minimal.variant else None
        self._contexts = {graph.root: _OUTSIDE}

    # --- the embedding tree --------------------------------------------------------------

    @cached_property
    def pops(self) -> Ints:
        """The pop edges that have a sentence, ascending."""
        usable = np.zeros(self.graph.grammar.n_rules, np.bool_)
        usable[list(self.minimal.rules)] = True
        graph = self.graph
        return np.flatnonzero(usable[graph.label[graph.n_push :]] & self._reached[graph.pop_goto])

    @cached_property
    def _reached(self) -> NDArray[np.bool_]:
        """Which push edges are gotos in the tree."""
        found = np.zeros(self.graph.n_push, np.bool_)
        found[[self.graph.root, *self._parents]] = True
        return found

    @cached_property
    def _parents(self) -> dict[int, tuple[tuple[int, int], ...]]:
        """For every goto but the root where it can be embedded: items, and the gotos above."""
        graph = self.graph
        usable = np.zeros(graph.grammar.n_rules, np.bool_)
        usable[list(self.minimal.rules)] = True
        item_start = np.array(graph.grammar.item_start)
        found: dict[int, tuple[tuple[int, int], ...]] = {}
        seen = np.zeros(graph.n_push, np.bool_)
        layer = np.array([graph.root], np.int64)
        while len(layer):
            seen[layer] = True
            pops = rows_of(graph.pop_start, layer)
            pops = pops[usable[graph.label[graph.n_push + pops]]]
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

    # --- sentences -----------------------------------------------------------------------

    def __iter__(self) -> Iterator[tuple[int, Derivation]]:
        """The pop edges, ascending, each with the derivation of a sentence that uses it."""
        rules = self.graph.label[self.graph.n_push :].tolist()
        gotos = self.graph.pop_goto.tolist()
        whole, context = self.minimal.whole, self._context
        for pop in self.pops.tolist():
            yield pop, context(gotos[pop]).filled(whole(rules[pop]))

    def derivation(self, pop: int) -> Derivation:
        """The derivation of a sentence that uses a pop edge."""
        rule = int(self.graph.label[self.graph.n_push + pop])
        return self._context(int(self.graph.pop_goto[pop])).filled(self.minimal.whole(rule))

    def _context(self, goto: int) -> Around:
        """What stands around the last edge of a reduction path, up to the root.

        Contexts that leave no choice are kept.
        """
        way: list[tuple[int, bool, int]] = []
        while (found := self._contexts.get(goto)) is None:
            places = self._parents[goto]
            free = self._random is not None and len(places) > 1
            item, above = self._random.choice(places) if self._random and free else places[0]
            way.append((goto, free, item))
            goto = above
        settled = True
        for below, free, item in reversed(way):
            found = found.nested(self.minimal.around(item))
            settled = settled and not free
            if settled:
                self._contexts[below] = found
        return found


def accepting_path(graph: LRGraph, derivation: Derivation) -> list[int]:
    """The edges of the path that the derivation of a sentence takes through the graph."""
    grammar = graph.grammar
    rules = iter(derivation.rules)
    path: list[int] = []
    # What is still to come, the next on top: a symbol, or the end of a rule begun at a vertex.
    pending: list[tuple[int, int]] = [(-1, grammar.start)]
    at = graph.start
    while pending:
        origin, number = pending.pop()
        if origin >= 0:
            rule = grammar.rules[number]
            goto = graph.push(origin, rule.lhs)
            path += [graph.n_push + int(graph.pop_start[goto]) + rule.alternative - 1, goto]
            at = int(graph.target[goto])
        elif grammar.is_terminal(number):
            edge = graph.push(at, number)
            path.append(edge)
            at = int(graph.target[edge])
        else:
            rule = grammar.rules[next(rules)]
            pending.append((at, rule.index))
            pending.extend((-1, symbol) for symbol in reversed(rule.rhs))
    return [*path, graph.last]
