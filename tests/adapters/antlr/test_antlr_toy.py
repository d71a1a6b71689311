"""The worked example (Raselimo and Fischer 2024, Figure 1, Tables 2 and 3) in ANTLR's notation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import Command
from gramspect.recognition.recognizer import LoadOptions
from gramspect.spectrum.extraction import observe
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import TestSuite
from gramspect_antlr import adapter
from gramspect_antlr.recognizer import AntlrRecognizer

FIXTURES = Path(__file__).parents[3] / "fixtures"
EXPECTED = json.loads((FIXTURES / "toy" / "expected.json").read_text())
SUITE = TestSuite.load(accept=[FIXTURES / "toy" / "accept.txt"], lines=True)


@pytest.fixture(scope="module")
def toy() -> AntlrRecognizer:
    return adapter.load(str(FIXTURES / "antlr" / "Toy.g4"), LoadOptions())


@pytest.mark.parametrize("kind", [SpectrumKind.RULE, SpectrumKind.ITEM])
def test_counts(toy: AntlrRecognizer, kind: SpectrumKind) -> None:
    grammar = toy.grammar
    observations = [observe(trace) for trace in toy.traces(SUITE.tests)]
    expectations = [test.expectation for test in SUITE]
    n_elements = kind.n_elements(grammar)
    matrix = SpectrumMatrix.from_observations(kind, n_elements, observations, expectations)
    counts = matrix.counts()
    names = (
        [rule.label for rule in grammar.rules]
        if kind is SpectrumKind.RULE
        else [grammar.item_label(item) for item in range(grammar.n_items)]
    )
    rows = zip(counts.ef.tolist(), counts.ep.tolist(), counts.nf.tolist(), counts.np_.tolist(),
               strict=True)  # fmt: skip
    found = dict(zip(names, rows, strict=True))
    expected = EXPECTED[kind.value]
    assert found == {
        name: tuple(expected[name][key] for key in ("ef", "ep", "nf", "np")) for name in expected
    }


def test_edits(command: Command) -> None:
    tests = FIXTURES / "toy" / "accept.txt"
    answer = command(
        *("localize", FIXTURES / "antlr" / "Toy.g4", "--accept", tests, "--lines"),
        *("--evidence", "edits"),
    )
    assert answer.status == 1
    assert "try: also allow the rule to end here (fixes 1 of 2, breaks none;" in answer.out
    assert "try: also allow 'sleep' instead of block (fixes 1 of 2, breaks none;" in answer.out
