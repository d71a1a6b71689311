"""Lines, words and numbers as all reports write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["WIDTH", "Line", "Piece", "counted", "elided", "plain", "printable", "unstyled"]

WIDTH = 100
"""Columns of a text report."""


class Piece(NamedTuple):
    """A stretch of a line and its style, in rich's notation."""

    text: str
    style: str = ""


Line = Sequence[Piece]


def plain(lines: Sequence[Line]) -> str:
    """The lines as text without styles."""
    return "".join("".join(piece.text for piece in line).rstrip() + "\n" for line in lines)


def unstyled(lines: Sequence[Line]) -> str:
    """The same with blanks at the ends of lines as they are."""
    return "".join("".join(piece.text for piece in line) + "\n" for line in lines)


def printable(text: str) -> str:
    """The text on one line, with everything that would not show as itself escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def elided(
    words: Sequence[str], place: int | None, width: int, gap: str = "..."
) -> tuple[list[str], int | None]:
    """The words of a rule that fit into `width` columns, and where `place` is among them.

    The left-hand side, the arrow and the words around `place` (else the first ones) stay, a gap
    stands for what is left out.
    """
    if len(" ".join(words)) <= width:
        return list(words), place
    low = high = 2 if place is None else max(place, 2)  # words[low:high] is what is kept
    room = width - len(" ".join(words[:2])) - 2 * (len(gap) + 1)
    grown = True
    while grown:
        grown = False
        if high < len(words) and len(words[high]) < room:
            room -= len(words[high]) + 1
            high, grown = high + 1, True
        if low > 2 and len(words[low - 1]) < room:
            room -= len(words[low - 1]) + 1
            low, grown = low - 1, True
    high = max(high, low + 1)
    head = [*words[:2], gap] if low > 2 else list(words[:2])
    tail = [gap] if high < len(words) else []
    kept = [*head, *words[low:high], *tail]
    return kept, None if place is None else len(head) + place - low


def counted(number: int, noun: str) -> str:
    """``1 test``, ``2 tests``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
