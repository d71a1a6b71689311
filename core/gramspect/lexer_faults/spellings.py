"""Operators as different languages write them: a lexer that has one may lack another one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from gramspect.lexical.automaton import Automaton
from gramspect.lexical.nearness import End, alignment

__all__ = ["OPERATORS", "listing", "other_spelling"]

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
OPERATORS = frozenset(chain.from_iterable(_FAMILIES)) | frozenset(
    "// ++ -- === !== =~ !~ ~~ := :: .. ... ?. ?? ?: << >> >>> |> <| <- +> <+ @@".split()
    + "+= -= *= /= %= &= |= ^= **= //= <<= >>= >=< !<".split()
)
"""Operators of several signs, and their spellings: a lexer that lacks one cuts it in two."""
_LONGEST_FIRST = sorted(chain.from_iterable(_FAMILIES), key=lambda one: (-len(one), one))


def other_spelling(words: Iterable[str], text: str, start: int) -> str | None:
    """The operator at a place in a text, if the `words` of a token have another spelling of it."""
    known = {word.casefold() for word in words}
    for one in _LONGEST_FIRST:
        found = text[start : start + len(one)]
        if found.casefold() == one and _ends(text, start + len(one), one):
            fits = one not in known and any(one in f and known & f for f in _FAMILIES)
            return found if fits else None
    return None


def listing(automaton: Automaton, operator: str) -> str | None:
    """The innermost definition in which another spelling of an operator is written."""
    for family in _FAMILIES:
        for other in sorted(family - {operator}) if operator.casefold() in family else ():
            end = End(len(other), 0)
            aligned = alignment(automaton, other, 0, 0, len(other))
            first = aligned.steps(end)[0] if end in aligned.ends() else None
            if first is not None and first.edge is not None:
                return first.edge.chain[-1]
    return None


def _ends(text: str, end: int, operator: str) -> bool:
    """Whether a word ends where the operator does; signs may be followed by anything."""
    return not (
        operator.isalpha() and (text[end : end + 1].isalnum() or text[end : end + 1] == "_")
    )
