"""A packaged parser: openqasm3, its language, and faults in it."""

from __future__ import annotations

import json

import pytest
from qasm_faults import FAULTS, RECORD, SUITE, Fault, Lexer, Parser, ranks, recognizer

from gramspect import LoadOptions, localize
from gramspect.suites.suite import Expectation
from gramspect_antlr_python import adapter
from ranks import sampled

RECORDED = json.loads(RECORD.read_text())
CASES = [pytest.param(fault, id=fault.name) for fault in FAULTS]


def test_the_package_by_its_name() -> None:
    named = adapter.load("openqasm3._antlr.qasm3Parser", LoadOptions())
    made = recognizer()
    assert named.grammar.n_rules == made.grammar.n_rules > 300
    assert named.grammar.name == "qasm3Parser"
    assert named.grammar.symbols[named.grammar.start].name == "program"


def test_the_suite_passes_and_covers_most_rules() -> None:
    expected = [test.expectation for test in SUITE]
    assert expected.count(Expectation.ACCEPT) >= 20
    assert expected.count(Expectation.REJECT) >= 8
    result = localize(recognizer(), SUITE)
    assert (result.n_failing, result.undecided, result.n_passing) == (0, (), len(SUITE))


def test_without_the_hook_the_verdicts_are_the_same() -> None:
    from antlr4 import CommonTokenStream, InputStream
    from antlr4.error.ErrorListener import ErrorListener

    class Count(ErrorListener):  # type: ignore[misc]
        errors = 0

        def syntaxError(self, *_: object) -> None:  # noqa: N802
            self.errors += 1

    for test in SUITE:
        count = Count()
        lexer = Lexer(InputStream(test.text))
        parser = Parser(CommonTokenStream(lexer))
        for part in (lexer, parser):
            part.removeErrorListeners()
            part.addErrorListener(count)
        parser.program()
        assert (count.errors == 0) == (test.expectation is Expectation.ACCEPT), test.text


@pytest.mark.parametrize("fault", sampled(CASES, 4))
def test_ranks_of_faults(fault: Fault) -> None:
    assert ranks(fault) == RECORDED[fault.name]


def test_most_faults_are_near_the_top() -> None:
    places = [rank["spectrum"]["nonterminal"] for rank in RECORDED.values()]
    assert set(RECORDED) == {fault.name for fault in FAULTS}
    assert sum(place is not None and place <= 5 for place in places) >= 0.8 * len(places)
