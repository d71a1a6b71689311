"""The worked example (Raselimo and Fischer 2024, Figure 1) in a generated parser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from python_parsers import generate

from gramspect.recognition.recognizer import LoadOptions
from gramspect.spectrum.extraction import observe
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import TestSuite
from gramspect_antlr_python import adapter

FIXTURES = Path(__file__).parents[3] / "fixtures"
TOY = FIXTURES / "antlr" / "Toy.g4"
EXPECTED = json.loads((FIXTURES / "toy" / "expected.json").read_text())
SUITE = TestSuite.load(accept=[FIXTURES / "toy" / "accept.txt"], lines=True)


@pytest.mark.parametrize("kind", [SpectrumKind.RULE, SpectrumKind.ITEM])
def test_counts(kind: SpectrumKind) -> None:
    parser = generate({"Toy": TOY.read_text()}) / "ToyParser.py"
    toy = adapter.load(str(parser), LoadOptions())
    grammar = toy.grammar
    observations = [observe(toy.trace(test)) for test in SUITE]
    expectations = [test.expectation for test in SUITE]
    n_elements = kind.n_elements(grammar)
    matrix = SpectrumMatrix.from_observations(kind, n_elements, observations, expectations)
    labels = {
        SpectrumKind.RULE: [rule.label for rule in grammar.rules],
        SpectrumKind.ITEM: [grammar.item_label(item) for item in range(grammar.n_items)],
    }
    columns = [column.tolist() for column in matrix.counts()]
    found = dict(zip(labels[kind], zip(*columns, strict=True), strict=True))
    assert found == {
        name: (row["ef"], row["ep"], row["nf"], row["np"])
        for name, row in EXPECTED[kind.value].items()
    }
