"""The features of an input: which paths of the grammar graph its derivations contain.

They are the l-paths of Havrikov, Kampmann and Zeller (2024, Section 5.1) for all l up to k, in all
derivations of an ambiguous input. As there, they are found from the leaves up, and a node that
several trees share is looked at once. What is kept of a node is its *outline*: what is below it, l
levels deep, without order and repetition. Outlines are numbered, and the paths in one are found
when it is met for the first time in any input; so in most inputs a node costs k look-ups, and
an input with exponentially many trees no more than its forest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gramspect.errors import GramspectError
from gramspect.generation.kpaths_graph import GrammarGraph
from gramspect.grammar_coverage.symbolic import symbolic_children
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.forest import Forest, Part

__all__ = ["LONGEST", "Labelled", "Path", "Paths"]

LONGEST = 5
"""The largest k; the paper uses no larger one."""

Path = tuple[int, ...]
"""Nodes of the grammar graph, each the child of the one before it."""


class Paths:
    """The paths of up to k nodes that inputs of one grammar have shown so far.

    Every path has a number, from 0. Numbers are given as paths are met, so they depend on the
    inputs, and other paths may come later.

    Args:
        grammar: the grammar.
        k: how many nodes a path has at most.
        compiled: the form of the kernel that parses inputs; by default the compiled one if there is
            one.

    Raises:
        GramspectError: k is not from 1 to `LONGEST`.
    """

    def __init__(self, grammar: Grammar, k: int, *, compiled: bool | None = None) -> None:
        if not 1 <= k <= LONGEST:
            raise GramspectError(f"the paths of features have from 1 to {LONGEST} nodes, not {k}")
        self.graph = GrammarGraph(grammar)
        self.grammar = grammar
        self.k = k
        self._compiled = compiled
        self._width = len(self.graph.nodes)
        self.paths: list[Path] = []
        self._numbers: dict[Path, int] = {}
        self._outlines: dict[frozenset[int], int] = {frozenset(): 0}
        """The number of each: nodes, each plus the width times the outline of what is below it."""
        self._below: list[frozenset[int]] = [frozenset()]
        """By outline: the paths that begin at its top."""

    def number(self, path: Path) -> int:
        """The number of a path, which is given one if it has none."""
        known = self._numbers.get(path)
        if known is None:
            known = self._numbers[path] = len(self.paths)
            self.paths.append(path)
        return known

    def of(self, tokens: Sequence[int]) -> frozenset[int] | None:
        """The numbers of the paths in the derivations of an input; None if it is no sentence."""
        chart = parse_chart(self.grammar, tokens, self._compiled)
        if not chart.accepted:
            return None
        found = self._found(Forest(chart))
        return frozenset().union(*map(self._below.__getitem__, found))

    def _found(self, forest: Forest) -> set[int]:
        """The outlines, k levels deep, of all nodes of the forest."""
        children = symbolic_children(forest, self.graph)
        width, outlines = self._width, self._outlines
        known: dict[Part, int] = dict.fromkeys(children, 0)
        for _ in range(self.k):
            deeper = {}
            for part, below in children.items():
                shape = frozenset([node + width * known.get(child, 0) for node, child in below])
                number = outlines.get(shape)
                deeper[part] = self._new_outline(shape) if number is None else number
            known = deeper
        return set(known.values())

    def _new_outline(self, shape: frozenset[int]) -> int:
        """Number an outline, and find its paths."""
        found = set()
        for node, inner in (divmod(each, self._width)[::-1] for each in shape):
            found.add(self.number((node,)))
            found |= {self.number((node, *self.paths[tail])) for tail in self._below[inner]}
        number = self._outlines[shape] = len(self._below)
        self._below.append(frozenset(found))
        return number


class Labelled:
    """The numbers of paths by their labels."""

    def __init__(self, paths: Paths) -> None:
        self.paths = paths
        self._node_of = {
            paths.grammar.item_label(node.item): number
            for number, node in enumerate(paths.graph.nodes)
        }
        self._known: dict[tuple[str, ...], int] = {}

    def path(self, labels: tuple[str, ...]) -> tuple[int, ...]:
        """The nodes that labels stand for.

        Raises:
            GramspectError: the grammar has no such node.
        """
        try:
            return tuple(self._node_of[label] for label in labels)
        except KeyError as problem:
            raise GramspectError(
                f"the grammar has no symbol {problem.args[0]!r}, which the model asks for;"
                " learn it again with gramspect associate"
            ) from None

    def has(self, found: frozenset[int]) -> Callable[[tuple[str, ...]], bool]:
        """Answers whether an input with some paths has the one with these labels."""

        def answer(labels: tuple[str, ...]) -> bool:
            number = self._known.get(labels)
            if number is None:
                number = self._known[labels] = self.paths.number(self.path(labels))
            return number in found

        return answer
