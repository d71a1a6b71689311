"""The comparison for other programs: JSON by the schema ``gramspect/comparison/1``."""

from __future__ import annotations

import json
import math

from gramspect.comparison.model import Comparison, Disagreement, Technique
from gramspect.report.values import Json
from gramspect.source import Span

__all__ = ["SCHEMA", "comparison_json", "comparison_value"]

SCHEMA = "gramspect/comparison/1"


def comparison_json(result: Comparison) -> str:
    """The report as text (docs/compare.md describes every key)."""
    return json.dumps(comparison_value(result), indent=1, allow_nan=False) + "\n"


def comparison_value(result: Comparison) -> dict[str, Json]:
    """The report as JSON values."""
    grammar, method = result.grammar, result.method
    return {
        "schema": SCHEMA,
        "grammar": None
        if grammar is None
        else {
            "name": grammar.name,
            "files": list(grammar.files),
            "start": grammar.symbols[grammar.start].name,
            "rules": grammar.n_rules,
            "nonterminals": grammar.n_nonterminals,
            "terminals": len(grammar.terminals),
        },
        "spectrum": method.spectrum,
        "extraction": method.extraction,
        "evidence": method.evidence,
        "metric": method.metric,
        "ties": method.ties,
        "grouped": method.grouped,
        "tests": len(result.suite),
        "top": result.top,
        "techniques": [_technique(technique) for technique in result.techniques],
        "disagreements": [_disagreement(result, d) for d in result.disagreements],
        "ranks": [_ranks(result, unit) for unit in range(len(result.units))],
        "agreement": [
            {
                "first": result.taking_part[a.first].name,
                "second": result.taking_part[a.second].name,
                "compared": a.n_units,
                "tau_b": a.tau,
                "top_overlap": a.overlap,
                "same_spectra": a.same_spectra,
            }
            for a in result.agreements
        ],
        "warnings": [
            {"code": note.code, "message": note.text, "details": list(note.details)}
            for note in result.notes
        ],
    }


def _technique(technique: Technique) -> Json:
    about: dict[str, Json] = {
        "name": technique.name,
        "adapter": technique.adapter,
        "source": technique.source,
        "refusal": technique.refusal,
        "result": None,
    }
    if technique.localization is not None:
        result, matrix = technique.result, technique.matrix
        accepted, rejected, undecided = (int((matrix.verdicts == code).sum()) for code in range(3))
        about["result"] = {
            "accepted": accepted,
            "rejected": rejected,
            "undecided": undecided,
            "failing": [failing.test.name for failing in result.failing],
            "undecided_tests": [test.test.name for test in result.undecided],
            "elements": matrix.n_elements,
            "executed": technique.n_executed,
            "executed_per_test": technique.mean_size,
            "build_seconds": technique.build_seconds,
            "seconds_per_test": technique.seconds_per_test,
        }
    return about


def _disagreement(result: Comparison, disagreement: Disagreement) -> Json:
    columns = zip(
        result.taking_part,
        disagreement.verdicts,
        disagreement.derivable,
        disagreement.explanations,
        strict=True,
    )
    return {
        "test": disagreement.test.name,
        "expected": disagreement.test.expectation,
        "techniques": [
            {
                "name": technique.name,
                "verdict": verdict,
                "derivable": derivable,
                "cause": None if explanation is None else explanation.cause,
                "reason": None if explanation is None else explanation.text,
                "details": [] if explanation is None else list(explanation.details),
            }
            for technique, verdict, derivable, explanation in columns
        ],
    }


def _ranks(result: Comparison, number: int) -> Json:
    unit = result.units[number]
    ranks = zip(result.taking_part, result.ranks[number].tolist(), strict=True)
    return {
        "label": unit.label,
        "text": unit.text,
        "location": _location(unit.span),
        "ranks": {t.name: None if math.isnan(rank) else rank for t, rank in ranks},
    }


def _location(span: Span | None) -> Json:
    if span is None:
        return None
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }
