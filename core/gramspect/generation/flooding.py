"""LR-BFS: sentences from two breadth-first searches over valid paths of an LR graph.

The algorithm of Rossouw and Fischer (2020), as Algorithm 2 of Rossouw and Fischer (2023) has it.
The *flooding* phase extends all valid paths from the source by an edge at a time, until every edge
is on one of them. Then each path is *completed* by a shortest valid path to the sink. A path keeps
the stack of the parser that would take it, so a pop edge extends it if it leads to the vertex that
many places down the stack.

The number of paths in the flooding phase grows exponentially with their length, so this is for
small graphs only: pop edge coverage (`gramspect.generation.pop_edges`) covers the same edges in any
graph. Completing a path is another matter; the paper searches breadth first there as well, here it
takes polynomial time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple

from gramspect.errors import GramspectError
from gramspect.generation.derivation import Derivation
from gramspect.grammars.analysis import UNPRODUCTIVE
from gramspect.lrgraph.graph import LRGraph

__all__ = ["MOST_PATHS", "Flooding", "Path"]

MOST_PATHS = 200_000
"""How many paths are searched at once, unless said otherwise."""


class Path(NamedTuple):
    """A valid path from the source: its last edge and what comes before it, -1 and None for none.

    `stack` is what a parser has on its stack then: the top vertex and what is below.
    """

    edge: int
    before: Path | None
    stack: Stack

    def edges(self) -> list[int]:
        """The edges from the source on."""
        found: list[int] = []
        path: Path | None = self
        while path is not None and path.before is not None:
            found.append(path.edge)
            path = path.before
        return found[::-1]


class Stack(NamedTuple):
    """A vertex and the stack below it."""

    top: int
    below: Stack | None

    def vertices(self) -> list[int]:
        """All vertices, the lowest first."""
        found: list[int] = []
        stack: Stack | None = self
        while stack is not None:
            found.append(stack.top)
            stack = stack.below
        return found[::-1]


_Node = tuple[int, int]


class Flooding:
    """The search in one graph.

    Only useful edges are taken: no path with another one can be completed.
    """

    def __init__(self, graph: LRGraph, most: int = MOST_PATHS) -> None:
        self.graph = graph
        self.most = most
        grammar = graph.grammar
        useful = graph.useful.tolist()
        self._shifts: list[list[int]] = [[] for _ in range(graph.n_vertices)]
        self._pops: list[list[int]] = [[] for _ in range(graph.n_vertices)]
        for edge in range(graph.n_edges):
            if useful[edge] and (edge >= graph.n_push or not graph.is_goto[edge]):
                kept = self._pops if edge >= graph.n_push else self._shifts
                kept[int(graph.source[edge])].append(edge)
        self._target = graph.target.tolist()
        self._length = [
            len(grammar.rules[rule].rhs) for rule in graph.label[graph.n_push :].tolist()
        ]
        self._goto = graph.pop_goto.tolist()
        self._rule: dict[int, int] = {}

    def layers(self) -> Iterator[list[Path]]:
        """The paths after each step of the flooding phase, up to the one that covers all edges.

        A path that has come to the sink stays in all later layers.

        Raises:
            GramspectError: there would be more than `most` paths.
        """
        graph = self.graph
        unseen = {edge for edge in range(graph.n_edges) if graph.useful[edge]}
        layer = [Path(-1, None, Stack(graph.start, None))]
        yield layer
        while unseen:
            following: list[Path] = []
            for path in layer:
                extended = self.extended(path) if path.stack.top != graph.sink else [path]
                following += extended
                unseen.difference_update(each.edge for each in extended)
            self._check(len(following))
            layer = following
            yield layer

    def extended(self, path: Path) -> list[Path]:
        """The valid paths that are longer by an edge."""
        graph, top = self.graph, path.stack.top
        if path.edge >= graph.n_push:  # the goto is the only edge after a pop edge
            goto = self._goto[path.edge - graph.n_push]
            return [self._walked(path, goto)]
        found = []
        for edge in self._pops[top]:
            stack: Stack | None = path.stack
            for _ in range(self._length[edge - graph.n_push]):
                stack = stack.below if stack is not None else None
            if stack is not None and stack.top == self._target[edge]:
                found.append(Path(edge, path, stack))
        found.extend(self._walked(path, edge) for edge in self._shifts[top])
        return found

    def completed(self, path: Path) -> Path:
        """A shortest valid path to the sink that begins with a path.

        The vertex on top of a stack says how the rules in progress can go on. Each way of finishing
        one of them leaves a part of the stack and a goto, so there are few different stacks to
        search, however many paths there are.
        """
        if path.edge >= self.graph.n_push:
            path = self.extended(path)[0]
        if path.stack.top == self.graph.sink:
            return path
        stack = path.stack.vertices()
        # A node is a height of the stack and the vertex on top there.
        ways: dict[_Node, tuple[_Node, int]] = {}
        assert self.graph.automaton.accept_state is not None
        first, goal = (len(stack) - 1, stack[-1]), (1, self.graph.automaton.accept_state)
        heap = [(0, first, first, -1)]
        while goal not in ways:
            cost, node, before, last = heappop(heap)
            if node not in ways:
                ways[node] = before, last
                for item, goto, length in self._unfinished(stack, node):
                    dot = self.graph.grammar.split_item(item)[1]
                    reached = node[0] - dot + 1, self._target[goto]
                    heappush(heap, (cost + length, reached, node, item))
        items: list[int] = []
        node = goal
        while node != first:
            node, item = ways[node]
            items.append(item)
        for item in reversed(items):
            path = self._finished(path, item)
        return self._walked(path, self.graph.last)

    def _unfinished(self, stack: list[int], node: _Node) -> Iterator[tuple[int, int, int]]:
        """The rules in progress: as items, with their gotos and the edges it takes to get there."""
        grammar = self.graph.grammar
        for item in self.graph.automaton.kernels[node[1]]:
            if item < grammar.n_items:
                rule, dot = grammar.split_item(item)
                length = sum(self._cost[symbol] for symbol in grammar.rules[rule].rhs[dot:])
                if length < UNPRODUCTIVE:
                    goto = self.graph.push(stack[node[0] - dot], grammar.rules[rule].lhs)
                    yield item, goto, length + 2

    @cached_property
    def _cost(self) -> list[int]:
        """The fewest edges that a stack parser takes to read each symbol."""
        grammar = self.graph.grammar
        found = [1] * grammar.n_terminals + [UNPRODUCTIVE] * grammar.n_nonterminals
        changed = True
        while changed:
            changed = False
            for rule in grammar.rules:
                cost = 2 + sum(found[symbol] for symbol in rule.rhs)
                if cost < found[rule.lhs]:
                    found[rule.lhs], self._rule[rule.lhs] = cost, rule.index
                    changed = True
        return found

    def _finished(self, path: Path, item: int) -> Path:
        """A path that goes on with the symbols after the dot of an item, and its reduction."""
        graph, grammar = self.graph, self.graph.grammar
        rule, dot = grammar.split_item(item)
        pending = [~rule, *reversed(grammar.rules[rule].rhs[dot:])]
        while pending:
            number = pending.pop()
            if number < 0:
                reduced = grammar.rules[~number]
                stack: Stack | None = path.stack
                for _ in reduced.rhs:
                    stack = stack.below if stack is not None else None
                assert stack is not None
                goto = graph.push(stack.top, reduced.lhs)
                pop = graph.n_push + int(graph.pop_start[goto]) + reduced.alternative - 1
                path = self._walked(Path(pop, path, stack), goto)
            elif grammar.is_terminal(number):
                path = self._walked(path, graph.push(path.stack.top, number))
            else:
                chosen = self._rule[number]
                pending += [~chosen, *reversed(grammar.rules[chosen].rhs)]
        return path

    def _walked(self, path: Path, push: int) -> Path:
        """A path that goes on with a push edge."""
        return Path(push, path, Stack(self._target[push], path.stack))

    def _check(self, n_paths: int) -> None:
        if n_paths > self.most:
            raise GramspectError(
                f"lr-bfs would search more than {self.most:,} paths in the graph of"
                f" {self.graph.grammar.name}, which is too large for it; the criterion pec covers"
                " the same edges"
            )

    def __iter__(self) -> Iterator[tuple[Path, Derivation]]:
        """The completed paths with the sentences along them; several may have the same one.

        Raises:
            GramspectError: the graph is too large.
        """
        for path in deque(self.layers(), maxlen=1).pop():
            completed = self.completed(path)
            yield path, self.derivation(completed)

    def derivation(self, path: Path) -> Derivation:
        """The derivation of the sentence along an accepting path."""
        graph = self.graph
        parts: list[tuple[int, ...]] = []
        tokens: list[int] = []
        for edge in path.edges()[:-1]:
            label = int(graph.label[edge])
            if edge >= graph.n_push:
                first = len(parts) - self._length[edge - graph.n_push]
                parts[first:] = [(label, *(rule for part in parts[first:] for rule in part))]
            elif not graph.is_goto[edge]:
                parts.append(())
                tokens.append(label)
        return Derivation(parts[0], tuple(tokens))
