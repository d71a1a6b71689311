"""The items of a grammar in flat tuples, as LR constructions need them.

The grammar is augmented with the rule ``$accept -> S``; its two items are numbered after all
others: ``n_items`` for ``$accept -> . S`` and ``n_items + 1`` for ``$accept -> S .``. As a rule
number, ``n_rules`` stands for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.relations import united

__all__ = ["COMPLETE", "ItemTable", "bits", "item_table"]

COMPLETE = -1
"""Stands in `ItemTable.after` for the symbol after the dot of a completed item."""


class ItemTable:
    """The items of one grammar.

    Attributes:
        after: the symbol after the dot of each item, `COMPLETE` if there is none.
        rule: the rule of each item, ``n_rules`` for the augmented ones.
        initial: for each non-terminal its items with the dot in front.
        advanced: for each non-terminal, ``(symbol, item)`` for every rule that is not empty: the
            first symbol and the item with the dot after it.
    """

    def __init__(self, grammar: Grammar) -> None:
        after: list[int] = []
        rules: list[int] = []
        for rule in grammar.rules:
            after.extend((*rule.rhs, COMPLETE))
            rules.extend([rule.index] * (len(rule.rhs) + 1))
        self.after = (*after, grammar.start, COMPLETE)
        self.rule = (*rules, grammar.n_rules, grammar.n_rules)
        self.initial: Mapping[int, tuple[int, ...]] = {
            symbol: tuple(grammar.item_start[r] for r in alternatives)
            for symbol, alternatives in grammar.rules_of.items()
        }
        self.advanced: Mapping[int, tuple[tuple[int, int], ...]] = {
            symbol: tuple((after[i], i + 1) for i in items if after[i] != COMPLETE)
            for symbol, items in self.initial.items()
        }
        self._n_terminals = grammar.n_terminals
        self._left = self._left_closures(grammar)

    def _left_closures(self, grammar: Grammar) -> tuple[int, ...]:
        """For each non-terminal, as a bit set, the non-terminals that its items predict."""
        first = grammar.n_terminals
        starts = [
            [symbol - first for symbol, _ in self.advanced[nonterminal] if symbol >= first]
            for nonterminal in range(first, len(grammar.symbols))
        ]
        return united([1 << i for i in range(len(starts))], starts)

    def predicted(self, kernel: tuple[int, ...]) -> tuple[int, ...]:
        """The non-terminals that the closure of a kernel predicts, ascending."""
        found = 0
        for item in kernel:
            symbol = self.after[item]
            if symbol >= self._n_terminals:
                found |= self._left[symbol - self._n_terminals]
        return tuple(bit + self._n_terminals for bit in bits(found))

    def closure(self, kernel: tuple[int, ...]) -> tuple[int, ...]:
        """A kernel and the items it predicts, ascending."""
        found = set(kernel)
        for nonterminal in self.predicted(kernel):
            found.update(self.initial[nonterminal])
        return tuple(sorted(found))

    def successors(self, kernel: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
        """The kernel that each symbol leads to, symbols ascending."""
        found: dict[int, list[int]] = {}
        for item in kernel:
            symbol = self.after[item]
            if symbol != COMPLETE:
                found.setdefault(symbol, []).append(item + 1)
        for nonterminal in self.predicted(kernel):
            for symbol, item in self.advanced[nonterminal]:
                found.setdefault(symbol, []).append(item)
        return {symbol: tuple(sorted(found[symbol])) for symbol in sorted(found)}


def bits(number: int) -> list[int]:
    """The positions of the one bits of a non-negative number, ascending."""
    return [i for i, digit in enumerate(reversed(f"{number:b}")) if digit == "1"]


@lru_cache(maxsize=4)
def item_table(grammar: Grammar) -> ItemTable:
    """The item table of a grammar; the last few are remembered."""
    return ItemTable(grammar)
