"""Spectra of top-down parsers, for inputs that they accept.

Rules and plain items are those of the derivation (Raselimo and Fischer 2024, Definitions 3.1 and
4.1). Shift items (Definition 4.3) are the closures of the items on the parser's stack whenever a
token is consumed: what an LR parser would have in the states that it has pushed by then, as far as
this derivation goes. Rejected inputs are left to the chart (`gramspect.recognition.trace.LLTrace`
says why).
"""

from __future__ import annotations

from collections.abc import Iterable

from gramspect.grammars.grammar import Grammar
from gramspect.recognition.trace import LLTrace, Observation, Verdict

__all__ = ["closure", "observe_ll"]


def observe_ll(trace: LLTrace) -> Observation:
    """The spectra of one accepted test."""
    grammar = trace.grammar
    rules = frozenset(trace.rules)
    start = grammar.item_start
    items = frozenset(item for rule in rules for item in range(start[rule], start[rule + 1]))
    return Observation(Verdict.ACCEPTED, None, rules, items, closure(grammar, trace.current))


def closure(grammar: Grammar, items: Iterable[int]) -> frozenset[int]:
    """The items, and the first items of all rules that what is after their dots can start with."""
    found = set(items)
    wanted: set[int] = set()
    for item in found:
        rule, dot = grammar.split_item(item)
        rhs = grammar.rules[rule].rhs
        if dot < len(rhs) and not grammar.is_terminal(rhs[dot]):
            wanted.add(rhs[dot])
    pending = list(wanted)
    while pending:
        for rule in grammar.rules_of[pending.pop()]:
            found.add(grammar.item_start[rule])
            first = grammar.rules[rule].rhs[:1]
            if first and not grammar.is_terminal(first[0]) and first[0] not in wanted:
                wanted.add(first[0])
                pending.append(first[0])
    return frozenset(found)
