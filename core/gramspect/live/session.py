"""``with gramspect.record(parser) as session:``: what a parser does in a program."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from dataclasses import replace
from types import TracebackType
from typing import Any

from gramspect.errors import GramspectError
from gramspect.grammar_coverage.coverage import Coverage
from gramspect.grammar_coverage.coverage import coverage as coverage_of
from gramspect.localization.localize import localize as localize_suite
from gramspect.localization.results import Localization
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.trace import Extraction
from gramspect.recordings.format import Line
from gramspect.recordings.reading import RecordedRun
from gramspect.recordings.recorder import Recorder
from gramspect.recordings.suites import (
    Parse,
    RecordedGrammar,
    RecordedSuite,
    other_than_observed,
    parses_of,
    suite_of_parses,
)
from gramspect.recordings.writing import RunWriter
from gramspect.running.options import RunOptions
from gramspect.running.spectra import Spectra
from gramspect.running.spectra import spectra as spectra_of
from gramspect.spectrum.matrix import SpectrumKind
from gramspect.suites.suite import Expectation

__all__ = ["Failed", "Session", "record"]

Failed = Callable[[Parse], bool] | Collection[int]
"""Which parses went wrong: a function that says so of one, or their numbers from 0."""


def record(
    parser: object,
    *,
    out: str | os.PathLike[str] | None = None,
    load: LoadOptions = LoadOptions(),
    extraction: str = Extraction.EXACT,
    texts: bool = True,
) -> Session:
    """Record all parses of a parser while the program goes on as always.

    The program sees the same results and exceptions as without. Parses in all threads are recorded,
    and parses inside of other parses. Parsers of the same kind with the same grammar are recorded
    too, also those that are made later.

    Args:
        parser: a PLY parser or an object that has one, a ``lark.Lark`` object, a parser class that
            ANTLR has made for Python; or a name as for `gramspect.localize`, which is loaded here.
        out: a file for the run, to be read by ``--spectra`` (see docs/recording.md).
        load: how the parser is found.
        extraction: ``exact``, ``all`` or ``stack`` (`Extraction`).
        texts: whether the inputs are recorded, too.

    Raises:
        GramspectError: the parser cannot be recorded, or the file not be written.
    """
    if extraction not in list(Extraction):
        known = ", ".join(Extraction)
        raise GramspectError(f"there is no extraction {extraction!r}; there are: {known}")
    return Session(parser, out, load, Extraction(extraction), texts)


class Session:
    """The parses that are recorded between the beginning and the end of a ``with`` block.

    Parses are named after `test`, which may be set.
    """

    def __init__(
        self,
        parser: object,
        out: str | os.PathLike[str] | None,
        load: LoadOptions,
        extraction: Extraction,
        texts: bool,
    ) -> None:
        self._lines: list[Line] = []
        self._writer: RunWriter | None = None
        self._recorder = Recorder(parser, self._take, load, extraction, texts)
        if out is not None:
            try:
                self._writer = RunWriter(os.fspath(out), self._recorder.header)
            except GramspectError:
                self._recorder.close()
                raise

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave the parser alone; what was recorded stays."""
        self._recorder.close()
        if self._writer is not None:
            self._writer.close()

    def _take(self, line: Line) -> None:
        self._lines.append(line)
        if self._writer is not None:
            self._writer.write(line)

    @property
    def test(self) -> str | None:
        """The name of what is going on."""
        return self._recorder.test

    @test.setter
    def test(self, name: str | None) -> None:
        self._recorder.test = name

    @property
    def missed(self) -> tuple[str, ...]:
        """Why parses could not be recorded, for the first few; none if all were."""
        return tuple(self._recorder.missed)

    @property
    def parses(self) -> tuple[Parse, ...]:
        """What has been recorded up to now, in the order in which the parses ended."""
        header = self._recorder.header
        run = RecordedRun("the session", header, tuple(self._lines))
        return tuple(parses_of(run, None, header.extraction))

    def spectra(self, failed: Failed | None = None, spectrum: str = SpectrumKind.ITEM) -> Spectra:
        """Which parse executes which rule or position; the arguments as for `localize`."""
        recorded, run = self._recorded(failed)
        return spectra_of(
            RecordedGrammar(recorded.grammar), recorded.suite, load=self._load, run=run,
            spectrum=spectrum, extraction=self._recorder.header.extraction,
        )  # fmt: skip

    def coverage(self) -> Coverage:
        """Which parts of the grammar the accepted parses use.

        Raises:
            SuiteError: there was no parse.
        """
        recorded, run = self._recorded(None)
        return coverage_of(
            RecordedGrammar(recorded.grammar), recorded.suite, load=self._load, run=run,
            extraction=self._recorder.header.extraction,
        )  # fmt: skip

    def localize(self, failed: Failed | None = None, **how: Any) -> Localization:
        """Rank the rules or positions of the grammar.

        Args:
            failed: the parses with another verdict than they should have; by default all that were
                rejected.
            how: arguments of `gramspect.localize`: ``spectrum``, ``evidence``, ``metric``, ...

        Raises:
            SuiteError: there was no parse.
            GramspectError: an argument cannot be used.
        """
        recorded, run = self._recorded(failed)
        return localize_suite(
            RecordedGrammar(recorded.grammar), recorded.suite, load=self._load, run=run,
            **{"extraction": self._recorder.header.extraction, **how},
        )  # fmt: skip

    @property
    def _load(self) -> LoadOptions:
        return LoadOptions(adapter=self._recorder.adapter)

    def _recorded(self, failed: Failed | None) -> tuple[RecordedSuite, RunOptions]:
        parses = [
            replace(parse, expectation=_expected(number, parse, failed))
            for number, parse in enumerate(self.parses)
        ]
        found = suite_of_parses(self._recorder.grammar, parses, "the session")
        return found, RunOptions(recorded=found.observations)


def _expected(number: int, parse: Parse, failed: Failed | None) -> Expectation:
    if failed is None:
        return Expectation.ACCEPT
    wrong = failed(parse) if callable(failed) else number in failed
    return other_than_observed(parse) if wrong else parse.as_observed
