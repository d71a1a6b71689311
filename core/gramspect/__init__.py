"""gramspect: spectrum-based fault localization for context-free grammars.

The main job in three lines::

    from gramspect import TestSuite, localize, text_report

    suite = TestSuite.load(accept=["tests/accept"], reject=["tests/reject"])
    print(text_report(localize("grammar.y", suite)))

`localize` returns a `Localization`: the failing tests, and a ranking of `RankedElement` objects.
Everything it is made of is public as well: `adapter` gives a parser generator's `Adapter`, whose
`load` and `build` make a `Recognizer`; `run` turns tests into `Observation` objects,
`SpectrumMatrix` puts these together, and `rank_spectra` ranks what it counts.

`LoadOptions` say how a parser is loaded, and `RunOptions` how a suite is run, in every function
that does so. A report is a function of a result: of a `Localization` ``text_report`` and the like,
of other results ``coverage_text``, ``comparison_json`` and so on.

What is named here is imported when it is first used, so that ``import gramspect`` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gramspect.lazy import on_first_use

if TYPE_CHECKING:  # "as" says that a name is public
    from gramspect.algebra.specialize import Algebra as Algebra
    from gramspect.algebra.specialize import Specialization as Specialization
    from gramspect.algebra.specialize import input_algebra as input_algebra
    from gramspect.algebra.specialize import specialize as specialize
    from gramspect.algebra.writing import Form as Form
    from gramspect.algebra.writing import grammar_text as grammar_text
    from gramspect.blackboxes.answers import Answer as Answer
    from gramspect.blackboxes.answers import Reaction as Reaction
    from gramspect.blackboxes.answers import Wording as Wording
    from gramspect.blackboxes.callables import PythonCallable as PythonCallable
    from gramspect.blackboxes.campaign import BlackBox as BlackBox
    from gramspect.blackboxes.campaign import blackbox as blackbox
    from gramspect.blackboxes.commands import Command as Command
    from gramspect.campaigns.campaign import Campaign as Campaign
    from gramspect.campaigns.campaign import campaign as campaign
    from gramspect.comparison import Comparison as Comparison
    from gramspect.comparison import compare as compare
    from gramspect.edits.suggestion import Suggestion as Suggestion
    from gramspect.errors import AdapterError as AdapterError
    from gramspect.errors import GrammarError as GrammarError
    from gramspect.errors import GramspectError as GramspectError
    from gramspect.errors import MissingDependency as MissingDependency
    from gramspect.errors import SuiteError as SuiteError
    from gramspect.generation.generate import Plan as Plan
    from gramspect.generation.generate import as_suite as as_suite
    from gramspect.generation.generate import generate as generate
    from gramspect.generation.generated import GeneratedTest as GeneratedTest
    from gramspect.grammar_coverage.coverage import Coverage as Coverage
    from gramspect.grammar_coverage.coverage import coverage as coverage
    from gramspect.grammars.grammar import Grammar as Grammar
    from gramspect.live.session import Session as Session
    from gramspect.live.session import record as record
    from gramspect.localization.localize import localize as localize
    from gramspect.localization.results import Localization as Localization
    from gramspect.localization.results import Method as Method
    from gramspect.localization.results import Note as Note
    from gramspect.localization.results import RankedElement as RankedElement
    from gramspect.recognition.recognizer import Adapter as Adapter
    from gramspect.recognition.recognizer import LoadOptions as LoadOptions
    from gramspect.recognition.recognizer import Recognizer as Recognizer
    from gramspect.recognition.registry import adapter as adapter
    from gramspect.recognition.registry import adapter_for as adapter_for
    from gramspect.recognition.registry import adapters as adapters
    from gramspect.recognition.trace import Extraction as Extraction
    from gramspect.recognition.trace import Observation as Observation
    from gramspect.recognition.trace import ParseError as ParseError
    from gramspect.recognition.trace import Verdict as Verdict
    from gramspect.recordings.suites import Parse as Parse
    from gramspect.reduction.abstract import Abstraction as Abstraction
    from gramspect.reduction.abstract import abstract as abstract
    from gramspect.reduction.reduce import Reduction as Reduction
    from gramspect.reduction.reduce import reduce as reduce
    from gramspect.repairs.ask import Asking as Asking
    from gramspect.repairs.ask import ask as ask
    from gramspect.repairs.debug import Debugger as Debugger
    from gramspect.repairs.debug import Debugging as Debugging
    from gramspect.repairs.debug import debug as debug
    from gramspect.repairs.suggest import Suggestions as Suggestions
    from gramspect.repairs.suggest import suggest as suggest
    from gramspect.report.blackbox_json import blackbox_json as blackbox_json
    from gramspect.report.blackbox_text import blackbox_text as blackbox_text
    from gramspect.report.comparison_html import comparison_html as comparison_html
    from gramspect.report.comparison_json import comparison_json as comparison_json
    from gramspect.report.comparison_text import comparison_text as comparison_text
    from gramspect.report.coverage_cobertura import coverage_cobertura as coverage_cobertura
    from gramspect.report.coverage_html import coverage_html as coverage_html
    from gramspect.report.coverage_json import coverage_json as coverage_json
    from gramspect.report.coverage_lcov import coverage_lcov as coverage_lcov
    from gramspect.report.coverage_text import coverage_text as coverage_text
    from gramspect.report.html import html_report as html_report
    from gramspect.report.json import json_report as json_report
    from gramspect.report.markdown import coverage_markdown as coverage_markdown
    from gramspect.report.markdown import markdown_report as markdown_report
    from gramspect.report.matrices import read_spectra as read_spectra
    from gramspect.report.matrices import write_spectra as write_spectra
    from gramspect.report.sarif import sarif_report as sarif_report
    from gramspect.report.text import text_report as text_report
    from gramspect.running.loading import LoadSpec as LoadSpec
    from gramspect.running.options import RunOptions as RunOptions
    from gramspect.running.recording import FailingTest as FailingTest
    from gramspect.running.recording import UndecidedTest as UndecidedTest
    from gramspect.running.runner import run as run
    from gramspect.running.spectra import Spectra as Spectra
    from gramspect.running.spectra import spectra as spectra
    from gramspect.scoring.evidence import Evidence as Evidence
    from gramspect.scoring.evidence import depth_scores as depth_scores
    from gramspect.scoring.metrics import METRICS as METRICS
    from gramspect.scoring.ranking import Ranking as Ranking
    from gramspect.scoring.ranking import Ties as Ties
    from gramspect.scoring.ranking import rank_spectra as rank_spectra
    from gramspect.spectrum.extraction import observe as observe
    from gramspect.spectrum.matrix import SpectrumKind as SpectrumKind
    from gramspect.spectrum.matrix import SpectrumMatrix as SpectrumMatrix
    from gramspect.suites.suite import Expectation as Expectation
    from gramspect.suites.suite import TestCase as TestCase
    from gramspect.suites.suite import TestSuite as TestSuite
    from gramspect.yacc import read_yacc as read_yacc

    __version__: str
else:
    _attribute, __all__ = on_first_use(__name__)
    __all__.append("__version__")

    def __getattr__(name):
        if name == "__version__":
            from importlib.metadata import version

            return version("gramspect")
        return _attribute(name)

    def __dir__():
        return sorted({*globals(), *__all__})
