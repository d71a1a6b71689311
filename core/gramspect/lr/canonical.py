"""Canonical LR(1) automata, built on the LR(0) automaton.

The states of a canonical LR(1) automaton (Knuth 1965) are those of the LR(0) automaton, split by
lookaheads: a state is an LR(0) state with a lookahead set for each kernel item. The lookaheads of
whatever such a state predicts are fixed sets united with those of some of its kernel items, in the
same way for all states that share the LR(0) state. So the closure is computed once for every LR(0)
state, with a *variable* for the lookaheads of each kernel item, and a canonical state costs only a
few unions. (Aho, Lam, Sethi and Ullman 2006, Section 4.7.5, find LALR lookaheads by the same
propagation.)

A lookahead set can be empty, where what has to follow derives no sentence. Such items are kept, so
that merging the states with the same items always gives the LALR(1) automaton.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import END
from gramspect.lr.automaton import MAX_STATES, LRAutomaton, growing
from gramspect.lr.items import COMPLETE, ItemTable, bits
from gramspect.lr.lalr import Reductions

__all__ = ["canonical_automaton"]


def canonical_automaton(
    grammar: Grammar, max_states: int = MAX_STATES
) -> tuple[LRAutomaton, Reductions]:
    """The canonical LR(1) automaton of a grammar and the lookaheads of its reductions.

    States are numbered breadth first from 0, symbols in the order of their numbers.

    Raises:
        AutomatonTooLarge: there are more than `max_states` states, or no memory for them.
    """
    lr0 = LRAutomaton.lr0(grammar, max_states)
    plans: list[_Plan | None] = [None] * lr0.n_states
    planner = _Planner(lr0)
    sets = _Interned()
    states: list[tuple[int, ...]] = [(0, sets.number(1 << END))]
    number = {states[0]: 0}
    transitions: list[Mapping[int, int]] = []
    reductions: list[Mapping[int, int]] = []
    with growing(grammar, "canonical LR(1)", states, max_states) as checked:
        for core, *lookaheads in states:  # grows while it is walked
            plan = plans[core]
            if plan is None:
                plan = plans[core] = planner.plan(core)
            slots = plan.slots(lookaheads, sets)
            targets: dict[int, int] = {}
            for symbol, target_core, picks in plan.targets:
                successor = (target_core, *[slots[i] for i in picks])
                target = number.get(successor)
                if target is None:
                    checked()
                    target = number[successor] = len(states)
                    states.append(successor)
                targets[symbol] = target
            transitions.append(targets)
            reductions.append({rule: sets.members[slots[i]] for rule, i in plan.complete})
        kernels = tuple(lr0.kernels[core] for core, *_ in states)
        return LRAutomaton(grammar, kernels, tuple(transitions)), tuple(reductions)


class _Interned:
    """Lookahead sets by number, so that states are compared by small integers."""

    def __init__(self) -> None:
        self.members: list[int] = []
        self._numbers: dict[int, int] = {}

    def number(self, members: int) -> int:
        found = self._numbers.setdefault(members, len(self.members))
        if found == len(self.members):
            self.members.append(members)
        return found


@dataclass(frozen=True, slots=True)
class _Plan:
    """How lookaheads flow through one LR(0) state.

    A slot holds a lookahead set: first one for each kernel item, then one for each of `derived`, a
    fixed set united with the slots of some kernel items.

    Attributes:
        derived: the fixed set and the kernel positions of each derived slot.
        targets: symbol, LR(0) state after it, and the slot of each of its kernel items.
        complete: the rules that can be reduced, each with the slot of its lookaheads.
    """

    derived: tuple[tuple[int, tuple[int, ...]], ...]
    targets: tuple[tuple[int, int, tuple[int, ...]], ...]
    complete: tuple[tuple[int, int], ...]

    def slots(self, lookaheads: list[int], sets: _Interned) -> list[int]:
        """The numbers of the sets in all slots, given those of the kernel items."""
        members = sets.members
        slots = list(lookaheads)
        for fixed, positions in self.derived:
            found = fixed
            for position in positions:
                found |= members[lookaheads[position]]
            slots.append(sets.number(found))
        return slots


class _Planner:
    """Closures of LR(0) states with a variable for each kernel item's lookaheads.

    A variable is a bit after those of the terminals.
    """

    def __init__(self, lr0: LRAutomaton) -> None:
        self.lr0 = lr0
        self.items: ItemTable = lr0.items
        self.n_terminals = lr0.grammar.n_terminals
        self._after = self._first_after()
        self._given, self._passed = self._expansions()

    def _first_after(self) -> list[tuple[int, bool]]:
        """For each item what can begin right after the symbol after its dot, and whether nothing
        may stand there."""
        analysis = self.lr0.grammar.analysis
        found: list[tuple[int, bool]] = []
        for rule in self.lr0.grammar.rules:
            first, nullable = 0, True
            backwards = [(0, False)]
            for symbol in reversed(rule.rhs):
                backwards.append((first, nullable))
                vanishes = symbol in analysis.nullable
                first = analysis.first_bits[symbol] | (first if vanishes else 0)
                nullable = nullable and vanishes
            found.extend(reversed(backwards))
        return [*found, (0, True), (0, False)]

    def _expansions(self) -> tuple[dict[int, dict[int, int]], dict[int, list[int]]]:
        """What predicting a non-terminal does to those that begin its rules.

        The first gives for ``B -> C d`` the terminals that can begin d, the second lists C if d can
        be empty, so that whatever follows B follows C.
        """
        given: dict[int, dict[int, int]] = {}
        passed: dict[int, list[int]] = {}
        for symbol, initial in self.items.initial.items():
            of_symbol = given[symbol] = {}
            to: set[int] = set()
            for item in initial:
                predicted = self.items.after[item]
                if predicted >= self.n_terminals:
                    first, nullable = self._after[item]
                    of_symbol[predicted] = of_symbol.get(predicted, 0) | first
                    if nullable:
                        to.add(predicted)
            passed[symbol] = sorted(to - {symbol})
        return given, passed

    def _lookaheads(self, core: int) -> dict[int, int]:
        """The lookaheads of every non-terminal that a state predicts."""
        found = dict.fromkeys(self.lr0.predicted(core), 0)
        for position, item in enumerate(self.lr0.kernels[core]):
            symbol = self.items.after[item]
            if symbol >= self.n_terminals:
                first, nullable = self._after[item]
                found[symbol] |= first | (nullable << self.n_terminals + position)
        for symbol in found:
            for predicted, first in self._given[symbol].items():
                found[predicted] |= first
        waiting = [symbol for symbol in found if self._passed[symbol]]
        while waiting:
            symbol = waiting.pop()
            flow = found[symbol]
            for predicted in self._passed[symbol]:
                if flow & ~found[predicted]:
                    found[predicted] |= flow
                    waiting.append(predicted)
        return found

    def plan(self, core: int) -> _Plan:
        """The plan of an LR(0) state."""
        kernel = self.lr0.kernels[core]
        lookaheads = self._lookaheads(core)
        different = {
            found: len(kernel) + i for i, found in enumerate(dict.fromkeys(lookaheads.values()))
        }
        slot = {item: position for position, item in enumerate(kernel)}
        for symbol, found in lookaheads.items():
            slot.update(dict.fromkeys(self.items.initial[symbol], different[found]))
        terminals = (1 << self.n_terminals) - 1
        targets = self.lr0.transitions[core]
        return _Plan(
            tuple(
                (found & terminals, tuple(bits(found >> self.n_terminals))) for found in different
            ),
            tuple(
                (symbol, target, tuple(slot[item - 1] for item in self.lr0.kernels[target]))
                for symbol, target in targets.items()
            ),
            tuple(
                (self.items.rule[item], place)
                for item, place in slot.items()
                if self.items.after[item] == COMPLETE
            ),
        )
