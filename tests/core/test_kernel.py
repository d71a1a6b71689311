"""The kernel as plain Python and compiled: it is one source, so every call does the same."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gramspect.kernel
from gramspect.builtin.chart import ChartRecognizer
from gramspect.builtin.native import NativeRecognizer, TokenTests
from gramspect.grammars.grammar import Grammar
from gramspect.kernel import load
from gramspect.localization.localize import localize
from gramspect.lr.counting import count_conflicts
from gramspect.lr.tables import lalr_table
from gramspect.recognition.trace import Extraction
from gramspect.spectrum.extraction import observe
from gramspect.spectrum.matrix import SpectrumKind
from gramspect.suites.suite import TestSuite
from toy import grammar, toy

ROOT = Path(__file__).parents[2]
TOY = TestSuite.load(accept=[ROOT / "fixtures" / "toy" / "accept.txt"], lines=True)
AMBIGUOUS = grammar("s -> a x\nx ->\nx -> x b\nx -> x x\nx -> b y\ny -> c\ny ->")
WORDS = TestSuite.from_texts(accept=["a", "a b b c", "a c"], reject=["a b", "b", "a b c c", ""])


class Both:
    """A module of the kernel that does, at each call, what both forms do, and compares."""

    def __init__(self, module: str) -> None:
        self.forms = [load(module, compiled) for compiled in (False, True)]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        plain, compiled = (getattr(form, name) for form in self.forms)

        def call(*given: Any) -> Any:
            copies = [_listed(value) for value in given]
            expected = plain(*copies)
            assert compiled(*given) == expected, name
            assert [_listed(value) for value in given] == copies, name
            return expected

        return call


def _listed(value: Any) -> Any:
    """The numbers of an array, or whatever else a function of the kernel is given."""
    return value.tolist() if hasattr(value, "tolist") else value


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of the functions of the kernel that are called in both forms."""
    load("earley", compiled=True)  # without it nothing would be compared
    names: set[str] = set()

    class Noting(Both):
        def __getattr__(self, name: str) -> Callable[..., Any]:
            names.add(name)
            return super().__getattr__(name)

    def both(module: str, compiled: bool) -> Any:
        return Noting(module) if compiled else load(module, compiled)

    monkeypatch.setattr("gramspect.kernel.workspace.load", both)
    monkeypatch.setattr("gramspect.edits.attempts.load", both)
    return names


@pytest.mark.parametrize("case", [(toy(), TOY), (AMBIGUOUS, WORDS)], ids=["toy", "ambiguous"])
@pytest.mark.parametrize("extraction", list(Extraction))
def test_parsing(case: tuple[Grammar, TestSuite], extraction: Extraction, called: set[str]) -> None:
    chart, native = ChartRecognizer(case[0]), NativeRecognizer(lalr_table(case[0]))
    for test in case[1]:
        observe(native.trace(test), extraction)
        if extraction is not Extraction.STACK:
            observe(chart.trace(test), extraction)
    assert called >= {"parse", "observe"}
    assert ("recognize" in called) == (extraction is not Extraction.STACK)


@pytest.mark.parametrize("extraction", list(Extraction))
def test_many_tests(extraction: Extraction, called: set[str]) -> None:
    recognizer = NativeRecognizer(lalr_table(toy()))
    for kind in SpectrumKind:
        recognizer.record(TOY.tests, extraction, kind)
    tokens = [recognizer.tokens(test) for test in TOY]
    starts = np.cumsum([0, *map(len, tokens)])
    none = np.zeros(len(tokens), np.int64)
    recognizer.count_tokens(
        TokenTests(np.concatenate(tokens).astype(np.int32), starts, none, none, 1), extraction
    )
    assert called == {"batch", "count"}


@pytest.mark.parametrize("case", [(toy(), TOY), (AMBIGUOUS, WORDS)], ids=["toy", "ambiguous"])
def test_edits(case: tuple[Grammar, TestSuite], called: set[str]) -> None:
    localize(ChartRecognizer(case[0]), case[1])
    assert called >= {"attempts", "find_spans", "recognize"}


@pytest.mark.parametrize("case", [toy(), AMBIGUOUS], ids=["toy", "ambiguous"])
def test_counted_conflicts(case: Grammar, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gramspect.lr.counting.load", lambda module, _: Both(module))
    assert count_conflicts(case, compiled=True) == len(lalr_table(case).unresolved)


def test_it_is_compiled_from_these_sources() -> None:
    translation = runpy.run_path(str(ROOT / "hatch_build.py"))["translation"]()
    digest = translation.rpartition("DIGEST = ")[2].strip().strip('"')
    assert digest == load("earley", compiled=True).DIGEST, "the kernel has changed: run `make env`"


def test_machine_code_of_other_sources_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked_anew() -> bool:
        return gramspect.kernel.is_compiled.__wrapped__()

    assert asked_anew()
    monkeypatch.setattr(gramspect.kernel, "sources_digest", lambda _: "of other sources")
    assert not asked_anew()


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gramspect.kernel, "is_compiled", lambda: False)
    with pytest.raises(ModuleNotFoundError, match="install a C compiler"):
        load.__wrapped__("earley", compiled=True)
