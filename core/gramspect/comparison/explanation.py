"""Why a verdict is what it is: the kinds of reasons, and one of them with its particulars."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Cause", "Explanation"]


class Cause(StrEnum):
    """What makes a technique differ from its grammar, or from the other techniques."""

    CONFLICT = "conflict resolution"
    """An LR parser resolves a conflict against the derivation."""
    LOOKAHEAD = "lookahead"
    """The tokens that the parser looks at do not tell what comes; more of them would."""
    ORDER = "ordered choice"
    """An earlier alternative is taken where the derivation needs a later one."""
    LEXING = "lexing"
    """The lexer fails, or makes other tokens than those of the other techniques."""
    GRAMMAR = "grammar"
    """The grammar of the source says so: its language is another one."""
    UNKNOWN = "unknown"
    """None of the experiments changes the verdict."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The reason in one line, and the particulars behind it."""

    cause: Cause
    text: str
    details: tuple[str, ...] = ()
