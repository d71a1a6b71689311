"""What an edit does to a whole suite.

The verdicts are those of the grammar as a context-free one, on the tokens that the tool's own lexer
makes. The chart of each test is made once, and every edit is tried on it from the column where it
first applies (`gramspect.edits.trial`). Verdicts that cannot change are not computed: an edit that
only extends the language leaves accepted inputs accepted, and one that only restricts it leaves
rejected ones rejected.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import inf

from gramspect.edits.failing import is_short, trial_of
from gramspect.edits.model import Edit, EditKind, as_searched
from gramspect.edits.new_words import read_with
from gramspect.edits.readings import Reading, Vocabulary, other_readings
from gramspect.edits.trial import UNKNOWN
from gramspect.edits.unread import read_anyway
from gramspect.effort import now
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import Recognizer, Tokenizing
from gramspect.running.observing import tokens_of
from gramspect.suites.suite import Expectation, TestCase, TestSuite

__all__ = ["Case", "Effect", "Status", "cases", "effects"]


class Status(StrEnum):
    """What is known about an edit."""

    VALIDATED = "validated"
    """It gives failing tests the right verdict, and no passing test another one."""
    PROGRESS = "progress"
    """No passing test changes, and some failing one is parsed further, but none to its end."""
    HARMFUL = "harmful"
    """Some passing test would fail."""
    USELESS = "useless"
    """No test changes."""
    UNCHECKED = "unchecked"
    """The time was up before all tests had been looked at."""


@dataclass(frozen=True, slots=True)
class Effect:
    """The tests, by their numbers, that an edit changes.

    `fixed` have the right verdict with it, `further` are parsed further than before and still
    fail, `broken` would fail and do not. `complete` says whether all tests were looked at, and
    no verdict was given up.
    """

    fixed: tuple[int, ...] = ()
    further: tuple[int, ...] = ()
    broken: tuple[int, ...] = ()
    complete: bool = True

    @property
    def status(self) -> Status:
        if self.broken:
            return Status.HARMFUL
        if not self.complete:
            return Status.UNCHECKED
        if self.fixed:
            return Status.VALIDATED
        return Status.PROGRESS if self.further else Status.USELESS

    def with_fixed(self, tests: Sequence[int]) -> Effect:
        """The effect if these are fixed as well."""
        fixed = tuple(sorted({*self.fixed, *tests}))
        return replace(self, fixed=fixed, further=tuple(t for t in self.further if t not in tests))


@dataclass(frozen=True, slots=True)
class Case:
    """A test as its tokens: whether it should be accepted, and what the parser says.

    `others` are what its text may be read as otherwise, if that may help. `new` are the texts
    of the tokens that the lexer cannot read (`gramspect.edits.unread`), if there are any.
    """

    test: int
    tokens: Sequence[int] = field(repr=False)
    wanted: bool
    accepted: bool
    others: Sequence[Reading] = field(default=(), repr=False)
    new: frozenset[str] = frozenset()

    @property
    def passes(self) -> bool:
        return self.wanted is self.accepted


def cases(
    recognizer: Recognizer,
    suite: TestSuite,
    unexpected: Iterable[int],
    undecided: Container[int] = (),
) -> Iterator[Case]:
    """The tests as tokens, the failing ones (`unexpected`) first.

    Left out are very long ones, those whose lexer fails (but failing ones that should be accepted,
    see `gramspect.edits.unread`), and those that are `undecided`: the lexer may not come to an end.
    Passing ones that should be rejected are also read with the new tokens of the failing ones.
    """
    if not isinstance(recognizer, Tokenizing):
        return
    failing = set(unexpected)
    vocabulary = Vocabulary.of(
        recognizer,
        (test for number, test in enumerate(suite) if number not in failing),
        (suite.tests[number] for number in failing),
    )
    words: set[frozenset[str]] = set()
    for number in [*sorted(failing), *(n for n in range(len(suite)) if n not in failing)]:
        if number in undecided:
            continue
        test = suite.tests[number]
        tokens, new = tokens_of(recognizer, test), frozenset[str]()
        if tokens is None and number in failing and test.expectation is Expectation.ACCEPT:
            read = read_anyway(recognizer, test)
            if read is not None:
                tokens, new = read.tokens, frozenset(read.texts)
        if tokens is not None and is_short(recognizer.grammar, tokens):
            wanted = test.expectation is Expectation.ACCEPT
            searched = as_searched(tokens)
            accepted = wanted is (number not in failing)
            others: Sequence[Reading] = ()
            if wanted and not accepted:
                error = trial_of(recognizer.grammar, searched).chart.end
                grammar = recognizer.grammar
                others = tuple(
                    other_readings(grammar, recognizer, test, searched, error, vocabulary)
                )
                words |= {new, *(frozenset({one.text}) for one in others if one.text)}
            yield Case(number, searched, wanted, accepted, others, new)
        if number not in failing and test.expectation is Expectation.REJECT:
            yield from _with_new(recognizer, number, test, words)


def _with_new(
    recognizer: Recognizer, number: int, test: TestCase, words: Iterable[frozenset[str]]
) -> Iterator[Case]:
    """A test that is rightly rejected, read with the new tokens of each repair that brings some."""
    for new in words:
        if any(word in test.text for word in new):
            tokens = read_with(recognizer, test, new)
            if tokens is not None and is_short(recognizer.grammar, tokens):
                yield Case(number, as_searched(tokens), False, False, new=new)


@dataclass
class _Found:
    fixed: list[int] = field(default_factory=list)
    further: list[int] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)
    complete: bool = True


def effects(
    grammar: Grammar, edits: Sequence[Edit], suite: Iterable[Case], deadline: float = inf
) -> list[Effect]:
    """What each edit does to each test.

    After `deadline` (by `gramspect.effort.now`) it ends early.
    """
    found = [_Found() for _ in edits]
    complete = True
    for case in suite:
        matters = [i for i, edit in enumerate(edits) if _can_matter(edit, case)]
        if not matters:
            continue
        if now() >= deadline:
            complete = False
            break
        trial = trial_of(grammar, case.tokens)
        if trial.chart.accepted is not case.accepted:
            continue  # the tool's reason is not the grammar: conflicts, ordered choice, predicates
        tried = [edits[i] for i in matters]
        reached = list(trial.reached(tried))
        for place in _mending_otherwise(grammar, tried, case):
            reached[place] = len(case.tokens) + 1
        for i, end in zip(matters, reached, strict=True):
            _note(found[i], case, end, trial.chart.end)
    return [
        Effect(tuple(f.fixed), tuple(f.further), tuple(f.broken), complete and f.complete)
        for f in found
    ]


def _mending_otherwise(grammar: Grammar, edits: Sequence[Edit], case: Case) -> Iterator[int]:
    """The places of the edits with which the text is accepted if it is read otherwise."""
    for reading in case.others:
        suiting = [place for place, edit in enumerate(edits) if reading.suits(edit)]
        accepts = trial_of(grammar, reading.tokens).accepts([edits[place] for place in suiting])
        yield from (place for place, yes in zip(suiting, accepts, strict=True) if yes)


def _can_matter(edit: Edit, case: Case) -> bool:
    if case.new and (edit.texts or case.passes) and case.new != set(edit.new):
        return False
    if edit.kind in (EditKind.SWAP, EditKind.REQUIRE, EditKind.NARROW, EditKind.SEPARATE):
        return True
    return case.accepted if edit.kind is EditKind.DROP else not case.accepted


def _note(found: _Found, case: Case, reached: int, before: int) -> None:
    accepted = reached > len(case.tokens)
    if reached == UNKNOWN:
        found.complete = False
    elif accepted is not case.accepted:
        (found.broken if case.passes else found.fixed).append(case.test)
    elif not case.accepted and not case.passes and reached > before:
        found.further.append(case.test)
