r"""Quotes inside of quotes: ``"say \"no\""``, ``'it''s'``.

A rule of texts in quotes that knows nothing of them ends at the first quote that is inside. Where
that one comes after a backslash, or before another one, it is taken for a letter, and so are all
others of that kind: if the rule then reads on to the end of the quotes, escapes are what it lacks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gramspect.lexical.automaton import Automaton
from gramspect.lexical.nearness import Alignment, End, alignment

__all__ = ["BACKSLASH", "Escaped", "escaped", "masked"]

BACKSLASH = "\\"

_LETTERS = "xx"
"""What is put in the place of an escape."""


@dataclass(frozen=True)
class Escaped:
    """A token with escapes in it: `mark` is what comes before a quote inside.

    `alignment` is that of the text with letters for escapes, one of which is at `place`.
    """

    mark: str
    place: int
    alignment: Alignment
    end: End


def escaped(
    automaton: Automaton, text: str, start: int, stop: int, window: int
) -> Iterator[Escaped]:
    """The longer token that a rule would read from `start` on, where it stops at `stop`, if it knew
    what escapes are."""
    quote = text[stop - 1]
    if stop - start < 2 or quote.isalnum() or quote.isspace() or quote == BACKSLASH:
        return
    for mark in (BACKSLASH, quote):
        inner = text[start + 1 : start + window]
        places = (start + 1 + found.start() for found in _escape(mark).finditer(inner))
        place = next((n for n in places if n < stop <= n + len(_LETTERS)), None)
        if place is None:
            continue
        letters = masked(text[: start + window], mark, start)
        aligned = alignment(automaton, letters, start, 0, window)
        ends = [e for e in aligned.ends() if e.place > stop and letters[e.place - 1] == quote]
        if ends:
            yield Escaped(mark, place, aligned, min(ends, key=lambda end: end.place))
            return


def masked(text: str, mark: str, start: int = 0) -> str:
    """The text with letters for what a mark makes of the quotes after the first one."""
    return text[: start + 1] + _escape(mark).sub(_LETTERS, text[start + 1 :])


def _escape(mark: str) -> re.Pattern[str]:
    inside = "[^\n]" if mark == BACKSLASH else re.escape(mark)
    return re.compile(re.escape(mark) + inside)
