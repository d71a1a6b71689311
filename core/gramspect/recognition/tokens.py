"""Token sequences: tests for parsers that come without a lexer.

The text of such a test is split at white space and every word names a terminal: by its name, by
an alias, or, for a literal token, by itself without quotes. Positions are found only when they are
asked for, so that a test of many megabytes costs one pass over its words.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice

from gramspect.grammars.grammar import Grammar
from gramspect.recognition.trace import ErrorKind, ParseError
from gramspect.source import SourceText
from gramspect.suites.suite import TestCase

__all__ = ["UNKNOWN", "TokenSequence", "sequence_of", "split_tokens"]

UNKNOWN = -1
"""Stands for a word that names no terminal."""

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, eq=False)
class TokenSequence:
    """The words of a test and the terminals they name.

    `terminals` is an array of C ints (type code ``i``), `UNKNOWN` for words that name none.
    `text` is None for sequences that never were text; those have no positions.
    """

    grammar: Grammar
    text: str | None
    words: Sequence[str]
    terminals: array[int]

    def __len__(self) -> int:
        return len(self.terminals)

    def position(self, token: int) -> tuple[int | None, int | None]:
        """Line and column, from 1, of a token; of the place after the last one for the end."""
        if self.text is None:
            return None, None
        index = min(token, len(self.words) - 1)
        match = next(islice(_WORD.finditer(self.text), index, None), None) if index >= 0 else None
        if match is None:
            return 1, 1
        offset = match.start() if token == index else match.end()
        return SourceText("", self.text).position(offset)

    def error(self, token: int) -> ParseError:
        """The error of a parser that cannot go on at `token` (their number: at the end).

        It is a lexical error if the word there names no terminal.
        """
        line, column = self.position(token)
        if token >= len(self.terminals):
            return ParseError(token, "unexpected end of input", line, column)
        word = _shown(self.words[token])
        if self.terminals[token] == UNKNOWN:
            message = f"unknown token {word}{self._suggestion(self.words[token])}"
            return ParseError(token, message, line, column, ErrorKind.LEXICAL)
        return ParseError(token, f"unexpected {word}", line, column)

    def _suggestion(self, word: str) -> str:
        known = [text for s in self.grammar.terminals for text in (s.name, *s.spellings)]
        near = get_close_matches(word[:80], known, n=1)
        return f" (did you mean {near[0]!r}?)" if near else ""


def split_tokens(grammar: Grammar, test: str | Sequence[str]) -> TokenSequence:
    """The token sequence of a text, split at white space, or of a sequence of token names."""
    text, words = (test, test.split()) if isinstance(test, str) else (None, test)
    numbers = {
        word: UNKNOWN if (terminal := grammar.token(word)) is None else terminal
        for word in set(words)
    }
    return TokenSequence(grammar, text, words, array("i", map(numbers.__getitem__, words)))


def sequence_of(grammar: Grammar, test: TestCase) -> TokenSequence:
    """The token sequence of a test: its tokens, if it has been made of some, else its words."""
    return split_tokens(grammar, test.text if test.tokens is None else test.tokens)


def _shown(word: str, limit: int = 40) -> str:
    return repr(word if len(word) <= limit else word[: limit - 3] + "...")
