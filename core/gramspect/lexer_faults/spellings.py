"""Operators as different languages write them: a lexer that has one may lack another one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

__all__ = ["other_spelling"]

_FAMILIES = tuple(
    frozenset(family.split())
    for family in (
        r"& && /\ ∧ and",
        r"| || \/ ∨ or",
        "! ~ ¬ not",
        "!= <> /= ~= ^= =/= # ≠ ne",
        "= == eq",
        "<= =< ≤ le",
        ">= ≥ ge",
        "-> => ==> → implies",
        "<-> <=> <==> ↔ iff",
        "^ **",
        "% mod",
    )
)
_LONGEST_FIRST = sorted(chain.from_iterable(_FAMILIES), key=lambda one: (-len(one), one))


def other_spelling(words: Iterable[str], text: str, start: int) -> str | None:
    """The operator at a place in a text, if all `words` of a token are other spellings of it."""
    known = {word.casefold() for word in words}
    for one in _LONGEST_FIRST:
        found = text[start : start + len(one)]
        if found.casefold() == one and _ends(text, start + len(one), one):
            fits = known and any(one in f and known < f for f in _FAMILIES) and one not in known
            return found if fits else None
    return None


def _ends(text: str, end: int, operator: str) -> bool:
    """Whether a word ends where the operator does; signs may be followed by anything."""
    return not (
        operator.isalpha() and (text[end : end + 1].isalnum() or text[end : end + 1] == "_")
    )
