"""What a localization found, with all that a report needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gramspect.edits.evidence import Proposal
from gramspect.evidence import Evidence
from gramspect.grammar import Grammar
from gramspect.ranking import Ties
from gramspect.source import Span
from gramspect.spectrum import SpectrumKind, SpectrumMatrix
from gramspect.suite import TestCase, TestSuite
from gramspect.trace import Extraction, ParseError, Verdict

if TYPE_CHECKING:
    from gramspect.edits.advice import Suggestion

__all__ = [
    "Basis",
    "FailingTest",
    "Localization",
    "Method",
    "Note",
    "RankedElement",
    "UndecidedTest",
]


@dataclass(frozen=True)
class Method:
    """How elements are observed, scored and ranked; the defaults are gramspect's.

    If `grouped`, the ranking is of the non-terminals that the user wrote, by the best element of
    each.
    """

    spectrum: SpectrumKind = SpectrumKind.ITEM
    extraction: Extraction = Extraction.EXACT
    evidence: Evidence = Evidence.BOTH
    metric: str = "ochiai"
    ties: Ties = Ties.KMAX
    grouped: bool = False


@dataclass(frozen=True, slots=True)
class FailingTest:
    """A test whose verdict is not the expected one. `error` is None if it was accepted."""

    test: TestCase
    verdict: Verdict
    error: ParseError | None = None

    @property
    def line(self) -> int | None:
        """The line of the error in the file that the test is from, from 1."""
        if self.error is None or self.error.line is None:
            return None
        return self.error.line + self.test.line - 1

    @property
    def place(self) -> str:
        """Where to look: ``file:line:column`` of the error, or what is known of it."""
        if self.error is None or self.line is None:
            return self.test.name
        if self.test.path is None:
            return f"{self.test.name} at {self.line}:{self.error.column}"
        return f"{self.test.path}:{self.line}:{self.error.column}"


@dataclass(frozen=True, slots=True)
class UndecidedTest:
    """A test whose parse did not finish, and why."""

    test: TestCase
    reason: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something a reader of the results should know: one line, and the particulars behind it."""

    code: str
    text: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RankedElement:
    """A rule or item with its score and rank.

    `element` is the number of the rule (spectrum ``rule``) or item in the grammar. `rank` counts
    from 1 (the mean rank of a tie may be half), `ties` is the number of elements that share the
    rank, this one included. `ef` and `ep` are the failing and passing tests that execute the
    element, `nf` and `np` those that do not.
    """

    grammar: Grammar = field(repr=False)
    kind: SpectrumKind
    element: int
    rank: float
    ties: int
    score: float
    ef: int
    ep: int
    nf: int
    np: int

    @property
    def rule(self) -> int:
        """The number of the rule that the element is or lies in."""
        if self.kind is SpectrumKind.RULE:
            return self.element
        return self.grammar.split_item(self.element)[0]

    @property
    def dot(self) -> int | None:
        """The designated position of an item, from 0; None for a rule."""
        return None if self.kind is SpectrumKind.RULE else self.grammar.split_item(self.element)[1]

    @property
    def items(self) -> range:
        """The items that the element is, or has as a rule."""
        if self.kind is SpectrumKind.ITEM or self.kind is SpectrumKind.SHIFT:
            return range(self.element, self.element + 1)
        start = self.grammar.item_start
        return range(start[self.element], start[self.element + 1])

    @property
    def label(self) -> str:
        """``stmt:3`` or ``stmt:3:2``."""
        if self.kind is SpectrumKind.RULE:
            return self.grammar.rules[self.element].label
        return self.grammar.item_label(self.element)

    @property
    def nonterminal(self) -> str:
        """The non-terminal that the user wrote whose definition the element lies in."""
        lhs = self.grammar.rules[self.rule].lhs
        return self.grammar.symbols[self.grammar.user_nonterminal(lhs)].name

    @property
    def span(self) -> Span | None:
        """Where to look in the grammar's files; None for a grammar that is in no file."""
        if self.kind is SpectrumKind.RULE:
            return self.grammar.rule_span(self.element)
        return self.grammar.item_span(self.element)

    def text(self, mark: str = "•") -> str:
        """The rule as the user wrote it on one line, with `mark` at the position of an item."""
        if self.kind is SpectrumKind.RULE:
            return self.grammar.rule_text(self.element)
        return self.grammar.item_text(self.element, mark)


@dataclass(frozen=True, eq=False)
class Basis:
    """What scores are computed from, so that a report can compute others without another run.

    `matrices` holds the spectra that were kept, the ranked one among them. `depths` are the depth
    scores of all items (`gramspect.evidence`), None if no failing test has an error position;
    `edit_weights` the edit weights of all items (`gramspect.edits.evidence`), None if no edits were
    searched. Both have shape (n_items,).
    """

    matrices: Mapping[SpectrumKind, SpectrumMatrix]
    depths: NDArray[np.float64] | None = None
    edit_weights: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True)
class Localization:
    """The ranking of a grammar's elements for a test suite, and what it rests on.

    `ranking` holds the elements with a positive score, best first; if the method is grouped, the
    best one of each non-terminal. It is empty if no test fails. `adapter` is None if the parser was
    not loaded by one.
    """

    grammar: Grammar
    suite: TestSuite = field(repr=False)
    adapter: str | None
    method: Method
    n_passing: int
    failing: tuple[FailingTest, ...] = field(repr=False)
    undecided: tuple[UndecidedTest, ...] = field(repr=False)
    ranking: tuple[RankedElement, ...] = field(repr=False)
    notes: tuple[Note, ...] = ()
    proposals: Mapping[int, tuple[Proposal, ...]] = field(default_factory=dict, repr=False)
    suggestions: tuple[Suggestion, ...] = field(default=(), repr=False)
    basis: Basis = field(default_factory=lambda: Basis({}), repr=False, compare=False)

    def suggestions_for(self, element: RankedElement) -> tuple[Suggestion, ...]:
        """Those of the proposals that were checked, with all that is known about them."""
        items = element.items
        return tuple(one for one in self.suggestions if one.edit.item in items)

    def proposals_for(self, element: RankedElement) -> tuple[Proposal, ...]:
        """The edits at an element (of a rule: at its items), the most useful first."""
        found = (proposal for item in element.items for proposal in self.proposals.get(item, ()))
        return tuple(sorted(found, key=lambda p: (-len(p.tests), p.edit.cost)))

    @property
    def n_failing(self) -> int:
        return len(self.failing)
