"""``gramspect check``."""

from __future__ import annotations

import click

from gramspect.cli.options import (
    NamedTests,
    SeveralPaths,
    loading_options,
    running_options,
    suite_options,
)
from gramspect.cli.output import write_lines
from gramspect.errors import AdapterError, MissingDependency
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.trace import Verdict
from gramspect.report.check_text import check_lines
from gramspect.running import checking
from gramspect.running.options import RunOptions

__all__ = ["check"]


@click.command(
    cls=SeveralPaths,
    matters={
        "accept": "gramspect check Calc.g4 --accept one.txt",
        "adapter": "gramspect check parser.jar:org.example.Parser --adapter cup",
        "option": "gramspect check parser.jar --option classpath=lib/* --accept one.txt",
    },
)
@click.argument("grammar")
@suite_options
@loading_options
@running_options
def check(*, grammar: str, tests: NamedTests, load: LoadOptions, run: RunOptions) -> int:
    """Say what would be loaded for GRAMMAR, how, and what is missing; run the first tests.

    Exit status: 0 it is loaded and the tests have verdicts, 2 something is missing.
    """
    named = tests.accept or tests.reject or tests.manifests
    suite = tests.suite(grammar, load.adapter) if named else None
    found = checking.check(grammar, suite, load=load, run=run)
    write_lines(check_lines(found), None)
    if found.missing is not None:
        raise MissingDependency(found.missing)
    if found.problem:
        raise AdapterError(found.problem)
    seen = [one for _, one in found.tests]
    if seen and all(one.verdict is Verdict.UNDECIDED for one in seen):
        raise AdapterError(f"no test has a verdict: {seen[0].reason}")
    return 0
