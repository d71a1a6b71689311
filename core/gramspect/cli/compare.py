"""``gramspect compare``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from gramspect import comparison
from gramspect.cli.options import (
    Count,
    NamedTests,
    SeveralPaths,
    loading_options,
    ranking_options,
    report_options,
    running_options,
    suite_options,
)
from gramspect.cli.outcome import check_decided, exit_status, undecided_option
from gramspect.cli.output import ProgressBar, mark_for, write_lines, write_text
from gramspect.files import check_writable
from gramspect.recognition.recognizer import LoadOptions
from gramspect.report.comparison_text import comparison_lines
from gramspect.running.options import RunOptions

__all__ = ["compare"]


@click.command(
    cls=SeveralPaths,
    matters={
        "accept": "gramspect compare calc.y --accept tests.txt --lines",
        "reject": "gramspect compare Calc.g4 calc.lark --accept good/ --reject bad/",
        "adapters": "gramspect compare calc.y --adapters native,ply,lark-earley --accept tests/",
    },
)
@click.argument("sources", nargs=-1, required=True, metavar="GRAMMAR...")
@suite_options
@click.option(
    "--adapters",
    metavar="NAME,...",
    help="Adapters that build GRAMMAR (default: all that are installed).",
)
@loading_options
@ranking_options
@click.option(
    "--top",
    type=Count(min=1),
    metavar="N",
    default=10,
    show_default=True,
    help="Show elements, and compare rankings, up to rank N.",
)
@running_options
@undecided_option
@report_options(("text", "json", "html"))
@click.option("--plot", metavar="FILE", help="Draw the ranks into FILE (.svg or .png).")
@click.option("-v", "--verbose", is_flag=True, help="Show all disagreements, with their reasons.")
def compare(
    *,
    sources: tuple[str, ...],
    tests: NamedTests,
    adapters: str | None,
    load: LoadOptions,
    form: str,
    output: str | None,
    plot: str | None,
    undecided_are: str,
    verbose: bool,
    run: RunOptions,
    **how: Any,
) -> int:
    """Run the same tests through several parsing techniques and compare verdicts and rankings.

    One GRAMMAR is read by its own tool and built by every adapter. Several are sources that
    describe the same language, each run by its own tool; ADAPTER=GRAMMAR chooses the tool. Each
    tool gets those values of --option that it knows.

    Exit status: 0 no test fails in any technique, 1 some do, 2 something cannot be used or
    no technique can decide a test.
    """
    for path in (output, plot):
        if path is not None:
            check_writable(path)
    if plot is not None:
        from gramspect.report.plots import check_plot

        check_plot(plot)
    name, source = comparison.split_source(sources[0])
    suite = tests.suite(source if len(sources) == 1 else None, name or load.adapter)
    names = None if adapters is None else [n.strip() for n in adapters.split(",") if n.strip()]
    with ProgressBar() as progress:
        result = comparison.compare(
            sources, suite, adapters=names, load=load,
            run=replace(run, progress=progress), **how,
        )  # fmt: skip
    if form == "json":
        from gramspect.report.comparison_json import comparison_json

        write_text(comparison_json(result), output)
    elif form == "html":
        from gramspect.report.comparison_html import comparison_html

        write_text(comparison_html(result), output)
    else:
        write_lines(comparison_lines(result, verbose=verbose, mark=mark_for(output)), output)
    if plot is not None and result.any_failing:
        from gramspect.report.plots import plot_ranks, save

        save(plot_ranks(result), plot)
    undecided = sorted((technique.result.undecided for technique in result.taking_part), key=len)
    check_decided(undecided[0], len(suite))  # what one technique cannot do is in the report
    return exit_status(result.any_failing, undecided[-1], undecided_are)
