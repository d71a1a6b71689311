"""Suggestions for a browser: one file that needs nothing else, no network and no server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from markupsafe import Markup

from gramspect.edits.validation import Status
from gramspect.localization.conclusion import conclusion
from gramspect.localization.results import Note
from gramspect.repairs.suggest import Suggestion, Suggestions
from gramspect.report.conclusion import sentence
from gramspect.report.edits import signed_lines, summary
from gramspect.report.html import Headline, about, asset, content_policy, environment
from gramspect.report.html_data import visible
from gramspect.report.text import said_of_none
from gramspect.report.words import printable

__all__ = ["suggestions_html"]


def suggestions_html(found: Suggestions) -> str:
    """The suggestions as a page: what each does, its diff, the tests that it changes."""
    result = found.localization
    grammar = result.grammar
    style = asset("page.css") + asset("comparison.css")
    script = f"'use strict';\n{asset('theme.js')}"
    names = [printable(test.name) for test in result.suite]
    return (
        environment()
        .get_template("suggestions.html")
        .render(
            title=f"Repairs of {printable(grammar.files[0] if grammar.files else grammar.name)}",
            summary=list(_summary(found)),
            notes=[
                Note(note.code, printable(note.text), tuple(map(visible, note.details)))
                for note in result.notes
            ],
            suggestions=[
                _suggestion(found, number, names) for number in range(len(found.suggestions))
            ],
            unsolved=[printable(test.name) for test in found.unsolved],
            policy=content_policy(style, script),
            style=Markup(style),
            script=Markup(script),
            version=version("gramspect"),
        )
    )


def _summary(found: Suggestions) -> Iterator[Headline]:
    result = found.localization
    alone = tuple(one for one in found.suggestions if one.first is None)
    drawn = conclusion(replace(result, suggestions=alone))
    if drawn is not None:
        yield Headline(sentence(result, drawn), "conclusion")
    yield about(result.grammar, result.adapter)
    if result.failing:
        yield Headline(f"{result.n_failing:,} of {len(result.suite):,} tests fail.", "bad")
        if not found.suggestions:
            yield Headline("No small change of the grammar was found that makes one pass.", "bad")
    else:
        yield Headline("".join(piece.text for piece in said_of_none(result, "suggest")))


def _suggestion(found: Suggestions, number: int, names: list[str]) -> dict[str, Any]:
    one: Suggestion = found.suggestions[number]
    small = found.smaller.get(number)
    diff = "" if one.change is None else visible(one.change.diff())
    return {
        "harmful": one.status is Status.HARMFUL,
        "where": "" if one.span is None else printable(str(one.span)),
        "text": printable(f"In {one.steps[0].nonterminal}, {one.describe()}"),
        "summary": printable(summary(one, found.localization.among(one.effect.fixed))),
        "diff": [(_STYLES.get(sign, ""), line) for sign, line in signed_lines(diff)],
        "smaller": None if small is None else visible(small.text),
        "tests": [
            (what, [names[test] for test in tests])
            for what, tests in (
                ("mends", one.effect.fixed),
                ("gets further", one.effect.further),
                ("breaks", one.effect.broken),
            )
            if tests
        ],
    }


_STYLES = {"+": "good", "-": "bad", "@": "quiet"}
