"""Inputs nested so deeply that the room for them has to grow."""

from __future__ import annotations

import pytest

from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import ChartTrace, Extraction, Verdict
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase
from toy import grammar

DEPTH = 3_000
NESTED = grammar("s -> e\ne -> ( e )\ne -> x")
TEST = TestCase("deep", Expectation.ACCEPT, "( " * DEPTH + ") " * DEPTH)


@pytest.mark.parametrize(
    ("technique", "extraction"),
    [
        *(("chart", extraction) for extraction in (Extraction.EXACT, Extraction.ALL)),
        *(("native", extraction) for extraction in Extraction),
    ],
)
def test_a_long_chain_of_callers(technique: str, extraction: Extraction) -> None:
    found = observe(adapter(technique).build(NESTED).trace(TEST), extraction)
    assert found.verdict is Verdict.REJECTED
    assert found.error is not None
    assert found.error.token == DEPTH
    waiting, outermost = NESTED.item(1, 1), NESTED.item(0, 0)
    assert found.active == {waiting: 0, outermost: DEPTH}
    assert found.predicted == {NESTED.item(1, 0): 1, NESTED.item(2, 0): 1}
    assert found.items >= {waiting, outermost}


def test_memory_is_in_proportion_to_the_input() -> None:
    trace = adapter("chart").build(NESTED).trace(TEST)
    assert isinstance(trace, ChartTrace)
    space = trace.chart.space
    observe(trace, Extraction.EXACT)
    assert len(space.memory) < 1_000 * 2 * DEPTH
