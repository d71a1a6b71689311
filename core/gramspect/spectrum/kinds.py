"""What a spectrum is of, and the codes of verdicts in it.

They stand apart from the matrix because they need no numpy.
"""

from __future__ import annotations

from enum import StrEnum

from gramspect.grammars.grammar import Grammar

__all__ = ["ACCEPTED", "REJECTED", "UNDECIDED", "SpectrumKind"]

ACCEPTED, REJECTED, UNDECIDED = 0, 1, 2
"""The codes of verdicts; an expectation has the code of the verdict it asks for."""


class SpectrumKind(StrEnum):
    """The kinds of elements: rules (Definitions 3.1, 3.2), items (4.1, 4.2), shift items (4.3)."""

    RULE = "rule"
    ITEM = "item"
    SHIFT = "shift"

    def n_elements(self, grammar: Grammar) -> int:
        """How many elements a grammar has; they are its rule or item numbers."""
        return grammar.n_rules if self is SpectrumKind.RULE else grammar.n_items
