"""JavaCC's lexers, run over a text in which the caller says how some stretches are read.

The lexer sees the text end before a stretch, and goes on after it in the lexical state that it is
in. It runs without the parser, so what actions of the parser do to it is not done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from gramspect.adapter_api import LexedText, Lexeme, Splice
from gramspect_jvm import for_java

__all__ = ["SplicedLexer"]

_FAILED = -1
_ROW = 6


class SplicedLexer:
    """The lexer of one parser (``Lexing.java``); `terminals` are those of the core grammar by kind.

    `end` is the terminal that stands for the end of the input, if the grammar has it.
    """

    def __init__(
        self,
        run: Callable[[Sequence[str]], object],
        terminals: Mapping[int, int],
        end: int | None,
    ) -> None:
        self._run = run
        self._terminals = terminals
        self._end = end

    def lexed(self, text: str, splices: Sequence[Splice]) -> LexedText | None:
        """The tokens of a text up to where the lexer fails; None if it cannot be run, or if its
        tokens do not say where they stand."""
        starts = [0, *(splice.end for splice in splices)]
        ends = [*(splice.start for splice in splices), len(text)]
        stretches = [text[start:end] for start, end in zip(starts, ends, strict=True)]
        found = self._run([for_java(stretch) for stretch in stretches])
        if found is None:
            return None
        tab_size, *numbers = np.asarray(found).tolist()
        rows = np.array(numbers, dtype=np.int64).reshape(-1, _ROW).tolist()
        places = [_Places(stretch, tab_size) for stretch in stretches]
        lexemes: list[Lexeme] = []
        told = iter(splices)
        for number, start in enumerate(starts):
            for _, kind, *place in (row for row in rows if row[0] == number):
                span = places[number].span(*place)
                if span is None:
                    return None
                first, last = (start + offset for offset in span)
                if kind == _FAILED:
                    return LexedText(lexemes, first)
                lexemes.append(Lexeme(self._terminals.get(kind, -1), first, last))
            splice = next(told, None)
            if splice is not None and splice.terminal is not None:
                lexemes.append(Lexeme(splice.terminal, splice.start, splice.end))
        if self._end is not None:
            lexemes.append(Lexeme(self._end, len(text), len(text)))
        return LexedText(lexemes)


class _Places:
    """The offsets of lines and columns, both from 1, as JavaCC's ``SimpleCharStream`` counts them:
    with tabs, and with line ends of one character or two."""

    def __init__(self, text: str, tab_size: int) -> None:
        self._offsets: dict[tuple[int, int], int] = {}
        for offset, place in enumerate(_places(text, tab_size)):
            self._offsets.setdefault(place, offset)
        self._length = len(text)

    def span(
        self, line: int, column: int, end_line: int, end_column: int
    ) -> tuple[int, int] | None:
        """The offsets where a token begins, and after its last character."""
        start, last = self._offset(line, column), self._offset(end_line, end_column)
        if start is None or last is None:
            return None
        return start, max(start, last + 1)

    def _offset(self, line: int, column: int) -> int | None:
        known = self._offsets.get((line, column))
        if known is None and line == 1 and 0 <= column < self._length:
            return column  # a stream of the user's that has offsets for columns
        return known


def _places(text: str, tab_size: int) -> Iterator[tuple[int, int]]:
    line, column, before = 1, 0, ""
    for character in text:
        if before == "\n" or (before == "\r" and character != "\n"):
            line, column = line + 1, 0
        column += 1
        if character == "\t":
            column += tab_size - 1 - (column - 1) % tab_size
        yield line, column
        before = character
