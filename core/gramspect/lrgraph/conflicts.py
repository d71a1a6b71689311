"""The conflicts of the automaton below an LR graph, counted as in Rossouw and Fischer (2023).

Nothing resolves them here: precedence says which reduction a parser makes, not which one there is.
"""

from __future__ import annotations

from typing import NamedTuple

from gramspect.lrgraph.graph import AutomatonKind, LRGraph

__all__ = ["ConflictCounts", "conflict_counts"]


class ConflictCounts(NamedTuple):
    """How many conflicts there are, and in how many states, as in Table 1.

    A shift/reduce conflict is a state and a token that can be shifted, and reduced on by some rule.
    A reduce/reduce conflict is a state, a token and a second, third, ... rule to reduce on it.
    """

    shift_reduce: int
    shift_reduce_states: int
    reduce_reduce: int
    reduce_reduce_states: int


def conflict_counts(graph: LRGraph) -> ConflictCounts:
    """Count the conflicts; those of an LR(0) automaton are without any lookahead."""
    grammar = graph.grammar
    all_tokens = (1 << grammar.n_terminals) - 1
    shift_reduce: list[int] = []
    reduce_reduce: list[int] = []
    for transitions, lookaheads in zip(graph.automaton.transitions, graph.lookaheads, strict=True):
        shifted = sum(1 << symbol for symbol in transitions if grammar.is_terminal(symbol))
        reduced = clashing = 0
        for rule, tokens in lookaheads.items():
            if rule == grammar.n_rules:  # accepting is no reduction
                continue
            on = all_tokens if graph.kind is AutomatonKind.LR0 else tokens
            clashing += (reduced & on).bit_count()
            reduced |= on
        shift_reduce.append((shifted & reduced).bit_count())
        reduce_reduce.append(clashing)
    return ConflictCounts(
        sum(shift_reduce),
        sum(map(bool, shift_reduce)),
        sum(reduce_reduce),
        sum(map(bool, reduce_reduce)),
    )
