"""The report on a black box, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gramspect.report.patterns import pattern_line
from gramspect.report.text import report_lines
from gramspect.report.words import WIDTH, Line, Piece, counted, elided, plain, printable
from gramspect.suites.suite import Expectation

if TYPE_CHECKING:
    from gramspect.blackboxes.campaign import BlackBox
    from gramspect.blackboxes.deviations import Deviation
    from gramspect.running.recording import FailingTest

__all__ = ["blackbox_lines", "blackbox_text"]


_EXAMPLES = 3

_SAYS = {
    "accepted": "accepted",
    "syntax": "rejected for syntax",
    "other": "rejected for other reasons",
    "none": "without an answer",
}


def blackbox_text(result: BlackBox, top: int | None = 10, *, verbose: bool = False) -> str:
    """The report as plain text; see `blackbox_lines`."""
    return plain(blackbox_lines(result, top, verbose=verbose))


def blackbox_lines(
    result: BlackBox, top: int | None = 10, *, verbose: bool = False, mark: str = "•"
) -> list[Line]:
    """The report on the ranking, what the system said, and one difference after the other."""
    lines = [*report_lines(result.localization, top, verbose=verbose, mark=mark), []]
    lines += _answers(result)
    if result.deviations:
        lines += [[], [Piece("One difference after the other:", "bold")]]
        for number, deviation in enumerate(result.deviations, start=1):
            lines += _deviation(number, deviation, None if verbose else _EXAMPLES, mark)
        lines += _rest(result)
    return lines


def _answers(result: BlackBox) -> Iterator[Line]:
    parts = [
        f"{number:,} {_SAYS[reaction]}"
        for reaction in sorted(result.reactions)
        if (number := result.reactions[reaction])
    ]
    new = f"; asked about {counted(result.asked, 'input')}"
    yield [Piece(f"system: {', '.join(parts)}{new}", "dim")]
    if result.earlier:
        last, here = result.earlier[-1], result.localization
        yield [
            Piece(
                f"round {len(result.earlier) + 1}: {here.n_failing:,} of"
                f" {counted(len(here.suite), 'test')} fail, {last.failing:,} of {last.tests:,} in"
                " the round before",
                "dim",
            )
        ]


def _deviation(number: int, deviation: Deviation, limit: int | None, mark: str) -> Iterator[Line]:
    element = deviation.element
    where = "" if element.span is None else f"  {printable(str(element.span))}"
    tests = f"{counted(len(deviation.explained), 'test')} of {deviation.found.n_failing:,}"
    yield [
        Piece(f"{number:3}  ", "bold"),
        Piece(printable(element.label), "bold cyan"),
        Piece(f"  {tests}"),
        Piece(where, "dim"),
    ]
    words = [printable(word) for word in element.text(mark).split(" ")]
    place = words.index(mark) if mark in words else None
    yield [Piece("     " + " ".join(elided(words, place, WIDTH - 5)[0]))]
    if limit is None or len(deviation.explained) <= limit or not deviation.patterns:
        yield from (_indented(test) for test in deviation.explained[:limit])
    else:
        yield from _by_pattern(deviation, limit)


def _by_pattern(deviation: Deviation, limit: int) -> Iterator[Line]:
    """The patterns at which the tests stop, with the shortest test of each."""
    explained = {test.test.name: test for test in deviation.explained}
    for one in deviation.patterns[:limit]:
        yield [Piece(f"       {counted(len(one.tests), 'test')}: "), *pattern_line(one)]
        names = (deviation.found.suite.tests[number].name for number in one.tests)
        yield _indented(explained[min(names, key=len)], 9)
    if len(deviation.patterns) > limit:
        more = counted(len(deviation.patterns) - limit, "more pattern")
        yield [Piece(f"       ... and {more}", "dim")]


def _indented(test: FailingTest, blanks: int = 7) -> Line:
    return [Piece(" " * blanks + _example(test), "dim")]


def _example(test: FailingTest) -> str:
    name = printable(test.test.name)
    if test.test.expectation is Expectation.REJECT or test.error is None:
        return f"{name}: should be rejected"
    return f"{name}: {printable(test.error.message)}"


def _rest(result: BlackBox) -> Sequence[Line]:
    last = result.deviations[-1]
    left = last.found.n_failing - len(last.explained)
    text = f"{counted(left, 'other test')} {'fails' if left == 1 else 'fail'}"
    return [[Piece(f"     {text}; --rounds looks further", "dim")]] if left else []
