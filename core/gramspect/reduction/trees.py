"""Derivation trees of inputs, and changes that leave parts of them out.

A tree is flat: its nodes in preorder, so that a subtree is a stretch of them, and all that makes a
tree smaller cuts stretches out and puts short ones in. Nothing here is recursive: trees of long
lists are as deep as the lists are long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import NamedTuple

__all__ = ["Change", "Production", "Tree", "Word"]

Production = tuple[int, tuple[int, ...]]
"""A left-hand side and a right-hand side."""


class Word(NamedTuple):
    """A token of an input.

    `before` is the text between the token before it and this one, `place` its index in the input,
    -1 for a word that was not in it. `terminal` is -1 if the grammar does not know it.
    """

    terminal: int
    text: str
    before: str = ""
    place: int = -1


_OPPOSITE = bytes([1, 0]) + bytes(254)

Node = int | Word
"""A production by its number, or a leaf."""


@dataclass(frozen=True, slots=True)
class Change:
    """Stretches of nodes that leave a tree, and nodes that come in before a node.

    `gain` is how many tokens there are fewer.
    """

    gain: int
    cuts: tuple[tuple[int, int], ...]
    inserts: tuple[tuple[int, tuple[Node, ...]], ...] = ()


@dataclass(frozen=True)
class Tree:
    """A derivation tree; `productions` may have more than the rules of a grammar."""

    productions: Sequence[Production]
    nodes: Sequence[Node]

    def __len__(self) -> int:
        return len(self.nodes)

    def symbol(self, node: int) -> int:
        """The symbol of a node."""
        code = self.nodes[node]
        return code.terminal if isinstance(code, Word) else self.productions[code][0]

    def is_leaf(self, node: int) -> bool:
        """Whether a node is a token."""
        return isinstance(self.nodes[node], Word)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The tokens, in order."""
        return tuple(node for node in self.nodes if isinstance(node, Word))

    @cached_property
    def ends(self) -> Sequence[int]:
        """For every node the index after its subtree."""
        ends = [0] * len(self.nodes)
        waiting: list[tuple[int, int]] = []  # a node and how many children it still gets
        for index, node in enumerate(self.nodes):
            left = 0 if isinstance(node, Word) else len(self.productions[node][1])
            waiting.append((index, left))
            while waiting and waiting[-1][1] == 0:
                ends[waiting.pop()[0]] = index + 1
                if waiting:
                    parent, left = waiting.pop()
                    waiting.append((parent, left - 1))
        if waiting or (self.nodes and ends[0] != len(self.nodes)):
            raise ValueError("the nodes are no tree")
        return ends

    @cached_property
    def _words_before(self) -> Sequence[int]:
        counts = [0]
        for node in self.nodes:
            counts.append(counts[-1] + isinstance(node, Word))
        return counts

    def n_words(self, first: int, end: int) -> int:
        """The tokens among the nodes from `first` to `end`."""
        return self._words_before[end] - self._words_before[first]

    def size(self, node: int) -> int:
        """The tokens below a node."""
        return self.n_words(node, self.ends[node])

    def children(self, node: int) -> Iterator[int]:
        """The children of a node."""
        child = node + 1
        while child < self.ends[node]:
            yield child
            child = self.ends[child]

    def changed(self, changes: Iterable[Change]) -> Tree:
        """The tree after changes, none of which may touch what another one cuts out."""
        removed = bytearray(len(self.nodes))
        inserted: dict[int, tuple[Node, ...]] = {}
        for change in changes:
            for first, end in change.cuts:
                removed[first:end] = b"\1" * (end - first)
            for place, nodes in change.inserts:
                inserted[place] = inserted.get(place, ()) + nodes
        kept: list[Node] = []
        last, stays = 0, removed.translate(_OPPOSITE)
        for place in sorted({*inserted, len(self.nodes)}):
            kept += compress(self.nodes[last:place], stays[last:place])
            kept += inserted.get(place, ())
            last = place
        return Tree(self.productions, kept)

    def replaced(self, node: int, nodes: Sequence[Node], n_words: int) -> Change:
        """The change that puts other nodes in the place of a subtree."""
        end = self.ends[node]
        return Change(self.size(node) - n_words, ((node, end),), ((node, tuple(nodes)),))

    def hoisted(
        self, node: int, inner: int, above: tuple[Node, ...] = (), below: tuple[Node, ...] = ()
    ) -> Change:
        """The change that puts a subtree of a node in its place, between other nodes."""
        first, last = self.ends[inner], self.ends[node]
        gain = self.size(node) - self.size(inner)
        return Change(gain, ((node, inner), (first, last)), ((node, above), (last, below)))
