"""Grammars as JSON, whole, and what tells two of them apart."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Associativity, Operator, Precedence, Rule, Symbol
from gramspect.source import Span

__all__ = ["digest", "grammar_of", "grammar_value"]


def digest(grammar: Grammar) -> str:
    """The same for grammars whose rules and items have the same numbers, whatever their places.

    It is the SHA-256, in hex, of the JSON text ``[start, [[lhs, [symbol, ...]], ...]]`` of the
    rules with the names of symbols, without blanks and in ASCII.
    """
    names = [symbol.name for symbol in grammar.symbols]
    rules = [[names[rule.lhs], [names[symbol] for symbol in rule.rhs]] for rule in grammar.rules]
    text = json.dumps([names[grammar.start], rules], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def grammar_value(grammar: Grammar) -> dict[str, Any]:
    """A grammar as JSON. What was odd in it (`Grammar.diagnostics`) is left out."""
    return {
        "name": grammar.name,
        "files": grammar.files,
        "start": grammar.start,
        "terminals": grammar.n_terminals,
        "digest": digest(grammar),
        "symbols": [
            [s.name, s.display, _span_value(s.span), s.spellings, s.operator, s.owner]
            for s in grammar.symbols
        ],
        "rules": [
            [
                r.lhs, r.rhs, r.label, _span_value(r.span),
                [_span_value(span) for span in r.rhs_spans], r.precedence,
            ]
            for r in grammar.rules
        ],
        "precedence": [
            [token, level.level, level.associativity]
            for token, level in sorted(grammar.precedence.items())
        ],
    }  # fmt: skip


def grammar_of(value: Mapping[str, Any]) -> Grammar:
    """The grammar that `grammar_value` wrote.

    Raises:
        ValueError, KeyError, TypeError: it is none.
    """
    n_terminals = int(value["terminals"])
    symbols = tuple(
        Symbol(
            index, str(name), index < n_terminals, str(display), _span(span),
            tuple(map(str, spellings)), None if operator is None else Operator(operator),
            owner if owner is None else int(owner),
        )
        for index, (name, display, span, spellings, operator, owner) in enumerate(value["symbols"])
    )  # fmt: skip
    alternatives: dict[int, int] = {}
    rules: list[Rule] = []
    for index, (lhs, rhs, label, span, spans, precedence) in enumerate(value["rules"]):
        alternatives[lhs] = alternatives.get(lhs, 0) + 1
        places = tuple(map(_span, spans))
        if not len(rhs) == len(places) or not n_terminals <= lhs < len(symbols):
            raise ValueError("a rule of its grammar is broken")
        if any(not 0 <= symbol < len(symbols) for symbol in rhs):
            raise ValueError("a rule of its grammar has a symbol that there is not")
        rules.append(
            Rule(
                index, lhs, tuple(rhs), alternatives[lhs], str(label), _span(span), places,
                precedence,
            )
        )  # fmt: skip
    grammar = Grammar(
        str(value["name"]),
        tuple(map(str, value["files"])),
        symbols,
        tuple(rules),
        int(value["start"]),
        n_terminals,
        {
            int(token): Precedence(int(level), Associativity(associativity))
            for token, level, associativity in value["precedence"]
        },
    )
    if value["digest"] != digest(grammar):
        raise ValueError("its grammar has been changed by hand")
    return grammar


def _span_value(span: Span | None) -> list[object] | None:
    if span is None:
        return None
    return [span.file, span.line, span.column, span.end_line, span.end_column]


def _span(value: Sequence[Any] | None) -> Span | None:
    return None if value is None else Span(*value)
