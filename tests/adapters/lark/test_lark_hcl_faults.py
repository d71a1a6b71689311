"""Faults seeded into the grammar of python-hcl2, with what comes after its lexer.

`ranks.json` beside the suite records the ranks (see `record_lark_ranks`).
"""

from __future__ import annotations

import pytest
from lark_faults import Fault
from lark_seeded import HCL as LANGUAGE

from gramspect.recognition.recognizer import adapter
from gramspect.recognition.trace import Verdict
from gramspect.running.runner import run
from gramspect.suites.suite import Expectation
from ranks import sampled

CASES = [pytest.param(fault, id=fault.name) for fault in LANGUAGE.faults]


@pytest.mark.parametrize("fault", sampled(CASES, 8))
def test_ranks(fault: Fault) -> None:
    assert LANGUAGE.ranks(fault) == LANGUAGE.recorded()[fault.name]


def test_the_correct_grammar() -> None:
    """It passes its suite."""
    recognizer = adapter(LANGUAGE.adapter).load(str(LANGUAGE.path), LANGUAGE.options)
    assert recognizer.grammar.diagnostics == ()
    for test, found in zip(LANGUAGE.suite, run(recognizer, LANGUAGE.suite.tests), strict=True):
        expected = test.expectation is Expectation.ACCEPT
        assert found.verdict is (Verdict.ACCEPTED if expected else Verdict.REJECTED), test.name


def test_success() -> None:
    """Every faulty rule is among the first five; most of them come first."""
    recorded = LANGUAGE.recorded()
    assert set(recorded) == {fault.name for fault in LANGUAGE.faults}
    ranks = [kinds["both"]["nonterminal"] or 1000 for kinds in recorded.values()]
    assert max(ranks) <= 5
    assert 3 * sum(rank == 1 for rank in ranks) >= 2 * len(ranks)
