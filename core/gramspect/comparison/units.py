"""The elements that several techniques can be compared by: common ones, or non-terminals.

Techniques that were built from one grammar have its rules and items in common. Sources that
describe the same language have different rules, so their non-terminals are compared, by name:
letters may differ in case, and ``_`` and other signs do not count (``ifStmt`` is ``if_stmt``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gramspect.comparison.model import Unit
from gramspect.grammars.grammar import Grammar
from gramspect.localization.results import Localization, Note, RankedElement
from gramspect.spectrum.matrix import SpectrumKind

__all__ = ["Ranks", "common_elements", "matched_nonterminals"]

Ranks = NDArray[np.float64]


def common_elements(
    grammar: Grammar, kind: SpectrumKind, results: Sequence[Localization]
) -> tuple[tuple[Unit, ...], Ranks]:
    """The rules or items of a common grammar, and their rank in each result."""
    if kind is SpectrumKind.RULE:
        units = tuple(
            Unit(rule.label, grammar.rule_text(rule.index), grammar.rule_span(rule.index))
            for rule in grammar.rules
        )
    else:
        units = tuple(
            Unit(grammar.item_label(item), grammar.item_text(item, "•"), grammar.item_span(item))
            for item in range(grammar.n_items)
        )
    columns = [
        _column({e.element: e.rank for e in _of_parser(result)}, range(len(units)))
        for result in results
    ]
    return units, _stacked(columns, len(units))


def matched_nonterminals(
    names: Sequence[str], results: Sequence[Localization]
) -> tuple[tuple[Unit, ...], Ranks, tuple[Note, ...]]:
    """The non-terminals of several grammars by name, their ranks, and which ones match nothing.

    The rankings must be grouped by non-terminal; `names` are those of the techniques.
    """
    keys = [_keys(result.grammar) for result in results]
    shown: dict[str, str] = {}
    for of_grammar in keys:
        for name, key in of_grammar.items():
            shown.setdefault(key, name)
    columns = []
    for result, of_grammar in zip(results, keys, strict=True):
        ranks = {of_grammar[e.nonterminal]: e.rank for e in _of_parser(result)}
        own = set(of_grammar.values())
        columns.append(_column(ranks, [key if key in own else None for key in shown]))
    units = tuple(Unit(name) for name in shown.values())
    return units, _stacked(columns, len(units)), tuple(_unmatched(names, keys))


def _of_parser(result: Localization) -> Iterator[RankedElement]:
    """The ranked elements but for token rules, which techniques do not have in common."""
    return (element for element in result.ranking if element.token is None)


def _keys(grammar: Grammar) -> Mapping[str, str]:
    """The key of each non-terminal that the user wrote; two of one grammar never share one."""
    written = [symbol.name for symbol in grammar.nonterminals if symbol.operator is None]
    plain = {name: "".join(filter(str.isalnum, name.casefold())) for name in written}
    uses = Counter(plain.values())
    return {name: key if key and uses[key] == 1 else name for name, key in plain.items()}


def _unmatched(names: Sequence[str], keys: Sequence[Mapping[str, str]]) -> Iterator[Note]:
    """Which non-terminals have no counterpart in any other grammar."""
    uses = Counter(key for of_grammar in keys for key in set(of_grammar.values()))
    for technique, of_grammar in zip(names, keys, strict=True):
        alone = [name for name, key in of_grammar.items() if uses[key] == 1]
        if alone and len(keys) > 1:
            text = (
                f"{technique}: {len(alone)} of {len(of_grammar)} non-terminals have no counterpart"
                f" by name: {', '.join(alone[:5])}{', ...' if len(alone) > 5 else ''}"
            )
            yield Note("unmatched", text, tuple(alone) if len(alone) > 5 else ())


Key = TypeVar("Key", int, str)


def _column(ranked: Mapping[Key, float], units: Sequence[Key | None]) -> Ranks:
    """The rank of each unit: NaN for None, the mean of the last ranks for those not ranked."""
    if not ranked:
        return np.full(len(units), np.nan)
    n = sum(unit is not None for unit in units)
    last = (len(ranked) + 1 + n) / 2
    return np.array([np.nan if u is None else ranked.get(u, last) for u in units], np.float64)


def _stacked(columns: Sequence[Ranks], n_units: int) -> Ranks:
    return np.stack(columns, axis=1) if columns else np.empty((n_units, 0))
