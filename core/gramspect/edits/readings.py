"""Other tokens that the text of a failing test may be meant as.

An edit changes what the lexer makes of a text, so the tokens of the faulty grammar may be those
that no good edit accepts:

* **Signs that the lexer has cut.** Where a language has got ``**=``, a lexer that does not know it
  reads ``*`` and ``*=``. No edit with those two says what is missing; one with a new token does.
* **Keywords that it has read as names.** A lexer that asks the parser what may come next (Lark's
  contextual and dynamic ones) reads ``and`` as a name where no ``and`` may stand. The parser goes
  on, and stops at a token that is none of the trouble. In the mended grammar it is a keyword.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from gramspect.edits.model import NEW_TOKEN, Edit
from gramspect.lexical.rules import Lexeme
from gramspect.recognition.recognizer import ContextualLexing, TokenRuleKnowing
from gramspect.running.observing import silenced
from gramspect.suites.suite import TestCase

__all__ = ["OTHERWISE", "Reading", "other_readings"]

OTHERWISE = 0.25
"""What an edit costs more if the text must be read otherwise: more than a new token for text that
the lexer cannot read at all."""
MOST_MERGED = 3
"""Tokens that are read as one, at most."""
FURTHEST = 3
"""How many tokens before the error may be keywords."""
MOST_KEYWORDS = 2
"""How many readings with a keyword there are."""
_SIGNS = re.compile(r"[^\w\s()\[\]{}<>;,'\"]+|[<>]")
"""Quotes are no operators, and brackets are written side by side anyway."""


class Reading(NamedTuple):
    """The tokens of an input, and the text of a new one among them, if there is one."""

    tokens: Sequence[int]
    text: str = ""

    def suits(self, edit: Edit) -> bool:
        """Whether an edit can be meant that fits these tokens: it has the new one, if any."""
        return not self.text or NEW_TOKEN in edit.symbols


def other_readings(
    recognizer: object, test: TestCase, tokens: Sequence[int], error: int
) -> Iterator[Reading]:
    """What the text of a test may be read as, which the parser rejects at token number `error`.

    Nothing if it is not known where the tokens are in the text.
    """
    lexemes = _lexemes(recognizer, test, tokens, error + MOST_MERGED)
    if error < len(lexemes):
        yield from _merged(test.text, lexemes, tokens, error)
    if lexemes and isinstance(recognizer, ContextualLexing):
        found = _with_keywords(recognizer, test.text, lexemes, tokens, error)
        yield from islice(found, MOST_KEYWORDS)


def _lexemes(
    recognizer: object, test: TestCase, tokens: Sequence[int], end: int
) -> Sequence[Lexeme]:
    """Where the tokens are in the text, if that is known of those before number `end`."""
    if not isinstance(recognizer, TokenRuleKnowing):
        return ()
    with silenced():
        lexing = recognizer.lexing(test)
    if lexing is None:
        return ()
    same = [lexeme.terminal for lexeme in lexing.lexemes[:end]] == list(tokens[:end])
    return lexing.lexemes if same else ()


def _merged(
    text: str, lexemes: Sequence[Lexeme], tokens: Sequence[int], error: int
) -> Iterator[Reading]:
    """With the two or three signs around the error, without a blank between, as a new token."""
    first = last = error
    while first > 0 and _touch(text, lexemes[first - 1], lexemes[first]):
        first -= 1
    while last + 1 < len(lexemes) and _touch(text, lexemes[last], lexemes[last + 1]):
        last += 1
    if 1 <= last - first < MOST_MERGED:
        merged = text[lexemes[first].start : lexemes[last].end]
        yield Reading([*tokens[:first], NEW_TOKEN, *tokens[last + 1 :]], merged)


def _touch(text: str, one: Lexeme, other: Lexeme) -> bool:
    """Whether two tokens are signs with nothing between."""
    parts = (text[lexeme.start : lexeme.end] for lexeme in (one, other))
    return one.end == other.start and all(_SIGNS.fullmatch(part) for part in parts)


def _with_keywords(
    recognizer: ContextualLexing,
    text: str,
    lexemes: Sequence[Lexeme],
    tokens: Sequence[int],
    error: int,
) -> Iterator[Reading]:
    """With one token before the error as a keyword, those nearest to it first."""
    for place in range(min(error, len(lexemes)) - 1, max(error - FURTHEST, 0) - 1, -1):
        word = text[lexemes[place].start : lexemes[place].end]
        for keyword in recognizer.keywords(word):
            if keyword != tokens[place]:
                yield Reading([*tokens[:place], keyword, *tokens[place + 1 :]])
