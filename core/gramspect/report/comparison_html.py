"""The comparison for a browser: one file that needs nothing else, no network and no server.

The page is complete without its script, which only filters the table of ranks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import numpy as np
from markupsafe import Markup

from gramspect.comparison.model import Comparison, Disagreement, Technique, Unit
from gramspect.localization.results import Note
from gramspect.recognition.trace import Verdict
from gramspect.report.comparison_text import columns_of, headline, names_of, spectra_lines
from gramspect.report.html import Headline, asset, content_policy, environment
from gramspect.report.html_data import visible
from gramspect.report.words import printable
from gramspect.suites.suite import Expectation

__all__ = ["comparison_html"]

_LEVELS = 8
"""Shades of the style sheet, from pale to strong."""


_EMPTY: dict[str, Any] = {"text": "", "level": 0}


def comparison_html(result: Comparison) -> str:
    """The report as a page."""
    style = asset("page.css") + asset("comparison.css")
    script = "\n".join(["'use strict';", asset("theme.js"), asset("comparison.js")])
    title, *summary = headline(result)
    return (
        environment()
        .get_template("comparison.html")
        .render(
            title=f"Comparison: {title}",
            summary=[Headline(line, "quiet") for line in summary],
            notes=[
                Note(n.code, printable(n.text), tuple(map(visible, n.details)))
                for n in result.notes
            ],
            names=columns_of(result),
            techniques=list(map(_technique, result.techniques, names_of(result))),
            n_tests=len(result.suite),
            disagreements=[_disagreement(result, d) for d in result.disagreements],
            unit="non-terminal" if result.method.grouped else "element",
            rows=list(_rows(result)),
            top=result.top,
            agreement=_agreement(result),
            spectra=list(spectra_lines(result)),
            policy=content_policy(style, script),
            style=Markup(style),
            script=Markup(script),
            version=version("gramspect"),
        )
    )


def _technique(technique: Technique, name: str) -> dict[str, Any]:
    refusal = technique.refusal
    if technique.localization is None:
        return {"name": name, "refusal": printable(refusal or ""), "cells": ()}
    matrix = technique.matrix
    cells = (
        *(f"{int((matrix.verdicts == code).sum()):,}" for code in range(3)),
        f"{matrix.n_failing:,}", f"{matrix.n_elements:,}", f"{technique.n_executed:,}",
        f"{technique.mean_size:.1f}", f"{technique.seconds_per_test * 1e3:.3g}",
    )  # fmt: skip
    return {"name": name, "refusal": None, "cells": cells}


def _disagreement(result: Comparison, found: Disagreement) -> dict[str, Any]:
    accept = found.test.expectation is Expectation.ACCEPT
    expected = Verdict.ACCEPTED if accept else Verdict.REJECTED
    derives = ""
    if result.grammar is not None and found.derivable[0] is not None:
        derives = f"the grammar {'derives' if found.derivable[0] else 'does not derive'} it"
    text = found.test.text if found.test.tokens is None else " ".join(found.test.tokens)
    return {
        "name": printable(found.test.name),
        "text": visible(text),
        "wanted": expected,
        "derives": derives,
        "verdicts": [
            {
                "verdict": verdict,
                "expected": verdict is expected,
                "cause": None if why is None else why.cause,
                "text": "" if why is None else printable(why.text),
                "details": "" if why is None else visible("\n".join(why.details)),
            }
            for verdict, why in zip(found.verdicts, found.explanations, strict=True)
        ],
    }


def _rows(result: Comparison) -> Iterator[dict[str, Any]]:
    """The units, those of the top first, then by their best ranks."""
    first = result.top_units()
    if not first:
        return
    best = np.nanmin(np.where(np.isnan(result.ranks), np.inf, result.ranks), axis=1)
    others = sorted(set(range(len(result.units))) - set(first), key=lambda u: (best[u], u))
    for position, number in enumerate((*first, *others)):
        ranks = result.ranks[number]
        yield {
            **_unit(result.units[number]),
            "top": position < len(first),
            "differs": len(set(ranks[~np.isnan(ranks)].tolist())) > 1,
            "cells": [_rank(rank, result.top) for rank in ranks.tolist()],
        }


def _unit(unit: Unit) -> dict[str, Any]:
    before, marked, after = printable(unit.text).partition("•")
    return {
        "label": printable(unit.label),
        "before": before,
        "marked": bool(marked),
        "after": after,
        "where": "" if unit.span is None else printable(str(unit.span)),
    }


def _rank(rank: float, top: int) -> dict[str, Any]:
    if math.isnan(rank):
        return {"text": "-", "level": 0}
    nearness = 1 - (rank - 1) / top
    return {"text": f"{rank:g}", "level": max(0, math.ceil(nearness * _LEVELS))}


def _agreement(result: Comparison) -> list[list[dict[str, Any]]]:
    n = len(result.taking_part)
    if n < 2 or not result.any_failing:
        return []
    cells: list[list[dict[str, Any]]] = [
        [{"text": "", "level": 0} for _ in range(n)] for _ in range(n)
    ]
    for agreement in result.agreements:
        cells[agreement.first][agreement.second] = _share(agreement.tau)
        cells[agreement.second][agreement.first] = _share(agreement.overlap)
    return cells


def _share(value: float | None) -> dict[str, Any]:
    """Darker where two techniques agree less: that is what one looks for."""
    if value is None:
        return {"text": "-", "level": 0}
    return {"text": f"{value:.3f}", "level": min(_LEVELS, math.ceil((1 - value) * _LEVELS - 1e-9))}
