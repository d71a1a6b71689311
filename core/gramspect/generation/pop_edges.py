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
        self._contexts = {graph.root: _OUTSIDE}

    def __iter__(self) -> Iterator[tuple[int, Derivation]]:
        """The pop edges, ascending, each with the derivation of a sentence that uses it."""
        rules = self.graph.label[self.graph.n_push :].tolist()
        gotos = self.graph.pop_goto.tolist()
        whole, context = self.minimal.whole, self._context
        random = Random(self.minimal.variant) if self.minimal.variant else None
        for pop in self.tree.pops.tolist():
            yield pop, context(gotos[pop], random).filled(whole(rules[pop]))

    def _context(self, goto: int, random: Random | None) -> Around:
        """The derivation around the last edge of a reduction path, up to the root.

        Contexts that leave no choice are kept.
        """
        way: list[tuple[int, bool, int]] = []
        while (found := self._contexts.get(goto)) is None:
            places = self.tree.places[goto]
            free = random is not None and len(places) > 1
            item, above = random.choice(places) if random and free else places[0]
            way.append((goto, free, item))
            goto = above
        settled = True
        for below, free, item in reversed(way):
            found = found.nested(self.minimal.around(item))
            settled = settled and not free
            if settled:
                self._contexts[below] = found
        return found
