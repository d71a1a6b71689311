"""Coverage for other programs: JSON by the schema ``gramspect/coverage/1`` (docs/coverage.md)."""

from __future__ import annotations

import json

from gramspect.grammar_coverage.coverage import Coverage
from gramspect.grammar_coverage.elements import Gap
from gramspect.grammars.symbols import Rule, Symbol
from gramspect.report.values import Json, location

__all__ = ["SCHEMA", "coverage_json", "coverage_value"]

SCHEMA = "gramspect/coverage/1"


def coverage_json(result: Coverage) -> str:
    """The report as text."""
    return json.dumps(coverage_value(result), indent=1, allow_nan=False) + "\n"


def coverage_value(result: Coverage) -> dict[str, Json]:
    """The report as JSON values."""
    grammar = result.grammar
    return {
        "schema": SCHEMA,
        "adapter": result.adapter,
        "grammar": {
            "name": grammar.name,
            "files": list(grammar.files),
            "start": grammar.symbols[grammar.start].name,
        },
        "extraction": result.extraction,
        "tests": {
            "total": len(result.suite),
            "accepted": result.n_accepted,
            "rejected": result.n_rejected,
            "undecided": len(result.undecided),
            "failed": len(result.failing),
        },
        "percent": result.percent,
        "levels": {
            level: {
                "covered": tally.covered,
                "touched": tally.touched,
                "missed": tally.missed,
                "total": tally.total,
                "percent": tally.percent,
            }
            for level, tally in result.levels.items()
        },
        "gaps": [_gap(gap) for gap in result.gaps],
        "useless": [
            {"label": useless.label, "why": useless.why, "location": location(useless.span)}
            for useless in result.useless
        ],
        "nonterminals": [
            _nonterminal(result, symbol) for symbol in grammar.nonterminals if not symbol.operator
        ],
    }


def _gap(gap: Gap) -> Json:
    return {
        "kind": gap.kind,
        "label": gap.label,
        "text": gap.what,
        "location": location(gap.span),
        "sentence": None if gap.sentence is None else list(gap.sentence),
    }


def _nonterminal(result: Coverage, symbol: Symbol) -> Json:
    grammar = result.grammar
    own = [r for r in grammar.rules if grammar.user_nonterminal(r.lhs) == symbol.index]
    return {
        "name": symbol.name,
        "state": result.nonterminal_state(symbol.index),
        "location": location(symbol.span),
        "rules": [_rule(result, rule) for rule in own],
    }


def _rule(result: Coverage, rule: Rule) -> Json:
    grammar = result.grammar
    items = [grammar.item(rule.index, dot) for dot in range(len(rule.rhs) + 1)]
    return {
        "label": rule.label,
        "rule": grammar.rule_text(rule.index),
        "choice": result.is_choice(rule.index),
        "state": result.rule_state(rule.index),
        "tests": int(result.rule_hits[rule.index]),
        "location": location(rule.span),
        "items": [
            {"dot": dot, "state": result.item_state(item), "tests": int(result.item_hits[item])}
            for dot, item in enumerate(items)
        ],
    }
