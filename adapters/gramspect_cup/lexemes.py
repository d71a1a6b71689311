"""The lexemes of a CUP grammar.

Code between ``{:`` and ``:}`` is one lexeme. CUP skips characters that it does not know with a
warning, so they are lexemes here, for the parser to report and to skip.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from gramspect.adapter_api import GrammarError, SourceText

__all__ = ["Kind", "Lexeme", "scan"]


class Kind(Enum):
    """The kinds of lexemes. `SIGN` is one of ``; , . * : | [ ] < > ?`` and of ``::= %prec``."""

    NAME = auto()
    CODE = auto()
    SIGN = auto()
    STRAY = auto()
    END = auto()


class Lexeme(NamedTuple):
    """A stretch of the text, from `start` to `end`."""

    kind: Kind
    text: str
    start: int
    end: int


_LEXEME = re.compile(
    r"""
      (?P<space> \s+ | //[^\n]* | /\*.*?\*/ )
    | (?P<open> /\* | \{: )
    | (?P<name> [^\W\d][\w$]* | \$[\w$]* )
    | (?P<sign> ::= | %prec\b | %empty\b | [;,.*:|<>?\[\]] )
    | (?P<stray> . )
    """,
    re.VERBOSE | re.DOTALL,
)


def scan(source: SourceText) -> Iterator[Lexeme]:
    """The lexemes in order, the last one of the kind `Kind.END`.

    Raises:
        GrammarError: a comment or code does not end.
    """
    text, place = source.text, 0
    while place < len(text):
        match = _LEXEME.match(text, place)
        assert match is not None  # any character is at least a stray one
        start, place = match.span()
        if match["name"] is not None:
            yield Lexeme(Kind.NAME, match[0], start, place)
        elif match["sign"] is not None:
            yield Lexeme(Kind.SIGN, match[0], start, place)
        elif match["stray"] is not None:
            yield Lexeme(Kind.STRAY, match[0], start, place)
        elif match["open"] is not None:
            if match[0] == "/*":
                raise GrammarError(
                    "this comment does not end; close it with */", source.span(start, place)
                )
            end = text.find(":}", place)
            if end < 0:
                raise GrammarError(
                    "this code does not end; close it with :}", source.span(start, place)
                )
            place = end + len(":}")
            yield Lexeme(Kind.CODE, text[start:place], start, place)
    yield Lexeme(Kind.END, "", len(text), len(text))
