"""The spectra of a suite with the names of all they relate, for keeping and for other programs."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace

from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.recognition.trace import Extraction
from gramspect.running.loading import load_parser
from gramspect.running.options import RunOptions
from gramspect.running.recording import UndecidedTest, record
from gramspect.source import Span
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import TestSuite

__all__ = ["Spectra", "spectra", "spectra_of_matrix"]


@dataclass(frozen=True)
class Spectra:
    """A spectrum matrix that says what its rows and columns are.

    `labels` and `spans` are the names and places of the elements, in the order of the matrix's
    rows: ``stmt:3`` for a rule, ``stmt:3:2`` for a position. `tests` are the names of the tests, in
    the order of its columns. `grammar` is the name of the grammar; `adapter` is None if the parser
    was not loaded by one. `undecided` are the tests without a verdict, if the suite was run for
    these spectra.

    Raises:
        ValueError: there are not as many names as elements or tests.
    """

    matrix: SpectrumMatrix = field(repr=False, compare=False)
    labels: tuple[str, ...] = field(repr=False)
    spans: tuple[Span | None, ...] = field(repr=False)
    tests: tuple[str, ...] = field(repr=False)
    grammar: str
    extraction: Extraction
    adapter: str | None = None
    undecided: tuple[UndecidedTest, ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        if not len(self.labels) == len(self.spans) == self.matrix.n_elements:
            raise ValueError(f"{self.matrix.n_elements} elements need as many labels and spans")
        if len(self.tests) != self.matrix.n_tests:
            raise ValueError(f"{self.matrix.n_tests} tests need as many names")


def spectra(
    source: str | os.PathLike[str] | Recognizer,
    suite: TestSuite,
    *,
    load: LoadOptions = LoadOptions(),
    run: RunOptions = RunOptions(),
    spectrum: str = SpectrumKind.ITEM,
    extraction: str = Extraction.EXACT,
) -> Spectra:
    """Run the suite and keep which test executes which rule or position.

    The arguments are those of `gramspect.localize`.

    Raises:
        GramspectError: the source, the suite or an argument cannot be used.
        ValueError: worker processes are asked for and the loader is missing.
    """
    if spectrum not in list(SpectrumKind):
        raise GramspectError(
            f"there is no spectrum {spectrum!r}; there are: {', '.join(SpectrumKind)}"
        )
    if extraction not in list(Extraction):
        raise GramspectError(
            f"there is no extraction {extraction!r}; there are: {', '.join(Extraction)}"
        )
    kind, chosen = SpectrumKind(spectrum), Extraction(extraction)
    recognizer, name, loader = load_parser(source, load, run.loader)
    recording = record(recognizer, suite, chosen, [kind], replace(run, loader=loader))
    matrix = recording.matrices[kind]
    found = spectra_of_matrix(recognizer.grammar, suite, matrix, chosen, name)
    return replace(found, undecided=recording.undecided)


def spectra_of_matrix(
    grammar: Grammar,
    suite: TestSuite,
    matrix: SpectrumMatrix,
    extraction: Extraction,
    adapter: str | None,
) -> Spectra:
    """The spectra of a matrix, with the names of its elements and tests."""
    if matrix.kind is SpectrumKind.RULE:
        labels = tuple(rule.label for rule in grammar.rules)
        spans = tuple(rule.span for rule in grammar.rules)
    else:
        labels = tuple(map(grammar.item_label, range(grammar.n_items)))
        spans = tuple(map(grammar.item_span, range(grammar.n_items)))
    tests = tuple(test.name for test in suite)
    return Spectra(matrix, labels, spans, tests, grammar.name, extraction, adapter)
