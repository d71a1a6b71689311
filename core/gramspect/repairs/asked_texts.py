"""The text of inputs that the author is asked about.

Samples of tokens are the lexer's. Of tokens that it has none for (a pattern that is not understood,
code) they are from the tests, where somebody has written them, and so are those of new tokens, for
which there is no lexer yet: they are what the failing test has there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from gramspect.edits.failing import trial_of
from gramspect.edits.model import NEW_TOKEN, as_searched
from gramspect.edits.new_words import lexing_of, read_with
from gramspect.edits.questions import Question
from gramspect.generation.parsing import rejects
from gramspect.generation.sources import texts_of
from gramspect.generation.texts import SampleTexts, Spacing, read_samples
from gramspect.generation.words import Texts, TokenNames
from gramspect.lexical.rules import Lexeme
from gramspect.recognition.recognizer import ContextualLexing, Lexing, Recognizer, Tokenizing
from gramspect.running.observing import silenced, tokens_of
from gramspect.suites.suite import Expectation, TestCase

__all__ = ["AskedTexts", "spellings"]

_PIECE = re.compile(r"""(["'`])[^\n]*?\1|\w+|[^\w\s]+|[^\w\s]""")
"""What is a token in most languages."""
MOST_TESTS = 60
"""How many tests are read for the texts of tokens, spread over the suite."""
MOST_SPELLINGS = 12
"""How many spellings of each token, the shortest ones, the lexer is asked about."""
MOST_READ = 1000
"""How many spellings of all tokens, the shortest ones, the lexer is asked about."""
LONGEST_SPELLING = 40
"""The most characters of a spelling."""


@dataclass(frozen=True)
class AskedTexts:
    """Writes inputs as text that the lexer reads as their tokens.

    `written` are texts of tokens, which are tried in turn: other spellings, other blanks.
    """

    parser: Recognizer
    written: tuple[Texts, ...]

    @staticmethod
    def of(
        parser: Recognizer,
        passing: Sequence[TestCase],
        failing: Sequence[TestCase],
        samples: str | None,
    ) -> AskedTexts:
        """Those of a parser and a suite; `samples` is a file with texts, as for `generate`.

        Raises:
            GramspectError: the file cannot be used.
        """
        _, texts = texts_of(parser.grammar, parser, samples=samples, partial=True)
        if not isinstance(texts, SampleTexts):
            return AskedTexts(parser, (texts,))
        given = {} if samples is None else read_samples(samples, parser.grammar)
        found = {**spellings(parser, failing), **spellings(parser, passing)}
        spelled = {token: listed for token, listed in found.items() if token not in given}
        ours, theirs = (
            _with_samples(texts, chosen)
            for chosen in ({**spelled, **texts.samples}, {**texts.samples, **spelled})
        )
        dense = (_with_samples(one, one.samples, Spacing.LEAST) for one in (ours, theirs))
        return AskedTexts(parser, (ours, theirs, *dense))

    def read(self, text: str) -> Sequence[int] | None:
        """The tokens that the lexer makes of a text; None if it fails."""
        return tokens_of(self.parser, _test(text)) if isinstance(self.parser, Tokenizing) else None

    def accepts(self, text: str) -> bool:
        """Whether the parser accepts a text."""
        names = text.split() if isinstance(self.written[0], TokenNames) else None
        return not rejects(self.parser, text, names)

    def text(self, question: Question) -> str | None:
        """The text of an input; None if there is none that the lexer reads as its tokens."""
        found = (self._text(texts, question) for texts in self.written)
        loose = (self._loosely(texts, question) for texts in self.written)
        return next((text for text in chain(found, loose) if text is not None), None)

    def _text(self, texts: Texts, question: Question) -> str | None:
        tokens = question.tokens
        if question.new:
            if not isinstance(texts, SampleTexts):
                return None
            texts, tokens = self._with_new(texts, question)
        if set(texts.missing) & set(tokens):
            return None
        if isinstance(texts, SampleTexts) and not texts.read_back([tokens])[0]:
            return None
        return texts.text(tokens)

    def _loosely(self, texts: Texts, question: Question) -> str | None:
        """The text of an input if it can be read as its tokens by a lexer that asks the parser.

        Up to the parser's error it must be. After it there is no parser to ask, but that of the
        repaired grammar will be.
        """
        parser, tokens = self.parser, question.tokens
        if not isinstance(texts, SampleTexts) or not isinstance(parser, ContextualLexing):
            return None
        if question.new or set(texts.missing) & set(tokens):
            return None
        text = texts.unchecked(tokens)
        lexed = lexing_of(parser, _test(text))
        if lexed is None or lexed.failed is not None or len(lexed.lexemes) != len(tokens):
            return None
        read = [one.terminal for one in lexed.lexemes]
        error = trial_of(parser.grammar, as_searched(read)).chart.end
        differ = (n for n, token in enumerate(tokens) if read[n] != token)
        pieces = ((n, text[lexed.lexemes[n].start : lexed.lexemes[n].end]) for n in differ)
        fits = (n >= error and tokens[n] in parser.matching(piece) for n, piece in pieces)
        return text if all(fits) else None

    def _with_new(
        self, texts: SampleTexts, question: Question
    ) -> tuple[SampleTexts, tuple[int, ...]]:
        """The texts with those of new tokens, and the tokens, in which each has its own number."""
        numbers = {word: -2 - place for place, word in enumerate(dict.fromkeys(question.new))}
        new = iter(question.new)
        tokens = tuple(numbers[next(new)] if t == NEW_TOKEN else t for t in question.tokens)
        return replace(
            texts,
            samples={**texts.samples, **{number: (word,) for word, number in numbers.items()}},
            read_as=dict.fromkeys(numbers.values(), (NEW_TOKEN,)),
            lexed=lambda some: [self._read_with(text, numbers, texts.silent) for text in some],
            _separators={},
            _recent={},
        ), tokens

    def _read_with(
        self, text: str, words: Iterable[str], silent: Iterable[int]
    ) -> list[int] | None:
        """The tokens of a text if the lexer had these words, without the end of the input."""
        read = read_with(self.parser, _test(text), words)
        while read and read[-1] in silent:
            read.pop()
        return read


def spellings(parser: Recognizer, tests: Sequence[TestCase]) -> Mapping[int, tuple[str, ...]]:
    """The text of each token as the tests have it.

    The shortest one that the lexer reads so by itself; if there is none, the shortest one.
    """
    if not isinstance(parser, Lexing):
        return {}
    placed: dict[int, set[str]] = {}
    pieces: set[str] = set()
    for test in tests[:: max(1, -(-len(tests) // MOST_TESTS))]:
        lexed = lexing_of(parser, test)
        if lexed is None:  # a lexer of the user's own, which does not say where it is
            pieces.update(match.group() for match in _PIECE.finditer(test.text))
        for terminal, text in () if lexed is None else _placed(test.text, lexed.lexemes):
            placed.setdefault(terminal, set()).add(text)
    found = {terminal: min(texts, key=_shortness) for terminal, texts in placed.items()}
    alone = {text for texts in placed.values() for text in _shortest(texts, MOST_SPELLINGS)}
    tried = _shortest(alone | pieces, MOST_READ)
    with silenced():
        read = parser.lexed(tried)
    for text, tokens in reversed(list(zip(tried, read, strict=True))):
        if tokens is not None and len(tokens) == 1 and tokens[0] >= 0:
            found[tokens[0]] = text
    return {terminal: (text,) for terminal, text in found.items()}


def _placed(text: str, lexemes: Sequence[Lexeme]) -> Iterator[tuple[int, str]]:
    """The terminals of a test with what may be their texts.

    A lexer may read a token in several steps (text in quotes) and say where the last one was: so
    all that stands between the token before and the end of this one may be its text, too.
    """
    place = 0
    for one in lexemes:
        for piece in {text[one.start : one.end], text[place : one.end].strip()}:
            if one.terminal >= 0 and one.start < one.end and len(piece) <= LONGEST_SPELLING:
                yield one.terminal, piece
        place = one.end


def _shortest(texts: Iterable[str], most: int) -> list[str]:
    return sorted(texts, key=_shortness)[:most]


def _shortness(text: str) -> tuple[int, str]:
    return len(text), text


def _with_samples(
    texts: SampleTexts, samples: Mapping[int, Sequence[str]], spacing: Spacing = Spacing.BLANK
) -> SampleTexts:
    missing = frozenset(texts.missing) - samples.keys()
    return replace(
        texts, samples=samples, missing=missing, spacing=spacing, _separators={}, _recent={}
    )


def _test(text: str) -> TestCase:
    return TestCase("asked", Expectation.ACCEPT, text)
