"""The number of LALR(1) conflicts of a grammar, counted by the kernel.

The same as with `gramspect.lr.tables`, in a tenth of the time where the kernel is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from gramspect.grammars.analysis import nullable_tail
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Associativity
from gramspect.kernel import load
from gramspect.kernel.lalr import ERROR, REDUCE, SHIFT, UNDECIDED, lookaheads_room
from gramspect.kernel.lr0 import N_GOTOS, N_REDUCTIONS, Rules, states_room
from gramspect.kernel.tables import Memory, zeros

__all__ = ["count_conflicts"]

MOST_STATES = 1 << 20
_SIDES = {
    Associativity.LEFT: REDUCE,
    Associativity.RIGHT: SHIFT,
    Associativity.NONASSOC: ERROR,
}


def count_conflicts(grammar: Grammar, compiled: bool) -> int | None:
    """How many conflicts no precedence decides; None if there are more states than it has room for.

    `compiled` says which form of the kernel counts.
    """
    first: Any = load("lr0", compiled)
    then: Any = load("lalr", compiled)
    room = grammar.n_items + 64
    while room <= MOST_STATES:
        memory = Memory()
        rules = _rules(grammar, memory)
        states = states_room(memory, rules, room)
        m = memory.make(compiled)
        if first.automaton(m, rules, states):
            gotos, reductions = m[states.counts + N_GOTOS], m[states.counts + N_REDUCTIONS]
            related, ends = then.n_related(m, rules, states), then.n_ends(m, rules, states)
            lookaheads = lookaheads_room(memory, rules, gotos, reductions, related, ends)
            m.extend(zeros(memory.size - len(m), compiled))
            return int(then.conflicts(m, rules, states, lookaheads))
        room *= 2
    return None


def _rules(grammar: Grammar, memory: Memory) -> Rules:
    """The grammar as the kernel wants it."""
    rhs = [*(rule.rhs for rule in grammar.rules), (grammar.start,)]
    nullable = grammar.analysis.nullable
    nonterminals = [symbol.index for symbol in grammar.nonterminals]
    levels = [grammar.precedence.get(symbol) for symbol in range(grammar.n_terminals)]
    return Rules(
        grammar.n_terminals,
        len(grammar.symbols),
        grammar.n_rules,
        grammar.n_items,
        grammar.start,
        memory.put(accumulate((len(symbols) + 1 for symbols in rhs), initial=0)),
        memory.put(symbol for symbols in rhs for symbol in (*symbols, -1)),
        memory.put(rule for rule, symbols in enumerate(rhs) for _ in range(len(symbols) + 1)),
        memory.put(accumulate((len(grammar.rules_of[x]) for x in nonterminals), initial=0)),
        memory.put(rule for x in nonterminals for rule in grammar.rules_of[x]),
        memory.put(max(0, nullable_tail(symbols, nullable)) for symbols in rhs),
        memory.put(int(x in nullable) for x in nonterminals),
        memory.put(_rule_levels(grammar)),
        memory.put(0 if level is None else level.level + 1 for level in levels),
        memory.put(
            UNDECIDED if level is None else _SIDES.get(level.associativity, UNDECIDED)
            for level in levels
        ),
    )


def _rule_levels(grammar: Grammar) -> Iterator[int]:
    """The level of each rule, counted from 1, and 0 for the augmented one."""
    for rule in grammar.rules:
        level = None if rule.precedence is None else grammar.precedence.get(rule.precedence)
        yield 0 if level is None else level.level + 1
    yield 0
