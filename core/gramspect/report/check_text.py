"""The report of ``gramspect check``: one screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from gramspect.recognition.trace import Observation, Verdict
from gramspect.report.words import WIDTH, Line, Piece, counted, printable
from gramspect.running.checking import Check
from gramspect.suites.suite import Expectation, TestCase

__all__ = ["check_lines"]

_LABEL = 10
_SHOWN = 8
_NOTES = 3
_TESTS = 3


def check_lines(found: Check) -> list[Line]:
    """What would be loaded, how, what is missing, and what the parser does with the tests."""
    lines: list[Line] = [[Piece(printable(found.source), "bold")]]
    for label, text in _rows(found):
        width = WIDTH - _LABEL - 2
        # Paths are to be copied, so they are not broken at their hyphens.
        said = wrap(printable(text), width, break_long_words=False, break_on_hyphens=False)
        first, *more = said or [""]
        lines.append([Piece(f"  {label:{_LABEL}}", "dim"), Piece(first)])
        lines += [[Piece(f"  {'':{_LABEL}}{line}")] for line in more]
    return lines


def _rows(found: Check) -> Iterator[tuple[str, str]]:
    if found.claimants:
        first, *others = found.claimants
        also = f"; it could also be {', '.join(others)} (--adapter)" if others else ""
        yield "adapter", first + (f", with {found.tool}" if found.tool else "") + also
    given = {**found.load.extra, **({"start": found.load.start} if found.load.start else {})}
    if said := ", ".join(f"{key}={value}" for key, value in sorted(given.items()) if value):
        yield "given", said
    if found.options:
        yield "options", f"{', '.join(found.options)} (--option KEY=VALUE)"
    if len(found.inside) > 1:
        yield from (("inside", each) for each in found.inside[:_SHOWN])
        if (more := len(found.inside) - _SHOWN) > 0:
            yield "inside", f"... and {more} more"
    grammar = found.grammar
    if grammar is not None:
        yield "files", ", ".join(grammar.files) or "none: reports show rules, and no places"
        start = grammar.symbols[grammar.start].display
        yield (
            "grammar",
            f"{counted(grammar.n_rules, 'rule')},"
            f" {counted(grammar.n_nonterminals, 'non-terminal')},"
            f" {counted(len(grammar.terminals), 'terminal')}, start symbol {start}",
        )
        yield "can", ", ".join(["rank", *(what for what, has in found.abilities if has)])
        if cannot := [what for what, has in found.abilities if not has]:
            yield "cannot", ", ".join(cannot)
    yield from (("note", str(each)) for each in found.diagnostics[:_NOTES])
    if (more := len(found.diagnostics) - _NOTES) > 0:
        yield "note", f"... and {more} more; gramspect localize -v shows them"
    unlike = [ran for ran in found.tests if not _as_wanted(*ran)]
    yield from (("test", _outcome(*ran)) for ran in (unlike or found.tests)[:_TESTS])
    if found.tests:
        yield "tests", _counts(found.tests)
    yield "missing", found.missing or found.problem or "nothing"


def _as_wanted(test: TestCase, seen: Observation) -> bool:
    wanted = Verdict.ACCEPTED if test.expectation is Expectation.ACCEPT else Verdict.REJECTED
    return seen.verdict is wanted


def _outcome(test: TestCase, seen: Observation) -> str:
    if seen.verdict is Verdict.UNDECIDED:
        return f"{test.name}: no verdict: {seen.reason}"
    as_wanted = "as it should be" if _as_wanted(test, seen) else "which it should not be"
    said = f"{test.name}: {seen.verdict}, {as_wanted}"
    error = seen.error
    if error is None:
        return said
    column = "" if error.column is None else f":{error.column}"
    where = "" if error.line is None else f" at {error.line}{column}"
    return f"{said}{where}: {error.message}"


def _counts(tests: Sequence[tuple[TestCase, Observation]]) -> str:
    verdicts = [seen.verdict for _, seen in tests]
    numbers = ", ".join(
        f"{verdicts.count(one)} {one}" for one in Verdict if one in verdicts
    )  # fmt: skip
    return f"{counted(len(tests), 'test')} run: {numbers}"
