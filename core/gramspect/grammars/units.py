"""The non-terminals that derive a given symbol alone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from gramspect.grammars.grammar import Grammar

__all__ = ["deriving_alone"]


@lru_cache(maxsize=256)
def deriving_alone(grammar: Grammar, symbol: int) -> frozenset[int]:
    """The non-terminals other than `symbol` that derive it alone, in one step or several."""
    above = _one_step_above(grammar)
    found = {symbol}
    pending = [symbol]
    while pending:
        new = above.get(pending.pop(), frozenset()) - found
        found |= new
        pending.extend(new)
    return frozenset(found - {symbol})


@lru_cache(maxsize=16)
def _one_step_above(grammar: Grammar) -> Mapping[int, frozenset[int]]:
    """The non-terminals with a rule in which all other symbols may be empty, by each symbol."""
    nullable = grammar.analysis.nullable
    above: dict[int, set[int]] = {}
    for rule in grammar.rules:
        needed = [symbol for symbol in rule.rhs if symbol not in nullable]
        if len(needed) < 2:
            for symbol in needed or rule.rhs:
                above.setdefault(symbol, set()).add(rule.lhs)
    return {symbol: frozenset(some) for symbol, some in above.items()}
