"""Pop edge coverage: a sentence for every pop edge (Rossouw and Fischer 2023, Algorithm 3).

The reduction path of a pop edge is embedded into another one, and so on up to the root, as shallow
as can be (`gramspect.lrgraph.embedding`). The symbols beside the path are derived minimally
(`gramspect.generation.minimal`).

Since every useful push edge lies on the reduction path of some pop edge, the sentences cover all
edges of the graph.

Among equally shallow embeddings the first is taken; with a seed, a choice is drawn for each
sentence anew. That is what gives suites of the sizes in the paper's Table 2: with one choice for a
whole suite, the sentence of the pop edge that a minimal derivation uses would be that of the pop
edge above it far more often.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from gramspect.generation.derivation import Around, Derivation
from gramspect.generation.minimal import Minimal
from gramspect.lrgraph.embedding import EmbeddingTree
from gramspect.lrgraph.graph import LRGraph

__all__ = ["PopEdgeCover"]

_Stretch = tuple[Around, int]
"""Embeddings without a choice: the derivation around a goto, and the goto that they lead up to."""

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
        self.tree = EmbeddingTree(graph, minimal.rules)
        self._random = bool(minimal.variant)
        self._forced: dict[int, _Stretch] = {graph.root: (_OUTSIDE, graph.root)}
        self._free: dict[int, list[_Stretch]] = {}

    def __iter__(self) -> Iterator[tuple[int, Derivation]]:
        """The pop edges, ascending, each with the derivation of a sentence that uses it."""
        rules = self.graph.label[self.graph.n_push :].tolist()
        gotos = self.graph.pop_goto.tolist()
        whole, context = self.minimal.whole, self._context
        random = Random(self.minimal.variant)
        for pop in self.tree.pops.tolist():
            yield pop, context(gotos[pop], random).filled(whole(rules[pop]))

    def _context(self, goto: int, random: Random) -> Around:
        """The derivation around the last edge of a reduction path, up to the root."""
        found, goto = self._forced.get(goto) or self._up(goto)
        while goto != self.graph.root:
            outer, goto = random.choice(self._free.get(goto) or self._choices(goto))
            found = outer.nested(found)
        return found

    def _up(self, goto: int) -> _Stretch:
        """The stretch from a goto to the next one above it that leaves a choice."""
        way = []
        top = goto
        while top not in self._forced and not self._is_free(top):
            item, above = self.tree.places[top][0]
            way.append((top, item))
            top = above
        found, top = self._forced.get(top, (_OUTSIDE, top))
        for below, item in reversed(way):
            found = found.nested(self.minimal.around(item))
            self._forced[below] = found, top
        return found, top

    def _is_free(self, goto: int) -> bool:
        return self._random and len(self.tree.places[goto]) > 1

    def _choices(self, goto: int) -> list[_Stretch]:
        """The stretches that a goto with several places leaves, one for each place."""
        found = []
        for item, above in self.tree.places[goto]:
            outer, top = self._up(above)
            found.append((outer.nested(self.minimal.around(item)), top))
        self._free[goto] = found
        return found
