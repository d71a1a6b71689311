"""The coverage report for people, in lines as `gramspect.report.text` has them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from gramspect.grammar_coverage.counts import CoverageCounts
from gramspect.grammar_coverage.elements import Gap, Level, Tally
from gramspect.report.text import header
from gramspect.report.words import Line, Piece, counted, plain, printable

__all__ = ["NAMES", "coverage_lines", "coverage_text", "shown_percent"]

NAMES = {
    Level.NONTERMINALS: "non-terminals",
    Level.RULES: "rules",
    Level.CHOICES: "choices",
    Level.ITEMS: "positions",
}
"""What a reader sees of each level, in order."""

_SHOWN_TOKENS = 40


def coverage_text(result: CoverageCounts, top: int | None = 10, *, verbose: bool = False) -> str:
    """The report as plain text; see `coverage_lines`."""
    return plain(coverage_lines(result, top, verbose=verbose))


def coverage_lines(
    result: CoverageCounts, top: int | None = 10, *, verbose: bool = False
) -> list[Line]:
    """The report: what was run, how much is covered, the `top` gaps, what cannot be covered."""
    lines: list[Line] = [*header(result.grammar, result.adapter, verbose), []]
    lines += [*_tests(result), [], *_table(result)]
    if result.gaps:
        lines += [[], *_gaps(result, None if verbose else top)]
    if result.useless:
        lines += [[], *_useless(result)]
    return lines


def shown_percent(tally: Tally) -> str:
    """Per cent with one decimal, rounded down: 100.0 is said of nothing less."""
    return f"{math.floor(tally.percent * 10) / 10:.1f}"


def _tests(result: CoverageCounts) -> Iterator[Line]:
    what = [f"{result.n_accepted:,} accepted", f"{result.n_rejected:,} rejected"]
    if result.undecided:
        what.append(f"{len(result.undecided):,} undecided, not counted")
    yield [Piece(f"{counted(len(result.suite), 'test')}: {', '.join(what)}")]
    if result.failing:
        verb = "has" if len(result.failing) == 1 else "have"
        yield [
            Piece("note: ", "yellow"),
            Piece(f"{counted(len(result.failing), 'test')} {verb} another verdict than expected;"),
            Piece(" gramspect localize looks for the reason"),
        ]


def _table(result: CoverageCounts) -> Iterator[Line]:
    tallies = {level: result.levels[level] for level in NAMES}
    names = {level: name for level, name in NAMES.items() if tallies[level].total}
    width = max(map(len, names.values()), default=0)
    head = f"{'':{width}}  covered      of       %  touched"
    yield [Piece(head, "dim")]
    for level, name in names.items():
        tally = tallies[level]
        numbers = f"{tally.covered:>7,}  {tally.total:>6,}  {shown_percent(tally):>6}"
        style = "green" if tally.covered == tally.total else "bold"
        yield [Piece(f"{name:{width}}  "), Piece(numbers, style), Piece(f"  {tally.touched:>7,}")]
    yield [Piece("covered: an accepted test uses it; touched: only rejected tests do", "dim")]


def _gaps(result: CoverageCounts, top: int | None) -> Iterator[Line]:
    yield [Piece("Not covered, those with the shortest tests first:", "bold red")]
    for gap in result.gaps[:top]:
        where = "" if gap.span is None else printable(str(gap.span))
        yield [Piece(f"  {printable(gap.label)}", "bold cyan"), Piece(f"  {where}", "dim")]
        yield [Piece(f"    {printable(gap.what)}")]
        yield [Piece("    test: ", "green"), Piece(sentence_of(gap))]
    left = len(result.gaps) - len(result.gaps[:top])
    if left:
        yield [Piece(f"... and {left:,} more (-v shows them)", "dim")]


def sentence_of(gap: Gap) -> str:
    """One of the shortest inputs that use what is missing, as far as it can be shown."""
    if gap.sentence is None:
        return "the shortest is too long to be shown"
    words = [*gap.sentence[:_SHOWN_TOKENS], *["..."] * (len(gap.sentence) > _SHOWN_TOKENS)]
    return printable(" ".join(words)) or "the empty input"


def _useless(result: CoverageCounts) -> Iterator[Line]:
    yield [Piece("No sentence can use these, so they are not counted:", "yellow")]
    for useless in result.useless:
        where = "" if useless.span is None else f"  {printable(str(useless.span))}"
        yield [Piece(f"  {printable(useless.label)}  {useless.why}"), Piece(where, "dim")]
