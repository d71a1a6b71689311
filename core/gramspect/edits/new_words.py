"""Texts with tokens that the lexer does not have, as a lexer that had them would read them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from gramspect.edits.model import NEW_TOKEN
from gramspect.lexical.rules import LexedText, Splice
from gramspect.recognition.recognizer import TokenRuleKnowing
from gramspect.running.observing import silenced
from gramspect.suites.suite import TestCase

__all__ = ["lexing_of", "read_with"]


def read_with(recognizer: object, test: TestCase, words: Iterable[str]) -> list[int] | None:
    """The tokens of a test, with `NEW_TOKEN` wherever one of the words stands.

    Where a word is a part of what the lexer reads as one token it does not stand. None if the lexer
    cannot read the rest, or cannot be asked.
    """
    lexed, places = lexing_of(recognizer, test), list[Splice]()
    for start, end in (match.span() for match in _any_of(words).finditer(test.text)):
        if lexed is not None and not _is_part(start, end, lexed):
            places.append(Splice(start, end, None))
            lexed = lexing_of(recognizer, test, places)
    if lexed is None or lexed.failed is not None:
        return None
    known = [(lexeme.start, lexeme.terminal) for lexeme in lexed.lexemes]
    new = [(place.start, NEW_TOKEN) for place in places]
    return [terminal for _, terminal in sorted([*known, *new], key=lambda token: token[0])]


def lexing_of(
    recognizer: object, test: TestCase, splices: Sequence[Splice] = ()
) -> LexedText | None:
    """The tokens of a test with their places; None if nobody knows them."""
    if test.tokens is not None or not isinstance(recognizer, TokenRuleKnowing):
        return None
    try:
        with silenced():
            return recognizer.lexing(test, splices)
    except KeyboardInterrupt:
        raise
    except BaseException:  # the user's lexer: the results say how the parse of the test fared
        return None


def _is_part(start: int, end: int, lexed: LexedText) -> bool:
    """Whether a stretch is a part of one token."""
    return any(
        one.start <= start and end <= one.end and (one.start, one.end) != (start, end)
        for one in lexed.lexemes
    )


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    """A pattern of the words, the longest first; of letters they are whole words."""
    longest = sorted(set(words), key=len, reverse=True)
    return re.compile("|".join(map(_bounded, longest)))


def _bounded(word: str) -> str:
    before = r"(?<!\w)" if re.match(r"\w", word) else ""
    after = r"(?!\w)" if re.search(r"\w\Z", word) else ""
    return f"{before}{re.escape(word)}{after}"
