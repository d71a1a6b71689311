"""Sets of characters, as ranges of code points."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property

__all__ = ["EVERYTHING", "LAST", "CharSet", "category"]

LAST = 0x10FFFF
"""The last code point."""

MOST_FOLDED = 1000
"""In ranges larger than this only the letters of ASCII are folded."""

MOST_SIGNS = 12
"""Sets of more members than this are no list of signs."""

PRINTABLE = range(32, 127)
WIDE = 70
"""A set with this many of the 95 printable characters of ASCII says little about its members."""

_LETTERS_END = 0x32400
"""After this code point there are no letters, digits or blanks (Unicode 16)."""

Range = tuple[int, int]


@dataclass(frozen=True)
class CharSet:
    """The characters of some ranges (first and last code point), which ascend and do not touch."""

    ranges: tuple[Range, ...]

    @classmethod
    def of(cls, ranges: Iterable[Range]) -> CharSet:
        """The characters of any ranges."""
        merged: list[Range] = []
        for first, last in sorted(ranges):
            if merged and first <= merged[-1][1] + 1:
                merged[-1] = merged[-1][0], max(last, merged[-1][1])
            else:
                merged.append((first, last))
        return cls(tuple(merged))

    @classmethod
    def single(cls, character: str) -> CharSet:
        """One character."""
        return cls(((ord(character), ord(character)),))

    @cached_property
    def _firsts(self) -> list[int]:
        return [first for first, _ in self.ranges]

    def __contains__(self, character: str) -> bool:
        code = ord(character)
        place = bisect_right(self._firsts, code) - 1
        return place >= 0 and code <= self.ranges[place][1]

    def __or__(self, other: CharSet) -> CharSet:
        return CharSet.of((*self.ranges, *other.ranges))

    @cached_property
    def size(self) -> int:
        """How many characters it holds."""
        return sum(last - first + 1 for first, last in self.ranges)

    @cached_property
    def is_wide(self) -> bool:
        """Whether it holds nearly everything: that it holds a character says little."""
        return sum(chr(code) in self for code in PRINTABLE) >= WIDE

    @cached_property
    def signs(self) -> tuple[str, ...]:
        """The members, if it is a short list of signs, such as operators; else none."""
        if self.size > MOST_SIGNS:
            return ()
        found = tuple(chr(code) for first, last in self.ranges for code in range(first, last + 1))
        return found if all(one.isprintable() and not one.isalnum() for one in found) else ()

    def complement(self) -> CharSet:
        """All other characters."""
        found, begin = [], 0
        for first, last in self.ranges:
            if begin < first:
                found.append((begin, first - 1))
            begin = last + 1
        if begin <= LAST:
            found.append((begin, LAST))
        return CharSet(tuple(found))

    def folded(self) -> CharSet:
        """The same in both cases. In large sets only the letters of ASCII are looked at."""
        found = list(self.ranges)
        for first, last in self.ranges:
            ascii_part = range(max(first, 65), min(last, 122) + 1)
            codes = range(first, last + 1) if last - first < MOST_FOLDED else ascii_part
            for code in codes:
                cased = (chr(code).lower(), chr(code).upper())
                found.extend((ord(other), ord(other)) for other in cased if len(other) == 1)
        return CharSet.of(found)


EVERYTHING = CharSet(((0, LAST),))


@cache
def category(letter: str) -> CharSet:
    r"""The characters that ``\d``, ``\s`` or ``\w`` of Python's regular expressions stand for."""
    text = "".join(map(chr, range(_LETTERS_END)))
    runs = re.finditer(rf"\{letter}+", text)
    return CharSet(tuple((run.start(), run.end() - 1) for run in runs))
