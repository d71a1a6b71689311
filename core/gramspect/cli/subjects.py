"""What a command looks at: a parser with tests to run, or with recorded runs of it."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from gramspect.cli.options import NamedTests
from gramspect.errors import GramspectError, SuiteError
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.recognition.trace import Extraction
from gramspect.running.options import RunOptions
from gramspect.suites.suite import TestSuite

__all__ = ["Subject", "subject"]


class Subject(NamedTuple):
    """The arguments of functions that run suites: `source`, `suite`, `load` and `run`."""

    source: str | Recognizer
    suite: TestSuite
    load: LoadOptions
    run: RunOptions


def subject(
    grammar: str | None,
    tests: NamedTests,
    load: LoadOptions,
    run: RunOptions,
    extraction: str = Extraction.EXACT,
    *,
    judged: bool = True,
    parser_needed: bool = False,
) -> Subject:
    """What the command line names.

    Args:
        grammar: the grammar; None if there is only a recorded run.
        extraction: how spectra are extracted.
        judged: leave out recorded parses of which it is not known what was expected.
        parser_needed: load the parser that a run was recorded from if no grammar is named.

    Raises:
        GramspectError: something cannot be used, or does not go together.
    """
    if not tests.recorded:
        if grammar is None:
            raise GramspectError(
                "name a grammar, as in gramspect localize Calc.g4 --accept tests/, or let gramspect"
                " init write it into a gramspect.toml"
            )
        return Subject(grammar, tests.suite(grammar, load.adapter), load, run)
    if tests.accept or tests.reject or tests.manifests:
        raise SuiteError("--spectra stands for tests; leave out --accept, --reject and --suite")
    from gramspect.recordings.reading import read_runs
    from gramspect.recordings.suites import RecordedGrammar, recorded_suite
    from gramspect.running.loading import Loaded, load_parser

    runs = read_runs(tests.recorded)
    header = runs[0].header
    if parser_needed and grammar is None:
        grammar, load = header.source, replace(load, adapter=load.adapter or header.adapter)
    found: Loaded | None = None if grammar is None else load_parser(grammar, load)
    recognizer = None if found is None else found.recognizer
    recorded = recorded_suite(runs, recognizer, Extraction(extraction), judged=judged)
    observed = replace(run, recorded=recorded.observations)
    if found is None:
        only = RecordedGrammar(recorded.grammar)
        return Subject(only, recorded.suite, LoadOptions(adapter=header.adapter), observed)
    load = replace(load, adapter=found.adapter)
    return Subject(found.recognizer, recorded.suite, load, replace(observed, loader=found.loader))
