"""Patterns: derivation trees some of whose nodes are abstract.

A pattern is kept like a derivation (`gramspect.generation.derivation`), as the rules of its nodes
in preorder, with `ABSTRACT` for a node below which nothing is said. A subtree is a slice of that
sequence, so trees of any depth cost no recursion, and taking out or replacing a subtree is one
concatenation. A pattern without abstract nodes is a derivation tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from gramspect.grammars.grammar import Grammar

__all__ = ["ABSTRACT", "Outline", "Pattern", "occurrences", "outline"]

ABSTRACT: Final = -1
"""Stands for the rule of an abstract node: any subtree of its symbol fits."""


class Outline(NamedTuple):
    """Where the nodes of a pattern are; every list has one entry for each node, in preorder.

    Terminals are no nodes. Node i is of the non-terminal ``symbols[i]``, the child number
    ``positions[i]`` (from 0, terminals counted) of the node ``parents[i]``, both -1 at the root.
    Its subtree is the nodes ``i`` to ``ends[i] - 1``; it spans the places ``firsts[i]`` to
    ``lasts[i] - 1`` of `frontier`, which has the terminals, and for each abstract node its symbol.
    """

    symbols: list[int]
    parents: list[int]
    positions: list[int]
    ends: list[int]
    firsts: list[int]
    lasts: list[int]
    frontier: tuple[int, ...]

    def children(self, node: int) -> Iterator[int]:
        """The children that are non-terminals, from left to right."""
        child = node + 1
        while child < self.ends[node]:
            yield child
            child = self.ends[child]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A derivation tree with root `symbol`, its `rules` in preorder, `ABSTRACT` for any subtree."""

    symbol: int
    rules: tuple[int, ...]

    @classmethod
    def any(cls, symbol: int) -> Pattern:
        """The pattern that every tree of a non-terminal has: its root is abstract."""
        return cls(symbol, (ABSTRACT,))

    @property
    def is_concrete(self) -> bool:
        """Whether no node is abstract: the pattern is one derivation tree."""
        return ABSTRACT not in self.rules

    def subtree(self, outline: Outline, node: int) -> Pattern:
        """The pattern below a node."""
        return Pattern(outline.symbols[node], self.rules[node : outline.ends[node]])

    def replaced(self, outline: Outline, node: int, by: Sequence[int]) -> Pattern:
        """The pattern with other rules, in preorder, in place of a node and all below it.

        The rules must begin with one of the node's symbol, or be ``(ABSTRACT,)``.
        """
        end = outline.ends[node]
        return Pattern(self.symbol, (*self.rules[:node], *by, *self.rules[end:]))

    def abstracted(self, outline: Outline, node: int) -> Pattern:
        """The pattern with a node made abstract."""
        return self.replaced(outline, node, (ABSTRACT,))

    def filled(self, parts: Mapping[int, Sequence[int]]) -> Pattern:
        """The pattern with subtrees, as rules in preorder, at abstract nodes given by index."""
        rules: list[int] = []
        for index, rule in enumerate(self.rules):
            if index in parts:
                rules += parts[index]
            else:
                rules.append(rule)
        return Pattern(self.symbol, tuple(rules))


def outline(grammar: Grammar, pattern: Pattern) -> Outline:
    """Where the nodes of a pattern are.

    Raises:
        ValueError: its rules are no tree with that root.
    """
    found = Outline([], [], [], [], [], [], ())
    frontier: list[int] = []
    open_nodes: list[tuple[int, int]] = []  # a node, and the position that comes next
    for index, rule in enumerate(pattern.rules):
        symbol, parent, position = pattern.symbol, -1, -1
        if open_nodes:
            parent, position = open_nodes[-1]
            symbol = grammar.rules[pattern.rules[parent]].rhs[position]
        elif index:
            raise ValueError(f"the tree is complete before node {index} of {len(pattern.rules)}")
        if rule != ABSTRACT and grammar.rules[rule].lhs != symbol:
            raise ValueError(f"rule {grammar.rules[rule].label} does not fit at node {index}")
        found.symbols.append(symbol)
        found.parents.append(parent)
        found.positions.append(position)
        found.ends.append(-1)
        found.firsts.append(len(frontier))
        found.lasts.append(-1)
        open_nodes.append((index, 0))
        if rule == ABSTRACT:
            frontier.append(symbol)
        _close(grammar, pattern, found, open_nodes, frontier)
    if open_nodes or not pattern.rules:
        raise ValueError("the tree is not complete")
    return found._replace(frontier=tuple(frontier))


def _close(
    grammar: Grammar,
    pattern: Pattern,
    found: Outline,
    open_nodes: list[tuple[int, int]],
    frontier: list[int],
) -> None:
    """Pass over terminals, and close nodes that are complete, up to the next node to come."""
    while open_nodes:
        node, position = open_nodes[-1]
        rule = pattern.rules[node]
        rhs = () if rule == ABSTRACT else grammar.rules[rule].rhs
        while position < len(rhs) and grammar.is_terminal(rhs[position]):
            frontier.append(rhs[position])
            position += 1
        open_nodes[-1] = node, position
        if position < len(rhs):
            return
        open_nodes.pop()
        found.ends[node] = len(found.ends)
        found.lasts[node] = len(frontier)
        if open_nodes:
            above, place = open_nodes[-1]
            open_nodes[-1] = above, place + 1


def occurrences(grammar: Grammar, pattern: Pattern, tree: Pattern) -> list[int]:
    """The nodes of a tree, in preorder, whose subtrees have the pattern at their root.

    The tree may have abstract nodes; only abstract nodes of the pattern match them.
    """
    shape = outline(grammar, tree)
    return [
        node
        for node, symbol in enumerate(shape.symbols)
        if symbol == pattern.symbol and _fits(pattern, tree, shape, node)
    ]


def _fits(pattern: Pattern, tree: Pattern, shape: Outline, node: int) -> bool:
    for rule in pattern.rules:
        if rule == ABSTRACT:
            node = shape.ends[node]
        elif tree.rules[node] != rule:
            return False
        else:
            node += 1
    return True
