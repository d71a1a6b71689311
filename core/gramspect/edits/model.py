"""What an edit is, what it costs, and how it is said."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gramspect.grammar import Grammar

__all__ = ["Edit", "EditKind", "applied", "edit_cost", "generality"]

EARLIER_COLUMN = 0.25
"""The cost of every token that lies between the edit and the error."""
OTHER_THAN_INSERTION = 1.0
"""The cost of leaving something out."""


class EditKind(StrEnum):
    """What the new symbols do at the position of an item."""

    INSERT = "insert"
    """They may stand before the next symbol."""
    REPLACE = "replace"
    """They may stand in its place; if there are none, it may be left out."""
    END = "end"
    """They may stand there and end the rule; if there are none, the rule may end there."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One additive change: at `item`, what may also stand there.

    `column` is the token (from 0) at which it first helped, `cost` what was paid for it: the lower,
    the more likely it is what the author of the grammar forgot.
    """

    item: int
    kind: EditKind
    symbols: tuple[int, ...]
    column: int
    cost: float

    def describe(self, grammar: Grammar) -> str:
        """The edit in words."""
        rule, dot = grammar.split_item(self.item)
        rhs = grammar.rules[rule].rhs
        new = " ".join(grammar.symbols[s].display for s in self.symbols)
        following = grammar.symbols[rhs[dot]].display if dot < len(rhs) else ""
        if self.kind is EditKind.INSERT:
            where = f" before {following}" if following else " at the end"
            return f"also allow {new}{where}"
        if self.kind is EditKind.REPLACE:
            if not new:
                return f"make {following} optional"
            return f"also allow {new} instead of {following}"
        if dot == 0:
            return f"add the alternative {new}" if new else "add an empty alternative"
        return f"also allow the rule to end {f'with {new} ' if new else ''}here"


def applied(grammar: Grammar, edit: Edit) -> Grammar:
    """The grammar with the edit made: one more alternative, right behind the edited one."""
    index, dot = grammar.split_item(edit.item)
    rule = grammar.rules[index]
    behind = {EditKind.INSERT: dot, EditKind.REPLACE: dot + 1, EditKind.END: len(rule.rhs)}
    rest = slice(behind[edit.kind], None)
    rhs = (*rule.rhs[:dot], *edit.symbols, *rule.rhs[rest])
    spans = (*rule.rhs_spans[:dot], *[None] * len(edit.symbols), *rule.rhs_spans[rest])
    rules = list(grammar.rules)
    rules.insert(index + 1, grammar.edited(rule, rhs, spans))
    return grammar.with_rules(rules)


def edit_cost(kind: EditKind, symbols_cost: float, columns_before_error: int) -> float:
    """The cost of an edit whose symbols cost so much."""
    other = 0.0 if kind is EditKind.INSERT else OTHER_THAN_INSERTION
    return symbols_cost + other + EARLIER_COLUMN * columns_before_error


def generality(grammar: Grammar) -> tuple[float, ...]:
    """For every symbol how little a call of it says: 0 for tokens, up to 4 for catch-all rules.

    Twice the share of all tokens that it can start with, and twice the share of all rules that it
    reaches.
    """
    from gramspect.relations import united

    n_terminals = grammar.n_terminals
    own = [0] * len(grammar.symbols)
    called: list[list[int]] = [[] for _ in grammar.symbols]
    for rule in grammar.rules:
        own[rule.lhs] |= 1 << rule.index
        called[rule.lhs] += [s for s in rule.rhs if s >= n_terminals]
    reached = united(own, called)
    first = grammar.analysis.first
    return tuple(
        0.0
        if symbol < n_terminals
        else 2 * len(first(symbol)) / max(1, n_terminals - 1)
        + 2 * reached[symbol].bit_count() / grammar.n_rules
        for symbol in range(len(grammar.symbols))
    )
