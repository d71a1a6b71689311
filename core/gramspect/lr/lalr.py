"""LALR(1) lookaheads by the method of DeRemer and Pennello.

F. DeRemer and T. Pennello, "Efficient computation of LALR(1) look-ahead sets", ACM TOPLAS 4(4),
1982. The names *reads*, *includes* and *lookback* are theirs. Sets of terminals are bit sets in
integers, bit ``t`` for terminal ``t``.
"""

from __future__ import annotations

from collections.abc import Mapping

from gramspect.grammars.analysis import nullable_tail
from gramspect.grammars.relations import united
from gramspect.grammars.symbols import END
from gramspect.lr.automaton import LRAutomaton

__all__ = ["Reductions", "lalr_reductions"]

Reductions = tuple[Mapping[int, int], ...]
"""For each state, the lookahead set of every rule that may be reduced in it. ``n_rules`` stands for
accepting."""


def lalr_reductions(automaton: LRAutomaton) -> Reductions:
    """The LALR(1) lookahead sets of an LR(0) automaton."""
    return _Lookaheads(automaton).reductions()


class _Lookaheads:
    """The relations between the non-terminal transitions ``(p, A)`` of an automaton."""

    def __init__(self, automaton: LRAutomaton) -> None:
        self.automaton = automaton
        self.grammar = automaton.grammar
        self.nullable = self.grammar.analysis.nullable
        self.edges = [
            (state, symbol)
            for state, targets in enumerate(automaton.transitions)
            for symbol in targets
            if not self.grammar.is_terminal(symbol)
        ]
        self.number = {edge: i for i, edge in enumerate(self.edges)}

    def reductions(self) -> Reductions:
        """LA(q, A -> w): the union of Follow(p, A) over all (p, A) that it looks back to."""
        includes, lookback = self._includes_and_lookback()
        read = united(self._directly_read(), self._reads())
        follow = united(read, includes)
        found: list[dict[int, int]] = [{} for _ in self.automaton.transitions]
        for (state, rule), edges in sorted(lookback.items()):
            lookahead = 0
            for edge in edges:
                lookahead |= follow[edge]
            found[state][rule] = lookahead
        accept = self.automaton.transitions[self.automaton.start][self.grammar.start]
        found[accept][self.grammar.n_rules] = 1 << END
        return tuple(found)

    def _directly_read(self) -> list[int]:
        """DR(p, A): the terminals that can be read right after the transition."""
        n_terminals = self.grammar.n_terminals
        transitions = self.automaton.transitions
        shifts = [sum(1 << s for s in targets if s < n_terminals) for targets in transitions]
        found = [shifts[transitions[state][symbol]] for state, symbol in self.edges]
        found[self.number[self.automaton.start, self.grammar.start]] |= 1 << END
        return found

    def _reads(self) -> list[list[int]]:
        """(p, A) reads (r, C) if p leads to r by A, and C is nullable."""
        transitions = self.automaton.transitions
        found: list[list[int]] = []
        for state, symbol in self.edges:
            target = transitions[state][symbol]
            found.append(
                [self.number[target, s] for s in transitions[target] if s in self.nullable]
            )
        return found

    def _includes_and_lookback(self) -> tuple[list[list[int]], dict[tuple[int, int], list[int]]]:
        """Follow every rule of every predicted non-terminal through the automaton.

        (p, A) includes (p', B) if ``B -> b A c``, p' leads to p by b, and c derives the empty
        string; (q, A -> w) looks back to (p, A) if p leads to q by w.
        """
        transitions, rules = self.automaton.transitions, self.grammar.rules
        tail = [nullable_tail(rule.rhs, self.nullable) for rule in rules]
        includes: list[list[int]] = [[] for _ in self.edges]
        lookback: dict[tuple[int, int], list[int]] = {}
        for edge, (origin, symbol) in enumerate(self.edges):
            for r in self.grammar.rules_of[symbol]:
                state = origin
                for position, part in enumerate(rules[r].rhs):
                    if position >= tail[r] and (state, part) in self.number:
                        includes[self.number[state, part]].append(edge)
                    state = transitions[state][part]
                lookback.setdefault((state, r), []).append(edge)
        return includes, lookback
