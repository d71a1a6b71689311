"""Where tokens are in a text, told from the two numbers that CUP's symbols carry.

What `left` and `right` mean is up to the scanner: line and column, counted from 0 or from 1, or the
offsets of the first character and of the end. So the tokens vote: the reading wins under which most
tokens stand where a word begins, each after the one before. Symbols of CUP's complex factory say
line and column, but not what they count from. Scanners that gramspect has had generated tell the
offsets themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from gramspect.adapter_api import SourceText
from gramspect_jvm.offsets import from_utf16

__all__ = ["TokenPlaces"]

OFFSETS = 2
"""What is known of a token, if it is the offsets of its first character and of its end."""

Reading = Callable[[int, int], int | None]
"""The offset that two numbers stand for, None if there is none."""


class TokenPlaces:
    """The places of tokens in a text.

    `tokens` are rows as in `gramspect_cup.outcomes.Rejection`.
    """

    def __init__(self, text: str, tokens: Sequence[Sequence[int]]) -> None:
        self._source = SourceText("", text)
        self._tokens = tokens

    def place(self, token: int) -> tuple[int | None, int | None]:
        """Line and column, from 1, of a token; nothing if they are not known."""
        if token >= len(self._tokens) or self._reading is None:
            return None, None
        offset = self._reading(*self._tokens[token][2:])
        return (None, None) if offset is None else self._source.position(offset)

    def end(self) -> tuple[int, int]:
        """Line and column of the end of the text."""
        return self._source.position(len(self._source.text.rstrip()))

    @cached_property
    def _reading(self) -> Reading | None:
        """The reading with the most votes; a unanimous one is taken at once."""
        if any(known == OFFSETS for _, known, _, _ in self._tokens):
            from_java = from_utf16(self._source.text)
            return lambda left, _right: from_java(left)
        best, chosen = 0, None
        for reading in self._readings():
            votes = self._votes(reading)
            if votes > best:
                best, chosen = votes, reading
            if votes == len(self._tokens):
                break
        return chosen

    def _readings(self) -> Iterator[Reading]:
        """All readings, the most usual ones first."""
        yield self._line_and_column(0, 0)
        yield self._line_and_column(1, 1)
        if not any(known for _, known, _, _ in self._tokens):
            yield self._offset
        yield self._line_and_column(1, 0)
        yield self._line_and_column(0, 1)

    def _offset(self, left: int, _right: int) -> int | None:
        return left if 0 <= left < len(self._source.text) else None

    def _line_and_column(self, first_line: int, first_column: int) -> Reading:
        starts = [0]
        starts += (i + 1 for i, char in enumerate(self._source.text) if char == "\n")
        starts.append(len(self._source.text) + 1)

        def offset(line: int, column: int) -> int | None:
            line, column = line - first_line, column - first_column
            if not 0 <= line < len(starts) - 1 or column < 0:
                return None
            found = starts[line] + column
            return found if found < starts[line + 1] - 1 else None

        return offset

    def _votes(self, reading: Reading) -> int:
        """How many tokens stand where a word begins, after the one before."""
        votes, last = 0, -1
        for _, _, left, right in self._tokens:
            offset = reading(left, right)
            if offset is not None and offset > last:
                votes += self._begins_word(offset)
                last = offset
        return votes

    def _begins_word(self, offset: int) -> bool:
        text = self._source.text
        inside = offset > 0 and text[offset - 1].isalnum() and text[offset].isalnum()
        return not inside and not text[offset].isspace()
