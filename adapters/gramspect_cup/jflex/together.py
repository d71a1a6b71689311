"""Tokens, such as strings, and comments that rules of several lexical states read together.

One rule begins the token and changes the state, others read on in that state, and one more ends the
token and returns it. The pattern of the last one is that of the whole: it calls the others. Of a
comment nothing is returned: no rule of its state does that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gramspect.adapter_api import Call, Choice, Part, Repeat, Row, Style
from gramspect_cup.jflex.actions import Action
from gramspect_cup.jflex.syntax import INITIAL, FlexFile

__all__ = ["Together", "read_together", "whole"]


_ENDS = 2
"""How many terminals may be returned in such a state: a string, and an error. Where there are more,
the state has tokens of its own."""


@dataclass(frozen=True, slots=True)
class Together:
    """The numbers of the rules that begin a token, and of those that read on in it."""

    begin: tuple[int, ...]
    inside: tuple[int, ...]


def read_together(file: FlexFile, actions: Sequence[Action]) -> Mapping[int, Together]:
    """The rules that are read before a rule that ends a token, by the number of that."""
    rules = list(enumerate(zip(file.rules, actions, strict=True)))
    silent = {
        state for _, (_, action) in rules if not action.returns for state in action.enters
    } - {INITIAL}
    returning = defaultdict[str, set[frozenset[int]]](set)
    for _, (rule, action) in rules:
        for state in rule.states if action.returns else ():
            returning[state].add(action.terminals)
    silent = {state for state in silent if len(returning[state]) <= _ENDS}
    found = {}
    for number, (rule, action) in rules:
        states = silent.intersection(rule.states)
        is_comment = INITIAL in action.enters and not any(returning[state] for state in states)
        ends = action.returns or is_comment
        if ends and states and not file.is_initial(rule):
            found[number] = Together(
                tuple(n for n, (_, a) in rules if not a.returns and a.enters & states),
                tuple(n for n, (r, a) in rules if a.drops and states.intersection(r.states)),
            )
    return found


def whole(last: Part, begin: Sequence[Call], inside: Sequence[Call]) -> Part:
    """The pattern of a token whose last part is read by one rule, and others by other rules."""
    parts: list[Part] = [Choice(begin[0].span, Style.JFLEX, tuple(begin))]
    if inside:
        any_of = Choice(inside[-1].span, Style.JFLEX, tuple(inside))
        parts.append(Repeat(any_of.span, Style.JFLEX, any_of, 0, None, None))
    return Row(last.span, Style.JFLEX, (*parts, last))
