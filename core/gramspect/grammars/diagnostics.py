"""Oddities of a grammar: duplicate rules, useless symbols, cycles.

None of it keeps a grammar from being used, but each is worth a line in a report: it is often the
fault itself, or a slip of the pen next to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Diagnostic

__all__ = ["diagnose"]


def diagnose(grammar: Grammar) -> tuple[Diagnostic, ...]:
    """What the reader noted, then what the rules show, each kind in the order of the source.

    The codes are ``duplicate-rule``, ``unreachable``, ``unproductive`` and ``cyclic``, besides
    those that readers give (``undefined`` and others). Helpers are not reported as unreachable or
    unproductive: the non-terminal or symbol at fault is.
    """
    return (
        *grammar.diagnostics,
        *_duplicate_rules(grammar),
        *_unreachable(grammar),
        *_unproductive(grammar),
        *_cyclic(grammar),
    )


def _duplicate_rules(grammar: Grammar) -> Iterator[Diagnostic]:
    first: dict[tuple[int, tuple[int, ...]], int] = {}
    for rule in grammar.rules:
        earlier = first.setdefault((rule.lhs, rule.rhs), rule.index)
        if earlier != rule.index:
            label = grammar.rules[earlier].label
            text = grammar.rule_text(rule.index)
            message = f"{rule.label} is the same rule as {label}: {text}"
            yield Diagnostic("duplicate-rule", message, rule.span)


def _unreachable(grammar: Grammar) -> Iterator[Diagnostic]:
    start = grammar.symbols[grammar.start].display
    for symbol in grammar.nonterminals:
        if symbol.operator is None and symbol.index not in grammar.analysis.reachable:
            message = f"{symbol.display!r} is not reachable from the start symbol {start!r}"
            yield Diagnostic("unreachable", message, symbol.span)


def _unproductive(grammar: Grammar) -> Iterator[Diagnostic]:
    for symbol in grammar.nonterminals:
        if symbol.operator is not None or symbol.index in grammar.analysis.productive:
            continue
        if grammar.rules_of[symbol.index]:
            why = "each of its alternatives needs a symbol that derives none"
        else:
            why = "it has no alternative"
        end = ", so the language is empty" if symbol.index == grammar.start else ""
        message = f"{symbol.display!r} derives no sentence: {why}{end}"
        yield Diagnostic("unproductive", message, symbol.span)


def _cyclic(grammar: Grammar) -> Iterator[Diagnostic]:
    for index in sorted(grammar.analysis.cyclic):
        symbol = grammar.symbols[index]
        if symbol.operator is None:
            what = f"{symbol.display!r} can derive itself"
        else:
            home = grammar.symbols[grammar.user_nonterminal(index)].display
            what = f"{symbol.display!r} in {home!r} can repeat the empty word"
        message = f"{what}, so its sentences have infinitely many derivations"
        yield Diagnostic("cyclic", message, symbol.span)
