"""Trees and expressions straight from their definitions: all trees up to a size, one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from itertools import product as combinations

from hypothesis import strategies as st

from gramspect.algebra.expressions import (
    And,
    Constant,
    Count,
    Expression,
    Named,
    Not,
    Occurrences,
    Or,
)
from gramspect.algebra.patterns import ABSTRACT, Pattern
from gramspect.grammars.grammar import Grammar

Rules = tuple[int, ...]
"""A tree as its rules in preorder."""

Nested = tuple[int, int, tuple["Nested | None", ...]]
"""A tree as its symbol, its rule (`ABSTRACT` if there is none) and its children, None for
terminals."""


def all_trees(grammar: Grammar, size: int, costs: Sequence[int] | None = None) -> set[Rules]:
    """All derivation trees of the start symbol with at most `size` nodes.

    `costs` says as how many nodes each rule counts, one if it is not given; the rules that count
    nothing must be no cycle.
    """
    weights = [1] * grammar.n_rules if costs is None else list(costs)

    @cache
    def of(symbol: int, exactly: int) -> frozenset[Rules]:
        return frozenset(
            (rule, *below)
            for rule in grammar.rules_of[symbol]
            if weights[rule] <= exactly
            for below in sequence(grammar.rules[rule].rhs, exactly - weights[rule])
        )

    @cache
    def sequence(symbols: tuple[int, ...], exactly: int) -> frozenset[Rules]:
        inner = [s for s in symbols if not grammar.is_terminal(s)]
        if not inner:
            return frozenset([()]) if exactly == 0 else frozenset()
        rest = tuple(inner[1:])
        return frozenset(
            first + others
            for n in range(exactly + 1)
            for others in sequence(rest, exactly - n)
            for first in of(inner[0], n)
        )

    return {tree for n in range(size + 1) for tree in of(grammar.start, n)}


def nested(grammar: Grammar, symbol: int, rules: Iterator[int]) -> Nested:
    rule = next(rules)
    if rule == ABSTRACT:
        return symbol, rule, ()
    children = tuple(
        None if grammar.is_terminal(s) else nested(grammar, s, rules)
        for s in grammar.rules[rule].rhs
    )
    return symbol, rule, children


def has_at_root(tree: Nested, pattern: Nested) -> bool:
    if pattern[1] == ABSTRACT:
        return tree[0] == pattern[0]
    return tree[1] == pattern[1] and all(
        below is None or (mine is not None and has_at_root(mine, below))
        for mine, below in zip(tree[2], pattern[2], strict=True)
    )


def with_ancestors(tree: Nested, above: tuple[Nested, ...] = ()) -> Iterator[tuple[Nested, ...]]:
    """Every node after those above it, from the root down."""
    path = (*above, tree)
    yield path
    for child in tree[2]:
        if child is not None:
            yield from with_ancestors(child, path)


def number(grammar: Grammar, occurrences: Occurrences, tree: Nested) -> int:
    """How many nodes there are of a chain, by trying all ways to place it on the path."""
    patterns = [nested(grammar, n.pattern.symbol, iter(n.pattern.rules)) for n in occurrences.chain]
    found = 0
    for path in with_ancestors(tree):
        if not has_at_root(path[-1], patterns[0]):
            continue
        if occurrences.outside:
            found += not any(has_at_root(node, patterns[1]) for node in path[:-1])
        else:
            fits = [[has_at_root(node, p) for node in path[:-1]] for p in patterns[1:]]
            places = combinations(range(len(path) - 1), repeat=len(fits))
            found += any(
                all(fits[i][place] for i, place in enumerate(chosen))
                and all(a > b for a, b in pairwise(chosen))
                for chosen in places
            )
    return found


def holds(grammar: Grammar, expression: Expression, tree: Nested) -> bool:
    return evaluated(expression, lambda each: number(grammar, each, tree))


def evaluated(expression: Expression, count: Callable[[Occurrences], int]) -> bool:
    """What an expression says of a tree, given how many nodes there are of a chain."""
    match expression:
        case Constant(value):
            return value
        case Not(part):
            return not evaluated(part, count)
        case And(parts):
            return all(evaluated(part, count) for part in parts)
        case Or(parts):
            return any(evaluated(part, count) for part in parts)
        case Count(occurrences, least, most):
            n = count(occurrences)
            return n >= least and (most is None or n <= most)


def meant(grammar: Grammar, expression: Expression, trees: set[Rules]) -> set[Rules]:
    return {t for t in trees if holds(grammar, expression, nested(grammar, grammar.start, iter(t)))}


# --- what Hypothesis draws -----------------------------------------------------------------


@st.composite
def patterns(draw: st.DrawFn, grammar: Grammar, most_nodes: int = 4) -> Pattern:
    """Patterns of any symbol, grown from the root by rules, a node at a time."""
    symbol = draw(st.sampled_from([s.index for s in grammar.nonterminals]))
    rules: list[int] = [ABSTRACT]
    symbols = [symbol]
    for _ in range(draw(st.integers(0, most_nodes))):
        at = draw(st.integers(0, len(rules) - 1))
        if rules[at] == ABSTRACT:
            rule = draw(st.sampled_from(grammar.rules_of[symbols[at]]))
            below = [s for s in grammar.rules[rule].rhs if not grammar.is_terminal(s)]
            rules[at : at + 1] = [rule, *[ABSTRACT] * len(below)]
            symbols[at + 1 : at + 1] = below
    return Pattern(symbol, tuple(rules))


def expressions(grammar: Grammar, n_patterns: int = 2) -> st.SearchStrategy[Expression]:
    def named(found: list[Pattern]) -> st.SearchStrategy[Expression]:
        names = st.sampled_from([Named(f"p{i}", p) for i, p in enumerate(found)])
        chains = st.one_of(
            st.lists(names, min_size=1, max_size=3).map(lambda c: Occurrences(tuple(c))),
            st.tuples(names, names).map(lambda c: Occurrences(c, outside=True)),
        )
        counts = st.builds(
            lambda o, least, more: Count(o, least, None if more is None else least + more),
            chains, st.integers(0, 2), st.none() | st.integers(0, 2),
        )  # fmt: skip
        leaves = counts | st.booleans().map(Constant)
        return st.recursive(
            leaves,
            lambda inner: st.one_of(
                inner.map(Not),
                st.lists(inner, min_size=1, max_size=3).map(lambda p: And(tuple(p))),
                st.lists(inner, min_size=1, max_size=3).map(lambda p: Or(tuple(p))),
            ),
            max_leaves=4,
        )

    return st.lists(patterns(grammar), min_size=1, max_size=n_patterns).flatmap(named)
