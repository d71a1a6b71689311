"""Which tokens can be next to each other in a sentence, exactly.

A pair of tokens that cannot is a *poisoned pair*: whatever contains one is no sentence (Raselimo,
Taljaard and Fischer 2019, "Breaking parsers: mutation-based generation of programs with guaranteed
syntax errors"). Beginning and end of the input are treated as a token, too: pairs with `END` on
the left say what a sentence can begin with, on the right what it can end with.

Unproductive and unreachable symbols, and rules that contain any, are left out first, so that every
pair that is not poisoned does occur in some sentence. *Silent* terminals, which have no text
(ANTLR's EOF), are taken out of the rules: what remains derives at least the texts that the grammar
does, so what is poisoned in it is in no text either.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import END

__all__ = ["Adjacency", "members"]


class Adjacency:
    """The pairs of adjacent tokens of a grammar. Sets of terminals are bits, `END` the lowest."""

    def __init__(self, grammar: Grammar, silent: Collection[int] = ()) -> None:
        productive = grammar.analysis.productive
        self.grammar = grammar
        self._silent = frozenset(silent)
        self._reduced = grammar.with_rules(
            replace(rule, rhs=tuple(s for s in rule.rhs if s not in self._silent))
            for rule in grammar.rules
            if productive.issuperset(rule.rhs)
        )
        self._analysis = self._reduced.analysis

    # --- pairs ---------------------------------------------------------------------------

    @cached_property
    def after(self) -> Sequence[int]:
        """For each terminal those that can stand after it; for `END` what sentences begin with."""
        start = self.grammar.start
        first = self._analysis.first_bits[start] if start in self._analysis.productive else 0
        empty = 1 << END if start in self._analysis.nullable else 0
        follow = self._analysis.follow_bits[: self.grammar.n_terminals]
        return (first | empty, *follow[1:])

    @cached_property
    def before(self) -> Sequence[int]:
        """For each terminal those that can stand before it; for `END` what sentences end with."""
        found = [0] * self.grammar.n_terminals
        for left, bits in enumerate(self.after):
            for right in members(bits):
                found[right] |= 1 << left
        return found

    def poisoned(self, left: int, right: int) -> bool:
        """Whether no sentence has the two terminals next to each other."""
        return not self.after[left] >> right & 1

    def after_any(self, bits: int) -> int:
        """What can stand after one of these terminals or another."""
        return self._union(self.after, bits)

    def before_any(self, bits: int) -> int:
        """What can stand before one of these terminals or another."""
        return self._union(self.before, bits)

    def _union(self, table: Sequence[int], bits: int) -> int:
        found = 0
        for terminal in members(bits):
            found |= table[terminal]
        return found

    # --- around the symbols of rules -----------------------------------------------------

    def left(self, lhs: int, symbols: Sequence[int]) -> int:
        """left(A -> alpha . beta): the terminals right before beta, for ``alpha = symbols``.

        Those that alpha ends with and, if alpha is nullable, that precede A, the beginning
        of the input included.
        """
        bits = 0
        for symbol in reversed(symbols):
            if symbol in self._silent:
                continue
            bits |= self._last[symbol]
            if symbol not in self._analysis.nullable:
                return bits
        return bits | self._preceding[lhs]

    def right(self, lhs: int, symbols: Sequence[int]) -> int:
        """right(A -> alpha . beta): the terminals right after alpha, for ``beta = symbols``."""
        bits = 0
        for symbol in symbols:
            if symbol in self._silent:
                continue
            bits |= self._analysis.first_bits[symbol]
            if symbol not in self._analysis.nullable:
                return bits
        return bits | self._analysis.follow_bits[lhs]

    @cached_property
    def _last(self) -> Sequence[int]:
        return [_bits(self._analysis.last(symbol.index)) for symbol in self.grammar.symbols]

    @cached_property
    def _preceding(self) -> Sequence[int]:
        found = [_bits(self._analysis.precede(symbol.index)) for symbol in self.grammar.symbols]
        for symbol in self._beginning():
            found[symbol] |= 1 << END
        return found

    def _beginning(self) -> set[int]:
        """The symbols with which a sentential form can begin."""
        found = {self.grammar.start}
        pending = [self.grammar.start]
        while pending:
            for rule in self._reduced.rules_of.get(pending.pop(), ()):
                for symbol in self._reduced.rules[rule].rhs:
                    if symbol not in found:
                        found.add(symbol)
                        pending.append(symbol)
                    if symbol not in self._analysis.nullable:
                        break
        return found


def _bits(terminals: Iterable[int]) -> int:
    found = 0
    for terminal in terminals:
        found |= 1 << terminal
    return found


def members(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
