"""JavaCC's lexers, run over a text in which the caller says how some stretches are read.

They run without the parser, so what actions of the parser do to them is not done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from gramspect.adapter_api import LexedText, Splice
from gramspect_jvm import for_java
from gramspect_jvm.splicing import Read, read_spliced

__all__ = ["SplicedLexer"]

_FAILED = -1
_ROW = 6
_TAB_SIZES = (1, 8, 4)
"""Of JavaCC 7, of earlier ones, and what users set."""


class SplicedLexer:
    """The lexer of one parser (``Lexing.java``); `terminals` are those of the core grammar by kind.

    `end` is the terminal that stands for the end of the input, if the grammar has it.
    """

    def __init__(
        self,
        run: Callable[[Sequence[str]], Any],
        terminals: Mapping[int, int],
        end: int | None,
    ) -> None:
        self._run = run
        self._terminals = terminals
        self._end = end

    def lexed(self, text: str, splices: Sequence[Splice]) -> LexedText | None:
        """The tokens of a text up to where the lexer fails; None if it cannot be run, or if its
        tokens do not say where they stand."""
        return read_spliced(text, splices, self._read, self._end)

    def _read(self, stretches: Sequence[str]) -> list[Read] | None:
        found = self._run([for_java(stretch) for stretch in stretches])
        if found is None:
            return None
        rows = np.asarray(found.numbers()).reshape(-1, _ROW).tolist()
        spans = _spans(stretches, rows, [str(image) for image in found.images()])
        if spans is None:
            return None
        return [
            Read(number, None if kind == _FAILED else self._terminals.get(kind, -1), *span)
            for (number, kind, *_), span in zip(rows, spans, strict=True)
        ]


def _spans(
    stretches: Sequence[str], rows: Sequence[Sequence[int]], images: Sequence[str]
) -> list[tuple[int, int]] | None:
    """Where tokens stand in their stretches, from lines and columns.

    Streams count them in several ways; it is the one by which most tokens have the text that the
    lexer says they have. Its code may have changed the text of some. None if hardly any has.
    """
    best: tuple[int, list[tuple[int, int]]] = 0, []
    counted: list[Callable[[str], Where]] = [partial(_in_columns, tab_size=s) for s in _TAB_SIZES]
    for place in (*counted, _in_offsets):
        known = [place(stretch) for stretch in stretches]
        spans = [known[number](*where) for number, _, *where in rows]
        if None in spans:
            continue
        whole = [span for span in spans if span is not None]
        texts = [stretches[row[0]][slice(*span)] for row, span in zip(rows, whole, strict=True)]
        same = sum(text == image for text, image in zip(texts, images, strict=False))
        if same == len(images):
            return whole
        best = max(best, (same, whole))
    return best[1] if 2 * best[0] > len(images) else None


Where = Callable[[int, int, int, int], "tuple[int, int] | None"]
"""Where a token stands, by the line and column of its first and of its last character."""


def _in_columns(text: str, *, tab_size: int) -> Where:
    """As JavaCC's ``SimpleCharStream`` counts: from 1, with tabs, and with line ends of one
    character or two."""
    offsets: dict[tuple[int, int], int] = {}
    for offset, place in enumerate(_places(text, tab_size)):
        offsets.setdefault(place, offset)

    def span(line: int, column: int, end_line: int, end_column: int) -> tuple[int, int] | None:
        start, last = offsets.get((line, column)), offsets.get((end_line, end_column))
        return None if start is None or last is None else (start, max(start, last + 1))

    return span


def _in_offsets(text: str) -> Where:
    """As streams of users do that have one line, and offsets for columns: up to after the end."""

    def span(line: int, column: int, end_line: int, end_column: int) -> tuple[int, int] | None:
        known = line == end_line == 1 and 0 <= column <= end_column <= len(text)
        return (column, end_column) if known else None

    return span


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
