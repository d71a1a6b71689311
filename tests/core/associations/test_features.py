"""The features of inputs against all derivation trees, found by brute force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toy
from examples import fewer
from gramspect.associations.features import Paths
from gramspect.errors import GramspectError
from gramspect.grammars.ebnf import Alternative, Block, Definition, Reference
from gramspect.grammars.grammar import Grammar, expand
from gramspect.grammars.symbols import Operator

Tree = tuple[int, tuple["Tree", ...]]
"""A rule and what is below it; a token is minus its terminal and 1, and nothing."""

AMBIGUOUS = [
    "s -> s s\ns -> a\ns -> b",
    "s -> s a s\ns -> b\ns -> ( s )",
    "s -> t u\nt -> a\nt -> a a\nu -> a\nu -> a a\nu ->",
    "s -> a u s\ns -> b\nu -> u s\nu ->",
    "s -> t\ns -> u\nt -> a t\nt ->\nu -> a u\nu -> b\nu ->",
]


def trees(grammar: Grammar, tokens: tuple[int, ...]) -> set[Tree]:
    """All derivation trees of an input without an occurrence of a symbol right below itself with
    the same tokens: all trees of a grammar without cycles."""

    @cache
    def of(symbol: int, start: int, end: int) -> frozenset[Tree]:
        if grammar.is_terminal(symbol):
            fits = end == start + 1 and tokens[start] == symbol
            return frozenset({(-symbol - 1, ())} if fits else ())
        return frozenset(
            (rule, below)
            for rule in grammar.rules_of[symbol]
            for below in sequences(grammar.rules[rule].rhs, start, end, (symbol, start, end))
        )

    def sequences(
        symbols: tuple[int, ...], start: int, end: int, above: tuple[int, int, int]
    ) -> Iterator[tuple[Tree, ...]]:
        if not symbols:
            if start == end:
                yield ()
            return
        for middle in range(start, end + 1):
            if (symbols[0], start, middle) == above:
                continue
            rest = list(sequences(symbols[1:], middle, end, above))
            if rest:
                for first in of(symbols[0], start, middle):
                    yield from ((first, *others) for others in rest)

    return set(of(grammar.start, 0, len(tokens)))


def paths_in(grammar: Grammar, tree: Tree, k: int) -> set[tuple[int, ...]]:
    """The paths with up to k nodes in one tree of a BNF grammar: the items that lead down."""
    found: set[tuple[int, ...]] = set()

    def visit(node: Tree, above: tuple[int, ...]) -> None:
        rule, below = node
        for dot, child in enumerate(below):
            path = (*above, grammar.item(rule, dot))
            found.update(path[-n:] for n in range(1, min(k, len(path)) + 1))
            visit(child, path)

    visit(tree, ())
    return found


def check(paths: Paths, tokens: Sequence[int]) -> None:
    grammar = paths.grammar
    expected = [paths_in(grammar, tree, paths.k) for tree in trees(grammar, tuple(tokens))]
    found = paths.of(tokens)
    if found is None:
        assert not expected
        return
    nodes = paths.graph.nodes
    shown = {tuple(nodes[node].item for node in paths.paths[number]) for number in found}
    assert shown == set().union(*expected)


@fewer(0.5)
@given(
    st.sampled_from(AMBIGUOUS),
    st.lists(st.lists(st.sampled_from("aab()"), max_size=6)),
    st.integers(1, 5),
)
def test_all_trees_of_an_ambiguous_input(text: str, inputs: list[list[str]], k: int) -> None:
    grammar = toy.grammar(text)
    paths = Paths(grammar, k)
    for words in inputs:
        tokens = [grammar.token(word) for word in words]
        check(paths, [-1 if token is None else token for token in tokens])


@pytest.mark.parametrize("text", AMBIGUOUS)
@pytest.mark.parametrize("compiled", [False, True])
def test_inputs_with_many_trees(text: str, compiled: bool) -> None:
    grammar = toy.grammar(text)
    paths = Paths(grammar, 4, compiled=compiled)
    for words in ("aaaa", "bab", "babab", "aaa", "aab", "(b)a(b)", ""):
        tokens = [grammar.token(word) for word in words]
        check(paths, [-1 if token is None else token for token in tokens])


def test_a_cycle_gives_all_paths_through_it() -> None:
    grammar = toy.grammar("s -> s\ns -> a")
    paths = Paths(grammar, 3)
    found = paths.of([grammar.symbol("a")]) or frozenset()
    shown = {tuple(map(paths.graph.label, paths.paths[number])) for number in found}
    s, a = "s@s:1:0", "a@s:2:0"
    assert shown == {(a,), (s,), (s, s), (s, a), (s, s, s), (s, s, a)}


def test_a_long_ambiguous_input_takes_time_of_its_forest_only() -> None:
    grammar = toy.grammar("s -> s s\ns -> a")  # the trees of 60 letters have 34 digits
    found = Paths(grammar, 5).of([grammar.symbol("a")] * 60)
    # Of each length n there are 2 ** n paths of both s, and 2 ** (n - 1) that end in a.
    assert len(found or ()) == sum(2**n + 2 ** (n - 1) for n in range(1, 6))


def test_repetitions_are_one_node() -> None:
    star = Block(Operator.STAR, (Alternative((Reference("a"), Reference("b"))),))
    grammar = expand([Definition("s", (Alternative((Reference("c"), star)),))])
    paths = Paths(grammar, 2)
    words = [grammar.symbol(word) for word in "cabab"]
    found = [paths.paths[number] for number in paths.of(words) or ()]
    symbols = sorted(grammar.symbols[paths.graph.nodes[node].symbol].name for (node,) in found)
    assert symbols == ["a", "b", "c"]


@pytest.mark.parametrize("k", [0, 6])
def test_a_length_that_is_out_of_range(k: int) -> None:
    with pytest.raises(GramspectError, match="from 1 to 5"):
        Paths(toy.grammar("s -> a"), k)
