"""The words of Lark's grammar language, with their places.

Comments, blanks and line continuations are left out. Line ends are kept as one word each run: they
end a statement, unless a ``|`` follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from gramspect.adapter_api import GrammarError, SourceText, Span

__all__ = ["Kind", "Word", "words"]


class Kind(StrEnum):
    """What a word is."""

    RULE = "rule name"
    TERMINAL = "terminal name"
    STRING = "string"
    REGEXP = "regular expression"
    NUMBER = "number"
    STATEMENT = "statement"
    MARK = "mark"
    LINE_END = "end of line"
    END = "end of the grammar"


@dataclass(frozen=True, slots=True)
class Word:
    """A word, what it is, and where it stands; `start` is the offset in its text."""

    kind: Kind
    text: str
    span: Span
    start: int


_SKIPPED = re.compile(r"(?:[ \t\f]+|\\[ ]*\r?\n|//[^\n]*|\#[^\n]*)+")
_WORD = re.compile(
    r"""
    (?P<LINE_END> (?:\r?\n | \r)+ )
  | (?P<STRING>   " (?: \\" | \\\\ | [^"\n] )*? " i? )
  | (?P<REGEXP>   / (?!/) (?: \\/ | \\\\ | [^/] )*? / [imslux]* )
  | (?P<STATEMENT> % [a-z]+ )
  | (?P<RULE>     _? [a-z] [_a-z0-9]* )
  | (?P<TERMINAL> _? [A-Z] [_A-Z0-9]* )
  | (?P<NUMBER>   [+-]? \d+ )
  | (?P<MARK>     -> | \.\. | [|()\[\]{}:,.~!?*+] )
    """,
    re.VERBOSE,
)


def words(source: SourceText, start: int = 0, end: int | None = None) -> Iterator[Word]:
    """The words of a stretch of a text, and one for its end.

    Raises:
        GrammarError: something that Lark would not read either.
    """
    text, place = source.text, start
    last = len(text) if end is None else end
    while True:
        skipped = _SKIPPED.match(text, place, last)
        if skipped:
            place = skipped.end()
        if place >= last:
            break
        found = _WORD.match(text, place, last)
        if found is None or found.lastgroup is None:
            span = source.span(place, place + 1)
            raise GrammarError(f"unexpected character {text[place]!r} in a Lark grammar", span)
        yield Word(Kind[found.lastgroup], found[0], source.span(*found.span()), place)
        place = found.end()
    yield Word(Kind.END, "", source.span(last, last), last)
