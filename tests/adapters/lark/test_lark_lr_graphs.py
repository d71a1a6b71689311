"""Suites from the LR graph of a real grammar, Lark's own, judged by Lark."""

from __future__ import annotations

from pathlib import Path

import lark

from gramspect import LoadOptions, TestSuite, localize
from gramspect.generation.generate import Generation, Plan, as_suite
from gramspect.generation.sources import read_grammar

GRAMMAR = str(Path(lark.__file__).parent / "grammars" / "lark.lark")


def suite(plan: Plan, number: int) -> TestSuite:
    grammar, texts = read_grammar(GRAMMAR, load=LoadOptions())
    return as_suite(grammar, Generation(grammar, plan, texts).sample(number), texts)


def test_pop_edge_coverage_is_accepted() -> None:
    result = localize(GRAMMAR, suite(Plan(("pec",)), 100))
    assert result.n_failing == 0
    assert result.n_passing > 40


def test_mutated_paths_are_rejected() -> None:
    result = localize(GRAMMAR, suite(Plan((), negative=("edges", "stacks")), 100))
    assert result.n_failing == 0
    assert result.n_passing > 90
