"""Signs that the lexer has cut: a new operator, read as one new token.

Where a language has got ``**=``, a lexer that does not know it reads ``*`` and ``*=``. No edit with
those two tokens says what is missing; one with a new token in their place does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from gramspect.edits.model import NEW_TOKEN
from gramspect.lexical.rules import Lexeme
from gramspect.recognition.recognizer import TokenRuleKnowing
from gramspect.running.observing import silenced
from gramspect.suites.suite import TestCase

__all__ = ["MERGED", "Merged", "with_merged_signs"]

MERGED = 0.25
"""What it costs more than a new token for text that the lexer cannot read at all."""
MOST = 3
"""Tokens that are read as one, at most."""
_SIGNS = re.compile(r"[^\w\s()\[\]{}<>;,'\"]+|[<>]")
"""Quotes are no operators, and brackets are written side by side anyway."""


class Merged(NamedTuple):
    """The tokens of an input with a new one in the place of signs, and the text of that."""

    tokens: Sequence[int]
    text: str


def with_merged_signs(
    recognizer: object, test: TestCase, tokens: Sequence[int], error: int
) -> Merged | None:
    """The tokens with the signs around token number `error` as one new token.

    None if there are no two or three of them without a blank between, or if it is not known where
    the tokens are in the text.
    """
    if not isinstance(recognizer, TokenRuleKnowing) or error >= len(tokens):
        return None
    with silenced():
        lexing = recognizer.lexing(test)
    if lexing is None:
        return None
    lexemes = lexing.lexemes
    same = [lexeme.terminal for lexeme in lexemes[: error + MOST]] == list(tokens[: error + MOST])
    if not same or error >= len(lexemes):
        return None
    first = last = error
    while first > 0 and _touch(test.text, lexemes[first - 1], lexemes[first]):
        first -= 1
    while last + 1 < len(lexemes) and _touch(test.text, lexemes[last], lexemes[last + 1]):
        last += 1
    if not 1 <= last - first < MOST:
        return None
    text = test.text[lexemes[first].start : lexemes[last].end]
    return Merged([*tokens[:first], NEW_TOKEN, *tokens[last + 1 :]], text)


def _touch(text: str, one: Lexeme, other: Lexeme) -> bool:
    """Whether two tokens are signs with nothing between."""
    parts = (text[lexeme.start : lexeme.end] for lexeme in (one, other))
    return one.end == other.start and all(_SIGNS.fullmatch(part) for part in parts)
