"""Every criterion against the targets that its definition gives, and the tests against parsers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice, pairwise
from random import Random
from typing import Any

import checker
import pytest
from checker import Targets, Tree, covered
from hypothesis import assume, given
from hypothesis import strategies as st
from judge import Judge
from subjects import FIXTURES, YACC, derivations, small_grammars, words, yacc

import toy
from examples import fewer
from gramspect.errors import GramspectError
from gramspect.generation.criteria import CRITERIA, criterion_named
from gramspect.generation.derivation import nodes
from gramspect.generation.generate import Plan, generate
from gramspect.generation.minimal import Embedding, Minimal
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import LRTrace
from gramspect.suites.suite import Expectation, TestCase

Of = Callable[[Tree], Any]
To = Callable[[Targets], Any]

DEFINITIONS: dict[str, list[tuple[Of, To]]] = {
    "symbol": [(checker.symbols_in, Targets.symbols)],
    "rule": [(lambda t: checker.chains_in(t, 1), lambda g: g.chains(1))],
    "cdrc": [(lambda t, k=k: checker.chains_in(t, k), lambda g, k=k: g.chains(k)) for k in (1, 2)],
    "step:3": [
        (lambda t, k=k: checker.chains_in(t, k), lambda g, k=k: g.chains(k)) for k in (1, 2, 3)
    ],
    "full-cdrc": [(lambda t: checker.cut_trees_in(t, 2), lambda g: g.cut_trees(2))],
    "bfs:1": [(lambda t: checker.cut_trees_in(t, 1), lambda g: g.cut_trees(1))],
    "deriv": [(checker.derivable_in, Targets.derivable), (checker.symbols_in, Targets.symbols)],
    "pll": [(checker.leading_in, Targets.leading)],
    "pairs": [(checker.adjacent_in, Targets.adjacent)],
}
"""For each criterion: what a tree covers, and what there is to be covered."""

EMBEDDINGS = list(Embedding)


def without_precedence(grammar: Grammar) -> Grammar:
    """The same rules; precedences would make a parser reject some of what they derive."""
    rules = tuple(replace(rule, precedence=None) for rule in grammar.rules)
    return replace(grammar, precedence={}, rules=rules)


def subject(name: str) -> Grammar:
    return toy.toy() if name == "faulty" else yacc(name)


class TestCoverage:
    @pytest.mark.parametrize("embedding", EMBEDDINGS)
    @pytest.mark.parametrize("criterion", DEFINITIONS)
    @pytest.mark.parametrize("name", ["faulty", *YACC])
    def test_of_languages(self, name: str, criterion: str, embedding: Embedding) -> None:
        grammar = subject(name)
        rules = [d.rules for d in derivations(Minimal(grammar, embedding), criterion)]
        for of, to in DEFINITIONS[criterion]:
            assert covered(grammar, rules, of) >= to(Targets(grammar))

    @fewer(0.6)
    @given(small_grammars(), st.sampled_from(sorted(DEFINITIONS)), st.sampled_from(EMBEDDINGS))
    def test_of_small_grammars(
        self, grammar: Grammar, criterion: str, embedding: Embedding
    ) -> None:
        minimal = Minimal(grammar, embedding)
        assume(criterion != "full-cdrc" or len(Targets(grammar).cut_trees(2)) <= 2000)
        rules = [d.rules for d in derivations(minimal, criterion)]
        for of, to in DEFINITIONS[criterion]:
            assert covered(grammar, rules, of) >= to(Targets(grammar))

    def test_three_levels_of_trees(self) -> None:
        grammar = toy.grammar("s -> a t t\nt -> b\nt -> c u\nu -> d\nu ->\nu -> s")
        rules = [d.rules for d in derivations(Minimal(grammar), "bfs:3")]
        found = covered(grammar, rules, lambda t: checker.cut_trees_in(t, 3))
        assert found >= Targets(grammar).cut_trees(3)

    def test_trees_too_many_to_hold_are_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        minimal = Minimal(yacc("calc"))
        held = derivations(minimal, "full-cdrc")
        monkeypatch.setattr("gramspect.generation.criteria._KEPT", 1)
        assert derivations(minimal, "full-cdrc") == held

    @pytest.mark.parametrize("name", YACC)
    def test_what_merging_leaves_out_has_the_words_of_what_is_kept(self, name: str) -> None:
        grammar = yacc(name)
        for criterion in ("cdrc", "deriv", "pairs"):
            kept = [t.tokens for t in generate(grammar, Plan((criterion,)))]
            assert len(set(kept)) == len(kept)
            assert set(kept) == {d.tokens for d in derivations(Minimal(grammar), criterion)}

    @given(small_grammars())
    def test_stronger_criteria_cover_what_weaker_ones_do(self, grammar: Grammar) -> None:
        targets = Targets(grammar)
        weaker = {
            "rule": [(checker.symbols_in, targets.symbols())],
            "cdrc": [(lambda t: checker.chains_in(t, 1), targets.chains(1))],
            "step:2": [(lambda t: checker.chains_in(t, 2), targets.chains(2))],
            "step:3": [
                (lambda t: checker.chains_in(t, 1), targets.chains(1)),
                (lambda t: checker.chains_in(t, 2), targets.chains(2)),
            ],
            "deriv": [(checker.symbols_in, targets.symbols())],
        }
        if len(targets.cut_trees(2)) < 1000:
            weaker["full-cdrc"] = weaker["step:2"]
        minimal = Minimal(grammar)
        for criterion, expected in weaker.items():
            rules = [d.rules for d in derivations(minimal, criterion)]
            for of, wanted in expected:
                assert covered(grammar, rules, of) >= wanted, criterion

    @pytest.mark.parametrize("name", YACC)
    def test_names_for_the_same_criterion(self, name: str) -> None:
        minimal = Minimal(yacc(name))
        for one, other in (("cdrc", "step:2"), ("full-cdrc", "bfs:2"), ("rule", "bfs:1")):
            assert set(derivations(minimal, one)) == set(derivations(minimal, other))
        assert derivations(minimal, "rule") != derivations(minimal, "cdrc")

    @pytest.mark.parametrize("embedding", Embedding)
    def test_leading_tokens_are_reached_in_the_fewest_steps(self, embedding: Embedding) -> None:
        """A rule that begins with the token counts before two rules with fewer tokens."""
        grammar = Grammar.from_rules([
            ("S", ["x", "A"]), ("S", ["y"]), ("A", ["B"]), ("A", ["a", "b", "c"]), ("B", ["a"]),
        ])  # fmt: skip
        found = {
            target: words(grammar, derivation.tokens)
            for derivation, target in criterion_named("pll")(Minimal(grammar, embedding))
        }
        assert found["A ^ a"] == "x a b c"
        assert found["B ^ a"] == "x a"
        assert found["S ^ y"] == "y"


class TestSentences:
    @pytest.mark.parametrize("criterion", [*CRITERIA, "step:3"])
    @pytest.mark.parametrize("name", YACC)
    def test_every_positive_test_parses(self, name: str, criterion: str) -> None:
        grammar = without_precedence(yacc(name))
        recognizers = [adapter(each).build(grammar) for each in ("native", "ply")]
        judge = Judge(grammar)
        for test in islice(generate(grammar, Plan((criterion,))), 700):
            assert test.expectation is Expectation.ACCEPT
            assert checker.tree_of(grammar, test.derivation.rules).words == test.tokens
            assert judge(test.tokens)[1]
            names = tuple(grammar.symbols[t].name for t in test.tokens)
            case = TestCase("test", Expectation.ACCEPT, " ".join(names), names)
            for recognizer in recognizers:
                trace = recognizer.trace(case)
                assert isinstance(trace, LRTrace)
                assert trace.error is None, names

    @given(small_grammars(), st.sampled_from([*CRITERIA, "step:3"]), st.integers(0, 9))
    def test_of_small_grammars(self, grammar: Grammar, criterion: str, seed: int) -> None:
        judge = Judge(grammar, 2000)
        minimal = Minimal(grammar, random=Random(seed))
        for derivation, _ in islice(criterion_named(criterion)(minimal), 200):
            assert checker.tree_of(grammar, derivation.rules).words == derivation.tokens
            assert judge(derivation.tokens)[1]

    def test_the_rule_suite_of_the_toy_is_that_of_the_paper(self) -> None:
        grammar = yacc("toy")
        found = {words(grammar, test.tokens) for test in generate(grammar)}
        assert found == set((FIXTURES / "toy" / "accept.txt").read_text().splitlines())

    @given(small_grammars())
    def test_nodes_span_what_their_symbols_derive(self, grammar: Grammar) -> None:
        for derivation in derivations(Minimal(grammar), "cdrc")[:50]:
            tree = checker.tree_of(grammar, derivation.rules)
            spans = {
                node.index: (node.rule, *map(len, _pieces(node.bounds, derivation.tokens)))
                for node in nodes(grammar, derivation.rules)
            }
            for index, inner in enumerate(_preorder(tree)):
                lengths = [len(child.words) for child in inner.children]
                assert spans[index] == (inner.rule, *lengths)


def _pieces(bounds: tuple[int, ...], tokens: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [tokens[a:b] for a, b in pairwise(bounds)]


def _preorder(tree: Tree) -> list[Tree]:
    if tree.rule is None:
        return []
    return [tree, *(node for child in tree.children for node in _preorder(child))]


class TestNodes:
    @pytest.mark.parametrize("rules", [[], [0], [1], [0, 2], [0, 2, 2, 2], [0, 0]])
    def test_what_is_no_left_parse_is_refused(self, rules: list[int]) -> None:
        grammar = toy.grammar("s -> t t\ns -> t\nt -> a")
        with pytest.raises(ValueError, match=r"derivation|fit"):
            list(nodes(grammar, rules))


class TestNames:
    def test_an_unknown_criterion(self) -> None:
        with pytest.raises(GramspectError, match="no criterion 'rules'; did you mean 'rule'"):
            criterion_named("rules")

    @pytest.mark.parametrize("name", ["step", "step:", "step:0", "bfs:x", "step:101", "bfs:-1"])
    def test_a_parameter_is_missing_or_wrong(self, name: str) -> None:
        with pytest.raises(GramspectError, match="needs a number from 1 to 100, such as"):
            criterion_named(name)
