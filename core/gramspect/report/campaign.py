"""The report of a campaign, as Markdown or JSON; comparisons and status as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from gramspect.campaigns.campaign import Progress, Status
from gramspect.campaigns.comparing import Comparison
from gramspect.campaigns.rounds import RoundsRow
from gramspect.campaigns.tables import ITEM, RULE, Cell, Place, Records, Row, Table, tables_of
from gramspect.report.words import printable

__all__ = [
    "HEADS",
    "KEYS",
    "OUTCOME_HEADS",
    "campaign_json",
    "campaign_markdown",
    "chapters",
    "comparison_markdown",
    "figures",
    "keys_of",
    "outcome_rows",
    "progress_text",
    "rounds_markdown",
    "status_text",
]

SCHEMA = "gramspect/campaign/1"
OUTCOME_HEADS = ("grammar", "recognizer", "outcome", "mutants")
KEYS = ("grammar", "recognizer", "suite", "killed")
"""What a row of a table begins with; then come the HEADS of each metric."""

HEADS = ("median %", "mean %", "#1", "#3", "#5")


class Chapter(NamedTuple):
    """A part of the report: which mutants, what is looked for, and the tables."""

    title: str
    place: Place
    tables: tuple[Table, ...]


def chapters(records: Records) -> Iterator[Chapter]:
    """All mutants, position-one mutants apart, by operator and by depth of the rule."""
    for place, paper in ((RULE, "5"), (ITEM, "6")):
        yield _chapter(f"The faulty {place.name} (the paper's Table {paper})", records, place)
    first = records.only(lambda each: each.position_one)
    yield _chapter("Position-one mutants: the faulty rule", first, RULE)
    others = records.only(lambda each: ~each.position_one)
    yield _chapter("All but position-one mutants: the faulty rule", others, RULE)
    for operator in sorted({str(name) for each in records.series for name in each.operators}):
        part = records.only(lambda each, name=operator: each.operators == name)  # type: ignore[misc]
        yield _chapter(f"Operator {operator}: the faulty rule", part, RULE)
    for level in sorted({int(level) for each in records.series for level in each.levels}):
        part = records.only(lambda each, depth=level: each.levels == depth)  # type: ignore[misc]
        where = f"Depth {level}" if level >= 0 else "Out of reach"
        yield _chapter(f"{where}: the faulty rule", part, RULE)


def _chapter(title: str, records: Records, place: Place) -> Chapter:
    return Chapter(title, place, tuple(tables_of(records, place)))


# --- Markdown ------------------------------------------------------------------------------


def campaign_markdown(records: Records) -> str:
    """The whole report."""
    lines = ["# Campaign", ""]
    lines += _told(outcome_rows(records), OUTCOME_HEADS)
    if records.reasons:
        lines += ["", "Why units failed:", ""]
        lines += [f"* {printable(why)} ({n:,})" for why, n in sorted(records.reasons.items())]
    lines += ["", _EXPLANATION]
    for chapter in chapters(records):
        lines += ["", f"## {chapter.title}"]
        for table in chapter.tables:
            lines += ["", f"**{table.title[0].upper()}{table.title[1:]}**", ""]
            lines += _told(*_laid_out(table))
    return "\n".join([*lines, ""])


_EXPLANATION = (
    "Ranks are in per cent of all rules or items of the mutant; #1, #3 and #5 are the faults whose"
    " rank is at most 1, 3 and 5. A mutant counts for a suite that kills it: some tests fail and"
    " some pass."
)


def _laid_out(table: Table) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """The rows and heads of a table."""
    heads = list(KEYS)
    for metric in table.metrics:
        heads += [f"{metric} {head}" if metric != "-" else head for head in HEADS]
    rows = [
        (*keys_of(row), *(figure for cell in row.cells for figure in figures(cell)))
        for row in table.rows
    ]
    return rows, tuple(heads)


def keys_of(row: Row) -> tuple[str, ...]:
    """What a row begins with: the KEYS."""
    killed = f"{max(cell.n for cell in row.cells):,} of {row.n_mutants:,}"
    return row.grammar, row.recognizer, row.suite, killed


def figures(cell: Cell) -> tuple[str, ...]:
    """What a row says of one metric: the HEADS."""
    if not cell.n:
        return ("-",) * len(HEADS)
    return f"{cell.median:.1f}", f"{cell.mean:.1f}", *(f"{top:,}" for top in cell.tops)


def outcome_rows(records: Records) -> list[tuple[str, ...]]:
    """How many mutants came to which end."""
    return [(*key, f"{number:,}") for key, number in sorted(records.outcomes.items())]


def _told(rows: Sequence[tuple[str, ...]], heads: Sequence[str]) -> list[str]:
    """A table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return ["| " + " | ".join(_cell(text) for text in line) + " |" for line in lines]


def _cell(text: str) -> str:
    return printable(text).replace("|", "\\|")


# --- JSON ----------------------------------------------------------------------------------


def campaign_json(records: Records) -> str:
    """The same for programs: shares in per cent, null where there is no rank."""
    value = {
        "schema": SCHEMA,
        "suites": records.suites,
        "outcomes": [
            {"grammar": g, "recognizer": r, "outcome": outcome, "units": number}
            for (g, r, outcome), number in sorted(records.outcomes.items())
        ],
        "failed": dict(sorted(records.reasons.items())),
        "chapters": [
            {
                "title": chapter.title,
                "place": chapter.place.name,
                "tables": [
                    {
                        "title": table.title,
                        "rows": [value for row in table.rows for value in _row_values(table, row)],
                    }
                    for table in chapter.tables
                ],
            }
            for chapter in chapters(records)
        ],
    }
    return json.dumps(value, indent=1) + "\n"


def _row_values(table: Table, row: Row) -> Iterator[dict[str, Any]]:
    for metric, cell in zip(table.metrics, row.cells, strict=True):
        yield {
            "grammar": row.grammar,
            "recognizer": row.recognizer,
            "suite": row.suite,
            "mutants": row.n_mutants,
            "metric": metric,
            "killed": cell.n,
            "median": _number(cell.median),
            "mean": _number(cell.mean),
            "top1": cell.tops[0],
            "top3": cell.tops[1],
            "top5": cell.tops[2],
        }


def _number(value: float) -> float | None:
    return None if isnan(value) else round(value, 3)


# --- comparisons, status -------------------------------------------------------------------


def comparison_markdown(found: Comparison) -> str:
    """Who is better, how often, how much and how surely."""
    lines = [
        f"A: {found.first}",
        f"B: {found.second}",
        "",
        f"{found.n:,} mutants have a rank of the faulty {found.place} by both.",
        f"A is better for {found.better:,}, worse for {found.worse:,}, equal for {found.equal:,}.",
        f"mean rank: A {found.means[0]:.2f}, B {found.means[1]:.2f}",
        f"first: A {found.firsts[0]:,}, B {found.firsts[1]:,}",
        f"Wilcoxon signed rank: p = {found.p:.3g}",
        f"Vargha and Delaney: A12 = {found.a12:.3f} ({_size(found.a12)})",
        "",
    ]
    return "\n".join(lines)


def _size(a12: float) -> str:
    """The words of Vargha and Delaney (2000) for a size of effect."""
    distance = abs(a12 - 0.5)
    words = ("negligible", "small", "medium", "large")
    return words[int(np.searchsorted((0.06, 0.14, 0.21), distance, side="right"))]


def status_text(status: Status) -> str:
    """What is done."""
    rows = [
        (grammar, recognizer, outcome, f"{number:,}", f"{number / seconds:.1f}" if seconds else "-")
        for (grammar, recognizer, outcome), (number, seconds) in sorted(status.counts.items())
    ]
    share = 100 * status.done / status.total if status.total else 100.0
    said = f"{status.store}: {status.done:,} of {status.total:,} units are done ({share:.0f} %)"
    heads = ("grammar", "recognizer", "outcome", "units", "per CPU second")
    return "\n".join([said, "", *_told(rows, heads), ""])


def progress_text(progress: Progress) -> str:
    """How far a campaign is, on one line."""
    share = 100 * progress.done / progress.total
    left = progress.seconds_left
    more = "" if left is None else f", {_duration(left)} left"
    speed = f", {progress.here / progress.seconds:.1f} a second" if progress.seconds else ""
    return f"{progress.done:,} of {progress.total:,} units ({share:.0f} %){speed}{more}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def rounds_markdown(rows: Sequence[RoundsRow]) -> str:
    """How many rounds, and how many rules read, until all faults are mended."""
    heads = (
        "grammar",
        "recognizer",
        "suite",
        "method",
        "mutants",
        "mended",
        "rounds",
        "read",
        "of",
    )
    cells = [
        (
            one.grammar, one.recognizer, one.suite,
            " ".join(str(part) for part in one.method),
            str(one.mutants), str(one.mended),
            f"{one.rounds:.2f}", f"{one.read:.1f}", str(one.n_rules),
        )
        for one in rows
    ]  # fmt: skip
    said = "Mean rounds of each mutant whose faults the suite shows, and mean rules read in all."
    return "\n".join([said, "", *_told(cells, heads), ""])
