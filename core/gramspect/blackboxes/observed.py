"""Generated tests and the answers of a system as spectra."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gramspect.blackboxes.answers import Answer, Reaction
from gramspect.blackboxes.asking import Interview
from gramspect.blackboxes.places import Rejection, error_tokens
from gramspect.generation.generated import GeneratedTest
from gramspect.generation.words import Texts
from gramspect.grammar import Grammar
from gramspect.source import SourceText
from gramspect.spectrum import SpectrumKind, SpectrumMatrix, matrices_of
from gramspect.suite import Expectation, TestCase, TestSuite
from gramspect.synthetic import Outcome, synthetic_observation
from gramspect.trace import Observation, ParseError, Verdict

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
    undecided tests by their numbers, without their spectra, which are in `matrices`.
    """

    grammar: Grammar
    suite: TestSuite
    matrices: Mapping[SpectrumKind, SpectrumMatrix]
    unexpected: Mapping[int, Observation]


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
        places = (
            Rejection(asked[n].text, texts.starts(asked[n].test.tokens), asked[n].answer)
            for n in rejected
        )
        for number, error in zip(rejected, error_tokens(places, interview), strict=True):
            errors[number] = error
    unexpected: dict[int, Observation] = {}

    def observations() -> Iterator[Observation]:
        for number, (each, verdict, error) in enumerate(zip(asked, verdicts, errors, strict=True)):
            outcome = Outcome(each.test, verdict, error, each.answer.message)
            seen = synthetic_observation(grammar, outcome, positions=positions)
            if (verdict is Verdict.ACCEPTED) != (each.expectation is Expectation.ACCEPT) or (
                verdict is Verdict.UNDECIDED
            ):
                unexpected[number] = _kept(seen, each, texts, error)
            yield seen

    expectations = [each.expectation for each in asked]
    matrices = matrices_of(kinds, grammar, observations(), expectations)
    suite = TestSuite.of(
        [TestCase(each.text or "(empty)", each.expectation, each.text) for each in asked]
    )
    return Observed(grammar, suite, matrices, unexpected)


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


def _kept(seen: Observation, asked: Asked, texts: Texts, error: int | None) -> Observation:
    """What is kept of a failing test: its error, with its place in the text, not its spectra."""
    none: frozenset[int] = frozenset()
    if seen.error is None:
        return replace(seen, rules=none, items=none, shift_items=none)
    line = column = None
    if error is not None:
        offset = texts.starts(asked.test.tokens)[error]
        line, column = SourceText("", asked.text).position(offset)
    located = ParseError(seen.error.token, asked.answer.message, line, column)
    return replace(seen, error=located, rules=none, items=none, shift_items=none)
