"""Negative tests: none is a sentence, and the error is where it is said to be at the latest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge import Judge
from subjects import MODULES, YACC, small_grammars, words, yacc

import toy
from gramspect.generation.adjacency import Adjacency
from gramspect.generation.derivation import nodes
from gramspect.generation.generate import Plan, generate
from gramspect.generation.generated import GeneratedTest, RuleMutation, TokenMutation
from gramspect.generation.minimal import Embedding, Minimal
from gramspect.generation.rule_mutation import RULE_OPERATORS, RuleMutator
from gramspect.generation.token_mutation import TOKEN_OPERATORS, TokenMutator
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.seeding import Mutation
from gramspect.grammars.symbols import END
from gramspect.suites.suite import Expectation


def languages() -> dict[str, Grammar]:
    return {**{name: yacc(name) for name in YACC}, "modules": toy.grammar(MODULES)}


def check(grammar: Grammar, tests: Iterable[GeneratedTest]) -> Counter[Mutation]:
    """Judge all tests; how many there are of each operator."""
    judge = Judge(grammar, 2000)
    counts: Counter[Mutation] = Counter()
    for test in tests:
        viable, accepted = judge(test.tokens)
        shown = words(grammar, test.tokens), test.mutation
        assert test.expectation is Expectation.REJECT
        assert test.mutation is not None
        assert not accepted, shown
        assert viable <= test.mutation.error <= len(test.tokens), shown
        counts[test.mutation.operator] += 1
    return counts


class TestAllAreRejected:
    @pytest.mark.parametrize("name", languages())
    def test_token_mutations(self, name: str) -> None:
        """Ten thousand and more for each language."""
        grammar = languages()[name]
        plan = Plan((), negative=("tokens",), base=("cdrc",), limit=30_000)
        counts = check(grammar, generate(grammar, plan))
        assert counts.total() > 10_000
        assert set(counts) == set(TOKEN_OPERATORS)

    @pytest.mark.parametrize("embedding", list(Embedding))
    @pytest.mark.parametrize("name", languages())
    def test_rule_mutations(self, name: str, embedding: Embedding) -> None:
        grammar = languages()[name]
        plan = Plan((), negative=("rules",), embedding=embedding, limit=30_000)
        counts = check(grammar, generate(grammar, plan))
        assert set(counts) == set(RULE_OPERATORS)
        assert counts.total() > 500

    @given(small_grammars(), st.integers(0, 99))
    def test_of_small_grammars(self, grammar: Grammar, seed: int) -> None:
        plan = Plan(
            (), negative=("rules", "tokens"), base=("cdrc",), per_sentence=20, limit=300, seed=seed
        )
        check(grammar, generate(grammar, plan))


class TestAdjacency:
    @given(small_grammars())
    def test_a_pair_is_poisoned_unless_a_sentence_has_it(self, grammar: Grammar) -> None:
        """`pairs` coverage has a sentence for each pair of symbols that can be adjacent."""
        seen = set()
        for test in generate(grammar, Plan(("pairs", "pll", "deriv", "step:3"))):
            framed = (END, *test.tokens, END)
            seen |= set(pairwise(framed))
        adjacency = Adjacency(grammar)
        for left, right in seen:
            assert not adjacency.poisoned(left, right)
            assert adjacency.before[right] >> left & 1
        terminals = range(1, grammar.n_terminals)
        for left, right in product(terminals, terminals):
            assert adjacency.poisoned(left, right) == ((left, right) not in seen)

    def test_both_ends(self) -> None:
        grammar = toy.grammar("s -> a t\nt -> b\nt ->")
        a, b = grammar.symbol("a"), grammar.symbol("b")
        adjacency = Adjacency(grammar)
        pairs = {p for p in product((END, a, b), repeat=2) if not adjacency.poisoned(*p)}
        assert pairs == {(END, a), (a, b), (a, END), (b, END)}

    def test_an_empty_sentence(self) -> None:
        grammar = toy.grammar("s -> a s\ns ->")
        assert not Adjacency(grammar).poisoned(END, END)

    def test_silent_terminals(self) -> None:
        """Nothing is poisoned in a text that is a sentence with the ends of the input put in."""
        grammar = toy.grammar("s -> x\ns -> x y EOF\ns -> ( x EOF )")
        x, y, end = (grammar.symbol(name) for name in ("x", "y", "EOF"))
        adjacency = Adjacency(grammar, [end])
        assert not adjacency.poisoned(y, END)
        assert Adjacency(grammar).poisoned(y, END)
        assert adjacency.poisoned(y, x)
        lhs = grammar.symbol("s")
        assert adjacency.left(lhs, (x, end)) == 1 << x
        assert adjacency.right(lhs, (end, y)) == 1 << y

    def test_useless_rules_have_no_say(self) -> None:
        grammar = toy.grammar("s -> a\ns -> a b loop\nloop -> loop c\nlost -> b a")
        pair = grammar.symbol("a"), grammar.symbol("b")
        assert Adjacency(grammar).poisoned(*pair)
        assert Adjacency(grammar).poisoned(*pair[::-1])


SENTENCE = "module [ num ] id = begin id = id ; end ."


class TestMutationsOfTheSlides:
    """``module[2] x = begin y = z; end.``, "Fu(t|z)zing with grammars"."""

    @pytest.fixture
    def mutants(self) -> list[tuple[str, TokenMutation]]:
        grammar = toy.grammar(MODULES)
        tokens = tuple(grammar.symbol(word) for word in SENTENCE.split())
        base = next(
            test
            for test in generate(grammar, Plan(("cdrc",)))
            if words(grammar, test.tokens) == "module [ num ] id = begin id = id ; end ."
        )
        assert base.tokens == tokens
        found = []
        for test in TokenMutator(grammar).mutants(base):
            assert isinstance(test.mutation, TokenMutation)
            found.append((words(grammar, test.tokens), test.mutation))
        return found

    def of(self, mutants: list[tuple[str, TokenMutation]], operator: Mutation) -> set[str]:
        return {text for text, mutation in mutants if mutation.operator is operator}

    def test_deletions(self, mutants: list[tuple[str, TokenMutation]]) -> None:
        found = self.of(mutants, Mutation.DELETION)
        assert {
            "[ num ] id = begin id = id ; end .",
            "module num ] id = begin id = id ; end .",
            "module [ ] id = begin id = id ; end .",
            "module [ num id = begin id = id ; end .",
            "module [ num ] = begin id = id ; end .",
        } <= found

    def test_substitutions_of_the_equals_sign(
        self, mutants: list[tuple[str, TokenMutation]]
    ) -> None:
        """No replacement by then, else, do, + and =: they make no poisoned pair."""
        begin, end = "module [ num ] id = begin id", "id ; end ."
        found = {
            text.removeprefix(begin).removesuffix(end).strip()
            for text in self.of(mutants, Mutation.SUBSTITUTION)
            if text.startswith(f"{begin} ") and text.endswith(f" {end}") and len(text.split()) == 13
        }
        on_the_slide = "module [ ] begin end var : bool int if while ( ) id num".split()
        assert found >= set(on_the_slide)
        assert found.isdisjoint({"then", "else", "do", "+", "="})
        assert found - set(on_the_slide) == {"."}

    def test_insertions_before_the_equals_sign(
        self, mutants: list[tuple[str, TokenMutation]]
    ) -> None:
        """With = after them, then, else, do, + and = do make poisoned pairs."""
        found = self.of(mutants, Mutation.INSERTION)
        for word in "module num then else do + =".split():
            assert f"module [ num ] id = begin id {word} = id ; end ." in found

    def test_what_each_says_of_itself(self, mutants: list[tuple[str, TokenMutation]]) -> None:
        grammar = toy.grammar(MODULES)
        tokens = tuple(grammar.symbol(word) for word in SENTENCE.split())
        said = {mutation.describe(grammar, tokens) for _, mutation in mutants}
        assert {
            "deleted token 1, 'module'",
            "inserted 'then' before token 9",
            "inserted '.' before the end",
            "replaced token 9, '=', by 'num'",
            "swapped tokens 1 and 2",
        } <= said


class TestTokenMutator:
    @given(small_grammars())
    def test_all_mutants_with_a_poisoned_pair_are_made(self, grammar: Grammar) -> None:
        adjacency = Adjacency(grammar)
        mutator = TokenMutator(grammar)
        for base in list(generate(grammar, Plan(("cdrc",))))[:20]:
            made = {
                (test.mutation.operator, test.tokens, test.mutation.error)
                for test in mutator.mutants(base)
                if test.mutation is not None
            }
            assert made == {
                (operator, tokens, error)
                for operator, tokens in _edited(base.tokens, grammar.n_terminals)
                if (error := _first_poisoned(adjacency, tokens)) is not None
            }

    def test_some_of_them(self) -> None:
        grammar = yacc("toy")
        base = next(generate(grammar))
        mutator = TokenMutator(grammar)
        every = list(mutator.mutants(base))
        some = list(mutator.mutants(base, 10, Random(3)))
        assert len(some) == 10
        assert some == [test for test in every if test in some]
        assert list(mutator.mutants(base, 10, Random(3))) == some
        assert list(mutator.mutants(base, 10**6, Random(3))) == every

    def test_only_chosen_operators_and_tokens(self) -> None:
        grammar = yacc("toy")
        base = next(generate(grammar))
        semicolon = grammar.symbol("';'")
        others = set(range(grammar.n_terminals)) - {semicolon}
        mutator = TokenMutator(grammar, without=others, operators=[Mutation.INSERTION])
        tests = list(mutator.mutants(base))
        assert tests
        for test in tests:
            assert test.tokens.count(semicolon) == base.tokens.count(semicolon) + 1


def _edited(tokens: tuple[int, ...], n_terminals: int) -> set[tuple[Mutation, tuple[int, ...]]]:
    """All single edits of a sentence that change it."""
    found = set()
    for at in range(len(tokens) + 1):
        before, after = tokens[:at], tokens[at:]
        if after:
            found.add((Mutation.DELETION, before + after[1:]))
        if len(after) > 1 and after[0] != after[1]:
            swapped = (*before, after[1], after[0], *after[2:])
            found.add((Mutation.TRANSPOSITION, swapped))
        for token in range(1, n_terminals):
            found.add((Mutation.INSERTION, (*before, token, *after)))
            if after and token != after[0]:
                found.add((Mutation.SUBSTITUTION, (*before, token, *after[1:])))
    return found


def _first_poisoned(adjacency: Adjacency, tokens: tuple[int, ...]) -> int | None:
    framed = (END, *tokens, END)
    pairs = pairwise(framed)
    return next((at for at, pair in enumerate(pairs) if adjacency.poisoned(*pair)), None)


class TestRuleMutator:
    def test_of_a_small_grammar(self) -> None:
        grammar = toy.grammar("s -> a t c\nt -> b")
        tests = list(RuleMutator(Minimal(grammar)).mutants())
        said = {
            test.mutation.describe(grammar): (words(grammar, test.tokens), test.mutation.error)
            for test in tests
            if test.mutation is not None and isinstance(test.mutation, RuleMutation)
        }
        assert said["s:1: deleted 'a' at position 0"] == ("b c", 0)
        assert said["s:1: deleted 't' at position 1"] == ("a c", 1)
        assert said["s:1: deleted 'c' at position 2"] == ("a b", 2)
        assert said["t:1: replaced 'b' by 'c' at position 0"] == ("a c c", 1)
        assert said["t:1: inserted 's' at position 1"] == ("a b a b c c", 2)
        assert said["s:1: inserted 't' at position 3"] == ("a b c b", 3)

    @given(small_grammars())
    def test_the_condition_is_that_of_all_pairs(self, grammar: Grammar) -> None:
        """A mutation is made exactly if every pair at one new boundary is poisoned."""
        minimal = Minimal(grammar)
        made = {
            (test.mutation.item, test.mutation.operator, test.mutation.symbol)
            for test in RuleMutator(minimal).mutants()
            if isinstance(test.mutation, RuleMutation)
        }
        adjacency = Adjacency(grammar)

        def apart(lhs: int, left: tuple[int, ...], right: tuple[int, ...]) -> bool:
            sides = adjacency.left(lhs, left), adjacency.right(lhs, right)
            lefts, rights = ([t for t in range(grammar.n_terminals) if b >> t & 1] for b in sides)
            return all(adjacency.poisoned(a, b) for a, b in product(lefts, rights))

        expected = set()
        for rule in grammar.rules:
            for dot in range(len(rule.rhs) + 1):
                alpha, beta = rule.rhs[:dot], rule.rhs[dot:]
                item = grammar.item(rule.index, dot)
                if beta and apart(rule.lhs, alpha, beta[1:]):
                    expected.add((item, Mutation.DELETION, None))
                for x in minimal.symbols:
                    for operator, rest in (
                        (Mutation.INSERTION, beta),
                        *(((Mutation.SUBSTITUTION, beta[1:]),) if beta else ()),
                    ):
                        if apart(rule.lhs, alpha, (x, *rest)) or apart(rule.lhs, (*alpha, x), rest):
                            expected.add((item, operator, x))
        assert made == expected

    @pytest.mark.parametrize("name", YACC)
    def test_the_derivation_is_that_of_the_mutated_rule(self, name: str) -> None:
        grammar = yacc(name)
        for test in list(RuleMutator(Minimal(grammar)).mutants())[::17]:
            assert isinstance(test.mutation, RuleMutation)
            instead = test.mutation.node, test.mutation.rhs(grammar)
            tree = {n.index: n for n in nodes(grammar, test.derivation.rules, instead)}
            mutated = tree[test.mutation.node]
            rule, dot = grammar.split_item(test.mutation.item)
            assert mutated.rule == rule
            assert tree[0].bounds[-1] == len(test.tokens)
            assert test.mutation.error in mutated.bounds[dot : dot + 2]


def test_the_operators() -> None:
    assert set(RULE_OPERATORS) < set(TOKEN_OPERATORS) < set(Mutation)
