"""Patterns: derivation trees some of whose nodes are abstract.

A pattern is kept like a derivation (`gramspect.generation.derivation`), as the rules of its nodes
in preorder, with `ABSTRACT` for a node below which nothing is said. A subtree is a slice of that
sequence, so trees of any depth cost no recursion, and taking out or replacing a subtree is one
concatenation. A pattern without abstract nodes is a derivation tree.

Tokens of a pattern count by their kind, but for those whose text it fixes (`FixedText`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from gramspect.grammars.grammar import Grammar

__all__ = [
    "ABSTRACT",
    "FixedText",
    "Leaf",
    "Outline",
    "Pattern",
    "leaves",
    "occurrences",
    "outline",
]

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


class FixedText(NamedTuple):
    """The text of a token: symbol number `position` of the rule at a node, both from 0."""

    node: int
    position: int
    text: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """A derivation tree with root `symbol`, its `rules` in preorder, `ABSTRACT` for any subtree.

    `texts` are those of the tokens that do not count by their kind alone, in order.
    """

    symbol: int
    rules: tuple[int, ...]
    texts: tuple[FixedText, ...] = ()

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
        end = outline.ends[node]
        texts = tuple(
            each._replace(node=each.node - node) for each in self.texts if node <= each.node < end
        )
        return Pattern(outline.symbols[node], self.rules[node:end], texts)

    def abstracted(self, outline: Outline, node: int) -> Pattern:
        """The pattern with a node made abstract."""
        end = outline.ends[node]
        fewer = end - node - 1
        texts = (
            each if each.node < node else each._replace(node=each.node - fewer)
            for each in self.texts
            if not node <= each.node < end
        )
        return Pattern(self.symbol, (*self.rules[:node], ABSTRACT, *self.rules[end:]), tuple(texts))


class Leaf(NamedTuple):
    """A terminal or abstract symbol, where it stands: in the rule at a node, both from 0."""

    symbol: int
    node: int
    position: int


def leaves(grammar: Grammar, pattern: Pattern) -> Iterator[Leaf]:
    """The terminals and abstract symbols of a pattern from left to right."""
    pending = [Leaf(pattern.symbol, -1, 0)]
    node = -1
    while pending:
        leaf = pending.pop()
        if grammar.is_terminal(leaf.symbol):
            yield leaf
            continue
        node += 1
        if pattern.rules[node] == ABSTRACT:
            yield leaf
            continue
        rhs = grammar.rules[pattern.rules[node]].rhs
        pending += [Leaf(rhs[i], node, i) for i in reversed(range(len(rhs)))]


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

    The tree may have abstract nodes; only abstract nodes of the pattern match them. Texts that the
    pattern fixes are those of the tree.
    """
    shape = outline(grammar, tree)
    texts = frozenset(tree.texts)
    return [
        node
        for node, symbol in enumerate(shape.symbols)
        if symbol == pattern.symbol and _fits(pattern, tree, shape, node, texts)
    ]


def _fits(
    pattern: Pattern, tree: Pattern, shape: Outline, node: int, texts: frozenset[FixedText]
) -> bool:
    places = []
    for rule in pattern.rules:
        places.append(node)
        if rule == ABSTRACT:
            node = shape.ends[node]
        elif tree.rules[node] != rule:
            return False
        else:
            node += 1
    return all(each._replace(node=places[each.node]) in texts for each in pattern.texts)
