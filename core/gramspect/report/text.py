"""The report for people: plain lines of about 100 columns, styled where a terminal shows them.

A report is a list of lines, a line a list of `Piece`s. What comes from the user's files is
escaped (`printable`), so that no test or grammar can move the cursor or imitate the report.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from textwrap import wrap
from typing import TYPE_CHECKING

from gramspect.report.patterns import heading, pattern_line
from gramspect.report.words import WIDTH, Line, Piece, counted, elided, plain, printable
from gramspect.running.recording import FailingTest, commonest_reason
from gramspect.spectrum.kinds import SpectrumKind
from gramspect.suites.suite import Expectation

if TYPE_CHECKING:
    from gramspect.grammars.grammar import Grammar
    from gramspect.localization.results import Localization, Note, RankedElement

__all__ = [
    "Line",
    "Piece",
    "counted",
    "elided",
    "header",
    "plain",
    "printable",
    "report_lines",
    "said_of_none",
    "text_report",
]

_SHOWN_TESTS = 3
_SHOWN_GROUPS = 8
_SHOWN_OF_MESSAGE = 160
_ON_THE_GRAMMAR = ("grammar", "conflicts")
"""The codes of notes that are the same with any tests."""
_MARK = "\0"  # a position in a rule's text, until it is known how to show it


def text_report(result: Localization, top: int | None = 10, *, verbose: bool = False) -> str:
    """The report as plain text; see `report_lines`."""
    return plain(report_lines(result, top, verbose=verbose))


def report_lines(
    result: Localization,
    top: int | None = 10,
    *,
    verbose: bool = False,
    mark: str = "•",
    repairs: bool = True,
) -> list[Line]:
    """The report: what it comes to, what failed and where, the `top` elements, how to read them.

    What would be the same with other tests comes last: the grammar, and how it was looked at. With
    `verbose` all failing tests, whole messages and rules and the particulars of notes are shown.
    Without `repairs` the table has none: they are shown elsewhere.
    """
    lines: list[Line] = [*_first_line(result)]
    lines += _tests(result, verbose)
    lines += _groups(result, verbose)
    lines += _common(result, verbose)
    lines += _notes(result, verbose, constant=False)
    if result.ranking:
        shown = result.ranking[:top]
        listed = result if repairs else replace(result, suggestions=())
        lines += [[], *_table(listed, shown, WIDTH * 4 if verbose else WIDTH, mark), []]
        lines += _legend(result, len(shown))
    else:
        lines.append([])
    lines += header(result.grammar, result.adapter, verbose)
    lines += _notes(result, verbose, constant=True)
    return lines


def _first_line(result: Localization) -> Iterator[Line]:
    """The conclusion: where the fault most likely is, in a sentence."""
    from gramspect.localization.conclusion import conclusion
    from gramspect.report.conclusion import can_be_asked, sentence

    found = conclusion(result)
    if found is not None:
        for line in wrap(sentence(result, found), WIDTH, break_long_words=False):
            yield [Piece(line, "bold")]
        if can_be_asked(result, found):
            yield [Piece("gramspect ask can tell which: it asks about short inputs.", "dim")]
        yield []


def header(grammar: Grammar, adapter: str | None, verbose: bool) -> Iterator[Line]:
    """What was looked at: the files of the grammar and its size."""
    files = grammar.files or (grammar.name,)
    shown = files if verbose or len(files) == 1 else files[:1]
    others = len(files) - len(shown)
    more = f" and {counted(others, 'other file')}" if others else ""
    yield [Piece(printable(", ".join(shown)), "bold"), Piece(more)]
    about = [
        counted(grammar.n_rules, "rule"),
        counted(grammar.n_nonterminals, "non-terminal"),
        counted(len(grammar.terminals), "terminal"),
        f"start symbol {printable(grammar.symbols[grammar.start].display)}",
    ]
    loaded = f"adapter {adapter} · " if adapter else ""
    yield [Piece(f"{loaded}{', '.join(about)}")]


def _notes(result: Localization, verbose: bool, *, constant: bool) -> Iterator[Line]:
    """The notes on the grammar alone, or the others."""
    for note in result.notes:
        if (note.code in _ON_THE_GRAMMAR) is constant:
            yield from _note(note, verbose)


def _note(note: Note, verbose: bool) -> Iterator[Line]:
    more = " (-v shows them)" if note.details and not verbose else ""
    first, *others = wrap(printable(note.text) + more, WIDTH - 6, break_long_words=False)
    yield [Piece("note: ", "yellow"), Piece(first)]
    yield from ([Piece("      " + line)] for line in others)
    if verbose:
        for detail in note.details:
            for line in detail.splitlines():
                yield [Piece("  " + printable(line), "dim")]


def _tests(result: Localization, verbose: bool) -> Iterator[Line]:
    total = counted(len(result.suite), "test")
    if result.failing:
        verb = "fails" if result.n_failing == 1 else "fail"
        first = Piece(f"{result.n_failing:,} of {total} {verb}", "bold red")
        yield [first, Piece(f"{_and_undecided(result)}:")]
    elif result.undecided:
        yield said_of_none(result, "rank")
    else:
        yield [Piece(f"No test fails, so there is nothing to rank: {total} passed.", "green")]
    limit = None if verbose else _SHOWN_TESTS
    for failing in result.failing[:limit]:
        yield _failing(failing, verbose)
    if not verbose:
        yield from _more(len(result.failing))
    if heading(result):
        yield from _patterns(result, verbose)
    yield from undecided_lines(result, verbose)


def _patterns(result: Localization, verbose: bool) -> Iterator[Line]:
    """What the parser had read when it stopped, and what came next, with how many tests do so."""
    found = result.patterns
    yield [Piece(f"{heading(result)}:")]
    for one in found[: None if verbose else _SHOWN_TESTS]:
        yield [Piece(f"  {counted(len(one.tests), 'test')}: "), *pattern_line(one)]
    if not verbose:
        yield from _more(len(found))


def said_of_none(result: Localization, what: str) -> Line:
    """The first line where no test fails; it says of none that it passed if that is not known."""
    if len(result.undecided) == len(result.suite):
        reason = printable(commonest_reason(result.undecided)[0])
        words = f"No test could be decided, so there is nothing to {what}; the commonest reason:"
        return [Piece(words, "bold red"), Piece(f" {reason}")]
    words = f"No test fails, so there is nothing to {what}"
    if not result.undecided:
        return [Piece(f"{words}.", "green")]
    return [Piece(f"{words}: {result.n_passing:,} passed{_and_undecided(result)}.")]


def _and_undecided(result: Localization) -> str:
    number = len(result.undecided)
    return f", {number:,} {'is' if number == 1 else 'are'} undecided" if number else ""


def undecided_lines(result: Localization, verbose: bool = False) -> Iterator[Line]:
    """The tests that have no verdict, with the reasons: the first few, or all of them."""
    if result.undecided:
        yield [Piece(f"{counted(len(result.undecided), 'test')} undecided, not counted:", "yellow")]
    for undecided in result.undecided[: None if verbose else _SHOWN_TESTS]:
        yield [Piece(f"  {printable(undecided.test.name)}: {printable(undecided.reason)}")]
    if not verbose:
        yield from _more(len(result.undecided))


def _failing(failing: FailingTest, verbose: bool) -> Line:
    wanted = "accepted" if failing.test.expectation is Expectation.ACCEPT else "rejected"
    message = printable(failing.error.message) if failing.error is not None else ""
    if len(message) > _SHOWN_OF_MESSAGE and not verbose:
        message = f"{message[:_SHOWN_OF_MESSAGE].rstrip()} ... (-v shows all)"
    error = f": {message}" if message else ""
    where = printable(failing.place)
    return [Piece(f"  {where} "), Piece(f"should be {wanted}", "dim"), Piece(error)]


def _groups(result: Localization, verbose: bool) -> Iterator[Line]:
    """The groups of failing tests, if there are several: what is most suspicious for each."""
    if not result.groups:
        return
    from gramspect.report.groups import groups_in_words

    found = list(groups_in_words(result, verbose))
    yield [Piece(f"These seem to have {len(found)} causes:", "bold")]
    for group in found[: None if verbose else _SHOWN_GROUPS]:
        where = f" ({group.where})" if group.where else ""
        then = f"; then {group.others}" if group.others else ""
        first = Piece(group.first or "nothing is suspicious", "bold cyan")
        yield [Piece(f"  {group.tests}: "), first, Piece(where, "dim"), Piece(then)]
        if group.edit:
            yield [Piece("    try: ", "green"), Piece(group.edit)]
    if not verbose:
        yield from _more(len(found), _SHOWN_GROUPS)


def _common(result: Localization, verbose: bool) -> Iterator[Line]:
    """What failing tests have in common and passing ones have not."""
    if not result.common:
        return
    from gramspect.report.common import COMMON, common_in_words

    yield [Piece(f"{COMMON}:")]
    for one in islice(common_in_words(result), None if verbose else _SHOWN_TESTS):
        words = f"  {one.tests}: {one.traits}"
        yield from ([Piece(line)] for line in wrap(words, WIDTH, subsequent_indent=" " * 4))
    if not verbose:
        yield from _more(len(result.common))


def _more(number: int, shown: int = _SHOWN_TESTS) -> Iterator[Line]:
    if number > shown:
        yield [Piece(f"  ... and {number - shown:,} more", "dim")]


# --- the ranking ---------------------------------------------------------------------------


def _table(
    result: Localization, ranking: Sequence[RankedElement], width: int, mark: str
) -> Iterator[Line]:
    kind = "rule" if result.method.spectrum is SpectrumKind.RULE else "position"
    head = ("rank", "score", kind, "ef", "ep", "nf", "np")
    rows = [head, *map(_cells, ranking)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    padded = [
        [cell.ljust(widths[i]) if i == 2 else cell.rjust(widths[i]) for i, cell in enumerate(row)]
        for row in rows
    ]
    indent = " " * (widths[0] + 2 + widths[1] + 2)
    shown: set[object] = set()
    told: set[str] = set()
    yield [Piece("  ".join([*padded[0], "where"]), "dim")]
    for element, (rank, score, label, *counts) in zip(ranking, padded[1:], strict=True):
        where = "" if element.span is None else printable(str(element.span))
        yield [
            Piece(f"{rank}  {score}  ", "bold"),
            Piece(label, "bold cyan"),
            Piece("  " + "  ".join(counts) + "  "),
            Piece(where, "dim"),
        ]
        yield [Piece(indent), *_marked(element, width - len(indent), mark)]
        if result.suggestions:
            yield from _suggestions(result, element, shown, told, indent)


def _suggestions(
    result: Localization,
    element: RankedElement,
    shown: set[object],
    told: set[str],
    indent: str,
) -> Iterator[Line]:
    """The edits at an element, each with the lines that it makes.

    `shown` and `told` carry over what has been shown and said before (`worth_showing`, `summary`).
    """
    from gramspect.report.edits import new_lines, summary, worth_showing

    for one in worth_showing(result, element, shown):
        words = f"{one.describe()} ({summary(one, result.among(one.effect.fixed), told)})"
        first, *more = wrap(printable(words), WIDTH - len(indent) - 5, break_long_words=False)
        yield [Piece(f"{indent}try: ", "green"), Piece(first)]
        yield from ([Piece(f"{indent}     {line}")] for line in more)
        for number, line in new_lines(one, WIDTH - len(indent)):
            yield [Piece(f"{indent}     {number} + ", "dim"), Piece(line, "cyan")]


def _cells(element: RankedElement) -> tuple[str, ...]:
    tie = "=" if element.ties > 1 else " "
    score = f"{element.score:.3f}" if element.score < 1e4 else f"{element.score:.3e}"
    counts = (element.ef, element.ep, element.nf, element.np)
    return (f"{element.rank:g}{tie}", score, printable(element.label), *map(str, counts))


def _marked(element: RankedElement, width: int, mark: str) -> Line:
    """The rule with the mark in a style of its own, shortened to `width` around it."""
    words = [word if word == _MARK else printable(word) for word in element.text(_MARK).split(" ")]
    place = words.index(_MARK) if _MARK in words else None
    if place is not None:
        words[place] = mark
    words, place = elided(words, place, width)
    if place is None:
        return [Piece(" ".join(words))]
    before, after = " ".join(words[:place]), " ".join(words[place + 1 :])
    return [Piece(f"{before} "), Piece(mark, "bold red"), Piece(f" {after}")]


def _legend(result: Localization, shown: int) -> Iterator[Line]:
    left_out = len(result.ranking) - shown
    if left_out:
        yield [Piece(f"... and {left_out:,} more with a lower rank", "dim")]
    yield [Piece("ef, ep: failing, passing tests that use it; nf, np: those that do not", "dim")]
    method = result.method
    used = (
        f"spectrum {method.spectrum}, extraction {method.extraction}, evidence {method.evidence},"
        f" metric {printable(method.metric)}, ties {method.ties}"
    )
    yield [Piece(used, "dim")]
