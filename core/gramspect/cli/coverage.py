"""``gramspect coverage``."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from gramspect.cli.configured import Configured, target_option
from gramspect.cli.options import (
    Count,
    NamedTests,
    Number,
    choice,
    loading_options,
    recorded_option,
    report_options,
    running_options,
    suite_options,
)
from gramspect.cli.outcome import check_decided, exit_status, undecided_option
from gramspect.cli.output import ProgressBar, write_lines, write_text
from gramspect.cli.subjects import subject
from gramspect.errors import GramspectError
from gramspect.files import check_writable
from gramspect.generation.kpaths import LONGEST
from gramspect.grammar_coverage.coverage import Coverage
from gramspect.grammar_coverage.coverage import coverage as coverage_of
from gramspect.lrgraph.graph import AutomatonKind, lr_graph
from gramspect.recognition.recognizer import LoadOptions, Recognizer, Tokenizing
from gramspect.recognition.trace import Extraction
from gramspect.running.loading import load_parser
from gramspect.running.options import RunOptions

if TYPE_CHECKING:
    from gramspect.report.json import Json
    from gramspect.report.words import Line

__all__ = ["coverage"]

_TOP = 10
_FORMATS = ("text", "json", "html", "markdown", "lcov", "cobertura")
_WITH_PATHS = ("text", "json")


@click.command(
    cls=Configured,
    matters={
        "accept": "gramspect coverage Calc.g4 --accept tests/",
        "fail_under": "gramspect coverage Calc.g4 --accept tests/ --fail-under 80",
        "form": "gramspect coverage calc.lark --accept tests/ --format html -o coverage.html",
    },
)
@click.argument("grammar", required=False)
@target_option
@suite_options
@recorded_option
@loading_options
@click.option(
    "--extraction",
    type=click.Choice([str(kind) for kind in Extraction]),
    default=str(Extraction.EXACT),
    show_default=True,
    help="Which derivations of rejected tests count as touching.",
)
@running_options
@undecided_option
@click.option(
    "--fail-under",
    type=Number(0, 100),
    metavar="PERCENT",
    help="Exit with status 1 if less of the alternatives is covered.",
)
@click.option(
    "--top",
    type=Count(min=1),
    default=_TOP,
    show_default=True,
    metavar="N",
    help="How many gaps to show in the text report.",
)
@click.option(
    "--k-paths",
    "k",
    type=click.IntRange(1, LONGEST),
    metavar="K",
    help="Also count the paths of K symbols in derivation trees (text and json).",
)
@click.option(
    "--criterion",
    type=click.Choice(["lr-graph"]),
    help="Also count the edges of an LR graph that tests use (text and json).",
)
@choice("--automaton", AutomatonKind, AutomatonKind.LR0, "What the LR graph is made of.")
@report_options(_FORMATS, "Form of the report; lcov and cobertura are for CI servers.")
@click.option("-v", "--verbose", is_flag=True, help="Show all gaps.")
def coverage(
    *,
    grammar: str | None,
    tests: NamedTests,
    load: LoadOptions,
    undecided_are: str,
    fail_under: float | None,
    top: int,
    k: int | None,
    criterion: str | None,
    automaton: str,
    form: str,
    output: str | None,
    verbose: bool,
    run: RunOptions,
    **how: Any,
) -> int:
    """Say which rules, choices and positions of GRAMMAR the tests use, and which they never do.

    GRAMMAR and PATH are as for gramspect localize. An element is covered if an accepted test uses
    it; lcov and Cobertura reports are for CI servers.

    Exit status: 0 the report is written, 1 less is covered than --fail-under asks for, 2 something
    cannot be used or no test can be decided.
    """
    for given, option in ((k, "--k-paths"), (criterion, "--criterion")):
        if given is not None and form not in _WITH_PATHS:
            known = " and ".join(_WITH_PATHS)
            raise GramspectError(f"{option} is reported as {known}, not as {form}")
    if output is not None:
        check_writable(output)
    source, suite, load, run = subject(grammar, tests, load, run, how["extraction"], judged=False)
    recognizer, name, loader = load_parser(source, load, run.loader)
    with ProgressBar() as progress:
        result = coverage_of(
            recognizer, suite, load=LoadOptions(adapter=name),
            run=replace(run, loader=loader, progress=progress), **how,
        )  # fmt: skip
        more = []
        if k is not None:
            more.append(_paths(recognizer, result, k, top))
        if criterion is not None:
            more.append(_edges(recognizer, result, AutomatonKind(automaton), top))
    _write(result, more, form, output, top, verbose)
    check_decided(result.undecided, len(suite))
    if fail_under is not None and result.percent < fail_under:
        percent = f"{math.floor(100 * result.percent) / 100:g} %"
        click.echo(
            f"gramspect: {percent} of the alternatives are covered, less than {fail_under:g} %",
            err=True,
        )
        return 1
    return exit_status(False, result.undecided, undecided_are)


class _More(NamedTuple):
    """A further part of the report: its name in JSON, and its two forms."""

    name: str
    lines: list[Line]
    value: dict[str, Json]


def _paths(recognizer: Recognizer, result: Coverage, k: int, top: int) -> _More:
    """The k-paths in all decided tests that are sentences of the grammar."""
    from gramspect.grammar_coverage.kpaths import k_path_coverage
    from gramspect.report.coverage_kpaths import k_path_lines, k_path_value

    found = k_path_coverage(recognizer.grammar, _inputs(recognizer, result, "--k-paths"), k)
    return _More("k_paths", list(k_path_lines(found, top)), k_path_value(found, top))


def _edges(recognizer: Recognizer, result: Coverage, kind: AutomatonKind, top: int) -> _More:
    """The edges of an LR graph that the same tests use."""
    from gramspect.grammar_coverage.lr_edges import edge_coverage
    from gramspect.report.coverage_lr_edges import lr_edge_lines, lr_edge_value

    inputs = _inputs(recognizer, result, "--criterion")
    found = edge_coverage(lr_graph(recognizer.grammar, kind), inputs)
    return _More("lr_graph", list(lr_edge_lines(found, top)), lr_edge_value(found, top))


def _inputs(recognizer: Recognizer, result: Coverage, option: str) -> Iterator[Sequence[int]]:
    """The tokens of all decided tests."""
    if not isinstance(recognizer, Tokenizing):
        raise GramspectError(f"{option} needs the tokens of tests, which this adapter cannot tell")
    # A text that cannot be lexed is no sentence, nor is one with a token that the grammar does not
    # know. The lexer of an undecided test may never come to an end.
    undecided = {one.test.name for one in result.undecided}
    tests = (test for test in result.suite if test.name not in undecided)
    return ([-1] if (t := recognizer.tokens(test)) is None else t for test in tests)


def _write(
    result: Coverage,
    more: Sequence[_More],
    form: str,
    output: str | None,
    top: int,
    verbose: bool,
) -> None:
    """Write the report in a format; only what the format needs is imported."""
    if form == "text":
        from gramspect.report.coverage_text import coverage_lines

        lines = coverage_lines(result, top, verbose=verbose)
        for each in more:
            lines += [[], *each.lines]
        write_lines(lines, output)
        return
    if more:
        from gramspect.report.coverage_json import coverage_value

        value = coverage_value(result) | {each.name: each.value for each in more}
        write_text(json.dumps(value, indent=1, allow_nan=False) + "\n", output)
        return
    match form:
        case "markdown":
            from gramspect.report.markdown import coverage_markdown

            write_text(coverage_markdown(result, None if verbose else top), output)
            return
        case "json":
            from gramspect.report.coverage_json import coverage_json as report
        case "html":
            from gramspect.report.coverage_html import coverage_html as report
        case "lcov":
            from gramspect.report.coverage_lcov import coverage_lcov as report
        case _:
            from gramspect.report.coverage_cobertura import coverage_cobertura as report
    write_text(report(result), output)
