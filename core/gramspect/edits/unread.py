"""Text that the lexer cannot read: a sign or a word of the language that it has not got yet.

A lexer that fails gives no tokens, and without tokens there is nothing to search. So the text where
it fails is taken for a new token, and the lexer goes on after it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from gramspect.edits.model import NEW_TOKEN
from gramspect.edits.readings import Reading
from gramspect.lexical.rules import Splice
from gramspect.recognition.recognizer import Recognizer, Tokenizing, TokenRuleKnowing
from gramspect.recognition.trace import ErrorKind, ParseError
from gramspect.running.observing import silenced
from gramspect.source import offset_of
from gramspect.suites.suite import TestCase

__all__ = ["read_anyway", "texts_of_unknown"]

MOST = 100
"""How many times the lexer is started again; a text with more that it cannot read is another
language."""
MOST_TEXTS = 2
"""How many different texts a single edit may have, such as the two brackets around a call."""
MOST_READ = 500_000
"""How many characters the lexer reads again in all: a second or two."""
_WHOLE = re.compile(r"""\w+|(["'`])[^\n]*?\1|[()\[\]{}]|[^\w\s,;"'`]=+""")
"""What is a token by itself: a word, text in quotes, a bracket, ``!=`` and so on. Other signs join
neighbours."""
_PIECE = re.compile(r"\w+|[^\w\s]+")
_WIDE = re.compile(r"""(["'`])[^\n]*?\1|[^\w\s()\[\]{},;"'`]+(?=\d)|[^\s()\[\]{},;"']+|.""", re.S)
"""What other lexers go on after: text in quotes, signs before a number, or all up to a blank or a
bracket."""


def texts_of_unknown(
    recognizer: Tokenizing, test: TestCase, tokens: Sequence[int]
) -> Sequence[str]:
    """What the tokens of a test that the grammar does not know (-1) look like, as far as known.

    Some lexers go on after text that they cannot read, each after a stretch of its own choice.
    """
    new = [token < 0 for token in tokens]
    for whole in (_WHOLE, _WIDE):
        read = read_anyway(recognizer, test, whole)
        if read is not None and [token == NEW_TOKEN for token in read.tokens] == new:
            return read.texts
    words = test.text.split() if test.tokens is None else test.tokens
    if len(words) == len(tokens):  # a sequence of names
        return [word for word, is_new in zip(words, new, strict=True) if is_new]
    return ()


def read_anyway(
    recognizer: Tokenizing, test: TestCase, whole: re.Pattern[str] = _WHOLE
) -> Reading | None:
    """The tokens of a test with a new one for each stretch that its lexer cannot read.

    A stretch is what matches `whole`, or other signs. None if the lexer reads all,
    fails at too many places or on more than two different texts, such as two brackets (no single
    edit would mend more), or if nobody knows where it fails.
    """
    if test.tokens is not None:
        return None
    try:
        with silenced():
            if isinstance(recognizer, TokenRuleKnowing):
                return _spliced(recognizer, test, whole)
            return _in_parts(recognizer, test, whole)
    except KeyboardInterrupt:
        raise
    except BaseException:  # the user's lexer: the results say how the parse of the test fared
        return None


@dataclass
class _Stretches:
    """The stretches of a text that the lexer cannot read, in order."""

    text: str
    whole: re.Pattern[str]
    found: list[tuple[int, int]] = field(default_factory=list)
    read: int = 0

    def add(self, failed: int) -> bool:
        """Take what begins at an offset for one; whether it is after those before it, and not too
        much has been read."""
        end = self.found[-1][1] if self.found else 0
        self.read += failed
        if self.read > MOST_READ or not end <= failed < len(self.text):
            return False
        whole = self.whole.match(self.text, failed)
        if whole is None and end == failed and self._ends_with_signs():
            self.found[-1] = self.found[-1][0], failed + 1
        else:
            self.found.append((failed, failed + 1 if whole is None else whole.end()))
        return True

    def _ends_with_signs(self) -> bool:
        return bool(self.found) and self.whole.match(self.text, self.found[-1][0]) is None

    def between(self, tokens: Iterable[tuple[int, int]]) -> Reading | None:
        """They and the tokens, which come with their offsets; None if they have too many texts."""
        texts = [self.text[start:end] for start, end in self.found]
        if not 0 < len(set(texts)) <= MOST_TEXTS:
            return None
        new = [(start, NEW_TOKEN) for start, _ in self.found]
        placed = sorted([*tokens, *new], key=lambda token: token[0])
        return Reading([terminal for _, terminal in placed], texts=texts)


def _spliced(
    recognizer: TokenRuleKnowing, test: TestCase, whole: re.Pattern[str]
) -> Reading | None:
    """By a lexer that goes on after a stretch in the state that it was in."""
    stretches = _Stretches(test.text, whole)
    for _ in range(MOST):
        splices = [Splice(start, end, None) for start, end in stretches.found]
        lexed = recognizer.lexing(test, splices)
        if lexed is None:
            return None
        if lexed.failed is None:
            return stretches.between((lexeme.start, lexeme.terminal) for lexeme in lexed.lexemes)
        if not stretches.add(lexed.failed):
            return None
    return None


def _in_parts(recognizer: Tokenizing, test: TestCase, whole: re.Pattern[str]) -> Reading | None:
    """By a lexer that begins anew after each stretch: its state is lost."""
    stretches, found, begin = _Stretches(test.text, whole), list[tuple[int, int]](), 0
    nothing = recognizer.tokens(replace(test, text=""))
    ends = len(nothing) if nothing is not None else 0  # the end of the input, if that is a token
    for _ in range(MOST):
        rest = test.text[begin:]
        tokens = recognizer.tokens(replace(test, text=rest))
        if tokens is not None:
            return stretches.between([*found, *((begin, token) for token in tokens)])
        failed = _failed(recognizer, replace(test, text=rest))
        if failed is None and stretches.found:  # the parser stops at once, as it begins in between
            failed = _first_unread(recognizer, replace(test, text=rest))
        if failed is None or not stretches.add(begin + failed):
            return None
        read = recognizer.tokens(replace(test, text=rest[:failed]))
        if read is None:
            return None
        found += [(begin, token) for token in read[: len(read) - ends]]
        begin = stretches.found[-1][1]
    return None


def _first_unread(recognizer: Tokenizing, test: TestCase) -> int | None:
    """The offset up to which the lexer reads a text, by trying parts of it from its beginning."""

    def fails(end: int) -> bool:
        return recognizer.tokens(replace(test, text=test.text[:end])) is None

    pieces = [match.span() for match in _PIECE.finditer(test.text)]
    place = bisect_left(pieces, True, key=lambda piece: fails(piece[1]))
    if place == len(pieces):
        return None
    start, end = pieces[place]
    return next((at for at in range(start, end) if fails(at + 1)), None)


def _failed(recognizer: Tokenizing, test: TestCase) -> int | None:
    """The offset where the lexer fails, if the parse comes to it."""
    trace = recognizer.trace(test) if isinstance(recognizer, Recognizer) else None
    error = getattr(trace, "error", None)
    if not isinstance(error, ParseError) or error.kind is not ErrorKind.LEXICAL:
        return None
    if error.line is None or error.column is None:
        return None
    return offset_of(test.text, error.line, error.column)
