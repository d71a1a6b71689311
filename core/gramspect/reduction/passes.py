"""What makes a tree smaller, each pass over all of it.

Hierarchical delta debugging (G. Misherghi and Z. Su, "HDD: hierarchical delta debugging", 2006)
goes down a derivation tree level by level and finds which of the nodes there can be replaced by the
shortest sentence of their symbol (`prune`). Recursion is first laid flat, as in R. Hodovan and
A. Kiss, "Modernizing hierarchical delta debugging", 2016, so that the elements of a list are
on one level. Then nodes are replaced by nodes below them that can stand in their place, as in
C. Sun, Y. Li, Q. Zhang, T. Gu and Z. Su, "Perses: syntax-guided program reduction", 2018 (`hoist`).
At last short stretches of tokens are left out, wherever the rest is still a sentence (`cut`). What
is left may stand in a place that needs much around it, such as a statement in a procedure: so a
large part of it is tried in the shortest sentence that has its symbol (`move`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from gramspect.reduction.deletion import by_weight, leave_out
from gramspect.reduction.judging import Judge
from gramspect.reduction.sentences import Sentences, Way
from gramspect.reduction.trees import Change, Tree, Word

__all__ = ["Reducer"]

_HOPELESS = 0.6
"""Leaving out more than this share of the input is not tried in a first pass."""
_WIDEST = 6
"""The longest stretch of tokens that is left out in the end."""
_MOVED = 2
"""How many parts are tried elsewhere in one pass."""
_WORTH_MOVING = 0.3
"""The share of the tokens that must be left out by it."""
_PARSED = 6_000
"""About how many tokens are parsed to find stretches of several that can be left out."""
_MOST_PARSED = 1_000_000
"""About how many are parsed in one pass over all single tokens."""

Parse = Callable[[Sequence[Word]], Tree | None]
"""The tree of words, None if they are no sentence."""


class _Part(NamedTuple):
    """A part of a level: a node, or the link of a list from a node to the one below it.

    `change` is what leaves it out or makes it short, if anything does.
    """

    node: int
    below: int
    change: Change | None


@dataclass(frozen=True)
class Reducer:
    """The passes over a tree whose text the judge has approved of; each returns a smaller one."""

    sentences: Sentences
    judge: Judge
    parse: Parse

    def reduced(self, tree: Tree) -> Tree:
        """The tree after all passes, again and again until none makes it smaller."""
        tree = self.cut(self.hoist(self.prune(tree, first=True)))
        while True:
            size = len(tree.words)
            tree = self.move(self.cut(self.hoist(self.prune(tree))))
            if len(tree.words) == size:
                return tree

    # --- down the tree -------------------------------------------------------------------

    def prune(self, tree: Tree, *, first: bool = False) -> Tree:
        """Leave out what can be, level by level."""
        made: list[Change] = []
        level = [self._node(tree, 0)]
        while level:
            left = len(tree.words) - sum(change.gain for change in made)
            most = _HOPELESS * left if first and level[0].node else left
            asked = [part for part in level if part.change and part.change.gain <= most]
            made, gone = self._leave_out(tree, made, asked)
            level = [
                inner
                for part in level
                if part[:2] not in gone
                for inner in self._inside(tree, part)
            ]
        return tree.changed(made)

    def _leave_out(
        self, tree: Tree, made: list[Change], parts: Sequence[_Part]
    ) -> tuple[list[Change], set[tuple[int, int]]]:
        """The changes with those of a level that can be made too, and the parts left out."""
        changes = [part.change for part in parts if part.change is not None]
        prior = by_weight([change.gain for change in changes])
        done = leave_out(changes, prior, lambda some: self._holds(tree, made, some))
        made_here = {id(change) for change in done}
        return [*made, *done], {part[:2] for part in parts if id(part.change) in made_here}

    def _holds(self, tree: Tree, made: Sequence[Change], more: Sequence[Change]) -> bool:
        return self.judge.holds(tree.changed([*made, *more]))

    def _node(self, tree: Tree, node: int) -> _Part:
        node = self._squeezed(tree, node)
        short = self.sentences.shortest(tree.symbol(node))
        if short is None or short.n_words >= tree.size(node):
            return _Part(node, -1, None)
        return _Part(node, -1, tree.replaced(node, short.nodes, short.n_words))

    def _inside(self, tree: Tree, part: _Part) -> Iterator[_Part]:
        """What is looked at next of a part that stays: the elements of a list, or children."""
        if part.below >= 0:
            inside = list(_beside(tree, part.node, part.below))
        else:
            chain = _chain(tree, part.node)
            for link, below in pairwise(chain):
                change = tree.hoisted(link, below)
                yield _Part(link, below, change if change.gain else None)
            inside = chain[-1:] if len(chain) > 1 else list(tree.children(part.node))
        for child in inside:
            if tree.size(child) and not tree.is_leaf(child):
                yield self._node(tree, child)

    def _squeezed(self, tree: Tree, node: int) -> int:
        """The lowest node with the same tokens whose symbol has no longer shortest sentence."""
        while not tree.is_leaf(node):
            solid = [child for child in tree.children(node) if tree.size(child)]
            if len(solid) != 1 or tree.is_leaf(solid[0]):
                break
            here = self.sentences.shortest(tree.symbol(node))
            there = self.sentences.shortest(tree.symbol(solid[0]))
            if here is not None and (there is None or there.n_words > here.n_words):
                break
            node = solid[0]
        return node

    # --- nodes in the place of others ----------------------------------------------------

    def hoist(self, tree: Tree) -> Tree:
        """Put nodes in the place of nodes above them, from the top of the tree on."""
        node = 0
        while node < len(tree):
            smaller = self._hoisted(tree, node)
            if smaller is None:
                node += 1
            else:
                tree = smaller
        return tree

    def _hoisted(self, tree: Tree, node: int) -> Tree | None:
        """The tree with something smaller from below a node in its place, the largest first."""
        if tree.is_leaf(node) or tree.size(node) < 2:
            return None
        n_symbols = len(self.sentences.grammar.symbols)
        symbol = tree.symbol(node)
        ways = self.sentences.ways(symbol) if symbol < n_symbols else {symbol: Way((), ())}
        found = sorted(_topmost(tree, node, ways), key=lambda inner: -tree.size(inner))
        for inner in found:
            change = tree.hoisted(node, inner, *ways[tree.symbol(inner)])
            if change.gain and self.judge.holds(smaller := tree.changed([change])):
                return smaller
        return None

    def move(self, tree: Tree) -> Tree:
        """Put a part into the shortest sentence that has its symbol, the largest part first."""
        if tree.symbol(0) != self.sentences.grammar.start:
            return tree
        most = (1 - _WORTH_MOVING) * len(tree.words)
        tried: set[tuple[Word, ...]] = set()
        for node in sorted(range(1, len(tree)), key=lambda node: -tree.size(node)):
            around = None if tree.is_leaf(node) else self.sentences.around(tree.symbol(node))
            if around is None or not tree.size(node) or around.n_words + tree.size(node) > most:
                continue
            part = tree.nodes[node : tree.ends[node]]
            moved = Tree(tree.productions, (*around.above, *part, *around.below))
            if moved.words not in tried and self.judge.holds(moved):
                return moved
            tried.add(moved.words)
            if len(tried) == _MOVED:
                break
        return tree

    # --- tokens --------------------------------------------------------------------------

    def cut(self, tree: Tree) -> Tree:
        """Leave out stretches of tokens where the rest is a sentence, the long ones first."""
        widest = min(_WIDEST, max(1, _PARSED // max(1, len(tree.words)) ** 2))
        for width in range(widest, 0, -1):
            at, left = 0, _MOST_PARSED
            while at + width <= len(tree.words):
                left -= len(tree.words)
                if left < 0:
                    self.judge.unfinished = True
                    break
                rest = [*tree.words[:at], *tree.words[at + width :]]
                smaller = self.parse(rest)
                if smaller is not None and self.judge.holds(smaller):
                    tree = smaller
                else:
                    at += 1
        return tree


def _chain(tree: Tree, node: int) -> list[int]:
    """The nodes of a list from its top to its last: each has the next among its children or theirs.

    The elements of the list are what the nodes have beside the next one.
    """
    chain = [node]
    while (below := _same_below(tree, chain[-1])) is not None:
        chain.append(below)
    return chain


def _same_below(tree: Tree, node: int) -> int | None:
    """The largest child, or grandchild, of a node with the same symbol."""
    if tree.is_leaf(node):
        return None
    symbol = tree.symbol(node)
    near = [child for child in tree.children(node) if not tree.is_leaf(child)]
    for generation in (near, [c for child in near for c in tree.children(child)]):
        same = [inner for inner in generation if tree.symbol(inner) == symbol]
        if same:
            return max(same, key=tree.size)
    return None


def _beside(tree: Tree, node: int, below: int) -> Iterator[int]:
    """The children of a node, and of those between it and one below it, without those two."""
    for child in tree.children(node):
        if child < below < tree.ends[child]:
            yield from _beside(tree, child, below)
        elif child != below:
            yield child


def _topmost(tree: Tree, node: int, symbols: Container[int]) -> Iterator[int]:
    """The highest nodes below a node with one of some symbols, and with fewer tokens."""
    size, inner = tree.size(node), node + 1
    while inner < tree.ends[node]:
        if tree.symbol(inner) in symbols and 0 < tree.size(inner) < size:
            yield inner
            inner = tree.ends[inner]
        else:
            inner += 1
