"""``gramspect localize``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, TypeVar

import click

from gramspect import localization
from gramspect.cli.output import ProgressBar, mark_for, write_lines, write_text
from gramspect.evidence import Evidence
from gramspect.files import check_writable
from gramspect.metrics import METRICS
from gramspect.ranking import Ties
from gramspect.recognizer import own_tests
from gramspect.report.json import json_report
from gramspect.report.text import report_lines
from gramspect.results import Method
from gramspect.spectrum import SpectrumKind
from gramspect.suite import TestSuite
from gramspect.trace import Extraction

__all__ = ["localize"]

F = TypeVar("F", bound=Callable[..., object])

_TOP = 10


class _SeveralPaths(click.Command):
    """A command whose options for paths take several, so that ``--accept tests/*.c`` works.

    ``--accept a b`` is read as ``--accept a --accept b``.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(_each_with_its_option(args)))


def _each_with_its_option(args: list[str]) -> Iterator[str]:
    option, first = "", True
    for position, arg in enumerate(args):
        if arg == "--":
            yield from args[position:]
            return
        if arg.startswith("-"):
            option, first = arg if arg in ("--accept", "--reject") else "", True
        elif option:
            if not first:
                yield option
            first = False
        yield arg


def _choice(name: str, kind: type[StrEnum], default: StrEnum, text: str) -> Callable[[F], F]:
    choices = click.Choice([str(member) for member in kind])
    return click.option(name, type=choices, default=str(default), show_default=True, help=text)


@click.command(cls=_SeveralPaths)
@click.argument("grammar")
@click.option("--accept", multiple=True, metavar="PATH...", help="Tests that are in the language.")
@click.option("--reject", multiple=True, metavar="PATH...", help="Tests that are not.")
@click.option(
    "--lines", is_flag=True, help="Files hold one test per line; blank lines are no tests."
)
@click.option("--adapter", metavar="NAME", help="Who loads GRAMMAR; else chosen by its kind.")
@click.option("--start", metavar="SYMBOL", help="The start symbol, if not the grammar's own.")
@_choice("--spectrum", SpectrumKind, Method.spectrum, "What is ranked.")
@_choice(
    "--extraction", Extraction, Method.extraction, "Which derivations of rejected tests count."
)
@_choice("--evidence", Evidence, Method.evidence, "What a score is made of.")
@click.option(
    "--metric",
    default=Method.metric,
    show_default=True,
    help=f"{', '.join(sorted(METRICS))}; dstar:3 is DStar with the exponent 3.",
)
@_choice("--ties", Ties, Method.ties, "Which rank the elements of a tie get.")
@click.option("--group", is_flag=True, help="Rank non-terminals, by the best element of each.")
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"How many elements to show; {_TOP} in the text report, else all.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Time limit of each test; tests that exceed it are undecided.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Worker processes that run tests.",
)
@click.option(
    "--case",
    type=click.Choice(["upper", "lower"]),
    help="What letters look like to the lexer (antlr): for grammars with case-changing streams.",
)
@click.option(
    "--allow-trailing",
    is_flag=True,
    help="The start rule need not consume the whole input (antlr).",
)
@click.option(
    "--budget",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    default=localization.SECONDS_FOR_EDITS,
    show_default=True,
    help="How long to search for edits, with --evidence edits.",
)
@click.option("--no-actions", is_flag=True, help="Do not run the parser's semantic actions.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.option(
    "-o", "--output", metavar="FILE", help="Write the report to FILE, whole or not at all."
)
@click.option("-v", "--verbose", is_flag=True, help="Show all failing tests and whole rules.")
def localize(
    *,
    grammar: str,
    accept: tuple[str, ...],
    reject: tuple[str, ...],
    lines: bool,
    case: str | None,
    allow_trailing: bool,
    no_actions: bool,
    form: str,
    output: str | None,
    top: int | None,
    verbose: bool,
    **how: Any,
) -> int:
    """Rank the rules or positions of GRAMMAR by how suspicious the tests make them.

    GRAMMAR is what the adapter takes: a grammar file, a module with a parser (its code is run), a
    folder that holds a grammar with examples. A PATH is a file (one test) or a folder (each file
    below it is a test).

    Exit status: 0 no test fails, 1 some fail and the ranking is printed, 2 something cannot be
    used.
    """
    if output is not None:
        check_writable(output)
    suite = None if accept or reject else own_tests(grammar, how["adapter"])
    if suite is None:
        suite = TestSuite.load(accept, reject, lines)
    options = {"case": case or "", "trailing": "allow" if allow_trailing else ""}
    with ProgressBar() as progress:
        result = localization.localize(
            grammar, suite, actions=not no_actions, options=options, progress=progress, **how
        )
    if form == "json":
        write_text(json_report(result, top), output)
    else:
        report = report_lines(result, top or _TOP, verbose=verbose, mark=mark_for(output))
        write_lines(report, output)
    return 1 if result.failing else 0
