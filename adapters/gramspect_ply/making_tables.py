"""Has PLY make its tables faster while a parser is loaded: the same tables.

Each repair that is tried is a parser of its own, and for a grammar of 340 rules most of the time of
a trial went into PLY's lists of states and terminals. Here sets of terminals are bits of an
integer, and the successors of a state are found for all symbols at once. PLY still numbers the
states and decides the conflicts.

The method is that of F. DeRemer and T. Pennello, "Efficient computation of LALR(1) look-ahead
sets", ACM TOPLAS 4(4), 1982, with PLY's own relation *includes*: it also follows the items of a
non-terminal whose dot is not at the beginning, which may add lookaheads that LALR(1) does not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from gramspect.adapter_api import nullable_tail, on_cycles, united
from gramspect_ply.copies import Method, methods_replaced

__all__ = ["tables_made_faster"]

Item = Any
"""An LR item of PLY: `prod` is the right-hand side with a ``.`` at `lr_index`, `len` counts it."""
State = list[Item]
Transition = tuple[int, str]
"""A state and the non-terminal by which it is left."""


def _goto(_: Method) -> Method:
    """Instead of ``lr0_goto``: as there, equal states are one object, which `id` tells."""

    def goto(table: Any, state: State, symbol: str) -> State:
        return _successors(table, state).get(symbol, [])

    return goto


def _successors(table: Any, state: State) -> Mapping[str, State]:
    """The states that the symbols after the dots of a state lead to."""
    of_state: dict[int, dict[str, State]] = vars(table).setdefault("gramspect_successors", {})
    found = of_state.get(id(state))
    if found is None:
        kernels: dict[str, list[Item]] = {}
        for item in state:
            following = item.lr_next
            if following:
                kernels.setdefault(following.lr_before, []).append(following)
        found = {symbol: _state(table, kernel) for symbol, kernel in kernels.items()}
        of_state[id(state)] = found
    return found


def _state(table: Any, kernel: list[Item]) -> State:
    """The state with a kernel, of which there is one."""
    states: dict[tuple[int, ...], State] = vars(table).setdefault("gramspect_states", {})
    items = tuple(map(id, kernel))
    if items not in states:
        states[items] = table.lr0_closure(kernel)
    return states[items]


def _lookaheads(original: Method) -> Method:
    """Instead of ``add_lalr_lookaheads``."""

    def add_lookaheads(table: Any, states: Sequence[State]) -> None:
        sets = _Lookaheads(table, states)
        if sets.may_share_lists:
            original(table, states)
        else:
            sets.add()

    return add_lookaheads


class _Lookaheads:
    """The lookaheads of the items of all states.

    Attributes:
        may_share_lists: whether transitions read each other in a circle. For such grammars, which
            are not LR(k) for any k, PLY has several transitions share one list.
    """

    def __init__(self, table: Any, states: Sequence[State]) -> None:
        self._grammar, self._states = table.grammar, states
        self._nullable = table.compute_nullable_nonterminals()
        terminals = dict.fromkeys([*self._grammar.Terminals, "$end"])
        self._bit = {terminal: 1 << n for n, terminal in enumerate(terminals)}
        self._names: dict[int, list[str]] = {}
        numbers = table.lr0_cidhash
        self._gotos = [
            {symbol: numbers[id(target)] for symbol, target in _successors(table, state).items()}
            for state in states
        ]
        self._transitions = [
            (state, symbol)
            for state, gotos in enumerate(self._gotos)
            for symbol in gotos
            if symbol in self._grammar.Nonterminals
        ]
        self._number = {edge: n for n, edge in enumerate(self._transitions)}
        self._reads = [list(self._read_after(edge)) for edge in self._transitions]
        self.may_share_lists = bool(on_cycles(self._reads))

    def add(self) -> None:
        """Give them to the complete items."""
        read = united([self._directly_read(edge) for edge in self._transitions], self._reads)
        includes, lookback = self._includes_and_lookback()
        follow = united(read, includes)
        complete = [
            {item.number: item for item in state if item.lr_index == item.len - 1}
            for state in self._states
        ]
        for (state, rule), edges in lookback.items():
            bits = 0
            for edge in edges:
                bits |= follow[edge]
            complete[state][rule].lookaheads[state] = self._named(bits)

    def _directly_read(self, edge: Transition) -> int:
        """The terminals that may come right after a transition."""
        state, symbol = edge
        following = self._gotos[self._gotos[state][symbol]]
        at_start = state == 0 and symbol == self._grammar.Productions[0].prod[0]
        end = self._bit["$end"] if at_start else 0
        return sum(self._bit[s] for s in following if s in self._bit) | end

    def _read_after(self, edge: Transition) -> Iterator[int]:
        state, symbol = edge
        target = self._gotos[state][symbol]
        return (self._number[target, s] for s in self._gotos[target] if s in self._nullable)

    def _includes_and_lookback(self) -> tuple[list[list[int]], Mapping[tuple[int, int], list[int]]]:
        """What each transition includes, and to which ones each rule in a state looks back."""
        includes: list[list[int]] = [[] for _ in self._transitions]
        lookback: dict[tuple[int, int], list[int]] = {}
        for edge, (origin, name) in enumerate(self._transitions):
            for item in self._states[origin]:
                if item.name != name:
                    continue
                rest = item.prod[item.lr_index + 1 :]
                tail, state = nullable_tail(rest, self._nullable), origin
                for position, symbol in enumerate(rest):
                    if position >= tail and (state, symbol) in self._number:
                        includes[self._number[state, symbol]].append(edge)
                    state = self._gotos[state][symbol]
                if not item.lr_index:
                    lookback.setdefault((state, item.number), []).append(edge)
        return includes, lookback

    def _named(self, bits: int) -> list[str]:
        if bits not in self._names:
            self._names[bits] = [name for name, bit in self._bit.items() if bits & bit]
        return self._names[bits]


_METHODS = {"lr0_goto": _goto, "add_lalr_lookaheads": _lookaheads}


def tables_made_faster() -> AbstractContextManager[None]:
    """Have every copy of PLY make its LALR tables in a part of the time."""
    return methods_replaced({"LRGeneratedTable": _METHODS, "LRTable": _METHODS})
