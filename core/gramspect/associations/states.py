"""Paths that are met on the way down a derivation tree.

What matters of the nodes above a place is their longest end that begins one of the paths; with it,
a path is complete as soon as its last node is met (Aho and Corasick, "Efficient string matching",
1975, without the tables).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gramspect.associations.features import Path
from gramspect.generation.kpaths_graph import GrammarGraph

__all__ = ["PathStates"]


class PathStates:
    """How far the paths of a constraint have come; a state is the beginning of one of them."""

    def __init__(self, graph: GrammarGraph, paths: Sequence[Path]) -> None:
        self.graph = graph
        self.paths = tuple(paths)
        self._prefixes = {(), *(path[:n] for path in paths for n in range(len(path) + 1))}

    def after(self, state: Path, node: int) -> Path:
        """The longest end of the nodes above and this one that begins a path.

        A synthetic node, -1, changes nothing.
        """
        if node < 0:
            return state
        at = (*state, node)
        while at not in self._prefixes:
            at = at[1:]
        return at

    def completed(self, state: Path) -> Iterator[int]:
        """The numbers of the paths that end with the last node of a state."""
        for number, path in enumerate(self.paths):
            if state[len(state) - len(path) :] == path:
                yield number

    def below(self, rule: int, state: Path) -> tuple[list[Path], set[int]]:
        """The states of the symbols of a rule, and the paths that are complete with them."""
        grammar, node_of = self.graph.grammar, self.graph.node_of
        first = grammar.item_start[rule]
        nodes = [node_of[first + dot] for dot in range(len(grammar.rules[rule].rhs))]
        states = [self.after(state, node) for node in nodes]
        entered = (at for at, node in zip(states, nodes, strict=True) if node >= 0)
        return states, {number for at in entered for number in self.completed(at)}
