"""A grammar from the tables of a parser alone.

The tables tell the left-hand side and the length of each production, and where each state leads.
In an LR automaton all edges into a state have the same symbol, and if a state may reduce a
production then every path of its length to that state spells its right-hand side (Knuth 1965). So a
walk backwards finds the symbols.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gramspect.adapter_api import (
    END,
    UNKNOWN,
    AdapterError,
    Alternative,
    Block,
    Definition,
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
    """A grammar, and what numbers of productions and symbols of the tables are in it."""

    grammar: Grammar
    rules: Sequence[int]
    terminals: Sequence[int]
    nonterminals: Sequence[int]


def rebuild(java: Any, names: Any, name: str) -> Rebuilt:
    """The grammar of a parser; `java` are its ``Tables``, `names` its ``SymbolNames``.

    Raises:
        AdapterError: a production is never reduced, so that nothing tells its symbols.
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
        self._before, self._symbol = self._edges()

    def _edges(self) -> tuple[Mapping[int, int], Mapping[int, int]]:
        """A predecessor of each state, and the symbol of all edges to it."""
        before, symbol = {}, {}
        for state, terminal in np.argwhere(self._actions > 0).tolist():
            target = int(self._actions[state, terminal]) - 1
            before[target], symbol[target] = state, terminal
        for state, nonterminal in np.argwhere(self._reduces >= 0).tolist():
            target = int(self._reduces[state, nonterminal])
            before[target], symbol[target] = state, self._n_terminals + nonterminal
        return before, symbol

    def _productions(self) -> Iterator[tuple[int, list[int]]]:
        """Left-hand side and symbols of each production but that of the start."""
        reducing = {
            -int(self._actions[state, terminal]) - 1: state
            for state, terminal in np.argwhere(self._actions < 0).tolist()
        }
        for number, (left, length) in enumerate(zip(self._left, self._lengths, strict=True)):
            if number == self._start:
                continue
            if number not in reducing and length:
                raise AdapterError(
                    f"{self._name}: the parser never reduces production {number}"
                    f" (of {self._names[self._n_terminals + left]}), so its symbols are not known;"
                    " give its .cup as the grammar, and the jar with --option classpath=..."
                )
            state, symbols = reducing.get(number, 0), []
            for _ in range(length):
                symbols.append(self._symbol[state])
                state = self._before[state]
            yield self._n_terminals + left, symbols[::-1]

    def rebuilt(self) -> Rebuilt:
        productions = list(self._productions())
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
        found = [UNKNOWN if p == self._start else next(rules) for p in range(len(self._left))]
        return Rebuilt(grammar, found, numbers[: self._n_terminals], numbers[self._n_terminals :])

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
