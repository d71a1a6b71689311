"""A grammar from the tables of a parser alone.

The tables tell the left-hand side and the length of each production, and where each state leads.
In an LR automaton all edges into a state have the same symbol, and if a state may reduce a
production then every path of its length to that state spells its right-hand side (Knuth 1965). So a
walk backwards finds the symbols.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gramspect.adapter_api import (
    END,
    UNKNOWN,
    AdapterError,
    Alternative,
    Block,
    Definition,
    Diagnostic,
    Element,
    Grammar,
    Operator,
    Reference,
    Token,
    expand,
)

__all__ = ["Rebuilt", "rebuild"]

EMBEDDED = "NT$"
"""What CUP calls its non-terminals for embedded actions; numbers follow."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A grammar, and its rules and symbols by the numbers that the tables give them.

    It is not `complete` if it lacks productions that the parser never reduces.
    """

    grammar: Grammar
    rules: Sequence[int]
    terminals: Sequence[int]
    nonterminals: Sequence[int]
    complete: bool = True


def rebuild(java: Any, names: Any, name: str) -> Rebuilt:
    """The grammar of a parser; `java` are its ``Tables``, `names` its ``SymbolNames``.

    Productions that the parser never reduces are left out, and a diagnostic says so: nothing tells
    their symbols, and no input uses them.

    Raises:
        AdapterError: the tables accept nothing.
    """
    return _Rebuilding(java, names, name).rebuilt()


class _Rebuilding:
    """Symbols have one number here: terminals first, as in the tables."""

    def __init__(self, java: Any, names: Any, name: str) -> None:
        self._java = java
        self._name = name
        self._n_terminals = int(java.terminals)
        self._start = int(java.startProduction)
        self._left = np.asarray(java.leftHandSides).tolist()
        self._lengths = np.asarray(java.lengths).tolist()
        self._actions = np.asarray(java.actions).reshape(int(java.states), self._n_terminals)
        self._reduces = np.asarray(java.reduces).reshape(int(java.states), int(java.nonterminals))
        self._names = [
            *_named(names.terminals()[: self._n_terminals], "T$"),
            *_named(names.nonterminals(), EMBEDDED),
        ]
        self._further = [str(x) for x in names.terminals()[self._n_terminals :] if x is not None]
        self._before: dict[int, int] = {}
        self._symbol: dict[int, int] = {}
        self._reducing = self._walked()

    def _walked(self) -> dict[int, int]:
        """For each production that can be reduced a state that does so.

        Some productions cannot be reduced, because of conflicts or because CUP leaves unreachable
        states in the tables. A state may only be entered after a reduction if its non-terminal has
        a production that can be reduced; so there are walks from the start state until nothing more
        goes away.
        """
        made = set(self._left)
        while True:
            reducing = self._walk(made)
            left = {self._left[production] for production in reducing}
            if left == made:
                return reducing
            made = left

    def _walk(self, made: set[int]) -> dict[int, int]:
        """A walk through the states, with steps only by those non-terminals.

        It notes a predecessor of each state, and the symbol of all edges to it.
        """
        first = int(self._java.startState)
        waiting, seen = [first], {first}
        reducing: dict[int, int] = {}
        for state in waiting:  # grows while it is walked
            row, gotos = self._actions[state], self._reduces[state]
            steps = [(int(row[t]) - 1, t) for t in np.flatnonzero(row > 0).tolist()]
            steps += [
                (int(gotos[n]), self._n_terminals + n)
                for n in np.flatnonzero(gotos >= 0).tolist()
                if n in made
            ]
            for target, symbol in steps:
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
                    self._before[target], self._symbol[target] = state, symbol
            for action in set(row[row < 0].tolist()):
                reducing.setdefault(-action - 1, state)
        return reducing

    def _productions(self) -> Iterator[tuple[int, list[int]] | None]:
        """Left-hand side and symbols of each production; None for those that are never reduced."""
        for number, (left, length) in enumerate(zip(self._left, self._lengths, strict=True)):
            if number == self._start or (number not in self._reducing and length):
                yield None
                continue
            state, symbols = self._reducing.get(number, 0), []
            for _ in range(length):
                symbols.append(self._symbol[state])
                state = self._before[state]
            yield self._n_terminals + left, symbols[::-1]

    def _never_reduced(self, count: int) -> Diagnostic:
        what = "a production" if count == 1 else f"{count} productions"
        it = "it is" if count == 1 else "they are"
        return Diagnostic(
            "cup",
            f"the tables have {what} that the parser never reduces; {it} left out, as nothing tells"
            " the symbols",
        )

    def rebuilt(self) -> Rebuilt:
        all_productions = list(self._productions())
        productions = [production for production in all_productions if production is not None]
        n_missing = len(all_productions) - len(productions) - 1
        embedded = self._embedded(productions)
        definitions = [
            Definition(self._names[left], (Alternative(tuple(self._elements(symbols, embedded))),))
            for left, symbols in productions
            if left not in embedded
        ]
        tokens = [Token(name) for name in [*self._names[2 : self._n_terminals], *self._further]]
        grammar = expand(
            definitions, tokens=tokens, start=self._names[self._start_symbol()], name=self._name
        )
        rules = iter(range(grammar.n_rules))
        known = {symbol.name: symbol.index for symbol in grammar.symbols}
        numbers = [END, *(known.get(name, UNKNOWN) for name in self._names[1:])]
        for number, (left, _) in enumerate(productions):
            numbers[left] = grammar.rules[number].lhs
        if n_missing:
            notes = (*grammar.diagnostics, self._never_reduced(n_missing))
            grammar = replace(grammar, diagnostics=notes)
        found = [UNKNOWN if production is None else next(rules) for production in all_productions]
        n = self._n_terminals
        return Rebuilt(grammar, found, numbers[:n], numbers[n:], complete=not n_missing)

    def _elements(self, symbols: Sequence[int], embedded: set[int]) -> Iterator[Element]:
        for symbol in symbols:
            if symbol in embedded:
                yield Block(Operator.ACTION, (Alternative(()),))
            else:
                yield Reference(self._names[symbol])

    def _embedded(self, productions: Sequence[tuple[int, list[int]]]) -> set[int]:
        """The non-terminals that CUP has made for embedded actions.

        Each has one production, which is empty and right before the one that the action is in.
        """
        count = Counter(left for left, _ in productions)
        uses = Counter(symbol for _, symbols in productions for symbol in symbols)
        found: set[int] = set()
        waiting: set[int] = set()
        for left, symbols in productions:
            named = self._names[left].startswith(EMBEDDED)
            if named and not symbols and count[left] == uses[left] == 1:
                waiting.add(left)
            else:
                found |= waiting.intersection(symbols[:-1])
                waiting.clear()
        return found

    def _start_symbol(self) -> int:
        """The symbol after which the end of the input is accepted."""
        start, end = int(self._java.startState), int(self._java.endState)
        for nonterminal, state in enumerate(self._reduces[start].tolist()):
            if state >= 0 and self._actions[state, int(self._java.endOfFile)] == end + 1:
                return self._n_terminals + nonterminal
        raise AdapterError(f"{self._name}: the tables accept nothing; they may be damaged")


def _named(names: Any, prefix: str) -> list[str]:
    return [f"{prefix}{i}" if name is None else str(name) for i, name in enumerate(names)]
