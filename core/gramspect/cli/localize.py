"""``gramspect localize``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from gramspect.cli.configured import Configured, target_option
from gramspect.cli.options import (
    Count,
    NamedTests,
    effort_options,
    loading_options,
    localizing_options,
    reader_option,
    recorded_option,
    report_options,
    running_options,
    suite_options,
)
from gramspect.cli.outcome import check_decided, exit_status, undecided_option
from gramspect.cli.output import ProgressBar, mark_for, write_lines, write_text
from gramspect.cli.subjects import subject
from gramspect.files import check_writable
from gramspect.localization import localize as localization
from gramspect.localization.results import Localization
from gramspect.recognition.recognizer import LoadOptions
from gramspect.report.json import json_report
from gramspect.report.text import report_lines
from gramspect.running.options import RunOptions

__all__ = ["localize"]

_TOP = 10
_SPECTRA = ("tcm", "gzoltar")
_FORMATS = ("text", "json", "html", "sarif", "markdown", *_SPECTRA)


@click.command(
    cls=Configured,
    matters={
        "accept": "gramspect localize Calc.g4 --accept broken.txt",
        "reject": "gramspect localize calc.lark --accept good/ --reject bad/",
        "form": "gramspect localize Calc.g4 --accept tests/ --format html -o report.html",
    },
)
@click.argument("grammar", required=False)
@target_option
@suite_options
@recorded_option
@loading_options
@localizing_options
@click.option(
    "--top",
    type=Count(min=1),
    metavar="N",
    help=f"How many elements to show; {_TOP} in the text and SARIF reports, else all.",
)
@running_options
@undecided_option
@effort_options(
    "Time limit that the tests and the search for repairs share; half is for the search."
)
@report_options(
    _FORMATS,
    "Text for people, HTML for a browser, Markdown for issues and CI, JSON and SARIF for programs;"
    " tcm and gzoltar hold spectra.",
    output="Write the report to FILE (gzoltar: a new folder), whole or not at all.",
)
@reader_option
@click.option("--plot", metavar="FILE", help="Draw the scores into FILE (.svg or .png).")
@click.option("-v", "--verbose", is_flag=True, help="Show all failing tests and whole rules.")
def localize(
    *,
    grammar: str | None,
    tests: NamedTests,
    load: LoadOptions,
    undecided_are: str,
    form: str,
    output: str | None,
    plot: str | None,
    top: int | None,
    verbose: bool,
    run: RunOptions,
    **how: Any,
) -> int:
    """Rank the rules or positions of GRAMMAR by how suspicious the tests make them.

    GRAMMAR is what the adapter takes: a grammar file, a module with a parser (its code is run), a
    folder that holds a grammar with examples. Each PATH is a file (one test) or a folder (each
    file below it is a test). GRAMMAR may be left out where a gramspect.toml names it, and with
    --spectra, which runs nothing.

    Exit status: 0 no test fails, 1 some fail and the ranking is printed, 2 something cannot be
    used or no test can be decided.
    """
    if form in _SPECTRA:
        from gramspect.cli.spectra import check_output

        check_output(form, output)
    elif output is not None:
        check_writable(output)
    if plot is not None:
        from gramspect.report.plots import check_plot

        check_plot(plot)
        check_writable(plot)
    source, suite, load, run = subject(grammar, tests, load, run, how["extraction"])
    with ProgressBar() as progress:
        result = localization.localize(
            source,
            suite,
            load=load,
            run=replace(run, progress=progress),
            all_spectra=form == "html",
            **how,
        )
    _write(result, form, output, top, verbose)
    if plot is not None and result.ranking:
        from gramspect.report.plots import plot_scores, save

        save(plot_scores(result), plot)
    check_decided(result.undecided, len(suite))
    return exit_status(bool(result.failing), result.undecided, undecided_are)


def _write(
    result: Localization, form: str, output: str | None, top: int | None, verbose: bool
) -> None:
    """Write the report in a format; only what the format needs is imported."""
    match form:
        case "html":
            from gramspect.report.html import html_report

            write_text(html_report(result), output)
        case "json":
            write_text(json_report(result, top), output)
        case "sarif":
            from gramspect.report.sarif import sarif_report

            write_text(sarif_report(result, top or _TOP), output)
        case "markdown":
            from gramspect.report.markdown import markdown_report

            write_text(markdown_report(result, top or _TOP), output)
        case "tcm" | "gzoltar":
            from gramspect.cli.spectra import write_output
            from gramspect.localization.results import spectra_of

            write_output(spectra_of(result), form, output)
        case _:
            report = report_lines(result, top or _TOP, verbose=verbose, mark=mark_for(output))
            write_lines(report, output)
