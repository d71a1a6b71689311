"""Every figure of the worked example (Raselimo and Fischer 2024, Figure 1, Tables 2 to 4).

`fixtures/toy/expected.json` holds the counts that the definitions give; where the printed tables
differ (test 8 forgotten for block:3 and stmts:2), the definitions win.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gramspect.extraction import observe
from gramspect.metrics import metric
from gramspect.recognizer import LoadOptions, Recognizer, adapter
from gramspect.spectrum import SpectrumKind, SpectrumMatrix
from gramspect.suite import TestSuite
from gramspect.yacc import read_yacc

TOY = Path(__file__).parents[2] / "fixtures" / "toy"
FAULTY = TOY / "toy-faulty.y"
EXPECTED = json.loads((TOY / "expected.json").read_text())
SUITE = TestSuite.load(accept=[TOY / "accept.txt"], lines=True)
KINDS = list(SpectrumKind)


def recognizer(name: str) -> Recognizer:
    """The faulty grammar in the technique of that name."""
    if name == "canonical":
        return adapter("native").load(str(FAULTY), LoadOptions(extra={"method": "canonical"}))
    return adapter(name).build(read_yacc(FAULTY))


def matrix_of(name: str, kind: SpectrumKind) -> SpectrumMatrix:
    system = recognizer(name)
    observations = [observe(system.trace(test)) for test in SUITE]
    expectations = [test.expectation for test in SUITE]
    n_elements = kind.n_elements(system.grammar)
    return SpectrumMatrix.from_observations(kind, n_elements, observations, expectations)


def labels(kind: SpectrumKind) -> list[str]:
    grammar = read_yacc(FAULTY)
    if kind is SpectrumKind.RULE:
        return [rule.label for rule in grammar.rules]
    return [grammar.item_label(item) for item in range(grammar.n_items)]


def check(matrix: SpectrumMatrix, kind: SpectrumKind) -> None:
    rows = EXPECTED[kind.value]
    names = labels(kind)
    assert set(names) == set(rows)
    counts = matrix.counts()
    columns = {"ef": counts.ef, "ep": counts.ep, "nf": counts.nf, "np": counts.np_}
    for key, values in columns.items():
        assert dict(zip(names, values.tolist(), strict=True)) == {n: rows[n][key] for n in names}
    for name in ("tarantula", "ochiai", "jaccard", "dstar"):
        scores = np.round(metric(name)(counts.ef, counts.ep, counts.nf, counts.np_), 4)
        found = dict(zip(names, scores.tolist(), strict=True))
        assert found == {n: rows[n][name] for n in names}, name


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["native", "canonical", "ply"])
def test_lr(name: str, kind: SpectrumKind) -> None:
    check(matrix_of(name, kind), kind)


@pytest.mark.parametrize("kind", [SpectrumKind.RULE, SpectrumKind.ITEM])
def test_chart(kind: SpectrumKind) -> None:
    check(matrix_of("chart", kind), kind)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_native_batch(kind: SpectrumKind, compiled: bool) -> None:
    system = adapter("native").build(read_yacc(FAULTY))
    check(system.record(tuple(SUITE), "exact", kind, compiled), kind)  # type: ignore[attr-defined]
