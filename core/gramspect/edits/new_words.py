"""Texts with tokens that the lexer does not have, as a lexer that had them would read them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gramspect.edits.model import NEW_TOKEN
from gramspect.lexical.rules import Splice
from gramspect.recognition.recognizer import TokenRuleKnowing
from gramspect.running.observing import silenced
from gramspect.suites.suite import TestCase

__all__ = ["read_with"]


def read_with(recognizer: object, test: TestCase, words: Iterable[str]) -> list[int] | None:
    """The tokens of a test, with `NEW_TOKEN` wherever one of the words stands.

    None if the lexer cannot read the rest, or cannot be asked.
    """
    if test.tokens is not None or not isinstance(recognizer, TokenRuleKnowing):
        return None
    places = [match.span() for match in _any_of(words).finditer(test.text)]
    try:
        with silenced():
            lexed = recognizer.lexing(test, [Splice(start, end, None) for start, end in places])
    except KeyboardInterrupt:
        raise
    except BaseException:  # the user's lexer: the results say how the parse of the test fared
        return None
    if lexed is None or lexed.failed is not None:
        return None
    known = [(lexeme.start, lexeme.terminal) for lexeme in lexed.lexemes]
    new = [(start, NEW_TOKEN) for start, _ in places]
    return [terminal for _, terminal in sorted([*known, *new], key=lambda token: token[0])]


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    """A pattern of the words, the longest first; of letters they are whole words."""
    longest = sorted(set(words), key=len, reverse=True)
    return re.compile("|".join(map(_bounded, longest)))


def _bounded(word: str) -> str:
    before = r"(?<!\w)" if re.match(r"\w", word) else ""
    after = r"(?!\w)" if re.search(r"\w\Z", word) else ""
    return f"{before}{re.escape(word)}{after}"
