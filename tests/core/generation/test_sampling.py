"""Random sentences: strategies, limits and weights."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest
from checker import Tree, tree_of
from hypothesis import given
from hypothesis import strategies as st
from judge import Judge
from subjects import YACC, small_grammars, yacc

import toy
from gramspect.errors import GramspectError
from gramspect.generation.derivation import Derivation
from gramspect.generation.generate import Plan, generate
from gramspect.generation.minimal import Embedding, Minimal
from gramspect.generation.sampling import Sampling, Strategy, random_derivations
from gramspect.grammars.grammar import Grammar

STRATEGIES = list(Strategy)


def height(tree: Tree) -> int:
    return 1 + max(map(height, tree.children), default=0) if tree.rule is not None else 0


def sample(grammar: Grammar, sampling: Sampling, number: int, seed: int = 1) -> list[Derivation]:
    minimal = Minimal(grammar, Embedding.SHALLOWEST)
    return list(islice(random_derivations(minimal, Random(seed), sampling), number))


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", YACC)
def test_sentences(name: str, strategy: Strategy) -> None:
    grammar = yacc(name)
    judge = Judge(grammar, 1000)
    found = sample(grammar, Sampling(strategy), 500)
    for derivation in found:
        assert tree_of(grammar, derivation.rules).words == derivation.tokens
        assert judge(derivation.tokens)[1]
    assert len(set(found)) > 50
    assert sample(grammar, Sampling(strategy), 500) == found
    assert sample(grammar, Sampling(strategy), 500, seed=2) != found


@given(small_grammars(), st.sampled_from(STRATEGIES), st.integers(0, 20), st.integers(0, 6))
def test_limits(grammar: Grammar, strategy: Strategy, more: int, higher: int) -> None:
    minimal = Minimal(grammar, Embedding.SHALLOWEST)
    least = minimal.part(grammar.start)
    max_tokens = len(least.tokens) + more
    max_height = height(tree_of(grammar, least.rules)) + higher
    sampling = Sampling(strategy, 20, max_tokens, max_height)
    for derivation in islice(random_derivations(minimal, Random(0), sampling), 30):
        assert len(derivation.tokens) <= max_tokens
        assert height(tree_of(grammar, derivation.rules)) <= max_height


def test_termination_is_forced() -> None:
    grammar = toy.grammar("s -> s s\ns -> a")
    for derivation in sample(grammar, Sampling(Strategy.ANY, max_rules=10), 200):
        grown = sum(1 for rule in derivation.rules if rule == 0)
        assert grown <= 10
    assert max(len(d.tokens) for d in sample(grammar, Sampling(max_rules=10), 200)) > 5


def test_strategies_differ_in_shape() -> None:
    """With the same rules drawn, trees that grow depth first are higher."""
    grammar = toy.grammar("s -> ( s s s )\ns -> x")
    weights = {0: 1.0, 1: 0.0}
    mean = {}
    for strategy in STRATEGIES:
        found = sample(grammar, Sampling(strategy, 12, weights=weights), 100)
        assert {len(d.rules) for d in found} == {12 + 25}
        mean[strategy] = sum(height(tree_of(grammar, d.rules)) for d in found) / 100
    assert mean[Strategy.DEPTH_FIRST] == 13
    assert mean[Strategy.BREADTH_FIRST] < mean[Strategy.ANY] < mean[Strategy.DEPTH_FIRST]


def test_weights() -> None:
    grammar = toy.grammar("s -> t s\ns -> t\nt -> a\nt -> b")
    drawn = Counter(
        r for d in sample(grammar, Sampling(weights={2: 3, 3: 1}), 2000) for r in d.rules
    )
    assert 2.6 < drawn[2] / drawn[3] < 3.4
    never = sample(grammar, Sampling(weights={3: 0}), 300)
    assert not any(3 in d.rules for d in never)
    only = sample(grammar, Sampling(weights={0: 0, 1: 0, 2: 0, 3: 0}), 3)
    assert {len(d.tokens) for d in only} == {1}


@pytest.mark.parametrize(
    ("sampling", "message"),
    [
        (Sampling(max_tokens=5), "the limit on tokens, 5, is too small: the shallowest sentence"),
        (Sampling(max_height=1), "the limit on height, 1, is too small"),
        (Sampling(weights={2: -1}), "the weight of block:2, -1, must be a number from 0"),
        (Sampling(weights={2: float("nan")}), "the weight of block:2, nan, must be"),
    ],
)
def test_what_cannot_be(sampling: Sampling, message: str) -> None:
    with pytest.raises(GramspectError, match=message):
        sample(yacc("toy"), sampling, 1)


def test_a_random_suite_has_as_many_different_sentences_as_asked_for() -> None:
    tests = list(generate(yacc("simpl"), Plan((), n_random=500)))
    assert len({test.tokens for test in tests}) == len(tests) == 500
    assert {test.criterion for test in tests} == {"random"}


def test_a_random_suite_of_a_finite_language_ends() -> None:
    tests = list(generate(toy.grammar("s -> t t\nt -> a\nt -> b"), Plan((), n_random=500)))
    assert len(tests) == 4
