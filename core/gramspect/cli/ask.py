"""``gramspect ask``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click

from gramspect.cli.configured import Configured, target_option
from gramspect.cli.options import (
    Count,
    NamedTests,
    effort_options,
    loading_options,
    recorded_option,
    running_options,
    suite_options,
)
from gramspect.cli.outcome import check_decided, exit_status, undecided_option
from gramspect.cli.output import write_lines, write_text
from gramspect.cli.subjects import subject
from gramspect.edits.model import NEW_TOKEN
from gramspect.edits.questions import Question, Suspect
from gramspect.edits.writing import from_here
from gramspect.errors import GramspectError
from gramspect.files import check_writable, write_whole
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions
from gramspect.repairs import ask as asking_about
from gramspect.repairs.ask import Asked, Asking
from gramspect.report.text import said_of_none, undecided_lines
from gramspect.report.words import Line, Piece, counted, printable
from gramspect.running.options import RunOptions
from gramspect.suites.suite import MANIFEST_SCHEMA

__all__ = ["ask"]

_NAMED = 4
"""The most definitions that are named for one answer."""
_SHOWN = 5
"""The most definitions that are shown at the end."""
_ANSWERS = {"y": True, "yes": True, "n": False, "no": False, "s": None, "skip": None}


@click.command(
    cls=Configured,
    matters={
        "accept": "gramspect ask Calc.g4 --accept tests/*.calc",
        "most": "gramspect ask calc.y --lines --accept good.txt --reject bad.txt --most 5",
        "output": "gramspect ask calc.lark --accept good/ -o answers.jsonl",
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
    default=3,
    show_default=True,
    help="How many questions to ask.",
)
@click.option("--samples", metavar="FILE", help="Texts of tokens (.toml), before the lexer's.")
@effort_options("Time limit of the search for repairs.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json")),
    default="text",
    show_default=True,
    help="Ask, or give the first question as JSON.",
)
@click.option(
    "-o", "--output", metavar="FILE", help="Write the answers to FILE as tests, for --suite."
)
def ask(
    *,
    grammar: str | None,
    tests: NamedTests,
    load: LoadOptions,
    undecided_are: str,
    most: int,
    form: str,
    output: str | None,
    run: RunOptions,
    **how: Any,
) -> int:
    """Ask about short inputs, to tell which of several repairs of GRAMMAR is right.

    A failing test often has a repair in several rules. Each question is an input that some of these
    repairs accept and others do not; you say whether it is correct. The answers, a line each, are
    read from the terminal or from standard input.

    Exit status: 0 no test fails, 1 some do, 2 something cannot be used or no test can be decided.
    """
    if output is not None:
        check_writable(output)
        if form == "json":
            raise GramspectError("-o takes the answers, and JSON has none; leave out one")
    source, suite, load, run = subject(grammar, tests, load, run, parser_needed=True)
    asking = asking_about.ask(source, suite, load=load, run=run, **how)
    result = asking.localization
    if form == "json":
        write_text(json.dumps(_value(asking), indent=1) + "\n", None)
    elif not result.failing:
        write_lines([said_of_none(result, "ask about"), *undecided_lines(result, False)], None)
    else:
        _dialogue(asking, most, output)
    check_decided(result.undecided, len(suite))
    return exit_status(bool(result.failing), result.undecided, undecided_are)


def _dialogue(asking: Asking, most: int, output: str | None) -> None:
    """Ask until enough is known, then say what the answers speak for."""
    if not asking.leading:
        write_lines(
            [[Piece("No small change of the grammar was found that could be asked about.")]], None
        )
        return
    if asking.localization.groups:
        write_lines([_about(asking), []], None)
    begin, number = asking, 0
    try:
        while number < most:
            asking, asked = asking.next()
            if asked is None:
                break
            number += 1
            write_lines(list(_question(asking, asked, number, most)), None)
            answer = _answer()
            if answer == "quit":
                break
            asking = asking.answered(asked, _ANSWERS[answer])
    finally:
        if output is not None and asking.answers:
            write_whole(output, _as_suite(asking))
    if not number:
        write_lines([[Piece(_why_nothing(asking))]], None)
    write_lines(list(_conclusion(begin, asking, output)), None)


def _why_nothing(asking: Asking) -> str:
    """Why there was no question."""
    if asking.inquiry.settled:
        return "One definition is much more suspicious than all others; there is nothing to ask."
    return "No input was found on which these repairs differ and that has a text."


def _about(asking: Asking) -> Line:
    """Which failing tests the questions are about, if not all."""
    tests = asking.localization.suite.tests
    names = ", ".join(printable(tests[number].name) for number in asking.tests[:_NAMED])
    more = ", ..." if len(asking.tests) > _NAMED else ""
    n_failing = asking.localization.among(asking.tests)
    of_all = f"{len(asking.tests)} of {counted(n_failing, 'failing test')}"
    return [Piece(f"The questions are about {of_all} with one cause: {names}{more}")]


def _question(asking: Asking, asked: Asked, number: int, most: int) -> Iterator[Line]:
    yield [Piece(f"Is this input correct? (question {number} of at most {most})", "bold")]
    for line in asked.text.splitlines() or [""]:
        yield [Piece(f"  {printable(line)}" if line else "  (the empty input)")]
    for word, correct in (("yes", True), ("no", False)):
        named = _names(asking.localization.grammar, asking.in_favour(asked, correct))
        yield [Piece(f"  {word:3} speaks for {named}", "dim")]


def _names(grammar: Grammar, found: Sequence[Suspect]) -> str:
    names = [printable(grammar.symbols[one.nonterminal].name) for one in found]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return (", ".join(names[:_NAMED]) + more) or "none of them"


def _answer() -> str:
    """One of `_ANSWERS`, or ``quit``, as at the end of the input."""
    while True:
        try:
            answer = input("Answer [y yes, n no, s skip, q quit]: ").strip().lower()
        except EOFError:
            click.echo()
            return "quit"
        if not sys.stdin.isatty():
            click.echo(printable(answer))
        if answer in _ANSWERS:
            return answer
        if answer in ("q", "quit"):
            return "quit"


def _conclusion(begin: Asking, asking: Asking, output: str | None) -> Iterator[Line]:
    answers = counted(len(asking.answers), "answer")
    yield []
    yield [Piece(f"Where to look first, after {answers}:", "bold")]
    ranks = {one.nonterminal: rank for rank, one in enumerate(begin.leading, start=1)}
    for rank, one in enumerate(asking.leading[:_SHOWN], start=1):
        before = ranks[one.nonterminal]
        was = f" (was {before})" if before != rank else ""
        yield [Piece(f"{rank:3}. "), Piece(printable(f"{_words(asking, one)}{was}"))]
    if output is not None and asking.answers:
        yield [Piece(f"The answers are tests now: --suite {printable(output)}")]


def _words(asking: Asking, one: Suspect) -> str:
    grammar = asking.localization.grammar
    span = grammar.item_span(one.edit.item)
    where = "" if span is None else f"{from_here(span.file)}:{span.line}:{span.column}: "
    contradicted = asking.inquiry.standing(one) > one.weight
    tried = ("another repair than: " if contradicted else "") + one.edit.describe(grammar)
    return f"{where}in {grammar.symbols[one.nonterminal].name}, {tried}"


def _as_suite(asking: Asking) -> str:
    """The answers as a suite that other commands read."""
    records: list[dict[str, str]] = [{"schema": MANIFEST_SCHEMA}]
    records += [{"expect": str(test.expectation), "text": test.text} for test in asking.answers]
    return "".join(json.dumps(record) + "\n" for record in records)


def _token_names(grammar: Grammar, question: Question) -> Iterator[str]:
    """The names of tokens, for new ones their texts."""
    new = iter(question.new)
    for token in question.tokens:
        yield next(new) if token == NEW_TOKEN else grammar.symbols[token].name


def _value(asking: Asking) -> dict[str, Any]:
    asking, asked = asking.next()
    grammar = asking.localization.grammar
    known = asking.inquiry.suspects
    question = None
    if asked is not None:
        question = {
            "text": asked.text,
            "tokens": list(_token_names(grammar, asked.question)),
            "accepted": asked.question.derived,
            "yes": [grammar.symbols[one.nonterminal].name for one in asking.in_favour(asked, True)],
            "no": [grammar.symbols[one.nonterminal].name for one in asking.in_favour(asked, False)],
        }
    return {
        "schema": "gramspect/question/1",
        "adapter": asking.localization.adapter,
        "failing": [failing.test.name for failing in asking.localization.failing],
        "repairs": [
            {
                "nonterminal": grammar.symbols[one.nonterminal].name,
                "position": grammar.item_label(one.edit.item),
                "edit": one.edit.describe(grammar),
                "weight": one.weight,
            }
            for one in known
        ],
        "question": question,
    }
