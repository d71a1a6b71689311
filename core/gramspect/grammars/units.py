"""The non-terminals that derive a given symbol alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from gramspect.grammars.grammar import Grammar

__all__ = ["deriving_alone"]


@lru_cache(maxsize=256)
def deriving_alone(grammar: Grammar, symbol: int) -> frozenset[int]:
    """The non-terminals other than `symbol` that derive it alone, in one step or several."""
    nullable = grammar.analysis.nullable
    units = {symbol}
    grown = True
    while grown:
        grown = False
        for rule in grammar.rules:
            if rule.lhs not in units and _has_unit(rule.rhs, units, nullable):
                units.add(rule.lhs)
                grown = True
    return frozenset(units - {symbol})


def _has_unit(rhs: Sequence[int], units: set[int], nullable: frozenset[int]) -> bool:
    """Whether one symbol is among the units and all others are nullable."""
    return any(
        symbol in units and all(other in nullable for other in (*rhs[:i], *rhs[i + 1 :]))
        for i, symbol in enumerate(rhs)
    )
