"""Minimal derivations and embeddings against least costs found by plain iteration."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from checker import Tree, tree_of
from hypothesis import given
from hypothesis import strategies as st
from subjects import YACC, derivations, small_grammars, yacc

import toy
from gramspect.errors import GrammarError
from gramspect.generation.minimal import LARGEST, Embedding, Minimal
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import END

FAR = 10**9


def shortest(grammar: Grammar) -> list[int]:
    """The length of the shortest yield of each symbol."""
    least = [1] * grammar.n_terminals + [FAR] * grammar.n_nonterminals
    for _ in grammar.symbols:
        for rule in grammar.rules:
            least[rule.lhs] = min(least[rule.lhs], sum(least[s] for s in rule.rhs))
    return least


def distances(grammar: Grammar) -> dict[tuple[int, int], int]:
    """The least length of alpha and omega in ``X =>+ alpha Y omega``."""
    length = shortest(grammar)
    symbols = range(len(grammar.symbols))
    least = dict.fromkeys(product(symbols, symbols), FAR)
    for rule in grammar.rules:
        for at, symbol in enumerate(rule.rhs):
            beside = sum(length[s] for i, s in enumerate(rule.rhs) if i != at)
            least[rule.lhs, symbol] = min(least[rule.lhs, symbol], beside)
    for middle, upper, lower in product(symbols, symbols, symbols):
        way = least[upper, middle] + least[middle, lower]
        least[upper, lower] = min(least[upper, lower], way)
    return least


def steps(grammar: Grammar) -> dict[int, int]:
    """How many steps lead from the start to each symbol."""
    level, found = {grammar.start}, {grammar.start: 0}
    while level := {s for r in grammar.rules if r.lhs in level for s in r.rhs if s not in found}:
        found.update(dict.fromkeys(level, max(found.values()) + 1))
    return found


def height(tree: Tree) -> int:
    return 1 + max(map(height, tree.children), default=0) if tree.rule is not None else 0


def heights(grammar: Grammar) -> list[int]:
    """The height of the shallowest tree of each symbol."""
    least = [0] * grammar.n_terminals + [FAR] * grammar.n_nonterminals
    for _ in grammar.symbols:
        for rule in grammar.rules:
            high = 1 + max((least[s] for s in rule.rhs), default=0)
            least[rule.lhs] = min(least[rule.lhs], high)
    return least


def seeds() -> st.SearchStrategy[Random | None]:
    return st.none() | st.integers(0, 20).map(Random)


class TestShortest:
    @given(small_grammars(), seeds())
    def test_yields(self, grammar: Grammar, random: Random | None) -> None:
        minimal, least = Minimal(grammar, random=random), shortest(grammar)
        for symbol in minimal.symbols:
            assert len(minimal.part(symbol).tokens) == least[symbol]

    @given(small_grammars(), seeds())
    def test_embeddings(self, grammar: Grammar, random: Random | None) -> None:
        minimal, least = Minimal(grammar, random=random), distances(grammar)
        for symbol in minimal.symbols:
            _, before, _, after = minimal.context(symbol)
            expected = 0 if symbol == grammar.start else least[grammar.start, symbol]
            assert len(before) + len(after) == expected

    @given(small_grammars(), seeds())
    def test_derivable_pairs(self, grammar: Grammar, random: Random | None) -> None:
        from gramspect.generation.pairs import derivable_pairs

        minimal, least = Minimal(grammar, random=random), distances(grammar)
        name = {symbol.display: symbol.index for symbol in grammar.symbols}
        length = shortest(grammar)
        for derivation, target in derivable_pairs(minimal):
            if " > " in target:
                upper, lower = (name[text] for text in target.split(" > "))
                outer = 0 if upper == grammar.start else least[grammar.start, upper]
                total = outer + least[upper, lower] + length[lower]
                assert len(derivation.tokens) == total


class TestShallowest:
    @given(small_grammars(), seeds())
    def test_heights(self, grammar: Grammar, random: Random | None) -> None:
        minimal, least = Minimal(grammar, Embedding.SHALLOWEST, random), heights(grammar)
        tree = tree_of(grammar, minimal.part(grammar.start).rules)
        assert height(tree) == least[grammar.start]
        for node in tree.inner():
            assert height(node) == least[node.symbol]

    @given(small_grammars(), seeds())
    def test_embeddings(self, grammar: Grammar, random: Random | None) -> None:
        minimal, least = Minimal(grammar, Embedding.SHALLOWEST, random), steps(grammar)
        for symbol in minimal.symbols:
            assert len(minimal._way_to(symbol)) == least[symbol]


class TestChoices:
    @pytest.mark.parametrize("name", YACC)
    def test_the_same_seed_gives_the_same_suite(self, name: str) -> None:
        grammar = yacc(name)
        for random in (lambda: None, lambda: Random(7)):
            suites = [derivations(Minimal(grammar, random=random()), "cdrc") for _ in range(2)]
            assert suites[0] == suites[1]

    def test_seeds_resolve_equivalent_choices(self) -> None:
        grammar = toy.grammar("s -> x s2 y\ns2 -> t\nt -> a\nt -> b\nt -> c d")
        found = {
            Minimal(grammar, random=Random(seed)).part(grammar.start).tokens for seed in range(20)
        }
        assert {tuple(grammar.symbols[t].name for t in tokens) for tokens in found} == {
            ("x", "a", "y"),
            ("x", "b", "y"),
        }

    def test_a_hundred_variants_differ_in_what_is_equivalent_only(self) -> None:
        grammar = yacc("simpl")
        lengths = sorted(len(d.tokens) for d in derivations(Minimal(grammar), "rule"))
        variants = set()
        for seed in range(100):
            found = derivations(Minimal(grammar, random=Random(seed)), "rule")
            assert sorted(len(d.tokens) for d in found) == lengths
            variants.add(tuple(found))
        assert len(variants) > 90

    def test_without_a_seed_the_first_rule_is_taken(self) -> None:
        grammar = toy.grammar("s -> t u\nt -> b\nt -> a\nu -> d\nu -> c")
        tokens = Minimal(grammar).part(grammar.start).tokens
        assert [grammar.symbols[t].name for t in tokens] == ["b", "d"]


class TestWhatCannotBeUsed:
    def test_an_unproductive_start_symbol(self) -> None:
        with pytest.raises(GrammarError, match=r"start symbol 's' derives no sentence: each of"):
            Minimal(toy.grammar("s -> a s\nt -> b"))

    def test_useless_symbols_are_reported_and_left_out(self) -> None:
        grammar = toy.grammar("s -> a\ns -> b loop\nloop -> c loop\nlost -> d")
        minimal = Minimal(grammar)
        assert [grammar.symbols[s].name for s in minimal.symbols] == ["a", "s"]
        assert minimal.rules == (0,)
        assert {str(each) for each in minimal.skipped} == {
            "'loop' is in no test: it derives no sentence",
            "'lost' is in no test: no sentence contains it",
            "'b' is in no test: no sentence contains it",
            "'c' is in no test: no sentence contains it",
            "'d' is in no test: no sentence contains it",
        }
        for name in ("symbol", "rule", "cdrc", "full-cdrc", "deriv", "pll", "pairs"):
            assert {d.rules for d in derivations(minimal, name)} <= {(0,)}

    def test_a_derivation_that_is_too_large(self) -> None:
        doubled = [f"a{i} -> a{i + 1} a{i + 1}" for i in range(40)]
        huge = toy.grammar("\n".join([*doubled, "a40 -> x"]), start="a0")
        with pytest.raises(GrammarError, match=f"fewer than {LARGEST:,} tokens and rules"):
            Minimal(huge)
        beside = Minimal(toy.grammar("\n".join(["s -> x", "s -> a0", *doubled, "a40 -> x"])))
        assert len(derivations(beside, "rule")) == 1
        assert "'a0' is in no test: it derives nothing with fewer than" in str(beside.skipped[0])

    def test_cycles(self) -> None:
        grammar = toy.grammar("s -> s\ns -> t\nt -> s\nt -> a\nt ->")
        for embedding in Embedding:
            for name in ("rule", "step:3", "deriv", "pairs"):
                for derivation in derivations(Minimal(grammar, embedding), name):
                    assert tree_of(grammar, derivation.rules).words == derivation.tokens

    def test_the_end_of_the_input_is_in_no_test(self) -> None:
        assert END not in Minimal(toy.toy()).symbols
