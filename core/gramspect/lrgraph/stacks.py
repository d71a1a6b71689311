"""All stacks at once that nondeterministic LR parsers can have after some tokens.

The stacks are the paths of a graph-structured stack (Tomita 1985): a node is a state, and its links
lead to the nodes that it can stand on. All reductions are made, not just those of a table without
conflicts. Lookaheads only leave out stacks that could not shift the next token anyway.

A node is never changed once the token after it is known, so the stacks for different next tokens
can share it. (A state that a reduction leads to is never one that a shift leads to.)
"""

from __future__ import annotations

from collections.abc import Iterator

from gramspect.lrgraph.graph import LRGraph

__all__ = ["Level", "Node", "Stacks"]


class Node:
    """A state on top of some stacks, and the nodes below it."""

    __slots__ = ("below", "state")

    def __init__(self, state: int, *below: Node) -> None:
        self.state = state
        self.below = list(below)


Level = dict[int, Node]
"""The tops of all stacks right after a token was shifted, by state."""


class Stacks:
    """The stacks of one LR graph."""

    def __init__(self, graph: LRGraph) -> None:
        self.graph = graph
        self._transitions = graph.automaton.transitions
        n_rules = graph.grammar.n_rules
        self._reductions = [
            [(rule, tokens) for rule, tokens in lookaheads.items() if rule < n_rules]
            for lookaheads in graph.lookaheads
        ]
        self._sides = [(rule.lhs, len(rule.rhs)) for rule in graph.grammar.rules]

    def first(self) -> Level:
        """The stack before any token."""
        return {self.graph.start: Node(self.graph.start)}

    def shifted(self, level: Level, token: int) -> Level:
        """The stacks after one token more; none if no sentence begins like this."""
        found: Level = {}
        for node in (*level.values(), *self.reduced(level, token).values()):
            target = self._transitions[node.state].get(token)
            if target is None:
                continue
            if target in found:
                found[target].below.append(node)
            else:
                found[target] = Node(target, node)
        return found

    def reduced(self, level: Level, token: int) -> Level:
        """The tops that reductions lead to before a token is shifted, or the end comes.

        A link that is found late may be part of a stack that was reduced already, so reductions are
        made again until there is nothing new.
        """
        found: Level = {}
        grown = True
        while grown:
            grown = False
            nodes = [*level.values(), *found.values()]
            for node in nodes:  # grows while it is walked
                for rule, tokens in self._reductions[node.state]:
                    if not tokens >> token & 1:
                        continue
                    lhs, length = self._sides[rule]
                    for end in _ends(node, length):
                        target = self._transitions[end.state][lhs]
                        known = found.get(target)
                        if known is None:
                            found[target] = known = Node(target, end)
                            nodes.append(known)
                        elif end not in known.below:
                            known.below.append(end)
                            grown = True
        return found


def _ends(node: Node, length: int) -> Iterator[Node]:
    """The nodes `length` links further down, each once."""
    ends = [node]
    for _ in range(length):
        ends = [below for end in ends for below in end.below]
        if len(ends) > 1:
            ends = list(dict.fromkeys(ends))
    return iter(ends)
