"""Core grammars as ANTLR parsers, compared with the chart."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramspect.builtin.chart import ChartRecognizer
from gramspect.errors import AdapterError
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.seeding import mutants
from gramspect.recognition.trace import ErrorKind, Extraction, Verdict
from gramspect.spectrum.extraction import observe
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import Expectation, TestCase, TestSuite
from gramspect.yacc import read_yacc
from gramspect_antlr import adapter

TOY = Path(__file__).parents[3] / "fixtures" / "toy"
EXPECTED = json.loads((TOY / "expected.json").read_text())


def case(*tokens: str) -> TestCase:
    return TestCase("test", Expectation.ACCEPT, " ".join(tokens), tokens=tokens)


@pytest.mark.parametrize("kind", [SpectrumKind.RULE, SpectrumKind.ITEM])
def test_the_worked_example(kind: SpectrumKind) -> None:
    system = adapter.build(read_yacc(TOY / "toy-faulty.y"))
    suite = TestSuite.load(accept=[TOY / "accept.txt"], lines=True)
    observations = [observe(trace) for trace in system.traces(suite.tests)]
    grammar = system.grammar
    n_elements = kind.n_elements(grammar)
    expectations = [test.expectation for test in suite]
    counts = SpectrumMatrix.from_observations(kind, n_elements, observations, expectations).counts()
    for element in range(n_elements):
        is_rule = kind is SpectrumKind.RULE
        label = grammar.rules[element].label if is_rule else grammar.item_label(element)
        row = EXPECTED[kind.value][label]
        found = (counts.ef[element], counts.ep[element], counts.nf[element], counts.np_[element])
        assert found == (row["ef"], row["ep"], row["nf"], row["np"])


LISTS = Grammar.from_rules(
    [
        ("s", ["items", "tail"]),
        ("items", []),
        ("items", ["items", "item"]),
        ("item", ["a"]),
        ("item", ["(", "items", ")"]),
        ("tail", []),
        ("tail", ["b", "tail"]),
    ]
)


@given(st.lists(st.sampled_from(["a", "b", "(", ")", "strange"]), max_size=12))
def test_unambiguous_grammars_give_what_the_chart_gives(tokens: list[str]) -> None:
    for extraction in (Extraction.EXACT, Extraction.ALL):
        found = observe(BUILT.trace(case(*tokens)), extraction)
        expected = observe(ChartRecognizer(LISTS).trace(case(*tokens)), extraction)
        assert (found.verdict, found.error) == (expected.verdict, expected.error)
        assert (found.rules, found.items) == (expected.rules, expected.items)
        assert found.active == expected.active
        assert found.shift_items <= expected.shift_items


BUILT = adapter.build(LISTS)


def test_mutants_agree_with_the_chart_on_verdict_and_position() -> None:
    """Where ANTLR can build a mutant; some have indirect left recursion."""
    source = random.Random(5)
    built = 0
    for mutant in source.sample(list(mutants(LISTS)), 60):
        try:
            system = adapter.build(mutant.grammar)
        except AdapterError:
            continue
        built += 1
        tests = [case(*source.choices(["a", "b", "(", ")"], k=n)) for n in range(6)]
        chart = ChartRecognizer(mutant.grammar)
        for test, trace in zip(tests, system.traces(tests), strict=True):
            found, expected = observe(trace), observe(chart.trace(test))
            assert found.verdict is expected.verdict
            assert (found.error and found.error.token) == (expected.error and expected.error.token)
    assert built > 30


def test_unknown_words_are_lexical_errors() -> None:
    observation = observe(BUILT.trace(case("a", "zzz")))
    assert observation.verdict is Verdict.REJECTED
    assert observation.error is not None
    assert (observation.error.kind, observation.error.token) == (ErrorKind.LEXICAL, 1)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ([("a", ["b", "x"]), ("a", ["x"]), ("b", ["a", "y"])], "left-recursive.*a, b|b, a|a b"),
        ([("a", ["a", "x"])], "ANTLR cannot build the grammar grammar: .* a "),
        ([("s", ["a"]), ("a", ["a"]), ("a", ["x"])], "ANTLR cannot build the grammar"),
    ],
)
def test_what_antlr_cannot_build(rules: list[tuple[str, list[str]]], message: str) -> None:
    with pytest.raises(AdapterError, match=message):
        adapter.build(Grammar.from_rules(rules))
