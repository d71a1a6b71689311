"""Grammars as the oracles see them: rules over strings, with what the definitions need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

ACCEPT = -1
"""The number of the rule ``$accept -> start``."""

Word = tuple[str, ...]

Item = tuple[int, int]
"""A rule number and a dot."""


@dataclass(frozen=True)
class Cfg:
    """Rules ``(lhs, rhs)``, numbered from 0; a symbol without a rule is a terminal."""

    rules: tuple[tuple[str, Word], ...]
    start: str

    def __str__(self) -> str:
        return f"{self.start}: " + "; ".join(f"{a} -> {' '.join(rhs)}" for a, rhs in self.rules)

    @cached_property
    def nonterminals(self) -> frozenset[str]:
        return frozenset(lhs for lhs, _ in self.rules)

    @cached_property
    def terminals(self) -> frozenset[str]:
        return frozenset(x for _, rhs in self.rules for x in rhs) - self.nonterminals

    def lhs(self, rule: int) -> str:
        return "$accept" if rule == ACCEPT else self.rules[rule][0]

    def rhs(self, rule: int) -> Word:
        return (self.start,) if rule == ACCEPT else self.rules[rule][1]

    def rules_of(self, symbol: str) -> list[int]:
        return [rule for rule, (lhs, _) in enumerate(self.rules) if lhs == symbol]

    def items(self, rule: int) -> set[Item]:
        return {(rule, dot) for dot in range(len(self.rhs(rule)) + 1)}

    @cached_property
    def shortest(self) -> dict[str, Word]:
        """A shortest word of each productive symbol."""
        best: dict[str, Word] = {terminal: (terminal,) for terminal in self.terminals}
        changed = True
        while changed:
            changed = False
            for lhs, rhs in self.rules:
                if all(x in best for x in rhs):
                    word = tuple(a for x in rhs for a in best[x])
                    if lhs not in best or len(word) < len(best[lhs]):
                        best[lhs] = word
                        changed = True
        return best

    def shortest_word(self, phrase: Sequence[str]) -> Word:
        return tuple(a for x in phrase for a in self.shortest[x])

    def reachable(self) -> set[str]:
        """The symbols that occur in sentential forms."""
        found = {self.start}
        while new := {x for lhs, rhs in self.rules if lhs in found for x in rhs} - found:
            found |= new
        return found

    def reduced(self) -> Cfg:
        """The same language without unproductive and unreachable symbols, rules in order."""
        useful = tuple(r for r in self.rules if all(x in self.shortest for x in r[1]))
        productive = Cfg(useful, self.start)
        reachable = productive.reachable()
        return Cfg(tuple(r for r in useful if r[0] in reachable), self.start)

    def left_closure(self, symbol: str) -> dict[int, int]:
        """closure(P_X): rules with their distance (1 for those of X), leftmost symbols only."""
        distance: dict[int, int] = {}
        level, symbols = 1, {symbol}
        while rules := [r for x in symbols for r in self.rules_of(x) if r not in distance]:
            distance.update((rule, level) for rule in rules)
            symbols = {self.rhs(rule)[0] for rule in rules if self.rhs(rule)}
            level += 1
        return distance
