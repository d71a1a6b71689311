"""The rules of a grammar under their numbers: all that analyses need to know of it.

* symbols: terminals first, ``0 .. n_terminals - 1``, then non-terminals. Terminal 0 is the end
  of the input, written ``$end``;
* rules: ``0 .. n_rules - 1`` in the order of the source;
* items: the items of rule ``r`` are ``item_start[r] + dot`` for ``dot`` in ``0 .. len(rhs)``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from gramspect.errors import GrammarError
from gramspect.grammars.symbols import Diagnostic, Precedence, Rule, Symbol

__all__ = ["Productions"]


@dataclass(frozen=True, eq=False)
class Productions:
    """Symbols and rules, immutable. `gramspect.grammars.grammar.Grammar` is what users hold."""

    name: str
    files: tuple[str, ...]
    symbols: tuple[Symbol, ...]
    rules: tuple[Rule, ...]
    start: int
    n_terminals: int
    precedence: Mapping[int, Precedence] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()

    # --- sizes and numbering -------------------------------------------------------------

    @property
    def n_rules(self) -> int:
        return len(self.rules)

    @property
    def n_nonterminals(self) -> int:
        return len(self.symbols) - self.n_terminals

    @cached_property
    def item_start(self) -> tuple[int, ...]:
        """The first item of each rule, and after them the number of items."""
        return tuple(accumulate((len(rule.rhs) + 1 for rule in self.rules), initial=0))

    @property
    def n_items(self) -> int:
        return self.item_start[-1]

    @cached_property
    def _item_rule(self) -> tuple[int, ...]:
        return tuple(rule.index for rule in self.rules for _ in range(len(rule.rhs) + 1))

    def item(self, rule: int, dot: int) -> int:
        """The number of the item of `rule` with the dot before its symbol `dot` (from 0)."""
        return self.item_start[rule] + dot

    def split_item(self, item: int) -> tuple[int, int]:
        """Rule and dot of an item."""
        rule = self._item_rule[item]
        return rule, item - self.item_start[rule]

    @cached_property
    def rules_of(self) -> Mapping[int, tuple[int, ...]]:
        """The rules of each non-terminal, in order."""
        found: dict[int, list[int]] = {s.index: [] for s in self.symbols if not s.terminal}
        for rule in self.rules:
            found[rule.lhs].append(rule.index)
        return {symbol: tuple(indices) for symbol, indices in found.items()}

    def is_terminal(self, symbol: int) -> bool:
        return symbol < self.n_terminals

    @property
    def nonterminals(self) -> tuple[Symbol, ...]:
        return self.symbols[self.n_terminals :]

    @property
    def terminals(self) -> tuple[Symbol, ...]:
        """All terminals but the end of the input."""
        return self.symbols[1 : self.n_terminals]

    # --- names ---------------------------------------------------------------------------

    @cached_property
    def _by_name(self) -> Mapping[str, int]:
        return {symbol.name: symbol.index for symbol in reversed(self.symbols)}

    @cached_property
    def _by_spelling(self) -> Mapping[str, int]:
        found = {text: s.index for s in reversed(self.terminals) for text in s.spellings}
        found.update((s.name, s.index) for s in reversed(self.terminals))
        return found

    def symbol(self, name: str) -> int:
        """The symbol of that name.

        Raises:
            GrammarError: there is none.
        """
        try:
            return self._by_name[name]
        except KeyError:
            raise GrammarError(f"the grammar {self.name} has no symbol {name!r}") from None

    def token(self, text: str) -> int | None:
        """The terminal that `text` names in a token-sequence test, or None."""
        return self._by_spelling.get(text)

    def item_label(self, item: int) -> str:
        """The stable label of an item, such as ``stmt:3:2``."""
        rule, dot = self.split_item(item)
        return f"{self.rules[rule].label}:{dot}"
