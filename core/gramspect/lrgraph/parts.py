"""The part of an LR graph that somebody wants to see: what is around a state or a rule."""

from __future__ import annotations

from collections.abc import Sequence

from gramspect.errors import GramspectError
from gramspect.lrgraph.graph import LRGraph

__all__ = ["edges_around"]


def edges_around(graph: LRGraph, name: str | None) -> Sequence[int]:
    """The edges at a state, or those of the reduction paths of a non-terminal; without name all.

    Raises:
        GramspectError: the graph has neither such a state nor such a non-terminal.
    """
    if name is None:
        return range(graph.n_edges)
    if name in graph.names:
        vertex = graph.names.index(name)
        return [
            edge
            for edge in range(graph.n_edges)
            if vertex in (int(graph.source[edge]), int(graph.target[edge]))
        ]
    rules = graph.grammar.rules
    found = {
        edge
        for pop in range(graph.n_pop)
        if graph.grammar.symbols[rules[int(graph.label[graph.n_push + pop])].lhs].name == name
        for edge in graph.reduction_path(pop)
    }
    if not found:
        raise GramspectError(
            f"the graph has no state and no non-terminal {name!r} to draw the part around it;"
            " --format paths lists both"
        )
    return sorted(found)
