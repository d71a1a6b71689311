"""The words of grammar coverage: elements, how far they are covered, and what is not."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from gramspect.source import Span

__all__ = ["Gap", "Level", "State", "Tally", "Useless"]


class State(StrEnum):
    """How far a suite covers an element."""

    COVERED = "covered"
    """An accepted test uses it."""
    TOUCHED = "touched"
    """Only rejected tests do."""
    MISSED = "missed"
    """None does."""
    USELESS = "useless"
    """No sentence can use it."""


class Level(StrEnum):
    """What is counted; `ALTERNATIVES` are rules and choices together."""

    NONTERMINALS = "nonterminals"
    RULES = "rules"
    CHOICES = "choices"
    ALTERNATIVES = "alternatives"
    ITEMS = "items"


class Tally(NamedTuple):
    """How many elements are covered, touched and missed."""

    covered: int
    touched: int
    missed: int

    @property
    def total(self) -> int:
        return sum(self)

    @property
    def percent(self) -> float:
        """The covered ones in per cent; 100 if there is none to cover."""
        return 100 * self.covered / self.total if self.total else 100.0


class Gap(NamedTuple):
    """A part of the grammar that no accepted test uses.

    `kind` is ``nonterminal`` (it is never entered), ``rule`` or ``choice``. `what` describes the
    gap in words. `sentence` is one of the shortest that use it, as names of tokens; None if the
    shortest are too long to write down. `rule` is the rule to look at, of a non-terminal its first.
    """

    kind: str
    label: str
    what: str
    rule: int
    span: Span | None
    sentence: tuple[str, ...] | None


class Useless(NamedTuple):
    """A non-terminal or rule that no sentence can use; `why` is unreachable or unproductive."""

    label: str
    why: str
    span: Span | None
