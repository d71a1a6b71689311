"""Which tokens are brackets: what one opens, the other closes, wherever the grammar has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gramspect.edits.model import NEW_TOKEN
from gramspect.grammars.grammar import Grammar

__all__ = ["bracket_pairs", "closing_of"]


def bracket_pairs(grammar: Grammar) -> Mapping[int, int]:
    """The opening tokens with what closes each.

    Some rule ends with the two around one non-terminal, and no rule has the one without the other.
    """
    around = {
        (opening, closing)
        for opening, inside, closing in (r.rhs[-3:] for r in grammar.rules if len(r.rhs) > 2)
        if grammar.is_terminal(opening)
        and not grammar.is_terminal(inside)
        and grammar.is_terminal(closing)
        and opening != closing
    }
    return {
        opening: closing
        for opening, closing in sorted(around)
        if all(_match(rule.rhs, opening, closing) for rule in grammar.rules)
    }


def _match(rhs: Sequence[int], opening: int, closing: int) -> bool:
    """Whether all of the one are closed by the other, in their order."""
    depth = 0
    for symbol in rhs:
        depth += (symbol == opening) - (symbol == closing)
        if depth < 0:
            return False
    return depth == 0


def closing_of(pairs: Mapping[int, int], tokens: Sequence[int], place: int, end: int) -> int | None:
    """Where what a token opens is closed, before `end`; of a new token the next new one."""
    opening = tokens[place]
    if opening == NEW_TOKEN:
        return next((p for p in range(place + 2, end) if tokens[p] == NEW_TOKEN), None)
    if opening not in pairs:
        return None
    depth = 0
    for at in range(place, end):
        depth += (tokens[at] == opening) - (tokens[at] == pairs[opening])
        if not depth:
            return at if at > place + 1 else None
    return None
