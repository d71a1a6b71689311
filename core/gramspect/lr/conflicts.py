"""Conflicts between the actions of an LR state: how yacc resolves them, and why.

The order is that of yacc and bison. First every reduction is compared with the shift of the same
token by precedence: the higher level wins; on equal levels ``%left`` reduces, ``%right`` shifts
and ``%nonassoc`` makes the token an error. Where the rule or the token has no precedence, or the
level is a ``%precedence``, nothing is decided. Of what is left, a shift (or the end of the input)
wins over reductions, and the earlier rule over later ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Associativity
from gramspect.lr.automaton import LRAutomaton

__all__ = ["ERROR", "Conflict", "Reason", "resolve"]

ERROR = 0
"""The action of a token that the state does not allow."""


class Reason(StrEnum):
    """Why an action won."""

    RULE_BINDS_TIGHTER = "the rule has a higher precedence than the token"
    TOKEN_BINDS_TIGHTER = "the token has a higher precedence than the rule"
    LEFT = "rule and token have the same precedence, which is left-associative"
    RIGHT = "rule and token have the same precedence, which is right-associative"
    NONASSOC = "rule and token have the same precedence, which is non-associative"
    SHIFT_FIRST = "no precedence decides, and shifting comes before reducing"
    ACCEPT_FIRST = "no precedence decides, and accepting comes before reducing"
    EARLIER_RULE = "no precedence decides, and the earlier rule comes first"


_BY_DEFAULT = frozenset({Reason.SHIFT_FIRST, Reason.ACCEPT_FIRST, Reason.EARLIER_RULE})

_EQUAL_LEVEL = {
    Associativity.LEFT: Reason.LEFT,
    Associativity.RIGHT: Reason.RIGHT,
    Associativity.NONASSOC: Reason.NONASSOC,
}


@dataclass(frozen=True, slots=True, eq=False)
class Conflict:
    """Several actions on one token in one state.

    Attributes:
        automaton: the automaton.
        state: the state.
        lookahead: the terminal.
        target: the state that a shift leads to, None if no shift takes part.
        rules: the rules that could be reduced, ascending; ``n_rules`` stands for accepting.
        action: the action that won, coded as in `gramspect.lr.tables.LRTable.action`.
        reason: why it did.
    """

    automaton: LRAutomaton = field(repr=False)
    state: int
    lookahead: int
    target: int | None
    rules: tuple[int, ...]
    action: int
    reason: Reason

    @property
    def by_precedence(self) -> bool:
        """Whether declared precedences settled it; yacc reports only the others."""
        return self.reason not in _BY_DEFAULT

    @property
    def kind(self) -> str:
        """``shift/reduce`` or ``reduce/reduce``; to accept counts as a shift of the end."""
        accepts = self.automaton.grammar.n_rules in self.rules
        return "shift/reduce" if accepts or self.target is not None else "reduce/reduce"

    @property
    def items(self) -> tuple[int, ...]:
        """The items that take part, ascending: those that shift the token and completed ones."""
        table, grammar = self.automaton.items, self.automaton.grammar
        shifting = [
            item
            for item in self.automaton.closure(self.state)
            if self.target is not None and table.after[item] == self.lookahead
        ]
        complete = [
            grammar.item_start[rule + 1] - 1 for rule in self.rules if rule < grammar.n_rules
        ]
        accepting = [grammar.n_items + 1] if grammar.n_rules in self.rules else []
        return tuple(sorted((*shifting, *complete, *accepting)))

    @property
    def example(self) -> tuple[int, ...]:
        """A shortest sequence of symbols that leads to the state, before the lookahead.

        All are terminals, unless the state lies after a non-terminal that derives no sentence.
        """
        return self.automaton.example(self.state)

    def __str__(self) -> str:
        grammar = self.automaton.grammar
        token = grammar.symbols[self.lookahead].display
        example = " ".join(grammar.symbols[s].display for s in self.example)
        lines = [f"{self.kind} conflict in state {self.state} on {token}:"]
        lines += [f"    {self._item(item)}" for item in self.items]
        lines.append(f"  for instance after: {example or '(nothing)'} • {token}")
        lines.append(f"  resolved: {self._action()}, because {self.reason}")
        return "\n".join(lines)

    def _item(self, item: int) -> str:
        grammar = self.automaton.grammar
        if item == grammar.n_items + 1:
            return f"$accept -> {grammar.symbols[grammar.start].display} •"
        return f"{grammar.item_text(item)}  [{grammar.item_label(item)}]"

    def _action(self) -> str:
        grammar = self.automaton.grammar
        if self.action == ERROR:
            return "the token is an error"
        if self.action > 0:
            return f"shift to state {self.action - 1}"
        rule = -self.action - 1
        if rule == grammar.n_rules:
            return "accept"
        return f"reduce by {grammar.rule_text(rule)}  [{grammar.rules[rule].label}]"


def resolve(
    automaton: LRAutomaton, state: int, lookahead: int, target: int | None, rules: Sequence[int]
) -> tuple[int, list[Conflict]]:
    """The action of a token that has several, and the conflicts that were settled on the way.

    `target` is the state that a shift leads to, `rules` the rules that may be reduced, ascending,
    with ``n_rules`` for accepting.
    """
    grammar = automaton.grammar
    conflicts: list[Conflict] = []
    reducible: list[int] = []
    shift, forbidden = target, False
    for rule in rules:
        reason = None if shift is None else _by_precedence(grammar, rule, lookahead)
        if shift is None or reason is None:
            reducible.append(rule)
            continue
        action = ERROR
        if reason in (Reason.TOKEN_BINDS_TIGHTER, Reason.RIGHT):
            action = shift + 1
        elif reason in (Reason.RULE_BINDS_TIGHTER, Reason.LEFT):
            action = -(rule + 1)
            reducible.append(rule)
        conflicts.append(Conflict(automaton, state, lookahead, shift, (rule,), action, reason))
        if action <= ERROR:
            shift = None
        forbidden |= action == ERROR
    if forbidden:
        action, reason = ERROR, Reason.NONASSOC
    elif shift is not None:
        action, reason = shift + 1, Reason.SHIFT_FIRST
    elif grammar.n_rules in reducible:
        action, reason = -(grammar.n_rules + 1), Reason.ACCEPT_FIRST
    else:
        action, reason = -(reducible[0] + 1), Reason.EARLIER_RULE
    if len(reducible) + (shift is not None or forbidden) > 1:
        rest = tuple(reducible)
        conflicts.append(Conflict(automaton, state, lookahead, shift, rest, action, reason))
    return action, conflicts


def _by_precedence(grammar: Grammar, rule: int, lookahead: int) -> Reason | None:
    """How precedence decides between reducing a rule and shifting a token, if it does."""
    if rule == grammar.n_rules:
        return None  # accepting meets a shift where an edit puts in a token that has no name yet
    symbol = grammar.rules[rule].precedence
    of_rule = None if symbol is None else grammar.precedence.get(symbol)
    of_token = grammar.precedence.get(lookahead)
    if of_rule is None or of_token is None:
        return None
    if of_rule.level > of_token.level:
        return Reason.RULE_BINDS_TIGHTER
    if of_rule.level < of_token.level:
        return Reason.TOKEN_BINDS_TIGHTER
    return _EQUAL_LEVEL.get(of_token.associativity)
