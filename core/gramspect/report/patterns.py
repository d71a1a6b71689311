"""The patterns at which failing tests stop, for all reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gramspect.report.values import Json
from gramspect.report.words import Line, Piece, counted, printable

if TYPE_CHECKING:
    from gramspect.localization.patterns import StopPattern
    from gramspect.localization.results import Localization

__all__ = [
    "PatternInWords",
    "heading",
    "pattern_line",
    "pattern_values",
    "patterns_in_words",
]

_FROM = 6
"""From how many failing tests on the patterns at which they stop are shown."""


@dataclass(frozen=True)
class PatternInWords:
    """How many tests stop there, the first one's name, what had been read and what came next."""

    tests: str
    first: str
    read: str
    found: str


def heading(result: Localization) -> str:
    """What is said before the patterns; empty if there are none, or too few tests for any."""
    if not result.patterns or len(result.failing) < _FROM:
        return ""
    return f"The failing tests stop at {counted(len(result.patterns), 'pattern')}"


def patterns_in_words(result: Localization) -> Iterator[PatternInWords]:
    """The patterns of a result, for pages."""
    for one in result.patterns:
        first = printable(result.suite.tests[one.tests[0]].name)
        yield PatternInWords(
            counted(len(one.tests), "test"), first, printable(one.text), printable(_next(one))
        )


def pattern_line(one: StopPattern) -> Line:
    """A pattern on one line."""
    comma = ", " if one.text and _next(one) else ""
    return [Piece(printable(one.text), "cyan"), Piece(printable(comma + _next(one)))]


def _next(one: StopPattern) -> str:
    if not one.found:
        return ""
    return f"then {one.found}, which is accepted" if one.accepted else f"then {one.found}"


def pattern_values(result: Localization, patterns: Sequence[StopPattern]) -> list[Json]:
    """Patterns for other programs."""
    return [
        {
            "read": one.text,
            "found": one.found,
            "accepted": one.accepted,
            "tests": [result.suite.tests[number].name for number in one.tests],
        }
        for one in patterns
    ]
