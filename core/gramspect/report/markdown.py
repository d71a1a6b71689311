"""Reports in Markdown: for the summary of a CI job, or to be pasted into an issue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from gramspect.grammar_coverage.coverage import Coverage
from gramspect.localization.conclusion import conclusion
from gramspect.localization.results import Localization
from gramspect.report.common import COMMON, common_in_words
from gramspect.report.conclusion import sentence
from gramspect.report.coverage_text import NAMES, sentence_of, shown_percent
from gramspect.report.words import counted, printable
from gramspect.suites.suite import Expectation

__all__ = ["coverage_markdown", "markdown_report"]

_TESTS = 10
"""How many failing tests are named."""
_COMMON = 3
"""How much is told of what failing tests have in common."""


def markdown_report(result: Localization, top: int | None = 10) -> str:
    """The conclusion of a localization, its failing tests and the `top` elements, in Markdown."""
    lines = [f"### gramspect: {_plain(result.grammar.name)}", ""]
    found = conclusion(result)
    if found is not None:
        lines += [f"**{_plain(sentence(result, found))}**", ""]
    total = counted(len(result.suite), "test")
    undecided = f", {len(result.undecided):,} undecided" if result.undecided else ""
    lines += [f"{result.n_failing:,} of {total} failing{undecided}.", ""]
    for failing in result.failing[:_TESTS]:
        wanted = "accepted" if failing.test.expectation is Expectation.ACCEPT else "rejected"
        said = f": {_plain(failing.error.message)}" if failing.error is not None else ""
        lines.append(f"- {_code(failing.place)} should be {wanted}{said}")
    if result.n_failing > _TESTS:
        lines.append(f"- and {result.n_failing - _TESTS:,} more")
    common = list(islice(common_in_words(result), _COMMON))
    if common:
        lines += ["", f"{COMMON}:", ""]
        lines += [f"- {one.tests}: {_code(one.traits)}" for one in common]
    shown = result.ranking[:top]
    if shown:
        lines += ["", *_table(("rank", "score", "position", "rule", "where"), _ranks(result, top))]
    if len(result.ranking) > len(shown):
        lines += ["", f"and {len(result.ranking) - len(shown):,} more with a lower rank"]
    return "\n".join(lines).rstrip() + "\n"


def _ranks(result: Localization, top: int | None) -> Iterator[tuple[str, ...]]:
    for element in result.ranking[:top]:
        tie = "=" if element.ties > 1 else ""
        span = "" if element.span is None else _code(str(element.span))
        yield (
            f"{element.rank:g}{tie}", f"{element.score:.3f}", _code(element.label),
            _code(element.text()), span,
        )  # fmt: skip


def coverage_markdown(result: Coverage, top: int | None = 10) -> str:
    """How much is covered, and the `top` gaps, in Markdown."""
    lines = [f"### Grammar coverage: {_plain(result.grammar.name)}", ""]
    rows = [
        (name, f"{tally.covered:,}", f"{tally.total:,}", shown_percent(tally))
        for level, name in NAMES.items()
        if (tally := result.levels[level]).total
    ]
    lines += [*_table(("", "covered", "of", "%"), rows)]
    gaps = result.gaps[:top]
    if gaps:
        rows = [
            (_code(gap.label), _code(gap.what), _code(sentence_of(gap)),
             "" if gap.span is None else _code(str(gap.span)))
            for gap in gaps
        ]  # fmt: skip
        lines += ["", "Not covered, those with the shortest tests first:", ""]
        lines += _table(("", "what", "test", "where"), rows)
    if len(result.gaps) > len(gaps):
        lines += ["", f"and {len(result.gaps) - len(gaps):,} more"]
    return "\n".join(lines).rstrip() + "\n"


def _table(
    head: Sequence[str], rows: Iterator[tuple[str, ...]] | Sequence[tuple[str, ...]]
) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _plain(text: str) -> str:
    """Words that mean nothing to Markdown or HTML."""
    escaped = re.sub(r"([\\`*_{}\[\]<>()#+!|~@])", r"\\\1", printable(text))
    return escaped.replace("&", "&amp;")


def _code(text: str) -> str:
    """Code as it is, in a table as well: a bar would end the cell even inside of code."""
    shown = printable(text)
    longest = max(map(len, re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    space = " " if longest or shown != shown.strip() or not shown else ""
    return f"{fence}{space}{shown}{space}{fence}".replace("|", "\\|")
