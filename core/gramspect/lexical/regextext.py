"""Python's regular expressions as patterns, which keep the places that `re` forgets."""

from __future__ import annotations

import re
from collections.abc import Callable

from gramspect.lexical.automaton import Automaton
from gramspect.lexical.characters import CharSet
from gramspect.lexical.parts import Blank, Choice, Leaf, Part, Repeat, Row, Style
from gramspect.lexical.regular import add_regex
from gramspect.source import Span

__all__ = ["read_regex"]

_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_ESCAPE = re.compile(
    r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[pPN]\{[^}]*\}|0[0-7]{0,2}|.)",
    re.DOTALL,
)
_QUANTIFIER = re.compile(r"(?:[*+?]|\{(\d*)(,?)(\d*)\})([?+]?)")
_FLAGS = re.compile(r"\(\?[aiLmsux]+\)")
_OPENING = re.compile(r"\((?:\?P<\w+>|\?[aiLmsux-]*:|\?>|\?[=!]|\?<[=!])?")
_COMMENT = re.compile(r"\(\?#[^)]*\)")
_BETWEEN = re.compile(r"(?:\s|#[^\n]*)+")
_NOTHING_READ = ("\\b", "\\B", "\\A", "\\Z")


class _Unreadable(Exception):
    """An expression that this reader does not know."""


def read_regex(text: str, flags: int, place: Callable[[int, int], Span]) -> Part | None:
    """An expression as a pattern; None if it is written in a way that is not known here.

    `place` gives the span of ``text[start:end]``.
    """
    try:
        return _Reader(text, flags, place).whole()
    except (_Unreadable, re.error, OverflowError):
        return None


class _Reader:
    """Recursive descent over the characters."""

    def __init__(self, text: str, flags: int, place: Callable[[int, int], Span]) -> None:
        self._text = text
        self._flags = flags
        self._place = place
        self._next = 0

    @property
    def _style(self) -> Style:
        return Style.VERBOSE if self._flags & re.VERBOSE else Style.REGEX

    def whole(self) -> Part:
        while (found := _FLAGS.match(self._text, self._next)) is not None:
            for letter in found[0][2:-1]:
                self._flags |= re.RegexFlag[letter.upper()]
            self._next = found.end()
        part = self._choice()
        if self._next < len(self._text):
            raise _Unreadable
        return part

    def _choice(self) -> Part:
        start = self._next
        rows = [self._row()]
        while self._text.startswith("|", self._next):
            self._next += 1
            rows.append(self._row())
        span = self._place(start, self._next)
        return rows[0] if len(rows) == 1 else Choice(span, self._style, tuple(rows))

    def _row(self) -> Row:
        start = end = self._next
        parts: list[Part] = []
        while self._next < len(self._text) and self._text[self._next] not in "|)":
            if self._skipped():
                continue
            begin = self._next
            part = self._atom()
            parts.append(self._quantified(part, begin))
            end = self._next
        return Row(self._place(start, end), self._style, tuple(parts))

    def _skipped(self) -> bool:
        """Whether there was something between, in a verbose expression, or a comment."""
        verbose = self._flags & re.VERBOSE
        found = _COMMENT.match(self._text, self._next)
        if found is None and verbose:
            found = _BETWEEN.match(self._text, self._next)
        if found is None:
            return False
        self._next = found.end()
        return True

    def _atom(self) -> Part:
        character = self._text[self._next]
        if character == "(":
            return self._group()
        found = {"[": _CLASS, "\\": _ESCAPE}.get(character, _ANY).match(self._text, self._next)
        if found is None:
            raise _Unreadable
        self._next = found.end()
        span = self._place(*found.span())
        if found[0] in _NOTHING_READ or found[0] in "^$":
            return Blank(span, self._style)
        if character == "\\" and found[0][1] in "123456789":
            raise _Unreadable
        return Leaf(span, self._style, found[0], _characters(found[0], self._flags))

    def _group(self) -> Part:
        found = _OPENING.match(self._text, self._next)
        assert found is not None
        start, self._next = self._next, found.end()
        outside = self._flags
        if found[0].endswith(":"):
            added, _, removed = found[0][2:-1].partition("-")
            for letter in added:
                self._flags |= re.RegexFlag[letter.upper()]
            for letter in removed:
                self._flags &= ~re.RegexFlag[letter.upper()]
        elif self._text.startswith("?", self._next):
            raise _Unreadable
        body = self._choice()
        self._flags = outside
        if not self._text.startswith(")", self._next):
            raise _Unreadable
        self._next += 1
        span = self._place(start, self._next)
        if found[0][-1] in "=!":
            return Blank(span, self._style)
        return Row(span, self._style, (body,))

    def _quantified(self, part: Part, start: int) -> Part:
        while (found := _QUANTIFIER.match(self._text, self._next)) is not None:
            if found[0][0] == "{" and not (found[1] or found[3]):
                break  # no quantifier, but a brace
            self._next = found.end()
            least, most = _BOUNDS.get(found[0][0], (0, None))
            if found[0][0] == "{":
                least = int(found[1] or 0)
                most = (int(found[3]) if found[3] else None) if found[2] else least
            span, mark = self._place(start, self._next), self._place(*found.span())
            part = Repeat(span, self._style, part, least, most, mark, bool(found[4]))
        return part


_ANY = re.compile(r".", re.DOTALL)
_BOUNDS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


def _characters(text: str, flags: int) -> CharSet:
    """What an expression reads that reads one character."""
    automaton = Automaton()
    add_regex(automaton, automaton.start, text, flags & ~re.VERBOSE, ())
    if len(automaton.edges) != 1:
        raise _Unreadable
    return automaton.edges[0].characters
