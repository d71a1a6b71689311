"""gramspect: spectrum-based fault localization for context-free grammars.

The main job in three lines::

    from gramspect import TestSuite, localize, text_report

    suite = TestSuite.load(accept=["tests/accept"], reject=["tests/reject"])
    print(text_report(localize("grammar.y", suite)))

`localize` returns a `Localization`: the failing tests, and a ranking of `RankedElement` objects.
Everything it is made of is public as well: `adapter` gives a parser generator's `Adapter`, whose
`load` and `build` make a `Recognizer`; `run` turns tests into `Observation` objects,
`SpectrumMatrix` puts these together, and `rank_spectra` ranks what it counts.

How a parser is loaded is said by `LoadOptions`, how a suite is run by `RunOptions`, wherever one is
loaded or run. A report is a function of a result: of a `Localization` ``text_report`` and the like,
of other results ``coverage_text``, ``comparison_json`` and so on.

What is named here is imported when it is first used, so that ``import gramspect`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gramspect.blackboxes.answers import Answer, Reaction, Wording
    from gramspect.blackboxes.callables import PythonCallable
    from gramspect.blackboxes.campaign import BlackBox, blackbox
    from gramspect.blackboxes.commands import Command
    from gramspect.comparison import Comparison, compare
    from gramspect.edits.suggestion import Suggestion
    from gramspect.errors import (
        AdapterError,
        GrammarError,
        GramspectError,
        MissingDependency,
        SuiteError,
    )
    from gramspect.generation.generated import GeneratedTest
    from gramspect.generation.suite import Plan, as_suite, generate
    from gramspect.grammar_coverage.coverage import Coverage, coverage
    from gramspect.grammars.grammar import Grammar
    from gramspect.localization.localize import localize
    from gramspect.localization.results import Localization, Method, Note, RankedElement
    from gramspect.recognition.recognizer import (
        Adapter,
        LoadOptions,
        Recognizer,
        adapter,
        adapter_for,
        adapters,
    )
    from gramspect.recognition.trace import Extraction, Observation, ParseError, Verdict
    from gramspect.repairs.debug import Debugger, Debugging, debug
    from gramspect.repairs.suggest import Suggestions, suggest
    from gramspect.report.blackbox_json import blackbox_json
    from gramspect.report.blackbox_text import blackbox_text
    from gramspect.report.comparison_html import comparison_html
    from gramspect.report.comparison_json import comparison_json
    from gramspect.report.comparison_text import comparison_text
    from gramspect.report.coverage_cobertura import coverage_cobertura
    from gramspect.report.coverage_html import coverage_html
    from gramspect.report.coverage_json import coverage_json
    from gramspect.report.coverage_lcov import coverage_lcov
    from gramspect.report.coverage_text import coverage_text
    from gramspect.report.html import html_report
    from gramspect.report.json import json_report
    from gramspect.report.matrices import read_spectra, write_spectra
    from gramspect.report.sarif import sarif_report
    from gramspect.report.text import text_report
    from gramspect.running.loading import LoadSpec
    from gramspect.running.options import RunOptions
    from gramspect.running.recording import FailingTest, UndecidedTest
    from gramspect.running.runner import run
    from gramspect.running.spectra import Spectra, spectra
    from gramspect.scoring.evidence import Evidence, depth_scores
    from gramspect.scoring.metrics import METRICS
    from gramspect.scoring.ranking import Ranking, Ties, rank_spectra
    from gramspect.spectrum.extraction import observe
    from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
    from gramspect.suites.suite import Expectation, TestCase, TestSuite
    from gramspect.yacc import read_yacc

_HOME = {
    "METRICS": "scoring.metrics",
    "Adapter": "recognition.recognizer",
    "AdapterError": "errors",
    "Answer": "blackboxes.answers",
    "BlackBox": "blackboxes.campaign",
    "Command": "blackboxes.commands",
    "Comparison": "comparison",
    "Coverage": "grammar_coverage.coverage",
    "Debugger": "repairs.debug",
    "Debugging": "repairs.debug",
    "Evidence": "scoring.evidence",
    "Expectation": "suites.suite",
    "Extraction": "recognition.trace",
    "FailingTest": "running.recording",
    "GeneratedTest": "generation.generated",
    "Grammar": "grammars.grammar",
    "GrammarError": "errors",
    "GramspectError": "errors",
    "LoadOptions": "recognition.recognizer",
    "LoadSpec": "running.loading",
    "Localization": "localization.results",
    "Method": "localization.results",
    "MissingDependency": "errors",
    "Note": "localization.results",
    "Observation": "recognition.trace",
    "ParseError": "recognition.trace",
    "Plan": "generation.suite",
    "PythonCallable": "blackboxes.callables",
    "RankedElement": "localization.results",
    "Ranking": "scoring.ranking",
    "Reaction": "blackboxes.answers",
    "Recognizer": "recognition.recognizer",
    "RunOptions": "running.options",
    "Spectra": "running.spectra",
    "SpectrumKind": "spectrum.matrix",
    "SpectrumMatrix": "spectrum.matrix",
    "Suggestion": "edits.suggestion",
    "Suggestions": "repairs.suggest",
    "SuiteError": "errors",
    "TestCase": "suites.suite",
    "TestSuite": "suites.suite",
    "Ties": "scoring.ranking",
    "UndecidedTest": "running.recording",
    "Verdict": "recognition.trace",
    "Wording": "blackboxes.answers",
    "adapter": "recognition.recognizer",
    "adapter_for": "recognition.recognizer",
    "adapters": "recognition.recognizer",
    "as_suite": "generation.suite",
    "blackbox": "blackboxes.campaign",
    "blackbox_json": "report.blackbox_json",
    "blackbox_text": "report.blackbox_text",
    "compare": "comparison",
    "comparison_html": "report.comparison_html",
    "comparison_json": "report.comparison_json",
    "comparison_text": "report.comparison_text",
    "coverage": "grammar_coverage.coverage",
    "coverage_cobertura": "report.coverage_cobertura",
    "coverage_html": "report.coverage_html",
    "coverage_json": "report.coverage_json",
    "coverage_lcov": "report.coverage_lcov",
    "coverage_text": "report.coverage_text",
    "debug": "repairs.debug",
    "depth_scores": "scoring.evidence",
    "generate": "generation.suite",
    "html_report": "report.html",
    "json_report": "report.json",
    "localize": "localization.localize",
    "observe": "spectrum.extraction",
    "rank_spectra": "scoring.ranking",
    "read_spectra": "report.matrices",
    "read_yacc": "yacc",
    "run": "running.runner",
    "sarif_report": "report.sarif",
    "spectra": "running.spectra",
    "suggest": "repairs.suggest",
    "text_report": "report.text",
    "write_spectra": "report.matrices",
}

__all__ = [
    "METRICS",
    "Adapter",
    "AdapterError",
    "Answer",
    "BlackBox",
    "Command",
    "Comparison",
    "Coverage",
    "Debugger",
    "Debugging",
    "Evidence",
    "Expectation",
    "Extraction",
    "FailingTest",
    "GeneratedTest",
    "Grammar",
    "GrammarError",
    "GramspectError",
    "LoadOptions",
    "LoadSpec",
    "Localization",
    "Method",
    "MissingDependency",
    "Note",
    "Observation",
    "ParseError",
    "Plan",
    "PythonCallable",
    "RankedElement",
    "Ranking",
    "Reaction",
    "Recognizer",
    "RunOptions",
    "Spectra",
    "SpectrumKind",
    "SpectrumMatrix",
    "Suggestion",
    "Suggestions",
    "SuiteError",
    "TestCase",
    "TestSuite",
    "Ties",
    "UndecidedTest",
    "Verdict",
    "Wording",
    "__version__",
    "adapter",
    "adapter_for",
    "adapters",
    "as_suite",
    "blackbox",
    "blackbox_json",
    "blackbox_text",
    "compare",
    "comparison_html",
    "comparison_json",
    "comparison_text",
    "coverage",
    "coverage_cobertura",
    "coverage_html",
    "coverage_json",
    "coverage_lcov",
    "coverage_text",
    "debug",
    "depth_scores",
    "generate",
    "html_report",
    "json_report",
    "localize",
    "observe",
    "rank_spectra",
    "read_spectra",
    "read_yacc",
    "run",
    "sarif_report",
    "spectra",
    "suggest",
    "text_report",
    "write_spectra",
]

__version__: str


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("gramspect")
    if name not in _HOME:
        raise AttributeError(f"module 'gramspect' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"gramspect.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
