"""The tokens that can come next at the vertices of an LR graph (Rossouw and Fischer 2023, Sec. 6).

A *hop* ``q => q'`` is a pop edge from q and its goto to q'. The follow set F(q) holds the terminals
on push edges that hops lead to from q, and the end of the input if they lead to the edge to the
sink. Hops know nothing of the stack, so F(q) may hold more than can follow; never less. Only useful
edges count.

Sets of terminals are bits, bit ``t`` for terminal ``t``, `END` the lowest.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from gramspect.grammars.relations import united
from gramspect.grammars.symbols import END
from gramspect.lrgraph.graph import LRGraph

__all__ = ["Follow"]


class Follow:
    """The follow sets of a graph, and the witnesses that they give."""

    def __init__(self, graph: LRGraph) -> None:
        self.graph = graph

    @cached_property
    def hops(self) -> list[list[int]]:
        """For each vertex those that a hop leads to, ascending."""
        graph = self.graph
        useful = np.flatnonzero(graph.useful[graph.n_push :])
        pairs = np.stack(
            [graph.source[graph.n_push + useful], graph.target[graph.pop_goto[useful]]], axis=1
        )
        found: list[list[int]] = [[] for _ in range(graph.n_vertices)]
        for source, target in np.unique(pairs, axis=0).tolist():
            found[source].append(target)
        return found

    @cached_property
    def shifts(self) -> list[dict[int, int]]:
        """For each vertex where its useful terminal push edges lead, by terminal."""
        graph = self.graph
        found: list[dict[int, int]] = [{} for _ in range(graph.n_vertices)]
        for edge in np.flatnonzero(graph.useful[: graph.n_push] & ~graph.is_goto).tolist():
            found[int(graph.source[edge])][int(graph.label[edge])] = int(graph.target[edge])
        return found

    @cached_property
    def of(self) -> tuple[int, ...]:
        """F(q) of each vertex."""
        shifted = [sum(1 << terminal for terminal in shifts) for shifts in self.shifts]
        return united(shifted, self.hops)

    @cached_property
    def after(self) -> tuple[int, ...]:
        """For each terminal a those b for which there is a witness: a vertex q with a in P(q) and
        b in F(q), that is, one that a push edge labelled a and hops lead to.

        For `END`, what can begin a sentence: F of the source.
        """
        found = [0] * self.graph.grammar.n_terminals
        for shifts in self.shifts:
            for terminal, target in shifts.items():
                found[terminal] |= self.of[target]
        found[END] = self.of[self.graph.start]
        return tuple(found)
