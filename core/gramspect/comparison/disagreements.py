"""The tests on which techniques, or a technique and its grammar, do not agree, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gramspect.comparison.causes import Arbiter
from gramspect.comparison.explanation import Cause, Explanation
from gramspect.comparison.model import Disagreement, Technique
from gramspect.comparison.sources import Candidate
from gramspect.comparison.tables import TableModels
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.recognizer import Recognizer, Tokenizing
from gramspect.recognition.tokens import UNKNOWN, split_tokens
from gramspect.recognition.trace import Verdict
from gramspect.running.observing import silenced
from gramspect.spectrum.matrix import ACCEPTED, REJECTED
from gramspect.suites.suite import Expectation, TestCase, TestSuite

__all__ = ["disagreements_of"]

_LONGEST = 3000
"""For tests with more tokens than this nobody asks whether the grammar derives them."""

_AGREED = 200
"""How many of the tests that all techniques reject are looked at: they may be sentences."""


_VERDICTS = (Verdict.ACCEPTED, Verdict.REJECTED, Verdict.UNDECIDED)


@dataclass(frozen=True, eq=False)
class _Voice:
    """One technique and what is needed to ask its grammar."""

    recognizer: Recognizer
    tables: TableModels
    build: str | None

    @property
    def grammar(self) -> Grammar:
        return self.recognizer.grammar

    @cached_property
    def arbiter(self) -> Arbiter:
        return Arbiter(self.grammar, self.recognizer, self.tables, self.build)

    def tokens(self, test: TestCase) -> Sequence[int] | None:
        """The terminals of a test; None if the lexer fails or cannot be asked."""
        if not isinstance(self.recognizer, Tokenizing):
            return None
        try:
            with silenced():
                return self.recognizer.tokens(test)
        except Exception:  # the lexer is the user's code
            return None

    def derives(self, tokens: Sequence[int] | None) -> bool | None:
        if tokens is None or len(tokens) > _LONGEST:
            return None
        return parse_chart(self.grammar, tokens).accepted


def disagreements_of(
    suite: TestSuite, ran: Sequence[tuple[Candidate, Technique]], common: Grammar | None
) -> Iterator[Disagreement]:
    """The disagreements in the order of the suite.

    Undecided tests are no disagreement by themselves. Tests that every technique rejects count if
    the grammar of one derives them; the first `_AGREED` of those are looked at.
    """
    voices = _voices(ran, common)
    columns = np.array([technique.matrix.verdicts for _, technique in ran]).T.tolist()
    agreed = 0
    for test, codes in zip(suite, columns, strict=True):
        decided = {code for code in codes if code in (ACCEPTED, REJECTED)}
        if len(decided) < 2:
            agreed += REJECTED in decided
            if REJECTED not in decided or agreed > _AGREED:
                continue
        found = _looked_at(test, codes, voices, common)
        if len(decided) == 2 or any(e is not None for e in found.explanations):
            yield found


def _voices(ran: Sequence[tuple[Candidate, Technique]], common: Grammar | None) -> list[_Voice]:
    shared = None if common is None else TableModels(common)
    voices = []
    for candidate, _ in ran:
        assert candidate.recognizer is not None
        tables = shared or TableModels(candidate.recognizer.grammar)
        build = None if shared is None else candidate.adapter
        voices.append(_Voice(candidate.recognizer, tables, build))
    return voices


def _looked_at(
    test: TestCase, codes: Sequence[int], voices: Sequence[_Voice], common: Grammar | None
) -> Disagreement:
    if common is not None:
        words = test.text if test.tokens is None else test.tokens
        tokens: list[Sequence[int] | None] = [split_tokens(common, words).terminals] * len(voices)
        derivable = [voices[0].derives(tokens[0])] * len(voices)
    else:
        tokens = [voice.tokens(test) for voice in voices]
        derivable = [v.derives(t) for v, t in zip(voices, tokens, strict=True)]
    explanations = [
        _by_itself(voice, test, codes[n], tokens[n], derivable[n])
        or (None if common is not None else _beside_others(n, test, codes, voices, tokens))
        for n, voice in enumerate(voices)
    ]
    verdicts = tuple(_VERDICTS[code] for code in codes)
    return Disagreement(test, verdicts, tuple(derivable), tuple(explanations))


def _by_itself(
    voice: _Voice,
    test: TestCase,
    code: int,
    tokens: Sequence[int] | None,
    derives: bool | None,
) -> Explanation | None:
    """Why a verdict is not what the technique's own grammar says, if it is not."""
    if code not in (ACCEPTED, REJECTED) or tokens is None or derives is None:
        return None
    if derives == (code == ACCEPTED):
        return None
    return voice.arbiter.explain(test, tokens, _VERDICTS[code])


def _beside_others(
    number: int,
    test: TestCase,
    codes: Sequence[int],
    voices: Sequence[_Voice],
    tokens: Sequence[Sequence[int] | None],
) -> Explanation | None:
    """Why a technique with a source of its own gets a test wrong that another one gets right."""
    code, own = codes[number], tokens[number]
    expected = ACCEPTED if test.expectation is Expectation.ACCEPT else REJECTED
    others = [n for n, other in enumerate(codes) if other == expected]
    if code not in (ACCEPTED, REJECTED) or code == expected or not others:
        return None
    if own is None:
        lexes = isinstance(voices[number].recognizer, Tokenizing)
        text = "its lexer rejects the input" if lexes else "its tokens are not known"
        return Explanation(Cause.LEXING if lexes else Cause.UNKNOWN, text)
    if UNKNOWN in own:
        return Explanation(Cause.LEXING, "it has no token for a part of the input")
    size = _size(voices[number].grammar, own)
    for other in others:
        theirs = tokens[other]
        if theirs is not None and (than := _size(voices[other].grammar, theirs)) != size:
            text = f"its lexer makes {size} tokens where another one makes {than}"
            return Explanation(Cause.LEXING, text)
    does = "derives the test" if code == ACCEPTED else "does not derive the test"
    return Explanation(Cause.GRAMMAR, f"its grammar {does}")


def _size(grammar: Grammar, tokens: Sequence[int]) -> int:
    """The number of tokens, without one that stands for the end of the input (ANTLR's EOF)."""
    ends = bool(tokens) and tokens[-1] >= 0 and grammar.symbols[tokens[-1]].name == "EOF"
    return len(tokens) - ends
