"""CUP grammars from core grammars, over sequences of token names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gramspect.adapter_api import AdapterError, Associativity, Grammar, GrammarError, SourceText
from gramspect_cup.generating import generate
from gramspect_cup.sequences import SequenceRecognizer
from gramspect_cup.tables import Tables

__all__ = ["build"]

_LONGEST = 200
"""How many symbols CUP takes in one production."""

_SIDE = {
    Associativity.LEFT: "left",
    Associativity.RIGHT: "right",
    Associativity.NONASSOC: "nonassoc",
    # CUP does not know it; both shift in a conflict at equal precedence.
    Associativity.NONE: "right",
}


def build(grammar: Grammar) -> SequenceRecognizer:
    """A recognizer for a core grammar.

    Symbols get names of their own, as CUP takes only those that Java does.

    Raises:
        AdapterError: CUP cannot build it.
        MissingDependency: JPype or Java is missing.
    """
    longest = max(grammar.rules, key=lambda rule: len(rule.rhs))
    if len(longest.rhs) >= _LONGEST:
        raise AdapterError(
            f"CUP cannot build the grammar {grammar.name}: {longest.label} has"
            f" {len(longest.rhs)} symbols, CUP takes {_LONGEST - 1}"
        )
    text = "\n".join(_lines(grammar))
    try:
        generated = generate(text, SourceText(grammar.name, text)).java
    except GrammarError as problem:
        reason = _in_user_names(problem.message, grammar)
        raise AdapterError(f"CUP cannot build the grammar {grammar.name}: {reason}") from None
    return SequenceRecognizer(Tables.of_generated(generated, grammar, _names(grammar)))


def _names(grammar: Grammar) -> list[str]:
    return [f"{'t' if s.terminal else 'n'}{s.index}" for s in grammar.symbols]


def _lines(grammar: Grammar) -> Iterator[str]:
    """The grammar in CUP's notation."""
    names = _names(grammar)
    for symbol in grammar.symbols[1:]:
        kind = "terminal" if symbol.terminal else "non terminal"
        yield f"{kind} {names[symbol.index]};"
    levels = sorted(grammar.precedence.items(), key=lambda entry: entry[1].level)
    for number in dict.fromkeys(precedence.level for _, precedence in levels):
        level = [(t, p.associativity) for t, p in levels if p.level == number]
        tokens = ", ".join(names[terminal] for terminal, _ in level)
        yield f"precedence {_SIDE[level[0][1]]} {tokens};"
    yield f"start with {names[grammar.start]};"
    for rule in grammar.rules:
        body = " ".join(names[symbol] for symbol in rule.rhs)
        chosen = "" if rule.precedence is None else f" %prec {names[rule.precedence]}"
        yield f"{names[rule.lhs]} ::= {body}{chosen};"


def _in_user_names(message: str, grammar: Grammar) -> str:
    """A message of CUP's with the names that the user knows."""
    shown = {
        name: symbol.display for name, symbol in zip(_names(grammar), grammar.symbols, strict=True)
    }
    return re.sub(r"\w+", lambda word: shown.get(word[0], word[0]), message)
