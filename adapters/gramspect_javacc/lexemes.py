"""The words of a JavaCC grammar file: those of Java, as far as blocks need them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from gramspect.adapter_api import GrammarError, SourceText, Span

__all__ = ["Lexeme", "Lexemes", "split"]

_LEXEME = re.compile(
    r"""
      (?P<skip> \s+ | //[^\n\r]* | /\*.*?\*/ )
    | (?P<string> "(?:[^"\\\n\r]|\\.)*" )
    | (?P<char> '(?:[^'\\\n\r]|\\.)+' )
    | (?P<word> [^\W\d][\w$]* | \$[\w$]* )
    | (?P<number> \d[\w.]* )
    | (?P<mark> . )
    """,
    re.VERBOSE | re.DOTALL,
)

CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A word, a literal with its quotes, a number or a single mark, with its offsets."""

    kind: str
    text: str
    start: int
    end: int


def split(text: str) -> tuple[Lexeme, ...]:
    """The lexemes of a text, white space and comments left out, one of kind ``end`` last."""
    found = [
        Lexeme(match.lastgroup or "", match[0], match.start(), match.end())
        for match in _LEXEME.finditer(text)
        if match.lastgroup != "skip"
    ]
    return (*found, Lexeme("end", "", len(text), len(text)))


class Lexemes:
    """Reads lexemes one after the other."""

    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._lexemes = split(source.text)
        self.at = 0

    @property
    def next(self) -> Lexeme:
        return self._lexemes[self.at]

    def ahead(self, count: int) -> Lexeme:
        """The lexeme so many after the next one."""
        return self._lexemes[min(self.at + count, len(self._lexemes) - 1)]

    def sees(self, *texts: str) -> bool:
        """Whether the next lexemes are these."""
        return all(self.ahead(i).text == text for i, text in enumerate(texts))

    def take(self) -> Lexeme:
        """The next lexeme, which is passed."""
        lexeme = self.next
        if lexeme.kind != "end":
            self.at += 1
        return lexeme

    def accept(self, text: str) -> Lexeme | None:
        """The next lexeme if it is this, which is passed then."""
        return self.take() if self.next.text == text else None

    def expect(self, text: str) -> Lexeme:
        """The next lexeme, which must be this.

        Raises:
            GrammarError: it is not.
        """
        if self.next.text != text:
            raise self.error(f"expected {text!r}")
        return self.take()

    def word(self, what: str) -> Lexeme:
        """The next lexeme, which must be an identifier.

        Raises:
            GrammarError: it is not.
        """
        if self.next.kind != "word":
            raise self.error(f"expected {what}")
        return self.take()

    def skip_block(self) -> Lexeme:
        """Pass a bracket and everything up to the one that closes it, which is returned.

        Raises:
            GrammarError: it is not closed.
        """
        opening = self.take()
        expected = [CLOSING[opening.text]]
        while expected:
            lexeme = self.take()
            if lexeme.kind == "end":
                raise GrammarError(f"{opening.text!r} is not closed", self.span(opening))
            if lexeme.kind == "mark":
                if lexeme.text == expected[-1]:
                    expected.pop()
                elif lexeme.text in CLOSING:
                    expected.append(CLOSING[lexeme.text])
        return self._lexemes[self.at - 1]

    def error(self, message: str) -> GrammarError:
        """An error at the next lexeme."""
        found = "the end of the file" if self.next.kind == "end" else repr(self.next.text)
        return GrammarError(f"{message}, found {found}", self.span(self.next))

    def span(self, first: Lexeme, last: Lexeme | None = None) -> Span:
        """The place from one lexeme to another."""
        return self._source.span(first.start, (last or first).end)

    def index_at(self, line: int, column: int) -> int:
        """The first lexeme that does not start before a place; lines and columns from 1."""
        places: Sequence[tuple[int, int]] = [
            self._source.position(lexeme.start) for lexeme in self._lexemes
        ]
        return bisect_left(places, (line, column))
