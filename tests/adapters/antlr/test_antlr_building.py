"""Core grammars as ANTLR parsers, compared with the chart."""

from __future__ import annotations

import random

import pytest

from gramspect.builtin.chart import ChartRecognizer
from gramspect.errors import AdapterError
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.seeding import mutants
from gramspect.recognition.trace import ErrorKind, Verdict
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase
from gramspect_antlr import adapter


def case(*tokens: str) -> TestCase:
    return TestCase("test", Expectation.ACCEPT, " ".join(tokens), tokens=tokens)


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
    observation = observe(adapter.build(LISTS).trace(case("a", "zzz")))
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
