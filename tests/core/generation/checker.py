"""Coverage, recomputed from the derivations of a suite by the definitions; no code of core's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from gramspect.grammars.grammar import Grammar

Pair = tuple[int, int]
Chain = tuple[Pair, ...]
"""Rules, each applied at a position of the one before: (position, rule), the first position -1."""


@dataclass(eq=False)
class Tree:
    """A node; terminals have no rule."""

    symbol: int
    rule: int | None
    children: list[Tree]

    @cached_property
    def words(self) -> tuple[int, ...]:
        if self.rule is None:
            return (self.symbol,)
        return tuple(word for child in self.children for word in child.words)

    def inner(self) -> Iterator[Tree]:
        """The nodes with a rule."""
        pending = [self]
        while pending:
            node = pending.pop()
            if node.rule is not None:
                yield node
                pending += node.children

    def below(self) -> Iterator[Tree]:
        """All nodes but this one."""
        pending = list(self.children)
        while pending:
            node = pending.pop()
            yield node
            pending += node.children


def tree_of(grammar: Grammar, rules: Sequence[int]) -> Tree:
    """The tree of a left parse; fails if it is none from the start symbol."""
    rest = iter(rules)

    def grown(symbol: int) -> Tree:
        if grammar.is_terminal(symbol):
            return Tree(symbol, None, [])
        rule = next(rest)
        assert grammar.rules[rule].lhs == symbol, "this rule is not of the leftmost non-terminal"
        return Tree(symbol, rule, [grown(s) for s in grammar.rules[rule].rhs])

    tree = grown(grammar.start)
    assert next(rest, None) is None, "the derivation goes on after its end"
    return tree


# --- what trees cover ----------------------------------------------------------------------


def symbols_in(tree: Tree) -> set[int]:
    return {tree.symbol, *(node.symbol for node in tree.below())}


def chains_in(tree: Tree, k: int) -> set[Chain]:
    """All chains of `k` nested rules."""

    def from_node(node: Tree, at: int, length: int) -> Iterator[Chain]:
        assert node.rule is not None
        if length == 1:
            yield ((at, node.rule),)
            return
        for position, child in enumerate(node.children):
            if child.rule is not None:
                for chain in from_node(child, position, length - 1):
                    yield ((at, node.rule), *chain)

    return {chain for node in tree.inner() for chain in from_node(node, -1, k)}


def cut_trees_in(tree: Tree, k: int) -> set[object]:
    """All subtrees cut off at `k` levels."""

    def cut(node: Tree, levels: int) -> object:
        if node.rule is None or not levels:
            return node.symbol
        return (node.rule, *(cut(child, levels - 1) for child in node.children))

    return {cut(node, k) for node in tree.inner()}


def derivable_in(tree: Tree) -> set[Pair]:
    return {(node.symbol, lower.symbol) for node in tree.inner() for lower in node.below()}


def leading_in(tree: Tree) -> set[Pair]:
    return {(node.symbol, node.words[0]) for node in tree.inner() if node.words}


def adjacent_in(tree: Tree) -> set[Pair]:
    """The pairs that are adjacent in some form of the derivation."""
    found = set()
    for node in tree.inner():
        for first, left in enumerate(node.children):
            for right in node.children[first + 1 :]:
                found |= set(product(_edge(left, -1), _edge(right, 1)))
                if right.words:
                    break
    return found


def _edge(tree: Tree, step: int) -> set[int]:
    """The symbols at one side of what a tree derives, those beyond erased."""
    found, pending = set(), [tree]
    while pending:
        node = pending.pop()
        found.add(node.symbol)
        for child in node.children[::step]:
            pending.append(child)
            if child.words:
                break
    return found


# --- what there is to be covered -----------------------------------------------------------


class Targets:
    """The targets of each criterion, from the grammar alone; it must be reduced."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.rules = grammar.rules
        self.nonterminals = range(grammar.n_terminals, len(grammar.symbols))

    def symbols(self) -> set[int]:
        return {self.grammar.start, *(s for rule in self.rules for s in rule.rhs)}

    def chains(self, k: int) -> set[Chain]:
        found: set[Chain] = {((-1, rule.index),) for rule in self.rules}
        for _ in range(k - 1):
            found = {
                (*chain, (at, inner))
                for chain in found
                for at, symbol in enumerate(self.rules[chain[-1][1]].rhs)
                for inner in self.grammar.rules_of.get(symbol, ())
            }
        return found

    def cut_trees(self, k: int) -> set[object]:
        def cut(symbol: int, levels: int) -> Iterator[object]:
            if self.grammar.is_terminal(symbol) or not levels:
                yield symbol
                return
            for rule in self.grammar.rules_of[symbol]:
                parts = [list(cut(s, levels - 1)) for s in self.rules[rule].rhs]
                yield from ((rule, *each) for each in product(*parts))

        return {tree for symbol in self.nonterminals for tree in cut(symbol, k)}

    def derivable(self) -> set[Pair]:
        return self._closed({(r.lhs, s) for r in self.rules for s in r.rhs})

    def leading(self) -> set[Pair]:
        corners = {(r.lhs, r.rhs[at]) for r in self.rules for at in self._erasable_before(r.rhs)}
        pairs = self._closed(corners)
        return {(upper, lower) for upper, lower in pairs if self.grammar.is_terminal(lower)}

    def adjacent(self) -> set[Pair]:
        left = {(r.lhs, r.rhs[at]) for r in self.rules for at in self._erasable_before(r.rhs)}
        right = {
            (r.lhs, r.rhs[::-1][at])
            for r in self.rules
            for at in self._erasable_before(r.rhs[::-1])
        }
        everything = {(s, s) for s in range(len(self.grammar.symbols))}
        first, last = (_rows(self._closed(pairs) | everything) for pairs in (left, right))
        found = set()
        for rule in self.rules:
            for at, symbol in enumerate(rule.rhs):
                after = rule.rhs[at + 1 :]
                for offset in self._erasable_before(after):
                    found |= set(product(last[symbol], first[after[offset]]))
        return found

    def _erasable_before(self, rhs: tuple[int, ...]) -> list[int]:
        """The positions with only nullable symbols before them."""
        return [at for at in range(len(rhs)) if all(s in self._nullable for s in rhs[:at])]

    @cached_property
    def _nullable(self) -> set[int]:
        found: set[int] = set()
        while new := {r.lhs for r in self.rules if found.issuperset(r.rhs)} - found:
            found |= new
        return found

    @staticmethod
    def _closed(pairs: set[Pair]) -> set[Pair]:
        """The transitive closure."""
        rows = _rows(pairs)
        found = set()
        for start in rows:
            pending, known = [start], set()
            while pending:
                for following in rows.get(pending.pop(), ()):
                    if following not in known:
                        known.add(following)
                        pending.append(following)
            found |= {(start, each) for each in known}
        return found


def _rows(pairs: set[Pair]) -> dict[int, set[int]]:
    rows: dict[int, set[int]] = {}
    for upper, lower in pairs:
        rows.setdefault(upper, set()).add(lower)
    return rows


Covered = Callable[[Tree], set[object]]


def covered(
    grammar: Grammar, derivations: Iterable[Sequence[int]], of: Callable[[Tree], Iterable[object]]
) -> set[object]:
    """What a suite covers."""
    return {each for rules in derivations for each in of(tree_of(grammar, rules))}
