"""Generated tests and the answers of a system as spectra."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gramspect.blackboxes.answers import Answer, Reaction
from gramspect.blackboxes.asking import Interview
from gramspect.blackboxes.places import Rejection, error_tokens
from gramspect.builtin.chart import ChartRecognizer
from gramspect.generation.generated import GeneratedTest
from gramspect.generation.synthetic import Outcome, synthetic_matrices, synthetic_observation
from gramspect.generation.words import Checked, Texts
from gramspect.grammars.grammar import Grammar
from gramspect.localization.patterns import Stop, next_token, stop_of
from gramspect.recognition.trace import Observation, ParseError, Verdict
from gramspect.source import SourceText
from gramspect.spectrum.extraction import observe
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import Expectation, TestCase, TestSuite

__all__ = ["Asked", "Observed", "observed"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A generated test, its text, and what the system says of it."""

    test: GeneratedTest
    text: str
    answer: Answer

    @property
    def expectation(self) -> Expectation:
        return self.test.expectation


@dataclass(frozen=True, eq=False)
class Observed:
    """The synthetic spectra of a suite.

    `suite` names every test after its text. `unexpected` holds the observations of failing and
    undecided tests by their numbers, without their spectra, which are in `matrices`. `stops` says
    where failing tests stop, as far as that is known.
    """

    grammar: Grammar
    suite: TestSuite
    matrices: Mapping[SpectrumKind, SpectrumMatrix]
    unexpected: Mapping[int, Observation]
    stops: Mapping[int, Stop]


def observed(
    grammar: Grammar,
    texts: Texts,
    asked: Sequence[Asked],
    interview: Interview,
    kinds: Sequence[SpectrumKind],
    *,
    other: Verdict = Verdict.ACCEPTED,
    positions: bool = True,
) -> Observed:
    """The spectra of tests that a system was asked about.

    `other` is the verdict where the system rejects for other reasons than syntax. With `positions`
    only what lies before a reported error counts.
    """
    verdicts = [_verdict(each.answer.reaction, other) for each in asked]
    errors: list[int | None] = [None] * len(asked)
    if positions:
        rejected = [n for n, verdict in enumerate(verdicts) if verdict is Verdict.REJECTED]
        places = _places([asked[n] for n in rejected], texts)
        for number, error in zip(rejected, error_tokens(places, interview), strict=True):
            errors[number] = error
    outcomes = [
        Outcome(each.test, verdict, error, each.answer.message)
        for each, verdict, error in zip(asked, verdicts, errors, strict=True)
    ]
    unexpected = {
        number: _kept(grammar, outcome, asked[number], texts, positions)
        for number, outcome in enumerate(outcomes)
        if outcome.verdict is Verdict.UNDECIDED
        or (outcome.verdict is Verdict.ACCEPTED)
        is not (outcome.test.expectation is Expectation.ACCEPT)
    }
    matrices = synthetic_matrices(kinds, grammar, outcomes, positions=positions)
    suite = TestSuite.of(
        [TestCase(each.text or "(empty)", each.expectation, each.text) for each in asked]
    )
    stops = dict(_stops(grammar, asked, unexpected))
    return Observed(grammar, suite, matrices, unexpected, stops)


def _stops(
    grammar: Grammar, asked: Sequence[Asked], unexpected: Mapping[int, Observation]
) -> Iterator[tuple[int, Stop]]:
    """Where the system stops in a sentence, and where the grammar does in what the system takes."""
    chart = ChartRecognizer(grammar)
    for number, seen in unexpected.items():
        tokens, accepted = asked[number].test.tokens, seen.verdict is Verdict.ACCEPTED
        if accepted:
            words = tuple(grammar.symbols[token].name for token in tokens)
            test = TestCase("", Expectation.ACCEPT, " ".join(words), words)
            seen = observe(chart.trace(test))  # noqa: PLW2901
        if seen.error is not None:
            found = next_token(grammar, tokens, seen.error.token)
            stop = stop_of(seen, found, accepted=accepted)
            if stop is not None:
                yield number, stop


def _verdict(reaction: Reaction, other: Verdict) -> Verdict:
    match reaction:
        case Reaction.ACCEPTED:
            return Verdict.ACCEPTED
        case Reaction.SYNTAX:
            return Verdict.REJECTED
        case Reaction.OTHER:
            return other
        case Reaction.NONE:
            return Verdict.UNDECIDED


def _places(rejected: Sequence[Asked], texts: Texts) -> Iterator[Rejection]:
    """Rejected tests with the places of their tokens; a lexer reads many texts at once."""
    for first in range(0, len(rejected), _BATCH):
        batch = rejected[first : first + _BATCH]
        if isinstance(texts, Checked):
            texts.read_back(each.test.tokens for each in batch)
        for each in batch:
            yield Rejection(each.text, texts.starts(each.test.tokens), each.answer)


_BATCH = 256


def _kept(
    grammar: Grammar, outcome: Outcome, asked: Asked, texts: Texts, positions: bool
) -> Observation:
    """What is kept of a failing test: its error, with its place in the text, not its spectra."""
    seen = synthetic_observation(grammar, outcome, positions=positions)
    none: frozenset[int] = frozenset()
    if seen.error is None:
        return replace(seen, rules=none, items=none, shift_items=none)
    line = column = None
    if outcome.error is not None:
        offset = texts.starts(outcome.test.tokens)[outcome.error]
        line, column = SourceText("", asked.text).position(offset)
    located = ParseError(seen.error.token, outcome.message, line, column)
    return replace(seen, error=located, rules=none, items=none, shift_items=none)
