"""``gramspect debug``."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from gramspect.cli.options import (
    NamedTests,
    SeveralPaths,
    effort_options,
    loading_options,
    reader_option,
    running_options,
    suite_options,
)
from gramspect.cli.outcome import check_decided, exit_status, undecided_fail_option
from gramspect.cli.output import ProgressBar, mark_for, write_lines, write_text
from gramspect.cli.suggest import check_not_the_users, diff_lines
from gramspect.edits.suggestion import Suggestion
from gramspect.edits.writing import SourceFile, from_here
from gramspect.errors import GramspectError
from gramspect.files import check_writable, write_whole
from gramspect.localization.results import Localization
from gramspect.recognition.recognizer import LoadOptions
from gramspect.repairs import debug as debugging
from gramspect.repairs.debug import Debugger, Debugging, Round
from gramspect.report.edits import suggestion_value, summary
from gramspect.report.json import undecided_values
from gramspect.report.text import report_lines
from gramspect.report.words import Line, Piece, counted, printable
from gramspect.running.options import RunOptions

__all__ = ["debug"]

_TOP = 3
_AT_ONCE = 3
_INTERRUPTED = 130


@click.command(
    cls=SeveralPaths,
    matters={
        "accept": "gramspect debug Calc.g4 --accept tests/ -o Mended.g4",
        "reject": "gramspect debug calc.lark --accept good/ --reject bad/",
        "auto": "gramspect debug Calc.g4 --accept tests/ --auto -o Mended.g4",
    },
)
@click.argument("grammar")
@suite_options
@loading_options
@running_options
@undecided_fail_option
@click.option("--auto", is_flag=True, help="Make the best repair without asking, until none helps.")
@reader_option
@effort_options("Time limit of the search for repairs, and of their checks, in each round.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    help="With --auto: what to print.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="The working copy, where the mended grammar is written; never the grammar itself.",
)
def debug(
    *,
    grammar: str,
    tests: NamedTests,
    load: LoadOptions,
    undecided_are: str,
    auto: bool,
    form: str,
    output: str | None,
    run: RunOptions,
    **how: Any,
) -> int:
    """Mend GRAMMAR one fault at a time: localize, make a change, run the tests again.

    Each round shows the most suspicious places and the repairs that make tests pass. Choose one
    by its number, or edit the working copy yourself. GRAMMAR itself stays as it is; -o names
    the file for the mended one. Ctrl-C ends with the best grammar so far.

    Exit status: 0 all tests pass in the end, 1 some still fail or are undecided (with --undecided
    count: some still fail), 2 something cannot be used or no test can be decided.
    """
    if form == "json" and not auto:
        raise GramspectError("--format json is for debugging without questions; add --auto")
    if output is not None:
        check_writable(output)
        check_not_the_users(output, [grammar])
    suite = tests.suite(grammar, load.adapter)
    quiet = form == "json"
    with ProgressBar() as progress:
        if auto:
            watch = None if quiet else _shown
            result = debugging.debug(
                grammar, suite, load=load, run=replace(run, progress=progress), watch=watch, **how
            )
        else:
            result = _session(Debugger(grammar, suite, load=load, run=run, **how), output)
    if quiet:
        write_text(json.dumps(_value(result), indent=1) + "\n", None)
    else:
        write_lines(list(_table(result)), None)
    if output is not None:
        _write(result, grammar, output)
    if result.interrupted:
        return _INTERRUPTED
    check_decided(result.undecided, result.n_tests)
    failing = result.left > len(result.undecided)
    return exit_status(failing, result.undecided, undecided_are)


def _write(result: Debugging, grammar: str, output: str) -> None:
    """Write the mended grammar, or a copy of the original if nothing was changed."""
    if len(result.changes) > 1:
        files = ", ".join(from_here(change.file.path) for change in result.changes)
        raise GramspectError(
            f"{output}: not written, as several files were changed ({files}); the diffs are above"
        )
    if result.changes:
        check_not_the_users(output, [change.file.path for change in result.changes])
        write_whole(output, result.changes[0].changed.encoded())
    elif Path(grammar).is_file():
        write_whole(output, SourceFile.read(grammar).encoded())


# --- what is shown -------------------------------------------------------------------------


def _shown(one: Round) -> None:
    """Print a round of --auto when it is done."""
    number = one.number
    tests = counted(len(one.found.localization.suite), "test")
    fail = "fails" if one.failing == 1 else "fail"
    out: list[Line] = [[Piece(f"Round {number}: {one.failing} of {tests} {fail}", "bold")]]
    if one.chosen is not None:
        rank = "not ranked" if one.rank is None else f"rank {one.rank:g}"
        words = f"in {one.chosen.steps[0].nonterminal}, {one.chosen.describe()}"
        said = summary(one.chosen, len(one.found.localization.failing))
        out.append([Piece(f"{printable(words)} ({printable(said)}; {rank})")])
        out += diff_lines(one.chosen)
    write_lines([*out, []], None, exact=True)
    sys.stdout.flush()


def _table(result: Debugging) -> Iterator[Line]:
    """The rounds as in Table 7 of Raselimo and Fischer (2024)."""
    if result.rounds:
        yield [Piece("round  failing  rank  change", "dim")]
    for one in result.rounds:
        rank = "-" if one.rank is None else f"{one.rank:g}"
        yield [Piece(f"{one.number:>5}  {one.failing:>7}  {rank:>4}  {printable(_said(one))}")]
    if result.interrupted:
        yield [Piece("Interrupted; this is the best so far.", "yellow")]
    if result.left:
        failing = result.left - len(result.undecided)
        fail = "fails" if failing == 1 else "fail"
        total = counted(result.n_tests, "test")
        more = f", {len(result.undecided)} undecided" if result.undecided else ""
        yield [Piece(f"{failing} of {total} still {fail}{more}.", "red")]
    elif result.n_tests == 1:
        yield [Piece("The test passes.", "green")]
    else:
        yield [Piece(f"All {result.n_tests} tests pass.", "green")]


def _said(one: Round) -> str:
    if one.chosen is None:
        return "a change of your own"
    span = one.chosen.span
    where = f"{from_here(span.file)}:{span.line}: " if span is not None else ""
    return f"{where}in {one.chosen.steps[0].nonterminal}, {one.chosen.describe()}"


def _value(result: Debugging) -> dict[str, Any]:
    return {
        "schema": "gramspect/debugging/1",
        "rounds": [
            {
                "failing": one.failing,
                "left": one.left,
                "rank": one.rank,
                "edit": None
                if one.chosen is None
                else suggestion_value(one.chosen, one.found.localization.suite),
            }
            for one in result.rounds
        ],
        "tests": result.n_tests,
        "left": result.left,
        "undecided": undecided_values(result.undecided),
        "interrupted": result.interrupted,
        "diffs": [change.diff() for change in result.changes],
    }


# --- asking --------------------------------------------------------------------------------


def _session(debugger: Debugger, output: str | None) -> Debugging:
    """Rounds in which the user chooses."""
    try:
        while debugger.left and _round(debugger, output):
            pass
    except KeyboardInterrupt:
        click.echo()
        return debugger.result(interrupted=True)
    return debugger.result()


def _round(debugger: Debugger, output: str | None) -> bool:
    """Show, ask, do; False to end."""
    found = debugger.look()
    write_lines(report_lines(found.localization, _TOP, mark=mark_for(None), repairs=False), None)
    first = 0
    while True:
        shown = found.suggestions[first : first + _AT_ONCE]
        write_lines([[], *_numbered(shown, first, found.localization)], None)
        answer = _ask(first, len(shown), more=first + _AT_ONCE < len(found.suggestions))
        try:
            if answer in ("q", ""):
                return False
            if answer == "s":
                first = first + _AT_ONCE if first + _AT_ONCE < len(found.suggestions) else 0
                continue
            if answer == "e":
                debugger.take(_edited(debugger, output))
            else:
                debugger.make(found.suggestions[int(answer) - 1])
        except GramspectError as problem:
            click.echo(f"{printable(str(problem))}")
            continue
        _say_what_came_of_it(debugger.rounds[-1])
        return True


def _numbered(shown: Sequence[Suggestion], first: int, result: Localization) -> Iterator[Line]:
    if not shown:
        yield [Piece("No small change was found that helps.")]
    for number, one in enumerate(shown, start=first + 1):
        said = summary(one, result.among(one.effect.fixed))
        words = f"in {one.steps[0].nonterminal}, {one.describe()} ({said})"
        yield [Piece(f"{number}. ", "bold"), Piece(printable(words))]
        yield from diff_lines(one)


def _ask(first: int, count: int, *, more: bool) -> str:
    """A number, or one of e, s and q; empty at the end of the input."""
    known = [str(number) for number in range(1, first + count + 1)]
    numbers = f"1-{known[-1]}" if len(known) > 1 else "".join(known)
    skip = "s others" if more or first else ""
    choices = ", ".join(filter(None, (numbers, "e edit", skip, "q quit")))
    while True:
        try:
            answer = input(f"Make which change? [{choices}] ").strip().lower()
        except EOFError:
            click.echo()
            return ""
        if answer in (*known, "e", "q") or (answer == "s" and skip):
            return answer


def _edited(debugger: Debugger, output: str | None) -> SourceFile:
    """The working copy after the user's editor has been at it."""
    if output is None:
        raise GramspectError("name a working copy with -o FILE to edit it")
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise GramspectError("the environment variable EDITOR names no editor")
    file = debugger.draft.read(debugger.path)
    write_whole(output, file.encoded())
    try:
        subprocess.run([*shlex.split(editor), output], check=True)
    except (OSError, ValueError, subprocess.CalledProcessError) as problem:
        raise GramspectError(f"the editor {editor!r} failed ({problem})") from problem
    changed = SourceFile.read(output)
    return SourceFile(file.path, changed.text, changed.encoding)


def _say_what_came_of_it(one: Round) -> None:
    gained = one.failing - one.left
    sign = f"{gained} fewer" if gained >= 0 else f"{-gained} more"
    click.echo(f"\n{one.left} of {len(one.found.localization.suite)} tests fail now, {sign}.\n")
