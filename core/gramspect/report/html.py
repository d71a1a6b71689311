"""The report for a browser: one file that needs nothing else, no network and no server.

Texts are escaped by the template engine, and by JSON where the page's script reads them. A content
security policy in the page allows its own style and script, by their hashes, and nothing else: if
something of a user's file were taken for markup, it would still neither run nor load anything.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from numpy.typing import NDArray

from gramspect.edits.suggestion import Suggestion
from gramspect.edits.validation import Effect, Status
from gramspect.edits.weights import chosen_weights
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.lexical.rules import TokenRule
from gramspect.localization.conclusion import conclusion
from gramspect.localization.results import Localization, Note, RankedElement
from gramspect.report.common import common_in_words
from gramspect.report.conclusion import sentence
from gramspect.report.edits import summary
from gramspect.report.groups import groups_in_words
from gramspect.report.html_data import Data, element_data, spectra_data, suite_data, visible
from gramspect.report.html_text import grammar_text, read_sources
from gramspect.report.patterns import heading, patterns_in_words
from gramspect.report.text import said_of_none
from gramspect.report.words import printable
from gramspect.scoring import evidence, ranking
from gramspect.scoring.evidence import Evidence
from gramspect.scoring.metrics import metric as metric_named
from gramspect.scoring.ranking import Ties
from gramspect.spectrum.matrix import SpectrumKind

__all__ = ["Headline", "about", "asset", "content_policy", "environment", "html_report", "page"]

_METRICS = ("tarantula", "ochiai", "jaccard", "dstar")
"""The metrics that the page's script computes; scores by others come with the page."""


class Headline(NamedTuple):
    """A line below the title; the style is a class of the style sheet."""

    text: str
    style: str = ""


def html_report(result: Localization, sources: Mapping[str, str] | None = None) -> str:
    """The report on a localization that has the spectra of all kinds (``all_spectra=True``).

    `sources` are the texts of the grammar's files by name; by default they are read.

    Raises:
        GramspectError: the spectra were not kept, or are too large for a page.
    """
    matrices = result.basis.matrices
    if set(matrices) != set(SpectrumKind):
        raise GramspectError(
            "the HTML report needs the spectra of all kinds; localize with all_spectra=True"
        )
    method, weights = result.method, chosen_weights()
    tokens = [element for element in result.ranking if element.token is not None]
    data: Data = {
        "spectra": spectra_data(
            {kind: matrices[kind] for kind in SpectrumKind}, [element.used for element in tokens]
        ),
        "tests": suite_data(
            result.suite, matrices[method.spectrum], result.failing, result.undecided
        ),
        "method": {
            "spectrum": method.spectrum,
            "extraction": method.extraction,
            "evidence": method.evidence,
            "metric": method.metric,
            "ties": method.ties,
            "grouped": method.grouped,
        },
        "depths": _sparse(result.basis.depths),
        "editWeights": _sparse(result.basis.edit_weights),
        "givenScores": _given_scores(result),
        "byGroups": _sparse(result.basis.by_groups),
        "edits": _edits(result, tokens),
        "tokenOdds": _odds(result, tokens),
        "settled": _settled(result, tokens),
        "constants": {
            "spectrumFloor": evidence.SPECTRUM_FLOOR,
            "depthFloor": evidence.DEPTH_FLOOR,
            "otherFloor": weights.other_floor,
            "ownPart": weights.own_part,
            "editFloor": weights.edit_floor,
            "tieTolerance": ranking.TIE_TOLERANCE,
        },
    }
    with_edits = method.evidence is Evidence.EDITS
    choices = {
        "spectrum": list(SpectrumKind),
        "evidence": [kind for kind in Evidence if with_edits or kind is not Evidence.EDITS],
        "metric": list(dict.fromkeys([*_METRICS, method.metric])),
        "ties": list(Ties),
    }
    return page(
        "localize.html", ["scoring.js", "localize.js"], "Suspicious places in", result.grammar,
        _summary(result), result.notes, data, sources,
        [element.token for element in tokens if element.token is not None],
        choices=choices, groups=list(groups_in_words(result)),
        common=list(common_in_words(result)), stops=heading(result),
        patterns=list(patterns_in_words(result)),
    )  # fmt: skip


def page(
    template: str,
    scripts: Sequence[str],
    subject: str,
    grammar: Grammar,
    summary: Sequence[Headline],
    notes: Sequence[Note],
    data: Data,
    sources: Mapping[str, str] | None,
    tokens: Sequence[TokenRule] = (),
    **values: Any,
) -> str:
    """A page about a grammar: its text, what the template shows beside it, and the data of both.

    `tokens` are token rules that are shown as rules.
    """
    if sources is None:
        sources = read_sources(grammar, tokens)
    text = grammar_text(grammar, sources, tokens)
    style = asset("page.css")
    script = "\n".join(["'use strict';", *map(asset, ["theme.js", "page.js", *scripts])])
    shown = [
        Note(note.code, printable(note.text), tuple(map(printable, note.details))) for note in notes
    ]
    data = {"elements": element_data(grammar, text, tokens), **data}
    return (
        environment()
        .get_template(template)
        .render(
            title=f"{subject} {printable(grammar.files[0] if grammar.files else grammar.name)}",
            summary=summary,
            notes=shown,
            files=text.files,
            policy=content_policy(style, script),
            style=Markup(style),
            script=Markup(script),
            data=_embedded(data),
            version=version("gramspect"),
            **values,
        )
    )


@cache
def environment() -> Environment:
    """The template engine of all pages: everything is escaped unless it is `Markup`."""
    found = Environment(
        loader=PackageLoader("gramspect.report"),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    found.filters |= {"visible": visible, "printable": printable, "coded": coded}
    return found


def coded(text: str) -> Markup:
    """A sentence in which names stand in backticks, with the names as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    markup = ("{}", "<code>{}</code>")
    return Markup().join(Markup(markup[n % 2]).format(part) for n, part in enumerate(parts))


@cache
def asset(name: str) -> str:
    """A file beside the templates: a style sheet or a script."""
    return (files("gramspect.report") / "templates" / name).read_text(encoding="utf-8")


def content_policy(style: str, script: str) -> str:
    """What the page may do: have this style, run this script."""

    def source(text: str) -> str:
        return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"

    return (
        f"default-src 'none'; style-src {source(style)}; script-src {source(script)};"
        " base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )


def _embedded(data: Data) -> Markup:
    """JSON inside of markup: without any character that could end it there."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


# --- localization --------------------------------------------------------------------------


def _summary(result: Localization) -> list[Headline]:
    grammar, total = result.grammar, f"{len(result.suite):,} tests"
    lines = [about(grammar, result.adapter)]
    failing = Headline(f"{result.n_failing:,} of {total} fail.", "bad")
    passing = Headline(
        f"No test fails, so there is nothing to rank: {result.n_passing:,} pass.", "good"
    )
    if result.undecided and not result.failing:
        said = "".join(piece.text for piece in said_of_none(result, "rank"))
        return [*lines, Headline(said, "bad")]
    found = conclusion(result)
    if found is not None:
        lines.insert(0, Headline(sentence(result, found), "conclusion"))
    lines.append(failing if result.failing else passing)
    if result.undecided:
        lines.append(Headline(f"{len(result.undecided):,} are undecided and not counted.", "bad"))
    return lines


def about(grammar: Grammar, adapter: str | None) -> Headline:
    """What the grammar is."""
    parts = [f"adapter {printable(adapter)}"] if adapter else []
    parts.append(
        f"{grammar.n_rules:,} rules, {grammar.n_nonterminals:,} non-terminals,"
        f" {len(grammar.terminals):,} terminals, start symbol"
        f" {printable(grammar.symbols[grammar.start].display)}"
    )
    return Headline(" · ".join(parts), "quiet")


def _sparse(values: NDArray[np.float64] | None) -> list[list[float]] | None:
    """The positive values of items with their numbers."""
    if values is None:
        return None
    return [[item, value] for item, value in enumerate(values.tolist()) if value]


def _given_scores(result: Localization) -> Data:
    """Scores of a metric that the script does not know."""
    name = result.method.metric
    if name in _METRICS:
        return {}
    score = metric_named(name)
    counts = {kind: matrix.counts() for kind, matrix in result.basis.matrices.items()}
    return {name: {kind: score(*of_kind).tolist() for kind, of_kind in counts.items()}}


def _odds(result: Localization, tokens: Sequence[RankedElement]) -> list[float]:
    """The scores of token rules as parts of the highest score of another element.

    They are those before the tool's verdict on repairs has settled the order.
    """

    def before(element: RankedElement) -> float:
        return element.score / result.basis.settled.get(element.definition, 1.0)

    best = max((before(one) for one in result.ranking if one.token is None), default=1.0)
    return [before(element) / best for element in tokens]


def _settled(result: Localization, tokens: Sequence[RankedElement]) -> list[tuple[int, float]]:
    """The definitions, as numbers in the page, whose scores are multiplied, with the factors."""
    owners = dict.fromkeys(
        result.grammar.user_nonterminal(rule.lhs) for rule in result.grammar.rules
    )
    numbers = [*owners, *(token.definition for token in tokens)]
    factors = result.basis.settled
    return [(place, factors[one]) for place, one in enumerate(numbers) if one in factors]


def _edits(result: Localization, tokens: Sequence[RankedElement]) -> dict[int, list[Data]]:
    """The edits at each item, the best first: those that were checked, else all that were found.

    `order` compares them across items.
    """
    found: dict[int, list[Data]] = {}
    items = {one.element: result.grammar.n_items + n for n, one in enumerate(tokens)}
    shown = result.suggestions or [
        Suggestion(result.grammar, proposal.edit, Effect(proposal.tests, complete=False))
        for proposals in result.proposals.values()
        for proposal in proposals
    ]
    for order, one in enumerate(sorted(shown, key=_order)):
        found.setdefault(items.get(one.edit.item, one.edit.item), []).append(
            {
                "order": order,
                "text": printable(one.describe()),
                "status": one.status,
                "summary": printable(summary(one, result.among(one.effect.fixed))),
                "tests": [printable(result.suite.tests[test].name) for test in one.effect.fixed],
                "diff": None if one.change is None else visible(one.change.diff()),
            }
        )
    return found


def _order(one: Suggestion) -> tuple[bool, bool, int, float]:
    """What does no harm first, then what mends most, then what is cheapest."""
    harmful = one.status in (Status.HARMFUL, Status.USELESS)
    return harmful, one.status is not Status.VALIDATED, -len(one.effect.fixed), one.cost
