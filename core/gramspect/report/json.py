"""The report for other programs: JSON by the schema ``gramspect/localization/1`` (docs/json.md)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from gramspect.edits.scores import Proposal
from gramspect.grammars.diagnostics import diagnose
from gramspect.localization.results import Localization, RankedElement, TestGroup
from gramspect.report.common import common_values
from gramspect.report.patterns import pattern_values
from gramspect.report.values import Json, location
from gramspect.running.recording import FailingTest, UndecidedTest

__all__ = [
    "SCHEMA",
    "Json",
    "json_report",
    "json_value",
    "location",
    "proposal_value",
    "undecided_values",
]

SCHEMA = "gramspect/localization/1"
_MOST_EDITS = 3


def json_report(result: Localization, top: int | None = None) -> str:
    """The report as text, the first `top` elements or all with a positive score."""
    return json.dumps(json_value(result, top), indent=1, allow_nan=False) + "\n"


def json_value(result: Localization, top: int | None = None) -> dict[str, Json]:
    """The report as JSON values."""
    from gramspect.report.conclusion import conclusion_value

    grammar, method = result.grammar, result.method
    return {
        "schema": SCHEMA,
        "adapter": result.adapter,
        "grammar": {
            "name": grammar.name,
            "files": list(grammar.files),
            "start": grammar.symbols[grammar.start].name,
            "rules": grammar.n_rules,
            "nonterminals": grammar.n_nonterminals,
            "terminals": len(grammar.terminals),
            "diagnostics": [
                {
                    "code": diagnostic.code,
                    "message": diagnostic.message,
                    "location": location(diagnostic.span),
                }
                for diagnostic in diagnose(grammar)
            ],
        },
        "spectrum": method.spectrum,
        "extraction": method.extraction,
        "evidence": method.evidence,
        "metric": method.metric,
        "ties": method.ties,
        "grouped": method.grouped,
        "tests": {
            "total": len(result.suite),
            "passed": result.n_passing,
            "failed": result.n_failing,
            "undecided": len(result.undecided),
            "failing": [_failing(failing) for failing in result.failing],
            "undecided_tests": undecided_values(result.undecided),
        },
        "warnings": [
            {"code": note.code, "message": note.text, "details": list(note.details)}
            for note in result.notes
        ],
        "conclusion": conclusion_value(result),
        "groups": [_group(result, group) for group in result.groups],
        "patterns": pattern_values(result, result.patterns),
        "common": common_values(result),
        "ranking": [_element(result, element) for element in result.ranking[:top]],
    }


def undecided_values(undecided: Sequence[UndecidedTest]) -> list[Json]:
    """The tests that have no verdict, with the reasons."""
    return [
        {"name": one.test.name, "expected": one.test.expectation, "reason": one.reason}
        for one in undecided
    ]


def _failing(failing: FailingTest) -> Json:
    error = failing.error
    return {
        "name": failing.test.name,
        "expected": failing.test.expectation,
        "verdict": failing.verdict,
        "error": None
        if error is None
        else {
            "kind": error.kind,
            "token": error.token,
            "line": failing.line,
            "column": error.column,
            "message": error.message,
        },
    }


def _group(result: Localization, group: TestGroup) -> Json:
    edit = None if group.proposal is None else proposal_value(result, group.proposal)
    return {
        "tests": [result.suite.tests[number].name for number in group.tests],
        "definitions": [
            {
                "nonterminal": element.nonterminal,
                "token": element.definition < 0,
                "label": element.label,
                "location": location(element.span),
                "score": element.score,
            }
            for element in group.definitions
        ],
        "edit": edit,
    }


def _element(result: Localization, element: RankedElement) -> Json:
    return {
        "rank": element.rank,
        "ties": element.ties,
        "score": element.score,
        "label": element.label,
        "nonterminal": element.nonterminal,
        "token": element.token is not None,
        "rule": element.rule_text,
        "dot": element.dot,
        "location": location(element.span),
        "ef": element.ef,
        "ep": element.ep,
        "nf": element.nf,
        "np": element.np,
        "edits": _edits(result, element),
    }


def _edits(result: Localization, element: RankedElement) -> list[Json]:
    """The edits at an element, those that were checked on the suite first."""
    from gramspect.edits.suggestion import Suggestion
    from gramspect.edits.validation import Effect
    from gramspect.report.edits import edit_value

    found = result.suggestions_for(element) or tuple(
        Suggestion(result.grammar, proposal.edit, Effect(proposal.tests, complete=False))
        for proposal in result.proposals_for(element)
    )
    return [edit_value(one, result.suite) for one in found[:_MOST_EDITS]]


def proposal_value(result: Localization, proposal: Proposal) -> dict[str, Json]:
    """An edit as JSON values."""
    edit, grammar = proposal.edit, result.grammar
    return {
        "label": grammar.item_label(edit.item),
        "kind": edit.kind,
        "symbols": [grammar.symbols[symbol].display for symbol in edit.symbols],
        "text": edit.describe(grammar),
        "cost": edit.cost,
        "tests": [result.suite.tests[number].name for number in proposal.tests],
    }
