"""The exact solver against enumeration of all small derivation trees."""

from __future__ import annotations

from collections.abc import Set
from functools import cache
from itertools import islice, product
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from test_features import AMBIGUOUS, Tree, paths_in

import toy
from examples import fewer
from gramspect.associations.features import Path, Paths
from gramspect.associations.searching import Search, is_contradiction
from gramspect.associations.solving import Constraint, Solver, feasibility
from gramspect.generation.kpaths_graph import GrammarGraph
from gramspect.grammars.grammar import Grammar

GRAMMARS = [
    *AMBIGUOUS,
    "s -> a s b\ns -> t\nt -> c\nt -> d t",
    "s -> t u\nt -> a\nt -> ( s )\nu -> b\nu ->",
    "s -> t s\ns -> t\nt -> a u\nu -> b\nu -> c t",
]
HEIGHT = 4
"""Of the trees that are enumerated."""


@cache
def small_trees(text: str) -> list[Tree]:
    """All derivation trees of a height up to `HEIGHT`, as far as they are few."""
    grammar = toy.grammar(text)

    def of(symbol: int, height: int) -> list[Tree]:
        if grammar.is_terminal(symbol):
            return [(-symbol - 1, ())]
        if height == 0:
            return []
        return [
            (rule, below)
            for rule in grammar.rules_of[symbol]
            for below in islice(
                product(*(of(each, height - 1) for each in grammar.rules[rule].rhs)), 40
            )
        ]

    return of(grammar.start, HEIGHT)


@st.composite
def constraints(draw: st.DrawFn, text: str) -> Constraint:
    """A constraint whose paths are in some of the trees."""
    paths = sorted(frozenset().union(*paths_of_trees(text)))
    chosen = draw(st.lists(st.sampled_from(paths), max_size=4, unique=True))
    split = draw(st.integers(0, len(chosen)))
    return Constraint(tuple(chosen[:split]), tuple(chosen[split:]))


def paths_of(graph: GrammarGraph, tree: Tree) -> frozenset[Path]:
    paths = paths_in(graph.grammar, tree, 4)
    return frozenset(tuple(graph.node_of[item] for item in path) for path in paths)


@cache
def paths_of_trees(text: str) -> frozenset[frozenset[Path]]:
    graph = GrammarGraph(toy.grammar(text))
    return frozenset(paths_of(graph, tree) for tree in small_trees(text))


@cache
def paths_of_inputs(text: str) -> list[set[Path]]:
    paths = Paths(toy.grammar(text), 4)
    return [{paths.paths[number] for number in paths.of(each) or ()} for each in inputs_of(text)]


def fulfils(has: Set[Path], constraint: Constraint) -> bool:
    return has >= set(constraint.required) and not has & set(constraint.forbidden)


@fewer(1)
@given(st.sampled_from(GRAMMARS), st.data())
def test_a_constraint_that_a_tree_fulfils_is_never_called_infeasible(
    text: str, data: st.DataObject
) -> None:
    grammar = toy.grammar(text)
    graph = GrammarGraph(grammar)
    constraint = data.draw(constraints(text))

    solver = Solver(graph, constraint)
    if any(fulfils(has, constraint) for has in paths_of_trees(text)):
        assert solver.grammar is not None
        assert not feasibility(graph, constraint).impossible
    for found in islice(solver.derivations(Random(1)), 10):
        assert fulfils(paths_of(graph, tree_of(grammar, list(found.rules))), constraint)
        assert len(found.tokens) == sum(
            grammar.is_terminal(s) for rule in found.rules for s in grammar.rules[rule].rhs
        )
    if feasibility(graph, constraint).impossible:
        assert not any(fulfils(has, constraint) for has in paths_of_inputs(text))


@fewer(1)
@given(st.sampled_from(GRAMMARS), st.data())
def test_what_the_search_says_is_so(text: str, data: st.DataObject) -> None:
    grammar = toy.grammar(text)
    graph = GrammarGraph(grammar)
    constraint = data.draw(constraints(text))
    possible = any(fulfils(has, constraint) for has in paths_of_trees(text))

    found = Search(graph, constraint, data.draw(st.sampled_from([None, Random(1)]))).found(50)
    if found.derivation is not None:
        tree = tree_of(grammar, list(found.derivation.rules))
        assert fulfils(paths_of(graph, tree), constraint)
        assert leaves(tree) == found.derivation.tokens
        assert Solver(graph, constraint).grammar is not None
    if found.over:
        assert not possible
    if is_contradiction(constraint):
        assert not possible
        assert found.derivation is None


EXPRESSIONS = """add -> mul
add -> add + mul
mul -> unary
mul -> mul * unary
unary -> id
unary -> - unary
unary -> ( add )"""


def test_the_first_completion_fulfils_the_example_of_the_paper() -> None:
    """Section 5.3.3: a factor in parentheses, but no single product in them."""
    graph = GrammarGraph(toy.grammar(EXPRESSIONS))
    label = {graph.grammar.item_label(node.item): n for n, node in enumerate(graph.nodes)}
    unary, inner, product_ = label["mul:2:2"], label["unary:3:1"], label["add:1:0"]
    constraint = Constraint(((unary, inner),), ((unary, inner, product_),))
    found = Search(graph, constraint).found(1)
    assert found.derivation is not None
    names = [graph.grammar.symbols[token].name for token in found.derivation.tokens]
    assert " ".join(names) == "id * ( id + id )"


def test_what_cannot_be_avoided_is_known_at_once() -> None:
    """Every list ends with its last rule, so no tree is without that, however long."""
    graph = GrammarGraph(toy.grammar("s -> t s\ns -> t\nt -> a u\nu -> b\nu -> c t"))
    label = {graph.grammar.item_label(node.item): n for n, node in enumerate(graph.nodes)}
    last, b = label["s:2:0"], label["u:1:0"]
    for forbidden in (last,), (b,):
        found = Search(graph, Constraint(((last, label["t:1:1"], b),), (forbidden,))).found()
        assert (found.derivation, found.steps, found.over) == (None, 0, True)


def test_a_detour_around_what_is_forbidden() -> None:
    """The shortest way to `d` goes through a forbidden rule, and so does the shortest end."""
    graph = GrammarGraph(
        toy.grammar("s -> t u\nt -> d\nt -> v\nv -> w\nw -> d e\nu -> a\nu -> b u b\nu -> c c")
    )
    label = {graph.grammar.item_label(node.item): n for n, node in enumerate(graph.nodes)}
    wanted = Constraint(((label["w:1:0"],),), ((label["t:1:0"],), (label["u:1:0"],)))
    found = Search(graph, wanted).found(1)
    assert found.derivation is not None
    names = [graph.grammar.symbols[token].name for token in found.derivation.tokens]
    assert " ".join(names) == "d e c c"


def test_a_finite_language_is_gone_through() -> None:
    graph = GrammarGraph(toy.grammar("s -> t u\nt -> a\nt -> b\nu -> c\nu -> d"))
    leaf = {graph.grammar.symbols[node.symbol].name: (n,) for n, node in enumerate(graph.nodes)}
    assert Search(graph, Constraint((leaf["a"], leaf["b"]), ())).found().over
    assert Search(graph, Constraint((leaf["a"], leaf["d"]), ())).found().derivation is not None


@cache
def inputs_of(text: str) -> list[tuple[int, ...]]:
    """The different short inputs of the small trees."""
    found = {leaves(tree) for tree in small_trees(text)[:2000]}
    return sorted((each for each in found if len(each) < 7), key=lambda each: (len(each), each))[
        :60
    ]


def leaves(tree: Tree) -> tuple[int, ...]:
    rule, below = tree
    return (-rule - 1,) if rule < 0 else tuple(leaf for each in below for leaf in leaves(each))


def tree_of(grammar: Grammar, rules: list[int]) -> Tree:
    """The tree of a left parse."""
    rule = rules.pop(0)
    return rule, tuple(
        (-symbol - 1, ()) if grammar.is_terminal(symbol) else tree_of(grammar, rules)
        for symbol in grammar.rules[rule].rhs
    )


def test_paths_that_contain_each_other() -> None:
    """The example of Section 5.3.2: a -> b -> c, but nowhere a -> b."""
    grammar = toy.grammar("s -> a\na -> b\na -> x\nb -> c\nb -> x\nc -> x")
    graph = Paths(grammar, 3).graph
    node = {grammar.symbols[each.symbol].name: n for n, each in enumerate(graph.nodes)}
    a, b, c = node["a"], node["b"], node["c"]
    assert feasibility(graph, Constraint(((a, b, c),), ((a, b),))).impossible
    assert not feasibility(graph, Constraint(((a, b),), ((a, b, c),))).impossible


def test_two_parts_of_which_a_tree_has_only_one() -> None:
    text = "s -> t\ns -> u\nt -> a\nu -> b"
    graph = Paths(toy.grammar(text), 1).graph
    both = [
        (n,) for n, node in enumerate(graph.nodes) if toy.grammar(text).is_terminal(node.symbol)
    ]
    assert feasibility(graph, Constraint(tuple(both), ())).impossible
    # The same sentence from either: an input may have both, with two trees.
    graph = Paths(toy.grammar("s -> t\ns -> u\nt -> a\nu -> a"), 1).graph
    both = [(n,) for n, node in enumerate(graph.nodes) if graph.is_leaf(node.symbol)]
    found = feasibility(graph, Constraint(tuple(both), ()))
    assert not found.impossible
    assert "an input with several may" in found.reason
