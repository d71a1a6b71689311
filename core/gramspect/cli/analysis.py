"""One run of a target for the language server: ``python -m gramspect.cli.analysis``.

It is a process of its own, which the server ends when the file is saved again. It imports what it
needs and then waits for a line of JSON: a list of the project's folder and the name of the target.
It reads the project's configuration as `gramspect localize` does, and writes a line of JSON for all
that it has to say: ``progress``, ``findings`` (first what the spectra say, then with repairs), or
``error``.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from gramspect.cli.configured import Configured, target_option
from gramspect.cli.options import (
    NamedTests,
    effort_options,
    loading_options,
    recorded_option,
    running_options,
    suite_options,
)
from gramspect.cli.output import reserve_output, write_text
from gramspect.cli.subjects import subject
from gramspect.errors import GramspectError
from gramspect.grammar_coverage.coverage import Coverage
from gramspect.languageserver.findings import Findings, error_findings, findings_of
from gramspect.localization.localize import localize
from gramspect.localization.results import Localization
from gramspect.project import FILE, find_project
from gramspect.recognition.recognizer import LoadOptions
from gramspect.repairs.suggest import suggest
from gramspect.running.loading import load_parser
from gramspect.running.options import RunOptions
from gramspect.running.runner import run as run_tests
from gramspect.scoring.evidence import Evidence
from gramspect.spectrum.matrix import SpectrumKind
from gramspect.suites.suite import TestSuite

__all__ = ["analysis", "main"]

_STEPS = 50
"""How often, about, a run tells how far it is."""
_GARBAGE = 100_000
"""After how many new objects the garbage collector looks for cycles."""


@click.command(cls=Configured)
@click.argument("grammar", required=False)
@target_option
@suite_options
@recorded_option
@loading_options
@running_options
@effort_options("Time limit of the search for repairs and of their checks.")
def analysis(
    *,
    grammar: str | None,
    tests: NamedTests,
    load: LoadOptions,
    run: RunOptions,
    effort: str,
    budget: float,
    reduce: bool,
) -> None:
    """Say what an editor shows of GRAMMAR."""
    named = [*tests.accept, *tests.reject, *tests.manifests, *tests.recorded]
    watched = [*named, *([grammar] if grammar and Path(grammar).exists() else [])]
    source, suite, load, run = subject(grammar, tests, load, run, parser_needed=True)
    recognizer, adapter, loader = load_parser(source, load, run.loader)
    load, run = replace(load, adapter=adapter), replace(run, loader=loader)
    if run.recorded is None:
        observations = run_tests(
            recognizer, suite.tests, loader=loader, timeout=run.timeout, jobs=run.jobs
        )
        seen = {}
        for test, observation in zip(suite, observations, strict=True):
            seen[test.name] = observation
            if len(seen) == len(suite) or len(seen) % max(1, len(suite) // _STEPS) == 0:
                _say("progress", [len(seen), len(suite)])
        run = replace(run, recorded=seen)
    first = localize(
        recognizer, suite, load=load, run=run, evidence=Evidence.BOTH, all_spectra=True
    )
    covered = _coverage(first, suite)
    _say_findings(findings_of(first, covered, watched=watched))
    if first.failing:
        found = suggest(
            recognizer, suite, load=load, run=run, effort=effort, budget=budget, reduce=reduce
        )
        _say_findings(findings_of(found.localization, covered, found, watched=watched))


def _coverage(result: Localization, suite: TestSuite) -> Coverage:
    """The coverage by the run that a localization rests on, with all its spectra."""
    matrices = result.basis.matrices
    return Coverage(
        grammar=result.grammar,
        suite=suite,
        adapter=result.adapter,
        extraction=result.method.extraction,
        rules=matrices[SpectrumKind.RULE],
        items=matrices[SpectrumKind.ITEM],
        failing=result.failing,
        undecided=result.undecided,
    )


def _say(what: str, value: object) -> None:
    write_text(json.dumps({what: value}) + "\n", None)


def _say_findings(findings: Findings) -> None:
    _say("findings", findings.as_json())


def main() -> None:
    """The entry point: it ends as soon as its standard input does, with all that it has started."""
    reserve_output()
    # A run is short and makes much that stays: the collector would look through it for nothing.
    gc.freeze()
    gc.set_threshold(_GARBAGE)
    line = sys.stdin.readline()
    if not line:
        return
    threading.Thread(target=_end_with_input, daemon=True).start()
    folder, name = json.loads(line)
    try:
        os.chdir(folder)
        os.environ["PWD"] = folder
        analysis.main(["--target", name], standalone_mode=False)
    except Exception as problem:
        _say("error", error_findings(_as_error(problem), _place(name)).as_json())


def _end_with_input() -> None:
    while os.read(0, 1 << 10):
        pass
    end_group: Callable[[int, int], Any] | None = getattr(os, "killpg", None)
    if end_group is not None and os.getpgrp() == os.getpid():
        end_group(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _as_error(problem: Exception) -> GramspectError:
    if isinstance(problem, GramspectError):
        return problem
    if isinstance(problem, click.ClickException):
        return GramspectError(problem.format_message())
    return GramspectError(f"{type(problem).__name__}: {problem} (this is a fault of gramspect)")


def _place(name: str) -> str:
    """The file where an error without a place is shown: a target's grammar, or what names it."""
    file = FILE
    with suppress(GramspectError):
        project = find_project(Path.cwd())
        if project is not None:
            file = project.file
            (target,) = project.chosen(name).values()
            grammar: str = project.parameters(target)["grammar"]
            return grammar if Path(grammar).is_file() else file
    return file


if __name__ == "__main__":
    main()
