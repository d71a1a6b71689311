"""Suites from the LR graph of a grammar, judged by the tool that the grammar is written for."""

from __future__ import annotations

from gramspect import LoadOptions, TestSuite, localize
from gramspect.generation.generate import Generation, Plan, as_suite
from gramspect.generation.sources import read_grammar


class LRGraphSuites:
    """The tests for one grammar: a class that names it inherits them."""

    source: str

    def suite(self, plan: Plan, number: int) -> TestSuite:
        grammar, texts = read_grammar(self.source, load=LoadOptions())
        return as_suite(grammar, Generation(grammar, plan, texts).sample(number), texts)

    def test_pop_edge_coverage_is_accepted(self) -> None:
        result = localize(self.source, self.suite(Plan(("pec",)), 100))
        assert result.n_failing == 0
        assert result.n_passing > 40

    def test_mutated_paths_are_rejected(self) -> None:
        plan = Plan((), negative=("edges", "stacks"))
        result = localize(self.source, self.suite(plan, 100))
        assert result.n_failing == 0
        assert result.n_passing > 90
