"""The edits that help the failing tests of a suite and do no harm to the others.

Inputs that are wrongly rejected ask for more (`gramspect.edits.search`), those wrongly accepted for
less (`gramspect.edits.restriction`). If there are both, the fault may be one rule that is neither:
so what helps the first is also tried *instead of* what the rule says, not only beside it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from gramspect.edits.conflicts import new_conflicts
from gramspect.edits.growth import new_pairs
from gramspect.edits.model import NEW_TOKEN, Edit, Key, applied, as_searched
from gramspect.edits.new_words import read_with
from gramspect.edits.readings import Vocabulary, lexemes_of, other_readings, swallowed
from gramspect.edits.restriction import rejecting, requiring, stricter
from gramspect.edits.search import Outcome, Searching
from gramspect.edits.sequences import Steps, sequences
from gramspect.edits.trial import Trial
from gramspect.edits.unread import read_anyway, texts_of_unknown
from gramspect.effort import now
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.recognizer import Recognizer, Tokenizing
from gramspect.recognition.trace import ChartTrace
from gramspect.running.observing import tokens_of
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase

__all__ = ["MOST_TOKENS", "Searched", "is_short", "search_failing", "trial_of"]

MOST_TESTS = 12
"""How many failing tests of each expectation are searched."""
MOST_PASSING = 200
"""How many passing tests are looked at."""
MOST_TOKENS = 50_000
"""Tests with more tokens than this are not searched: the whole chart is kept in memory."""
MOST_PREDICTIONS = 40_000_000
"""The limit on tokens times non-terminals: each may be predicted at each, in several charts."""
MOST_REQUIRED = 24
"""How many harmless edits for forgotten tokens are compared with the passing tests."""
LEFT_FOR_CHECKS = 0.25
"""The share of the work that is kept for the steps after the search."""


@dataclass(frozen=True)
class Searched:
    """A failing input and the edits that help it.

    Its chart stops at token number `error`. `accept` says whether it should be accepted: if not,
    the chart accepts it, and the outcomes are restrictions that make it rejected.
    """

    test: int
    error: int
    outcomes: tuple[Outcome, ...]
    accept: bool = True
    complete: bool = True
    """Whether the search came to its end, for this test and those after it."""
    sequences: tuple[Steps, ...] = ()
    """Edits that help together, if no single one does."""
    conflicts: Mapping[Key, int] = field(default_factory=dict)
    """The number of conflicts that some of the edits add (`gramspect.edits.conflicts`)."""
    growth: Mapping[Key, int] = field(default_factory=dict)
    """The number of pairs of tokens that edits let meet (`gramspect.edits.growth`)."""

    def mends(self, outcome: Outcome) -> bool:
        """Whether the input gets the verdict that it should."""
        return outcome.accepted is self.accept


def search_failing(
    recognizer: Recognizer,
    tests: Sequence[tuple[int, TestCase]],
    steps: float = inf,
    passing: Sequence[TestCase] = (),
) -> tuple[Searched, ...]:
    """Search edits for failing tests, given with their numbers.

    An edit that changes the verdict on one of the `passing` tests is no help: it counts as one
    that only gets the parse further, and a restriction not at all. Left out are tests whose tokens
    are not known or too many, and tests on which the grammar and the parser differ. Of many
    tests some are taken, spread over the suite: `MOST_TESTS` failing ones of each expectation,
    `MOST_PASSING` others. After so many `steps` (`gramspect.effort`), or when it is interrupted
    from the keyboard, the search ends with what it has found.
    """
    if not isinstance(recognizer, Tokenizing):
        return ()
    vocabulary = Vocabulary.of(recognizer, passing, (test for _, test in tests))
    work = _Work(recognizer, now(), steps, vocabulary)
    found: list[_Found] = []
    harmful: dict[Key, Edit] = {}
    try:
        work.search_rejected(tests, found)
        work.search_accepted(tests, found)
        work.search_sequences(found)
        work.find_harmful(_edits(found), passing, harmful)
        if work.search_stricter(found, harmful):
            work.find_harmful(_edits(found), passing, harmful)
        work.search_required(found, passing, harmful)
    except KeyboardInterrupt:
        work.complete = False
    searched = [one.searched(harmful) for one in found]
    if not searched and not work.complete:
        searched = [Searched(number, 0, ()) for number, _ in tests[:1]]
    outcomes = [outcome for one in searched for outcome in one.outcomes]
    growth = new_pairs(work.grammar, (outcome.edit for outcome in outcomes))
    conflicts = work.new_conflicts(outcomes)
    return tuple(
        replace(one, complete=work.complete, conflicts=conflicts, growth=growth) for one in searched
    )


@dataclass
class _Found:
    """A failing test with the edits that give it the right verdict, and the other outcomes."""

    number: int
    trial: Trial
    accept: bool
    helping: dict[Key, Outcome]
    further: Sequence[Outcome] = ()
    sequences: tuple[Steps, ...] = ()

    def searched(self, harmful: Mapping[Key, Edit]) -> Searched:
        n = len(self.trial.tokens)
        error = n if self.trial.chart.accepted else self.trial.chart.end
        outcomes = [outcome for key, outcome in self.helping.items() if key not in harmful]
        if self.accept:
            lost = (outcome for key, outcome in self.helping.items() if key in harmful)
            outcomes += [replace(o, accepted=False) for o in lost if not o.edit.kind.restrictive]
        found = (*outcomes, *self.further)
        return Searched(self.number, error, found, self.accept, sequences=self.sequences)


@dataclass
class _Work:
    recognizer: Tokenizing
    begin: float
    steps: float
    vocabulary: Vocabulary
    interrupted: bool = False
    complete: bool = True

    @property
    def grammar(self) -> Grammar:
        assert isinstance(self.recognizer, Recognizer)
        return self.recognizer.grammar

    def is_late(self) -> bool:
        late = self.interrupted or now() >= self.begin + self.steps
        self.complete = self.complete and not late
        return late

    def _otherwise(self, test: TestCase, trial: Trial, deadline: float) -> Iterator[Outcome]:
        """What mends the test if its text is read otherwise."""
        seen = test, trial.tokens, trial.chart.end
        for reading in other_readings(self.grammar, self.recognizer, *seen, self.vocabulary):
            read = trial_of(self.grammar, reading.tokens)
            for outcome in self._outcomes(read, deadline, reading.swallowed):
                if outcome.accepted and reading.suits(outcome.edit):
                    edit = reading.paid(outcome.edit)
                    yield Outcome(edit, True, len(trial.tokens))

    def _as_read(self, test: TestCase, trial: Trial, deadline: float) -> Sequence[Outcome]:
        """What mends the test as the lexer reads it."""
        lexemes = lexemes_of(self.recognizer, test, trial.tokens, trial.chart.end)
        return self._outcomes(trial, deadline, swallowed(test.text, lexemes))

    def _trials(self, tests: Iterable[tuple[int, TestCase]]) -> Iterator[tuple[int, Trial]]:
        """The charts of the tests, one by one, as long as there are steps left."""
        for number, test in tests:
            if self.is_late():
                break
            tokens = tokens_of(self.recognizer, test)
            if tokens is not None and is_short(self.grammar, tokens):
                yield number, trial_of(self.grammar, as_searched(tokens))

    def _read(
        self, tests: Iterable[tuple[int, TestCase]]
    ) -> Iterator[tuple[int, Trial, Sequence[str]]]:
        """The charts of the tests, also where the lexer fails, with what new tokens look like."""
        for number, test in tests:
            if self.is_late():
                break
            tokens = tokens_of(self.recognizer, test)
            texts: Sequence[str] = ()
            if tokens is None:
                read = read_anyway(self.recognizer, test)
                if read is not None:
                    tokens, texts = read.tokens, read.texts
            elif min(tokens, default=0) < 0:
                texts = texts_of_unknown(self.recognizer, test, tokens)
            if tokens is not None and is_short(self.grammar, tokens):
                yield number, trial_of(self.grammar, as_searched(tokens)), texts

    def search_rejected(self, tests: Sequence[tuple[int, TestCase]], found: list[_Found]) -> None:
        """Find what helps tests that should be accepted. Each has its share of the steps left."""
        chosen = _spread(tests, Expectation.ACCEPT, MOST_TESTS)
        texts = dict(chosen)
        for place, (number, trial, new) in enumerate(self._read(chosen)):
            if not trial.chart.accepted:
                deadline = now() + self._left(1 - LEFT_FOR_CHECKS) / (len(chosen) - place)
                outcomes = [
                    *_named(self._as_read(texts[number], trial, deadline), trial.tokens, new),
                    *self._otherwise(texts[number], trial, deadline),
                ]
                helping = {o.edit.key: o for o in reversed(outcomes) if o.accepted}
                further = [outcome for outcome in outcomes if not outcome.accepted]
                found.append(_Found(number, trial, True, helping, further))

    def search_sequences(self, found: Sequence[_Found]) -> None:
        """Find several edits for tests that no single one helps."""
        unsolved = [one for one in found if one.accept and not one.helping and one.further]
        for place, one in enumerate(unsolved):
            left = self._left(1 - LEFT_FOR_CHECKS) / (len(unsolved) - place)
            if left > 0 and not self.is_late():
                deadline = now() + left
                trial = one.trial
                one.sequences = sequences(trial.chart, trial.tokens, one.further, deadline)

    def new_conflicts(self, outcomes: Sequence[Outcome]) -> Mapping[Key, int]:
        """How many conflicts the best of the edits bring, as far as there is time."""
        try:
            return new_conflicts(self.grammar, outcomes, self.begin + self.steps)
        except KeyboardInterrupt:
            self.complete = False
            return {}

    def _left(self, part: float) -> float:
        """The steps left until that part of them is done."""
        return max(0.0, self.begin + part * self.steps - now())

    def _outcomes(
        self, trial: Trial, deadline: float, swallowed: Sequence[float] = ()
    ) -> Sequence[Outcome]:
        """Run a search until it ends, its time is up, or it is interrupted."""
        searching = Searching(trial.chart, trial.tokens, swallowed=swallowed)
        try:
            for _ in searching.run():
                if now() >= deadline:
                    self.complete = False
                    break
        except KeyboardInterrupt:
            self.interrupted, self.complete = True, False
        return searching.outcomes(deadline)

    def search_accepted(self, tests: Sequence[tuple[int, TestCase]], found: list[_Found]) -> None:
        """Find what helps tests that should be rejected, and what serves both kinds of tests."""
        rejected = tuple(found)
        for number, trial in self._trials(_spread(tests, Expectation.REJECT, MOST_TESTS)):
            if trial.chart.accepted:
                edits = rejecting(trial.chart, trial.tokens, self.begin + self.steps)
                helping = {edit.key: _rejection(edit) for edit in edits}
                found.append(_Found(number, trial, False, helping))
        if len(found) > len(rejected):
            self._instead(found[len(rejected) :], rejected)

    def _instead(self, accepted: Sequence[_Found], rejected: Sequence[_Found]) -> None:
        """Note which restrictions serve tests of both kinds."""
        edits = stricter(self.grammar, (one.helping.values() for one in rejected))
        _note_rejecting(accepted, edits)
        _note_accepting(rejected, [o.edit for one in accepted for o in one.helping.values()])

    def search_stricter(self, found: Sequence[_Found], harmful: Mapping[Key, Edit]) -> bool:
        """Try edits that help but do harm beside the rule in its place; whether there are any."""
        rejected = [one for one in found if one.accept]
        outcomes = ([o for o in one.helping.values() if o.edit.key in harmful] for one in rejected)
        edits = stricter(self.grammar, outcomes)
        return _note_accepting(rejected, edits)

    def search_required(
        self, found: Sequence[_Found], passing: Sequence[TestCase], harmful: dict[Key, Edit]
    ) -> None:
        """Ask for a token that may have been forgotten, where all else does harm."""
        accepted = [one for one in found if not one.accept]
        edits: dict[Key, Edit] = {}
        for one in accepted:
            if harmful.keys() >= one.helping.keys() and not self.is_late():
                chart, tokens = one.trial.chart, one.trial.tokens
                for edit in requiring(chart, tokens, self.begin + self.steps):
                    edits[edit.key] = edit
        self.find_harmful(edits, passing, harmful)
        harmless = [edit for key, edit in edits.items() if key not in harmful]
        likely = [edit for edit in harmless[:MOST_REQUIRED] if self._is_used(edit, passing)]
        _note_rejecting(accepted, likely)
        _note_accepting([one for one in found if one.accept], likely)

    def _is_used(self, edit: Edit, passing: Sequence[TestCase]) -> bool:
        """Whether a passing test has the token that an edit asks for, and has it there."""
        edited = applied(self.grammar, edit)
        rule, _ = self.grammar.split_item(edit.item)
        for _, test in _spread(list(enumerate(passing)), Expectation.ACCEPT, MOST_PASSING):
            tokens = tokens_of(self.recognizer, test)
            if tokens is None or edit.symbols[0] not in tokens or self.is_late():
                continue
            chart = trial_of(edited, tokens).chart
            if chart.accepted and rule in observe(ChartTrace(chart)).rules:
                return True
        return False

    def find_harmful(
        self, edits: Mapping[Key, Edit], passing: Sequence[TestCase], harmful: dict[Key, Edit]
    ) -> None:
        """Note the edits that change the verdict on a passing test."""
        if not edits:
            return
        tests = list(enumerate(passing))
        rejected = _spread(tests, Expectation.REJECT, MOST_PASSING)
        relevant = [*rejected]
        if any(edit.kind.restrictive for edit in edits.values()):
            relevant += _spread(tests, Expectation.ACCEPT, MOST_PASSING)
        for _, trial in self._trials(relevant):
            left = [
                edit
                for key, edit in edits.items()
                if key not in harmful and (edit.kind.restrictive or not trial.chart.accepted)
            ]
            for edit, accepts in zip(left, trial.accepts(left), strict=True):
                if accepts is not trial.chart.accepted:
                    harmful[edit.key] = edit
        self._find_harmful_new(edits, [test for _, test in rejected], harmful)

    def _find_harmful_new(
        self, edits: Mapping[Key, Edit], rejected: Sequence[TestCase], harmful: dict[Key, Edit]
    ) -> None:
        """The same for edits with new tokens, on tests that have their texts."""
        by_words: dict[frozenset[str], list[Edit]] = {}
        for edit in edits.values():
            if edit.new and all(edit.new):
                by_words.setdefault(frozenset(edit.new), []).append(edit)
        for words, alike in by_words.items():
            for test in (test for test in rejected if any(word in test.text for word in words)):
                tokens = None if self.is_late() else read_with(self.recognizer, test, words)
                if tokens is not None and is_short(self.grammar, tokens):
                    accepts = trial_of(self.grammar, as_searched(tokens)).accepts(alike)
                    harmful |= {e.key: e for e, yes in zip(alike, accepts, strict=True) if yes}


def _named(
    outcomes: Iterable[Outcome], tokens: Sequence[int], texts: Sequence[str]
) -> Iterator[Outcome]:
    """The outcomes, with the texts of their new tokens: of all new `tokens` those are given.

    All are one token to the search, so what it accepts is left out if it lacks one of the texts.
    """
    places = [place for place, token in enumerate(tokens) if token == NEW_TOKEN]
    for outcome in outcomes:
        edit = outcome.edit
        n_new = edit.symbols.count(NEW_TOKEN)
        if not n_new or len(texts) != len(places):
            yield outcome
            continue
        first = bisect_left(places, edit.column)
        own = tuple(texts[first : first + n_new]) or (texts[-1],)
        if not outcome.accepted or set(own) == set(texts):
            yield replace(outcome, edit=replace(edit, texts=own))


def is_short(grammar: Grammar, tokens: Sequence[int]) -> bool:
    """Whether charts of the whole input can be kept in memory."""
    n = len(tokens)
    return n <= MOST_TOKENS and n * grammar.n_nonterminals <= MOST_PREDICTIONS


def trial_of(grammar: Grammar, tokens: Sequence[int]) -> Trial:
    """An input with its chart."""
    return Trial(parse_chart(grammar, tokens), tokens)


def _spread(
    tests: Sequence[tuple[int, TestCase]], expectation: Expectation, most: int
) -> Sequence[tuple[int, TestCase]]:
    """At most `most` of the tests with an expectation, spread over the suite."""
    chosen = [(number, test) for number, test in tests if test.expectation is expectation]
    return chosen[:: max(1, -(-len(chosen) // most))]


def _edits(found: Iterable[_Found]) -> dict[Key, Edit]:
    return {key: outcome.edit for one in found for key, outcome in one.helping.items()}


def _rejection(edit: Edit) -> Outcome:
    return Outcome(edit, False, edit.column)


def _note_rejecting(accepted: Sequence[_Found], edits: Iterable[Edit]) -> None:
    """Note which of the edits make tests rejected."""
    for one in accepted:
        wanted = [edit for edit in edits if edit.key not in one.helping]
        for edit, end in zip(wanted, one.trial.reached(wanted), strict=True):
            if 0 <= end <= len(one.trial.tokens):
                one.helping[edit.key] = _rejection(replace(edit, column=end))


def _note_accepting(rejected: Sequence[_Found], edits: Iterable[Edit]) -> bool:
    """Note which of the edits make tests accepted; whether this brought anything new."""
    distinct = {edit.key: edit for edit in edits}
    known = sum(len(one.helping) for one in rejected)
    for one in rejected:
        wanted = [edit for key, edit in distinct.items() if key not in one.helping]
        for edit, accepts in zip(wanted, one.trial.accepts(wanted), strict=True):
            if accepts:
                at = replace(edit, column=one.trial.chart.end)
                one.helping[edit.key] = Outcome(at, True, len(one.trial.tokens))
    return sum(len(one.helping) for one in rejected) > known
