"""Action and goto tables of LR parsers, with conflicts resolved as yacc resolves them.

Numpy is imported when a table is made: whoever records a parser has no table to make.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import END
from gramspect.kernel import is_compiled
from gramspect.lr.automaton import MAX_STATES, LRAutomaton
from gramspect.lr.canonical import canonical_automaton
from gramspect.lr.conflicts import Conflict, resolve
from gramspect.lr.counting import count_conflicts
from gramspect.lr.items import COMPLETE, bits
from gramspect.lr.lalr import Reductions, lalr_reductions

__all__ = [
    "LRTable",
    "canonical_table",
    "lalr_table",
    "lr0_table",
    "lr_table",
    "n_lalr_conflicts",
    "slr_table",
]

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    IntTable = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class LRTable:
    """The tables of an LR parser.

    Attributes:
        automaton: the states.
        action: ``action[state, terminal]``, shape ``(n_states, n_terminals)``: 0 is an error,
            ``s + 1`` shifts and goes to state ``s``, ``-(r + 1)`` reduces rule ``r``,
            ``-(n_rules + 1)`` accepts.
        goto: ``goto[goto[state] + nonterminal - n_terminals]`` is the state after a non-terminal
            that is reduced there. First stands for each state where its row would begin, then come
            the rows, each from its first entry to its last. For a non-terminal that the state has
            no transition by, which no parser asks for, the number that is found has no meaning.
        conflicts: what had to be resolved, by state and lookahead.
        method: how lookaheads were found: ``lalr``, ``canonical``, ``slr``, ``lr0``.
    """

    automaton: LRAutomaton
    action: IntTable = field(repr=False)
    goto: IntTable = field(repr=False)
    conflicts: tuple[Conflict, ...] = field(repr=False)
    method: str

    @property
    def grammar(self) -> Grammar:
        return self.automaton.grammar

    @cached_property
    def unresolved(self) -> tuple[Conflict, ...]:
        """The conflicts that no declared precedence settled, which is what yacc warns about."""
        return tuple(conflict for conflict in self.conflicts if not conflict.by_precedence)


def lalr_table(grammar: Grammar) -> LRTable:
    """The LALR(1) table of a grammar.

    Raises:
        GrammarError: there are more than `MAX_STATES` states.
    """
    automaton = LRAutomaton.lr0(grammar)
    return lr_table(automaton, lalr_reductions(automaton), "lalr")


def n_lalr_conflicts(grammar: Grammar) -> int:
    """The number of unresolved conflicts of the LALR(1) table, without the table.

    Raises:
        GrammarError: there are more than `MAX_STATES` states.
    """
    if is_compiled() and (found := count_conflicts(grammar, compiled=True)) is not None:
        return found
    automaton = LRAutomaton.lr0(grammar)
    reductions = lalr_reductions(automaton)
    return sum(
        not conflict.by_precedence
        for state in range(automaton.n_states)
        for _, _, conflicts in _resolved(automaton, reductions, state)
        for conflict in conflicts
    )


def canonical_table(grammar: Grammar, max_states: int = MAX_STATES) -> LRTable:
    """The canonical LR(1) table of a grammar.

    Raises:
        GrammarError: there are more than `max_states` states.
    """
    automaton, reductions = canonical_automaton(grammar, max_states)
    return lr_table(automaton, reductions, "canonical")


def slr_table(grammar: Grammar) -> LRTable:
    """The SLR(1) table of a grammar: a rule is reduced on what follows its left-hand side."""
    follow = grammar.analysis.follow_bits
    lookaheads = [follow[rule.lhs] for rule in grammar.rules]
    return _lr0_based(grammar, lookaheads, "slr")


def lr0_table(grammar: Grammar) -> LRTable:
    """The LR(0) table of a grammar: a rule is reduced whatever comes."""
    lookaheads = [(1 << grammar.n_terminals) - 1] * grammar.n_rules
    return _lr0_based(grammar, lookaheads, "lr0")


def _lr0_based(grammar: Grammar, lookaheads: list[int], method: str) -> LRTable:
    """The table of an LR(0) automaton with one lookahead set for each rule."""
    automaton = LRAutomaton.lr0(grammar)
    table = automaton.items
    lookaheads = [*lookaheads, 1 << END]
    reductions = tuple(
        {
            table.rule[item]: lookaheads[table.rule[item]]
            for item in automaton.closure(state)
            if table.after[item] == COMPLETE
        }
        for state in range(automaton.n_states)
    )
    return lr_table(automaton, reductions, method)


def lr_table(automaton: LRAutomaton, reductions: Reductions, method: str) -> LRTable:
    """Fill the tables of an automaton, given the lookaheads of its reductions."""
    import numpy as np

    grammar = automaton.grammar
    n_terminals = grammar.n_terminals
    action = np.zeros((automaton.n_states, n_terminals), dtype=np.int32)
    conflicts: list[Conflict] = []
    columns = _Columns()
    for state, targets in enumerate(automaton.transitions):
        symbols = np.fromiter(targets.keys(), np.int64, len(targets))
        states = np.fromiter(targets.values(), np.int32, len(targets))
        shifts = symbols < n_terminals
        action[state, symbols[shifts]] = states[shifts] + 1
        for rule, lookahead in reductions[state].items():
            action[state, columns[lookahead]] = -(rule + 1)
        for terminal, chosen, found in _resolved(automaton, reductions, state):
            action[state, terminal] = chosen
            conflicts += found
    return LRTable(automaton, action, _gotos(automaton), tuple(conflicts), method)


def _resolved(
    automaton: LRAutomaton, reductions: Reductions, state: int
) -> Iterator[tuple[int, int, Sequence[Conflict]]]:
    """What is done on each terminal on which a state could do several things, and the conflicts."""
    targets, of_state = automaton.transitions[state], reductions[state]
    n_terminals = automaton.grammar.n_terminals
    taken = sum(1 << s for s in targets if s < n_terminals) if of_state else 0
    clashes = 0
    for lookahead in of_state.values():
        clashes |= taken & lookahead
        taken |= lookahead
    for terminal in bits(clashes):
        rules = sorted(r for r, seen in of_state.items() if seen >> terminal & 1)
        yield terminal, *resolve(automaton, state, terminal, targets.get(terminal), rules)


def _gotos(automaton: LRAutomaton) -> IntTable:
    """The goto table: its rows have many gaps, but most of them at their ends."""
    import numpy as np

    n_terminals = automaton.grammar.n_terminals
    starts: list[int] = []
    rows: list[int] = []
    for targets in automaton.transitions:
        columns = [symbol - n_terminals for symbol in targets if symbol >= n_terminals]
        first = min(columns, default=0)
        row = [-1] * (max(columns, default=-1) + 1 - first)
        for column in columns:
            row[column - first] = targets[column + n_terminals]
        starts.append(automaton.n_states + len(rows) - first)
        rows += row
    return np.array(starts + rows, dtype=np.int32)


class _Columns(dict[int, "NDArray[np.int64]"]):
    """The terminals of a lookahead set, as an index array; sets recur many times."""

    def __missing__(self, lookahead: int) -> NDArray[np.int64]:
        import numpy as np

        found = self[lookahead] = np.array(bits(lookahead), dtype=np.int64)
        return found
