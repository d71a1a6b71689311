"""``gramspect suggest``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from gramspect.cli.configured import Configured, target_option
from gramspect.cli.options import (
    Count,
    NamedTests,
    effort_options,
    loading_options,
    reader_option,
    recorded_option,
    report_options,
    running_options,
    suite_options,
)
from gramspect.cli.outcome import check_decided, exit_status, undecided_option
from gramspect.cli.output import ProgressBar, write_lines, write_text
from gramspect.cli.subjects import subject
from gramspect.edits.writing import from_here
from gramspect.errors import GramspectError
from gramspect.files import check_writable, write_whole
from gramspect.localization.notes import OUT_OF_TIME
from gramspect.localization.reader import READER
from gramspect.localization.results import Localization, Note
from gramspect.recognition.recognizer import LoadOptions, Recognizer, Tokenizing
from gramspect.recognition.registry import adapter as adapter_named
from gramspect.repairs import suggest as suggestion
from gramspect.repairs.suggest import Suggestion, Suggestions
from gramspect.report.conclusion import choice_value
from gramspect.report.edits import signed_lines, suggestion_value, summary
from gramspect.report.json import undecided_values
from gramspect.report.text import said_of_none, undecided_lines
from gramspect.report.words import Line, Piece, counted, printable
from gramspect.running.loading import load_parser
from gramspect.running.options import RunOptions
from gramspect.scoring.evidence import Caveat
from gramspect.suites.suite import TestSuite

__all__ = ["check_not_the_users", "diff_lines", "suggest"]

_UNSOLVED = 5
"""The most tests that are named because no suggestion fixes them."""


@click.command(
    cls=Configured,
    matters={
        "accept": "gramspect suggest Calc.g4 --accept tests/*.calc",
        "reject": "gramspect suggest calc.lark --accept good/ --reject bad/",
        "chosen": "gramspect suggest Calc.g4 --accept tests/ --apply 1 -o Mended.g4",
    },
)
@click.argument("grammar", required=False)
@target_option
@suite_options
@recorded_option
@loading_options
@running_options
@undecided_option
@click.option(
    "--most",
    type=Count(min=1),
    metavar="N",
    default=5,
    show_default=True,
    help="How many suggestions to give.",
)
@click.option(
    "--only",
    type=Count(min=1),
    metavar="N",
    help="Give suggestion N alone, for `patch -p0`.",
)
@click.option(
    "--apply",
    "chosen",
    type=Count(min=1),
    multiple=True,
    metavar="N",
    help="Write the grammar with suggestion N made to the file of -o; may be repeated.",
)
@reader_option
@effort_options("Time limit of the search for repairs and of their checks.")
@report_options(
    ("text", "json", "html"),
    "Diffs with a line on each, JSON, or a page.",
    output="Write the diffs, or with --apply the grammar, to FILE; never over the grammar itself.",
)
@click.option(
    "-v",
    "--verbose",
    is_flag=True,
    help="Name the tests that each suggestion mends or breaks, and all notes.",
)
def suggest(
    *,
    grammar: str | None,
    tests: NamedTests,
    load: LoadOptions,
    undecided_are: str,
    only: int | None,
    chosen: tuple[int, ...],
    form: str,
    output: str | None,
    verbose: bool,
    run: RunOptions,
    **how: Any,
) -> int:
    """Suggest changes of GRAMMAR that make its failing tests pass, as diffs, best first.

    Each diff can be given to `patch -p0` or `git apply -p0`. What stands before it says what it
    achieves: how many failing tests it fixes, whether passing ones would fail, and whether the tool
    itself agrees.

    Exit status: 0 no test fails, 1 some do, 2 something cannot be used or no test can be decided.
    """
    if chosen and output is None:
        raise GramspectError("--apply needs a file for the repaired grammar: -o FILE")
    if only is not None and (chosen or form != "text"):
        other = "--apply" if chosen else f"--format {form}"
        raise GramspectError(f"--only shows one diff and does not go with {other}; leave out one")
    if chosen and form != "text":
        what = "JSON" if form == "json" else "a page"
        raise GramspectError(f"--apply writes a grammar, not {what}; leave out --format or --apply")
    if output is not None:
        check_writable(output)
    source, suite, load, run = subject(grammar, tests, load, run, parser_needed=True)
    with ProgressBar() as progress:
        found = suggestion.suggest(
            source, suite, load=load, run=replace(run, progress=progress), **how
        )
    if output is not None:
        check_not_the_users(
            output, [*([grammar] if grammar else []), *found.localization.grammar.files]
        )
    not_searched = _not_searched(found, source, load)
    if chosen and not_searched:
        raise GramspectError(not_searched)
    if chosen:
        _apply(found, chosen, str(output))
    elif form == "json":
        write_text(json.dumps(_value(found, not_searched), indent=1) + "\n", output)
    elif form == "html":
        from gramspect.report.suggestions_html import suggestions_html

        write_text(suggestions_html(found), output)
    else:
        write_lines(list(_report(found, only, verbose, not_searched)), output, exact=True)
    result = found.localization
    check_decided(result.undecided, len(suite))
    return exit_status(bool(result.failing), result.undecided, undecided_are)


def check_not_the_users(output: str, files: Sequence[str]) -> None:
    """Refuse to write over a file of the grammar.

    Raises:
        GramspectError: `output` is one of `files`.
    """
    for file in files:
        if Path(output).exists() and Path(file).exists() and Path(output).samefile(file):
            raise GramspectError(f"{output} is the grammar itself; name another file with -o")


def _apply(found: Suggestions, chosen: Sequence[int], output: str) -> None:
    changes = suggestion.merged([_numbered(found, number) for number in dict.fromkeys(chosen)])
    if len(changes) > 1:
        files = ", ".join(from_here(change.file.path) for change in changes)
        how = "apply one" if len(set(chosen)) > 1 else "apply its diff with patch"
        raise GramspectError(f"several files are changed ({files}); {how}")
    write_whole(output, changes[0].changed.encoded())


def _numbered(found: Suggestions, number: int) -> Suggestion:
    known = (*found.suggestions, *found.others)
    if number > len(known):
        has = f"there are {len(known)}" if known else "there is none"
        raise GramspectError(f"there is no suggestion {number}; {has}")
    return known[number - 1]


def _not_searched(found: Suggestions, source: str | Recognizer, load: LoadOptions) -> str | None:
    """Why no repairs were searched for failing tests, and what to do; None if they were.

    Its parser says so, which is loaded again. An adapter may have advice, as `without_repairs`.
    """
    name = found.localization.adapter
    if not found.localization.failing or found.suggestions:
        return None
    with suppress(GramspectError):
        if isinstance(load_parser(source, replace(load, adapter=name)).recognizer, Tokenizing):
            return None
        advice = "" if name is None else getattr(adapter_named(name), "without_repairs", "")
        who = "this parser" if name is None else f"the adapter {name}"
        return f"{who} cannot search repairs{advice and f'; {advice}'}"
    return None


def _value(found: Suggestions, not_searched: str | None) -> dict[str, Any]:
    suite, choice = found.localization.suite, found.localization.choice
    return {
        "schema": "gramspect/suggestions/1",
        "adapter": found.localization.adapter,
        "failing": [failing.test.name for failing in found.localization.failing],
        "undecided": undecided_values(found.localization.undecided),
        "suggestions": [suggestion_value(one, suite) for one in found.suggestions],
        "smaller": [
            {"suggestion": number + 1, "test": test.name, "text": test.text}
            for number, test in found.smaller.items()
        ],
        "cover": [number + 1 for number in found.cover],
        "unsolved": [test.name for test in found.unsolved],
        "not_searched": not_searched,
        "reader": None if choice is None else choice_value(choice),
    }


_MORE = {
    Caveat.UNFINISHED: " with this effort; --effort high searches more",
    OUT_OF_TIME: " in this time; --budget gives it more",
}


def _report(
    found: Suggestions, only: int | None, verbose: bool, not_searched: str | None
) -> Iterator[Line]:
    result = found.localization
    if not_searched is not None:
        yield [Piece(f"No repair was searched: {not_searched}.")]
        yield from undecided_lines(result, verbose)
        return
    if only is not None:
        yield from _numbered_lines(result, only, _numbered(found, only), set())
        return
    if not result.failing:
        yield said_of_none(result, "suggest")
        yield from undecided_lines(result, verbose)
        return
    if not found.suggestions:
        more = next((_MORE[note.code] for note in result.notes if note.code in _MORE), "")
        words = f"No small change of the grammar was found that makes a failing test pass{more}."
        yield [Piece(words)]
    yield from _of_reader(result)
    told: set[str] = set()
    for number, one in enumerate(found.suggestions, start=1):
        yield from _numbered_lines(result, number, one, told)
        if (small := found.smaller.get(number - 1)) is not None:
            yield [Piece(f"# mends, for short: {printable(small.text.strip())}")]
        if verbose:
            yield from _particulars(one, result.suite)
        yield []
    yield from _together(found, verbose)
    if found.others:
        known = len(found.suggestions) + len(found.others)
        more = counted(len(found.others), "more change")
        yield [Piece(f"# {more} with --most {known}", "dim")]
    if verbose:
        yield from _notes([note for note in result.notes if note.code != READER])


def _of_reader(result: Localization) -> Iterator[Line]:
    """What a reader has said, or why it has said nothing."""
    if result.choice is not None:
        names = ", ".join(printable(one.nonterminal) for one in result.choice.chosen)
        yield [Piece(f"# the reader says: {names}")]
    yield from _notes([note for note in result.notes if note.code == READER])


def _notes(notes: Sequence[Note]) -> Iterator[Line]:
    for note in notes:
        yield [Piece(f"# note: {printable(note.text)}", "yellow")]
        for line in "\n".join(note.details).splitlines():
            yield [Piece(f"#   {printable(line)}", "dim")]


def _together(found: Suggestions, verbose: bool) -> Iterator[Line]:
    """What the suggestions do together, and what they leave."""
    if len(found.cover) > 1:
        *numbers, last = (str(number + 1) for number in found.cover)
        fixed = {t for n in found.cover for t in found.suggestions[n].effect.fixed}
        words = f"{', '.join(numbers)} and {last} together fix {len(fixed)}"
        yield [Piece(f"# {words} of {found.localization.among(fixed)} failing tests")]
    unsolved = found.unsolved if found.suggestions else ()
    for test in unsolved[: None if verbose else _UNSOLVED]:
        yield [Piece(f"# fixed by none of these: {printable(test.name)}", "yellow")]
    if len(unsolved) > _UNSOLVED and not verbose:
        yield [Piece(f"# ... and {counted(len(unsolved) - _UNSOLVED, 'more test')}", "yellow")]


def _numbered_lines(
    result: Localization, number: int, one: Suggestion, told: set[str]
) -> Iterator[Line]:
    """A suggestion: a line that says what it achieves, and its diff."""
    words = f"in {one.steps[0].nonterminal}, {one.describe()}"
    if one.span is not None:
        where = f"{from_here(one.span.file)}:{one.span.line}:{one.span.column}"
        words = f"{where}: {words}"
    said = f"{words} ({summary(one, result.among(one.effect.fixed), told)})"
    yield [Piece(f"# {number}. ", "bold"), Piece(printable(said), "bold")]
    yield from diff_lines(one)


def _particulars(one: Suggestion, suite: TestSuite) -> Iterator[Line]:
    """The tests that a suggestion changes and the places that are alike, a line each."""
    effect = one.effect
    for what, numbers in (
        ("mends", effect.fixed), ("gets further", effect.further), ("breaks", effect.broken)
    ):  # fmt: skip
        for number in numbers:
            yield [Piece(f"#   {what} {printable(suite.tests[number].name)}", "dim")]
    for item in one.alike:
        yield [Piece(f"#   the same at {printable(one.grammar.item_text(item))}", "dim")]
    if one.confirmation is not None:
        said = one.confirmation
        yield [
            Piece(f"#   {said.tool}: {said.agreement}, {counted(said.n_tests, 'test')} run", "dim")
        ]


def diff_lines(one: Suggestion) -> Iterator[Line]:
    """The diff of a suggestion, if there is one."""
    if one.change is not None:
        for sign, line in signed_lines(one.change.diff()):
            yield [Piece(_visible(line), _STYLES.get(sign, ""))]


def _visible(line: str) -> str:
    """A line of a diff: on a terminal, what could move the cursor is escaped."""
    return printable(line.replace("\t", "    ")) if sys.stdout.isatty() else line


_STYLES = {"+": "green", "-": "red", "@": "cyan"}
