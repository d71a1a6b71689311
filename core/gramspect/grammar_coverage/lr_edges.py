"""Which edges of an LR graph inputs use (Rossouw and Fischer 2023, Section 3).

An input uses the edges on its accepting paths. If it has several derivations, what any of them uses
counts. All of them are found at once: the stacks of nondeterministic parsers share their parts
(Tomita 1985), and every reduction that leads to the end is followed back to what it was made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

from gramspect.generation.derivation import Around, Derivation
from gramspect.generation.minimal import Minimal
from gramspect.grammars.symbols import END
from gramspect.lrgraph.graph import LRGraph

__all__ = ["EdgeCoverage", "ShortestCover", "edge_coverage", "edges_of"]


@dataclass(frozen=True, eq=False)
class EdgeCoverage:
    """The edges of a graph that a set of inputs uses.

    `covered` holds edges, `rejected` the indices of the inputs that are no sentences; these use
    nothing. Edges that no sentence can use are not counted.
    """

    graph: LRGraph
    covered: frozenset[int]
    n_inputs: int
    rejected: tuple[int, ...]

    @cached_property
    def missing(self) -> tuple[int, ...]:
        """The edges that no input uses, ascending: push edges first."""
        useful = self.graph.useful.tolist()
        return tuple(
            edge for edge in range(self.graph.n_edges)
            if useful[edge] and edge not in self.covered
        )  # fmt: skip

    def counts(self, *, pop: bool) -> tuple[int, int]:
        """How many push edges, or pop edges, are covered, and how many there are to cover."""
        first, end = (self.graph.n_push, self.graph.n_edges) if pop else (0, self.graph.n_push)
        covered = sum(first <= edge < end for edge in self.covered)
        return covered, int(self.graph.useful[first:end].sum())


def edge_coverage(graph: LRGraph, inputs: Iterable[Sequence[int]]) -> EdgeCoverage:
    """The edges of a graph that inputs use, each a sequence of terminals; -1 is an unknown
    token."""
    covered: set[int] = set()
    rejected: list[int] = []
    n_inputs = 0
    for tokens in inputs:
        found = edges_of(graph, tokens)
        if found is None:
            rejected.append(n_inputs)
        else:
            covered |= found
        n_inputs += 1
    return EdgeCoverage(graph, frozenset(covered), n_inputs, tuple(rejected))


class _Node:
    """A state on top of some stacks; each link leads to a node below, by a push edge.

    `ends` keeps, for a number of links, the nodes so many links further down. The ways there are
    not listed: in an ambiguous input there are too many.
    """

    __slots__ = ("ends", "links", "state")

    def __init__(self, state: int) -> None:
        self.state = state
        self.links: dict[_Node, _Link] = {}
        self.ends: dict[int, set[_Node]] = {0: {self}}

    def down(self, length: int) -> set[_Node]:
        """The nodes `length` links further down."""
        if length not in self.ends:
            self.ends[length] = set().union(*(n.down(length - 1) for n in self.links))
        return self.ends[length]

    def forget(self) -> None:
        """Look further down again, by links that are new."""
        self.ends = {0: {self}}


class _Link:
    """A push edge from the node below. `made` are the reductions that it is the goto of: for each
    a pop edge, the node on top before it, and how many links it popped."""

    __slots__ = ("below", "edge", "made")

    def __init__(self, edge: int, below: _Node) -> None:
        self.edge = edge
        self.below = below
        self.made: set[tuple[int, _Node, int]] = set()


def edges_of(graph: LRGraph, tokens: Sequence[int]) -> set[int] | None:
    """The edges on the accepting paths of a sentence; None if it is none."""
    level = {graph.start: _Node(graph.start)}
    for token in tokens:
        if not 0 < token < graph.grammar.n_terminals:
            return None
        level = _shifted(graph, [*level.values(), *_reduced(graph, level, token).values()], token)
        if not level:
            return None
    reduced = _reduced(graph, level, END)
    accepting = reduced.get(graph.automaton.accept_state or -1)
    return None if accepting is None else {graph.last, *_used(accepting.links.values())}


def _used(links: Iterable[_Link]) -> Iterator[int]:
    """The edges of some links and of all that they were made of, reduction by reduction."""
    pending = list(links)
    known = set(pending)
    walked: set[tuple[_Node, int, _Node]] = set()
    while pending:
        link = pending.pop()
        yield link.edge
        for pop, top, length in link.made:
            yield pop
            steps = [(top, length, link.below)]
            while steps:
                step = steps.pop()
                node, left, end = step
                if not left or step in walked:
                    continue
                walked.add(step)
                for below, popped in node.links.items():
                    if end in below.down(left - 1):
                        steps.append((below, left - 1, end))
                        if popped not in known:
                            known.add(popped)
                            pending.append(popped)


def _shifted(graph: LRGraph, nodes: Iterable[_Node], token: int) -> dict[int, _Node]:
    found: dict[int, _Node] = {}
    for node in nodes:
        target = graph.automaton.transitions[node.state].get(token)
        if target is not None:
            above = found.setdefault(target, _Node(target))
            above.links[node] = _Link(graph.push(node.state, token), node)
    return found


def _reduced(graph: LRGraph, level: dict[int, _Node], token: int) -> dict[int, _Node]:
    """The nodes that reductions lead to, repeated while a node that was looked through grows."""
    grammar, transitions = graph.grammar, graph.automaton.transitions
    first_pop = graph.first_pop
    found: dict[int, _Node] = {}
    grown = True
    while grown:
        grown = False
        for node in found.values():
            node.forget()
        nodes = [*level.values(), *found.values()]
        for node in nodes:  # grows while it is walked
            for rule, lookahead in graph.lookaheads[node.state].items():
                if rule == grammar.n_rules or not lookahead >> token & 1:
                    continue
                described = grammar.rules[rule]
                length = len(described.rhs)
                for end in node.down(length):
                    target = transitions[end.state][described.lhs]
                    above = found.get(target)
                    if above is None:
                        above = found[target] = _Node(target)
                        nodes.append(above)
                    link = above.links.get(end)
                    if link is None:
                        link = above.links[end] = _Link(graph.push(end.state, described.lhs), end)
                        grown = grown or len(above.ends) > 1
                    pop = first_pop[link.edge] + described.alternative - 1
                    link.made.add((pop, node, length))
    return found


class ShortestCover:
    """A shortest sentence for every useful edge of a graph.

    An edge is on the reduction path of some pop edge, whose goto is embedded so that the sentence
    is as short as can be; all else is derived minimally.
    """

    def __init__(self, graph: LRGraph) -> None:
        self.graph = graph
        self.minimal = Minimal(graph.grammar)
        self._usable = frozenset(self.minimal.rules)
        self._size = graph.grammar.analysis.shortest_length

    @cached_property
    def _embeddings(self) -> dict[int, tuple[int, int, int]]:
        """For each goto the tokens around it, the item it is embedded in, and the goto above."""
        graph = self.graph
        found: dict[int, tuple[int, int, int]] = {}
        heap = [(0, graph.root, -1, -1)]
        while heap:
            around, goto, item, above = heappop(heap)
            if goto in found:
                continue
            found[goto] = around, item, above
            for pop in range(graph.pop_start[goto], graph.pop_start[goto + 1]):
                rule = int(graph.label[graph.n_push + pop])
                if rule not in self._usable:
                    continue
                total = sum(self._size[s] for s in graph.grammar.rules[rule].rhs)
                edges = graph.path[graph.path_start[pop] : graph.path_start[pop + 1]].tolist()
                for position, edge in enumerate(edges):
                    if graph.is_goto[edge] and edge not in found:
                        beside = around + total - self._size[int(graph.label[edge])]
                        inner = graph.grammar.item(rule, position)
                        heappush(heap, (beside, edge, inner, goto))
        return found

    @cached_property
    def _best_pop(self) -> dict[int, int]:
        """For each edge on a reduction path the pop edge with the shortest sentence."""
        graph = self.graph
        found: dict[int, tuple[int, int]] = {}
        for goto, (around, _, _) in self._embeddings.items():
            for pop in range(graph.pop_start[goto], graph.pop_start[goto + 1]):
                rule = int(graph.label[graph.n_push + pop])
                if rule not in self._usable:
                    continue
                size = around + sum(self._size[s] for s in graph.grammar.rules[rule].rhs)
                for edge in (*graph.reduction_path(pop), graph.last):
                    if edge not in found or found[edge][0] > size:
                        found[edge] = size, pop
        return {edge: pop for edge, (_, pop) in found.items()}

    def sentence(self, edge: int) -> Derivation:
        """The derivation of a shortest sentence that uses an edge.

        Raises:
            KeyError: there is none with a derivation that is small enough.
        """
        graph = self.graph
        pop = self._best_pop[edge]
        whole = self.minimal.whole(int(graph.label[graph.n_push + pop]))
        goto = int(graph.pop_goto[pop])
        found = whole
        while goto != graph.root:
            _, item, goto = self._embeddings[goto]
            around: Around = self.minimal.around(item)
            found = around.filled(found)
        return found
