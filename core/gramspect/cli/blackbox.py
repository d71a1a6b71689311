"""``gramspect blackbox``."""

from __future__ import annotations

import click

from gramspect.blackboxes.answers import Wording
from gramspect.blackboxes.asking import System
from gramspect.blackboxes.callables import PythonCallable
from gramspect.blackboxes.campaign import DEFAULT_METHOD
from gramspect.blackboxes.campaign import blackbox as run_campaign
from gramspect.blackboxes.commands import Command
from gramspect.cli.keeping import KeepsInputs
from gramspect.cli.options import (
    Count,
    choice,
    loading_options,
    report_options,
    running_options,
    scoring_options,
    texts_options,
)
from gramspect.cli.outcome import check_decided, exit_status, undecided_option
from gramspect.cli.output import ProgressBar, mark_for, write_lines, write_text
from gramspect.cli.planning import plan_options
from gramspect.errors import GramspectError
from gramspect.files import check_writable
from gramspect.generation.generate import Plan
from gramspect.generation.texts import Spacing
from gramspect.localization.results import Method
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.trace import Verdict
from gramspect.report.blackbox_json import blackbox_json
from gramspect.report.blackbox_text import blackbox_lines
from gramspect.running.options import RunOptions
from gramspect.scoring.evidence import Evidence
from gramspect.scoring.ranking import Ties
from gramspect.spectrum.matrix import SpectrumKind

__all__ = ["blackbox"]

_TOP = 10


@click.command(
    cls=KeepsInputs,
    matters={
        "line": "gramspect blackbox json.lark --command 'jq . {file}'",
        "function": "gramspect blackbox json.lark --python json:loads",
        "positions": "gramspect blackbox json.lark --command 'jq .'"
        r" --position 'line (?P<line>\d+)'",
    },
)
@click.argument("grammar")
@click.option(
    "--command",
    "line",
    metavar="COMMAND",
    help="The program to ask, such as 'jq . {file}'; without {file}, the input is on standard"
    " input. No shell runs.",
)
@click.option(
    "--python",
    "function",
    metavar="MODULE:FUNCTION",
    help="The Python function to ask, also FILE.py:FUNCTION; it rejects by raising.",
)
@click.option(
    "--syntax-error",
    "syntax_errors",
    multiple=True,
    metavar="REGEX",
    help="A rejection is for syntax if this is found in its message (default: all rejections are"
    " for syntax).",
)
@click.option(
    "--position",
    "positions",
    multiple=True,
    metavar="REGEX",
    help="Where a message says that the error is: named groups line, column (column0 from 0),"
    " offset, near (the offending token), end.",
)
@click.option(
    "--no-positions", is_flag=True, help="Ignore the places of errors: use whole derivations."
)
@click.option(
    "--accept-status",
    "accepted",
    type=click.IntRange(0, 255),
    multiple=True,
    default=(0,),
    show_default=True,
    metavar="N",
    help="Exit status with which the program accepts an input.",
)
@click.option(
    "--suffix",
    default=".txt",
    show_default=True,
    metavar="TEXT",
    help="How the name of {file} ends.",
)
@click.option(
    "--other",
    type=click.Choice([str(verdict) for verdict in Verdict]),
    default=str(Verdict.ACCEPTED),
    show_default=True,
    help="What a rejection for other reasons than syntax counts as.",
)
@plan_options("cdrc")
@click.option(
    "--rounds",
    type=Count(min=0),
    default=0,
    metavar="N",
    help="Tell up to N differences apart: in each round, set aside the tests that the first"
    " element explains, and rank by the others.",
)
@click.option(
    "--state",
    metavar="FILE",
    help="Keep the answers in FILE, so that later runs only ask about new inputs.",
)
@loading_options
@texts_options
@choice("--spectrum", SpectrumKind, DEFAULT_METHOD.spectrum, "What is ranked.")
@choice(
    "--evidence",
    (Evidence.SPECTRUM, Evidence.ERROR, Evidence.BOTH),
    DEFAULT_METHOD.evidence,
    "What a score is made of.",
)
@scoring_options
@click.option("--top", type=Count(min=1), metavar="N", help="How many elements to show.")
@running_options
@undecided_option
@report_options(("text", "json", "html"))
@click.option("-v", "--verbose", is_flag=True, help="Show all failing tests and whole rules.")
def blackbox(
    *,
    grammar: str,
    line: str | None,
    function: str | None,
    syntax_errors: tuple[str, ...],
    positions: tuple[str, ...],
    no_positions: bool,
    accepted: tuple[int, ...],
    suffix: str,
    other: str,
    plan: Plan,
    model: str | None,
    samples: str | None,
    spacing: str,
    rounds: int,
    spectrum: str,
    evidence: str,
    metric: str,
    ties: str,
    group: bool,
    state: str | None,
    top: int | None,
    undecided_are: str,
    form: str,
    output: str | None,
    verbose: bool,
    load: LoadOptions,
    run: RunOptions,
) -> int:
    """Find where GRAMMAR and a system that cannot be instrumented differ.

    Tests are generated from the grammar, and the system is asked about each.

    Exit status: 0 they agree on all tests, 1 they do not and the ranking is printed, 2 something
    cannot be used or no test can be decided.
    """
    if output is not None:
        check_writable(output)
    system = _system(line, function, Wording(syntax_errors, positions), accepted, suffix)
    method = Method(
        SpectrumKind(spectrum), evidence=Evidence(evidence), metric=metric, ties=Ties(ties),
        grouped=group,
    )  # fmt: skip
    with ProgressBar() as progress:
        result = run_campaign(
            grammar, system, plan, model=model, samples=samples, spacing=Spacing(spacing),
            method=method, other=Verdict(other), positions=not no_positions, rounds=rounds,
            timeout=run.timeout, jobs=run.jobs, state=state, load=load,
            all_spectra=form == "html", progress=progress,
        )  # fmt: skip
    if form == "html":
        from gramspect.report.html import html_report

        write_text(html_report(result.localization), output)
    elif form == "json":
        write_text(blackbox_json(result, top), output)
    else:
        report = blackbox_lines(result, top or _TOP, verbose=verbose, mark=mark_for(output))
        write_lines(report, output)
    found = result.localization
    check_decided(found.undecided, len(found.suite))
    return exit_status(bool(found.failing), found.undecided, undecided_are)


def _system(
    line: str | None,
    function: str | None,
    wording: Wording,
    accepted: tuple[int, ...],
    suffix: str,
) -> System:
    if line is not None and function is None:
        return Command(line, wording, accepted, suffix)
    if function is not None and line is None:
        return PythonCallable(function, wording)
    raise GramspectError("name the system with --command or --python, one of them")
