"""Synthetic spectra: against those of a parser, against the definitions, and at work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import toy
from gramspect.generation.derivation import Node, nodes
from gramspect.generation.generate import Plan, generate
from gramspect.generation.generated import GeneratedTest, RuleMutation, TokenMutation
from gramspect.generation.synthetic import (
    Outcome,
    synthetic_matrices,
    synthetic_matrix,
    synthetic_observation,
)
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import Verdict
from gramspect.scoring.metrics import metric
from gramspect.scoring.ranking import Ties, rank_spectra
from gramspect.spectrum.extraction import observe
from gramspect.spectrum.matrix import SpectrumKind, matrices_of
from gramspect.suites.suite import Expectation, TestCase
from gramspect.yacc import read_yacc

FIXTURES = Path(__file__).parents[2] / "fixtures"
SIMPL = FIXTURES / "simpl" / "simpl.y"
TOY = FIXTURES / "toy" / "toy.y"
FAULTY = FIXTURES / "toy" / "toy-faulty.y"


def judged(model: Grammar, language: Grammar, plan: Plan) -> Iterator[Outcome]:
    """The tests of a model's suite, judged by a parser for the true language."""
    for test in generate(model, plan):
        words = [model.symbols[token].name for token in test.tokens]
        numbers = [language.token(word) for word in words]
        chart = parse_chart(language, [-1 if n is None else n for n in numbers])
        if chart.accepted:
            yield Outcome(test, Verdict.ACCEPTED)
        else:
            yield Outcome(test, Verdict.REJECTED, chart.end)


def rank_of(
    model: Grammar, outcomes: list[Outcome], label: str, kind: SpectrumKind, positions: bool
) -> float:
    """The best rank of a rule, or of its items, by Ochiai."""
    matrix = synthetic_matrix(kind, model, outcomes, positions=positions)
    assert matrix.n_failing
    assert matrix.n_passing
    ranking = rank_spectra(matrix, model, metric("ochiai"), Ties.KMAX)
    names = [
        model.rules[e].label
        if kind is SpectrumKind.RULE
        else model.item_label(e).rpartition(":")[0]
        for e in ranking.elements.tolist()
    ]
    return float(ranking.ranks[names.index(label)])


class TestAcceptedSentences:
    @pytest.mark.parametrize("criterion", ["rule", "cdrc", "pairs"])
    def test_are_those_of_a_parser(self, criterion: str) -> None:
        grammar = read_yacc(SIMPL)
        parser = adapter("native").build(grammar)
        for test in generate(grammar, Plan((criterion,))):
            names = tuple(grammar.symbols[token].name for token in test.tokens)
            case = TestCase("test", Expectation.ACCEPT, " ".join(names), names)
            parsed = observe(parser.trace(case))
            made = synthetic_observation(grammar, Outcome(test, Verdict.ACCEPTED))
            assert (made.verdict, made.rules, made.items) == (
                parsed.verdict, parsed.rules, parsed.items,
            )  # fmt: skip
            assert made.shift_items == made.items


class TestRejectedSentences:
    def test_without_a_position_all_counts(self) -> None:
        grammar = read_yacc(SIMPL)
        for test in generate(grammar, Plan(("cdrc",))):
            accepted = synthetic_observation(grammar, Outcome(test, Verdict.ACCEPTED))
            for rejected in (
                synthetic_observation(grammar, Outcome(test, Verdict.REJECTED)),
                synthetic_observation(grammar, Outcome(test, Verdict.REJECTED, 1), positions=False),
            ):
                assert (rejected.rules, rejected.items) == (accepted.rules, accepted.items)
                assert rejected.verdict is Verdict.REJECTED
                assert rejected.active == {}

    def test_with_a_position_what_lies_before_it_counts(self) -> None:
        grammar = read_yacc(SIMPL)
        for test in list(generate(grammar, Plan(("cdrc",))))[::3]:
            tree = list(nodes(grammar, test.derivation.rules))
            for error in range(len(test.tokens) + 1):
                seen = synthetic_observation(grammar, Outcome(test, Verdict.REJECTED, error))
                assert seen.error is not None
                assert seen.error.token == error
                assert seen.items == {
                    grammar.item(node.rule, dot)
                    for node in tree
                    for dot in range(len(node.rhs) + 1)
                    if node.bounds[dot] <= error
                }
                assert seen.rules == {grammar.split_item(item)[0] for item in seen.items}
                assert seen.active.keys() | seen.predicted.keys() <= seen.items

    def test_what_counts_is_in_the_chart_of_the_prefix(self) -> None:
        """Every such item is partially applied, or predicted, somewhere in the viable prefix."""
        grammar = read_yacc(SIMPL)
        for test in list(generate(grammar, Plan(("cdrc",))))[::5]:
            for error in range(0, len(test.tokens) + 1, 3):
                seen = synthetic_observation(grammar, Outcome(test, Verdict.REJECTED, error))
                assert seen.items <= set(parse_chart(grammar, test.tokens[:error]).items())

    def test_the_way_to_the_error(self) -> None:
        """``program id = { while id do sleep ; } .``, rejected at each token."""
        grammar = read_yacc(TOY)
        test = next(t for t in generate(grammar) if t.target == "stmt:4")

        def way(error: int) -> tuple[dict[str, int], dict[str, int]]:
            seen = synthetic_observation(grammar, Outcome(test, Verdict.REJECTED, error))
            label = grammar.item_label
            return (
                {label(item): depth for item, depth in seen.active.items()},
                {label(item): distance for item, distance in seen.predicted.items()},
            )

        assert way(0) == ({}, {"prog:1:0": 1})
        assert way(3) == ({"prog:1:3": 0}, {"block:3:0": 1})
        outer = {"prog:1:3": 3, "block:3:1": 2, "stmts:2:0": 1}
        assert way(4) == (
            {"prog:1:3": 1, "block:3:1": 0},
            {"stmts:2:0": 1, "stmt:4:0": 2},
        )
        assert way(7) == ({**outer, "stmt:4:3": 0}, {"stmt:1:0": 1})
        assert way(8) == ({"prog:1:3": 2, "block:3:1": 1, "stmts:2:1": 0}, {})
        assert way(11) == ({"prog:1:5": 0}, {})


@cache
def generated(criteria: tuple[str, ...], per_sentence: int) -> tuple[Grammar, list[GeneratedTest]]:
    """The toy grammar and tests of these criteria, with mutations of rules and sentences."""
    grammar = read_yacc(TOY)
    plan = Plan(criteria, negative=("rules", "tokens"), per_sentence=per_sentence)
    return grammar, list(generate(grammar, plan))


class TestNegativeTests:
    @pytest.fixture
    def tests(self) -> tuple[Grammar, list[GeneratedTest]]:
        return generated((), 20)

    def test_rules_are_those_of_the_definition(
        self, tests: tuple[Grammar, list[GeneratedTest]]
    ) -> None:
        """rules(Delta), rules(Delta') and the rule that was mutated."""
        grammar, found = tests
        for test in found:
            if isinstance(test.mutation, RuleMutation):
                for verdict in (Verdict.ACCEPTED, Verdict.REJECTED):
                    seen = synthetic_observation(grammar, Outcome(test, verdict), positions=False)
                    assert seen.rules == set(test.derivation.rules)
                    assert grammar.split_item(test.mutation.item)[0] in seen.rules

    def test_items_of_the_mutated_rule_end_at_the_mutation(
        self, tests: tuple[Grammar, list[GeneratedTest]]
    ) -> None:
        grammar, found = tests
        once = [
            test
            for test in found
            if isinstance(test.mutation, RuleMutation)
            and test.derivation.rules.count(grammar.split_item(test.mutation.item)[0]) == 1
        ]
        assert once
        for test in once:
            assert isinstance(test.mutation, RuleMutation)
            rule, dot = grammar.split_item(test.mutation.item)
            for positions in (True, False):
                seen = synthetic_observation(
                    grammar, Outcome(test, Verdict.ACCEPTED), positions=positions
                )
                assert {
                    grammar.split_item(item)[1]
                    for item in seen.items
                    if grammar.split_item(item)[0] == rule
                } == set(range(dot + 1))

    def test_what_is_after_the_grammars_own_error_does_not_count(
        self, tests: tuple[Grammar, list[GeneratedTest]]
    ) -> None:
        grammar, found = tests
        for test in found:
            assert test.mutation is not None
            seen = synthetic_observation(grammar, Outcome(test, Verdict.ACCEPTED))
            everything = synthetic_observation(
                grammar, Outcome(test, Verdict.ACCEPTED), positions=False
            )
            assert seen.items <= everything.items
            mutation = test.mutation
            instead = None
            if isinstance(mutation, RuleMutation):
                instead = mutation.node, mutation.rhs(grammar)
            end = mutation.error
            if isinstance(mutation, TokenMutation):
                end = min(end, mutation.position)
            tree: list[Node] = list(nodes(grammar, test.derivation.rules, instead))
            assert seen.rules == {node.rule for node in tree if node.bounds[0] <= end}

    def test_an_undecided_test_executes_nothing(
        self, tests: tuple[Grammar, list[GeneratedTest]]
    ) -> None:
        grammar, found = tests
        outcome = Outcome(found[0], Verdict.UNDECIDED, message="time limit")
        seen = synthetic_observation(grammar, outcome)
        assert (seen.verdict, seen.rules, seen.reason) == (
            Verdict.UNDECIDED,
            frozenset(),
            "time limit",
        )


class TestMatrices:
    @given(st.data())
    def test_are_the_observations_put_together(self, data: st.DataObject) -> None:
        """Whole derivations, shared ones and mutated ones, whatever the system says."""
        grammar, tests = generated(("cdrc",), 8)
        start = data.draw(st.integers(0, len(tests) - 1))
        outcomes = [
            Outcome(test, verdict, data.draw(st.none() | st.integers(0, len(test.tokens))))
            for test in tests[start : start + 100]
            for verdict in [data.draw(st.sampled_from(Verdict))]
        ]
        expectations = [outcome.test.expectation for outcome in outcomes]
        for positions in (True, False):
            seen = [synthetic_observation(grammar, o, positions=positions) for o in outcomes]
            found = synthetic_matrices(SpectrumKind, grammar, outcomes, positions=positions)
            expected = matrices_of(SpectrumKind, grammar, seen, expectations)
            for kind in SpectrumKind:
                assert np.array_equal(found[kind].bits, expected[kind].bits)
                assert np.array_equal(found[kind].verdicts, expected[kind].verdicts)
                assert np.array_equal(found[kind].expectations, expected[kind].expectations)


class TestLocalization:
    """The faulty toy grammar as a model of a system that takes the correct language."""

    @pytest.mark.parametrize("positions", [True, False])
    @pytest.mark.parametrize("kind", [SpectrumKind.RULE, SpectrumKind.ITEM])
    def test_what_the_model_wrongly_forbids(self, kind: SpectrumKind, positions: bool) -> None:
        """`stmt:3` wants a block where any statement will do.

        (That an else may be missing is two symbols away from `stmt:2`: no mutation shows it.)
        """
        model, language = read_yacc(FAULTY), read_yacc(TOY)
        plan = Plan(("cdrc",), negative=("rules",))
        outcomes = list(judged(model, language, plan))
        assert rank_of(model, outcomes, "stmt:3", kind, positions) <= 3

    @pytest.mark.parametrize("kind", [SpectrumKind.RULE, SpectrumKind.ITEM])
    def test_what_the_model_wrongly_allows(self, kind: SpectrumKind) -> None:
        """A statement may end in a number in the model."""
        language = read_yacc(TOY)
        rule = next(r for r in language.rules if r.label == "stmt:1")
        number = language.symbol("num")
        wrong = replace(rule, rhs=(*rule.rhs, number), rhs_spans=(None, None))
        model = language.with_rules(wrong if r is rule else r for r in language.rules)
        for positions in (True, False):
            outcomes = list(judged(model, language, Plan(("cdrc",))))
            assert rank_of(model, outcomes, "stmt:1", kind, positions) == 1

    def test_positions_tell_where_in_the_rule(self) -> None:
        """With positions the best item is where the model and the system part."""
        language = read_yacc(TOY)
        rule = next(r for r in language.rules if r.label == "decl:1")  # var id : type
        wrong = replace(rule, rhs=(rule.rhs[0], *rule.rhs[2:]), rhs_spans=(None, None, None))
        model = language.with_rules(wrong if r is rule else r for r in language.rules)
        outcomes = list(judged(model, language, Plan(("cdrc",))))
        best = {}
        for positions in (True, False):
            matrix = synthetic_matrix(SpectrumKind.ITEM, model, outcomes, positions=positions)
            ranking = rank_spectra(matrix, model, metric("ochiai"), Ties.KMAX)
            best[positions] = model.item_label(int(ranking.elements[0]))
        assert best[True] == "decl:1:1"
        assert best[False] != "decl:1:1"

    def test_a_matrix_of_nothing(self) -> None:
        matrix = synthetic_matrix(SpectrumKind.ITEM, toy.toy(), [])
        assert matrix.n_tests == 0
        assert not np.any(matrix.bits)
