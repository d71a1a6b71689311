"""The result of a localization, with all that a report needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gramspect.edits.scores import Proposal
from gramspect.grammars.grammar import Grammar
from gramspect.lexer_faults.scores import TokenEvidence
from gramspect.lexer_faults.search import TokenSearched
from gramspect.lexical.rules import TokenRule
from gramspect.localization.common import CommonTrait
from gramspect.localization.patterns import StopPattern
from gramspect.recognition.trace import Extraction
from gramspect.running.recording import FailingTest, UndecidedTest
from gramspect.running.spectra import Spectra, spectra_of_matrix
from gramspect.scoring.evidence import Evidence
from gramspect.scoring.ranking import Grouping, Ranking, Ties, group_by_nonterminal
from gramspect.source import Span
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import TestSuite

if TYPE_CHECKING:
    from gramspect.edits.suggestion import Suggestion

__all__ = [
    "Basis",
    "Choice",
    "Localization",
    "Method",
    "Note",
    "RankedElement",
    "TestGroup",
    "ranked_elements",
    "spectra_of",
    "with_tokens",
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
class Note:
    """A note for the reader of the results: one line, and its particulars."""

    code: str
    text: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RankedElement:
    """A rule or item with its score and rank.

    `element` is the number of the rule (spectrum ``rule``) or item in the grammar; it is negative
    for a token rule. `rank` counts
    from 1 (the mean rank of a tie may be half), `ties` is the number of elements that share the
    rank, this one included. `ef` and `ep` are the failing and passing tests that execute the
    element, `nf` and `np` those that do not. Of a token rule, `tests` are the failing tests that a
    fault in it would explain, and `used` all that use it.
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
    token: TokenRule | None = None
    tests: tuple[int, ...] = ()
    used: tuple[int, ...] = ()

    @property
    def rule(self) -> int:
        """The number of the rule that the element is or lies in; -1 for a token rule."""
        if self.token is not None:
            return -1
        if self.kind is SpectrumKind.RULE:
            return self.element
        return self.grammar.split_item(self.element)[0]

    @property
    def dot(self) -> int | None:
        """The designated position of an item, from 0; None for a rule, of the lexer too."""
        if self.token is not None or self.kind is SpectrumKind.RULE:
            return None
        return self.grammar.split_item(self.element)[1]

    @property
    def items(self) -> range:
        """The items that the element is, or has as a rule; of a token rule, its own number."""
        if self.token is not None:
            return range(self.element, self.element + 1)
        if self.kind is SpectrumKind.ITEM or self.kind is SpectrumKind.SHIFT:
            return range(self.element, self.element + 1)
        start = self.grammar.item_start
        return range(start[self.element], start[self.element + 1])

    @property
    def label(self) -> str:
        """``stmt:3`` or ``stmt:3:2``; ``token NAME`` for a token rule."""
        if self.token is not None:
            return self.token.label
        if self.kind is SpectrumKind.RULE:
            return self.grammar.rules[self.element].label
        return self.grammar.item_label(self.element)

    @property
    def definition(self) -> int:
        """The non-terminal in whose definition, as written, it lies; of a token rule with a name
        its number, which is negative."""
        if self.token is not None:
            return self.element if self.token.definition is None else self.token.definition
        return self.grammar.user_nonterminal(self.grammar.rules[self.rule].lhs)

    @property
    def nonterminal(self) -> str:
        """The name of the non-terminal or token in whose definition, as written, it lies."""
        if self.token is not None and self.definition < 0:
            return self.token.label.removeprefix("token ")
        return self.grammar.symbols[self.definition].name

    @property
    def span(self) -> Span | None:
        """Where to look in the grammar's files; None for a grammar that is in no file."""
        if self.token is not None:
            return self.token.span
        if self.kind is SpectrumKind.RULE:
            return self.grammar.rule_span(self.element)
        return self.grammar.item_span(self.element)

    def text(self, mark: str = "•") -> str:
        """The rule as the user wrote it on one line, with `mark` at the position of an item."""
        if self.token is not None or self.kind is SpectrumKind.RULE:
            return self.rule_text
        return self.grammar.item_text(self.element, mark)

    @property
    def rule_text(self) -> str:
        """The rule as the user wrote it on one line; of a token rule its definition."""
        if self.token is not None:
            return self.token.text or self.token.name
        return self.grammar.rule_text(self.rule)


@dataclass(frozen=True, slots=True)
class TestGroup:
    """Failing tests that seem to have one cause.

    `tests` are their numbers. `definitions` has the best element of each of the most suspicious
    definitions, best first; `proposal` is the edit in the first that repairs most of the tests.
    """

    __test__ = False  # it is no test case of pytest

    tests: tuple[int, ...]
    definitions: tuple[RankedElement, ...] = field(repr=False)
    proposal: Proposal | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """The best elements of the definitions that a reader has named, the likeliest first.

    `own` are the best elements of all definitions as they are ranked without it.
    """

    reader: str
    chosen: tuple[RankedElement, ...]
    own: tuple[RankedElement, ...]

    def own_rank(self, definition: int) -> int | None:
        """The place of a definition without the reader, from 1; None if it has none."""
        places = (n for n, one in enumerate(self.own, start=1) if one.definition == definition)
        return next(places, None)


@dataclass(frozen=True, eq=False)
class Basis:
    """The data that scores are computed from, so that a report can compute others itself.

    `matrices` holds the spectra that were kept, the ranked one among them. `depths` are the depth
    scores of all items (`gramspect.scoring.evidence`), None if no failing test has an error
    position; `edit_weights` the edit weights of all items (`gramspect.edits.scores`), None if no
    edits were searched. Both have shape (n_items,). `by_groups` are the scores of the elements that
    are ranked, if groups of tests decide the ranking (`gramspect.edits.groups.rank_groups`).
    `settled` are the factors of the scores of definitions that fall behind because of what the tool
    says of their repairs (`gramspect.localization.settling`).
    """

    matrices: Mapping[SpectrumKind, SpectrumMatrix]
    depths: NDArray[np.float64] | None = None
    edit_weights: NDArray[np.float64] | None = None
    by_groups: NDArray[np.float64] | None = None
    settled: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Localization:
    """The ranking of a grammar's elements for a test suite, and what it rests on.

    `ranking` holds the elements with a positive score, best first; if the method is grouped, the
    best one of each non-terminal. It is empty if no test fails. `groups` are there if the failing
    tests seem to have several causes (`gramspect.localization.groups`), `patterns` are those at
    which rejected tests stop, `common` is what failing tests have in common. `choice` is what a
    reader says of the first definitions, if it decides (`gramspect.localization.reader`).
    `adapter` is None if the parser was not loaded by one.
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
    token_faults: tuple[TokenSearched, ...] = field(default=(), repr=False)
    groups: tuple[TestGroup, ...] = field(default=(), repr=False)
    patterns: tuple[StopPattern, ...] = field(default=(), repr=False)
    common: tuple[CommonTrait, ...] = field(default=(), repr=False)
    choice: Choice | None = field(default=None, repr=False)

    def suggestions_for(self, element: RankedElement) -> tuple[Suggestion, ...]:
        """Those of the proposals that were checked, with all that is known about them."""
        if self._is_whole(element):
            return tuple(one for one in self.suggestions if one.definition == element.definition)
        items = element.items
        return tuple(one for one in self.suggestions if one.edit.item in items)

    def proposals_for(self, element: RankedElement) -> tuple[Proposal, ...]:
        """The edits at an element (of a rule: at its items), the most useful first."""
        items: Iterable[int] = element.items
        if self._is_whole(element):
            of = self.grammar.definition_of
            items = sorted(item for item in self.proposals if of(item) == element.definition)
        found = (proposal for item in items for proposal in self.proposals.get(item, ()))
        return tuple(sorted(found, key=lambda p: (-len(p.tests), p.edit.cost)))

    def _is_whole(self, element: RankedElement) -> bool:
        """Whether an element stands for the whole definition of a non-terminal."""
        return self.method.grouped and element.token is None

    @property
    def first_is_token(self) -> bool:
        """Whether a rule of the lexer is the most suspicious element: grammar or lexer?"""
        return bool(self.ranking) and self.ranking[0].token is not None

    @property
    def n_failing(self) -> int:
        """How many tests fail: the parser's verdict is not the expected one."""
        return len(self.failing)

    @property
    def n_to_mend(self) -> int:
        """How many tests a repair may mend: those that fail, and those that are undecided."""
        return len(self.failing) + len(self.undecided)

    def among(self, mended: Iterable[int]) -> int:
        """Of how many tests a repair mends some, given by their numbers.

        Undecided tests count only if it mends one of them.
        """
        undecided = {one.test.name for one in self.undecided}
        names = {self.suite.tests[number].name for number in mended}
        return self.n_to_mend if names & undecided else self.n_failing


def spectra_of(result: Localization) -> Spectra:
    """The spectra that a ranking rests on."""
    matrix = result.basis.matrices[result.method.spectrum]
    method = result.method
    return spectra_of_matrix(
        result.grammar, result.suite, matrix, method.extraction, result.adapter
    )


def ranked_elements(
    grammar: Grammar, matrix: SpectrumMatrix, ranking: Ranking, grouped: bool
) -> tuple[RankedElement, ...]:
    """The elements with a positive score, best first; of groups the best of each."""
    shown: Ranking | Grouping = group_by_nonterminal(ranking, grammar) if grouped else ranking
    elements = shown.best if isinstance(shown, Grouping) else shown.elements
    counts = np.stack(matrix.counts(), axis=1)[elements]
    columns = (elements, shown.ranks, shown.tie_sizes, shown.scores, counts)
    rows = zip(*(column[: shown.n_significant].tolist() for column in columns), strict=True)
    return tuple(
        RankedElement(grammar, ranking.kind, element, rank, ties, score, *four)
        for element, rank, ties, score, four in rows
    )


def with_tokens(
    ranking: Sequence[RankedElement],
    grammar: Grammar,
    matrix: SpectrumMatrix,
    rules: Sequence[TokenRule],
    evidence: Sequence[TokenEvidence],
    ties: Ties,
) -> tuple[RankedElement, ...]:
    """The ranking with the token rules put in by their scores, which change the ranks of others.

    `ranking` is best first. The evidence is of the rules by number.
    """
    found = [
        _token_element(grammar, matrix, rules[one.rule], one) for one in evidence if one.score > 0
    ]
    scores = [element.score for element in found]
    others = [
        replace(element, rank=element.rank + sum(score > element.score for score in scores))
        for element in ranking
    ]
    tokens = []
    for element in found:
        before = sum(other.score >= element.score for other in ranking)
        before += sum(score > element.score for score in scores)
        alike = scores.count(element.score)
        rank = before + (alike if ties is Ties.WORST else (alike + 1) / 2)
        tokens.append(replace(element, rank=rank, ties=alike))
    return tuple(sorted([*others, *tokens], key=lambda element: element.rank))


def _token_element(
    grammar: Grammar, matrix: SpectrumMatrix, rule: TokenRule, evidence: TokenEvidence
) -> RankedElement:
    """A token rule with the tests that use it: those that read one, or that it would explain."""
    used = {
        test
        for element in _reading(grammar, matrix.kind, rule.terminals)
        for test in matrix.executed(element).tolist()
    }
    used.update(evidence.tests)
    ef = sum(bool(matrix.failing[test]) for test in used)
    ep = len(used) - ef
    return RankedElement(
        grammar, matrix.kind, -1 - evidence.rule, 0.0, 1, evidence.score,
        ef, ep, matrix.n_failing - ef, matrix.n_passing - ep, rule, evidence.tests,
        tuple(sorted(used)),
    )  # fmt: skip


def _reading(grammar: Grammar, kind: SpectrumKind, terminals: frozenset[int]) -> Iterator[int]:
    """The elements that have read one of the terminals: items after one, rules with one."""
    for rule in grammar.rules:
        places = [n for n, symbol in enumerate(rule.rhs) if symbol in terminals]
        if kind is SpectrumKind.RULE and places:
            yield rule.index
        elif kind is not SpectrumKind.RULE:
            yield from (grammar.item(rule.index, place + 1) for place in places)
