"""A more general non-terminal in the place of the one inside of which an input fails.

``'return' expression`` is written where ``expressionStatement`` is meant, or ``type`` where it is
``annotatedType``, which begins with one or is one: then the input dies inside of the call or right
after it, and the repair is to call something that derives what was called, and more. The position
of the call may lie many tokens before the error. Other edits cost more the further back they begin;
these do not, for what they change is what the error is in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from gramspect.edits.candidates import REPLACING, Candidates, ItemTable, Stretch
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.units import deriving_alone
from gramspect.recognition.chart import Chart

__all__ = ["widenings"]

COST = 1.0
"""The cost of calling another non-terminal that is no more general than the one called."""
FURTHEST = 64
"""How many tokens before the error a call may have begun."""

Integers = NDArray[np.int64]
Calls = Mapping[int, set[int]]
"""Items by the symbol after the dot, or by column."""


def widenings(chart: Chart, table: ItemTable) -> Iterator[Candidates]:
    """The edits that replace a call that spans tokens right up to the error, by column.

    What may be called instead derives what was called, and the user has written both. It costs
    `COST` and by how much it is the more general of the two (`generality`).
    """
    called = _spanning_calls(chart)
    generality = np.array(table.generality)
    for column in sorted(called, reverse=True):
        wider = {
            item: _more_general(chart.grammar, symbol, int(table.lhs[item]))
            for item in sorted(called[column])
            if table.is_tried[item] and (symbol := int(table.next[item])) >= 0
        }
        items = np.repeat(np.array([*wider], np.int64), [len(some) for some in wider.values()])
        if len(items):
            symbols = np.concatenate([*wider.values()])
            chosen, numbers = np.unique(symbols, return_inverse=True)
            more = generality[symbols] - generality[table.next[items]]
            yield Candidates(
                column,
                [Stretch(column + 1, COST, (symbol,)) for symbol in chosen.tolist()],
                items,
                np.full(len(items), REPLACING),
                numbers.astype(np.int64),
                COST + np.maximum(0.0, more),
            )


def _more_general(grammar: Grammar, symbol: int, lhs: int) -> Integers:
    """What may be called instead of a symbol in a rule of `lhs`, which would call itself."""
    if grammar.symbols[symbol].operator is not None:
        return np.zeros(0, np.int64)
    found = [
        wider
        for wider in sorted(deriving_alone(grammar, symbol))
        if wider != lhs and grammar.symbols[wider].operator is None
    ]
    return np.array(found, np.int64)


def _spanning_calls(chart: Chart) -> Calls:
    """The items that call what spans the tokens up to the error, by the column that it begins in.

    Those are the calls of what has entries in the last column, and their callers in turn, as far
    back as `FURTHEST`.
    """
    grammar = chart.grammar
    lhs = [rule.lhs for rule in grammar.rules]
    first = max(0, chart.end - FURTHEST)
    todo = {(lhs[grammar.split_item(item)[0]], start) for item, start in chart.column(chart.end)}
    todo = {(symbol, start) for symbol, start in todo if start >= first}
    seen = set(todo)
    found: dict[int, set[int]] = defaultdict(set)
    by_symbol: dict[int, Mapping[int, list[tuple[int, int]]]] = {}
    while todo:
        symbol, column = todo.pop()
        if column not in by_symbol:
            by_symbol[column] = _calls(chart, column)
        for item, start in by_symbol[column].get(symbol, ()):
            if column < chart.end:
                found[column].add(item)
            caller = (lhs[grammar.split_item(item)[0]], start)
            if start >= first and caller not in seen:
                seen.add(caller)
                todo.add(caller)
    return found


def _calls(chart: Chart, column: int) -> Mapping[int, list[tuple[int, int]]]:
    """The entries of a column before a non-terminal, predicted ones too, by that non-terminal."""
    grammar = chart.grammar
    entries = list(chart.column(column))
    for symbol in chart.predicted(column):
        entries += ((grammar.item_start[rule], column) for rule in grammar.rules_of[symbol])
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for item, start in entries:
        rule, dot = grammar.split_item(item)
        rhs = grammar.rules[rule].rhs
        if dot < len(rhs) and not grammar.is_terminal(rhs[dot]):
            found[rhs[dot]].append((item, start))
    return found
