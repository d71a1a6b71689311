"""The reasons for a verdict: their kinds, and one reason with its particulars."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Cause", "Explanation"]


class Cause(StrEnum):
    """What makes a technique differ from its grammar, or from the other techniques."""

    CONFLICT = "conflict resolution"
    """An LR parser resolves a conflict against the derivation."""
    LOOKAHEAD = "lookahead"
    """The tokens of lookahead do not decide between the alternatives; more of them would."""
    ORDER = "ordered choice"
    """An earlier alternative is taken where the derivation needs a later one."""
    LEXING = "lexing"
    """The lexer fails, or makes other tokens than those of the other techniques."""
    GRAMMAR = "grammar"
    """The source's grammar describes another language."""
    UNKNOWN = "unknown"
    """None of the experiments changes the verdict."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The reason in one line, and its particulars."""

    cause: Cause
    text: str
    details: tuple[str, ...] = ()
