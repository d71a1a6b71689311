"""The coverage report for a browser: the page of `gramspect.report.html` in other colours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gramspect.grammar_coverage.coverage import Coverage
from gramspect.grammar_coverage.elements import Gap, State
from gramspect.report.coverage_text import NAMES, shown_percent
from gramspect.report.html import Headline, about, page
from gramspect.report.html_data import Data, spectra_data, suite_data
from gramspect.report.words import counted, printable
from gramspect.spectrum.matrix import SpectrumKind

__all__ = ["coverage_html"]


class _Row(NamedTuple):
    """A line of the table of levels or of non-terminals."""

    name: str
    covered: int
    touched: int
    total: int
    percent: str


def coverage_html(result: Coverage, sources: Mapping[str, str] | None = None) -> str:
    """The report; `sources` are the texts of the grammar's files, by default they are read.

    Raises:
        GramspectError: the spectra are too large for a page.
    """
    grammar = result.grammar
    matrices = {SpectrumKind.RULE: result.rules, SpectrumKind.ITEM: result.items}
    states = list(State)
    data: Data = {
        "spectra": spectra_data(matrices),
        "tests": suite_data(result.suite, result.items, result.failing, result.undecided),
        "states": states,
        "ruleStates": [states.index(result.rule_state(r)) for r in range(grammar.n_rules)],
        "itemStates": [states.index(result.item_state(i)) for i in range(grammar.n_items)],
        "ruleHits": result.rule_hits.tolist(),
        "itemHits": result.item_hits.tolist(),
    }
    return page(
        "coverage.html", ["coverage.js"], "Coverage of", grammar, list(_summary(result)), (), data,
        sources, states=states,
        levels=[_Row(name, t.covered, t.touched, t.total, shown_percent(t))
                for level, name in NAMES.items() if (t := result.levels[level]).total],
        gaps=[_gap(gap) for gap in result.gaps],
        useless=[(printable(u.label), u.why, printable(str(u.span or ""))) for u in result.useless],
    )  # fmt: skip


def _summary(result: Coverage) -> Iterator[Headline]:
    yield about(result.grammar, result.adapter)
    tests = f"{result.n_accepted:,} accepted, {result.n_rejected:,} rejected"
    yield Headline(f"{counted(len(result.suite), 'test')}: {tests}")
    if result.undecided:
        yield Headline(f"{len(result.undecided):,} are undecided and not counted.", "bad")
    if result.failing:
        verb = "has" if len(result.failing) == 1 else "have"
        what = f"{counted(len(result.failing), 'test')} {verb} another verdict than expected."
        yield Headline(what, "bad")


def _gap(gap: Gap) -> Data:
    return {
        "rule": gap.rule,
        "kind": gap.kind,
        "label": printable(gap.label),
        "what": printable(gap.what),
        "where": printable(str(gap.span or "")),
        "test": None if gap.sentence is None else printable(" ".join(gap.sentence)),
    }
