"""The rules of an ANTLR lexer as trees whose parts know where they stand."""

from __future__ import annotations

import re
from collections.abc import Callable

from gramspect.adapter_api import (
    Blank,
    Call,
    CharSet,
    Choice,
    Leaf,
    Part,
    Pattern,
    Quoted,
    Repeat,
    Row,
    SourceText,
    Span,
    Style,
)

__all__ = ["read_rule"]

_WORD = re.compile(
    r"""
    (?P<between> (?: \s+ | //[^\n]* | /\*.*?\*/ )+ )
  | (?P<range>   '(?:\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\.|[^'\\\n])' \s*\.\.\s*
                 '(?:\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\.|[^'\\\n])' )
  | (?P<string>  '(?:\\.|[^'\\\n])*' )
  | (?P<set>     ~?\s*\[(?:\\.|[^\]\\])*\] )
  | (?P<not>     ~ )
  | (?P<name>    [^\W\d]\w* )
  | (?P<arrow>   -> )
  | (?P<mark>    [|()*+?.;:] )
  | (?P<action>  \{ (?: [^{}] | \{[^{}]*\} )* \} \?? )
    """,
    re.VERBOSE | re.DOTALL,
)
_CHARACTER = re.compile(
    r"\\u\{(?P<long>[0-9a-fA-F]+)\}|\\u(?P<code>[0-9a-fA-F]{4})|\\(?P<escape>[^pPu])|(?P<plain>[^\\])",
    re.DOTALL,
)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_OPERATORS: dict[str, tuple[int, int | None]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}
_EVERYTHING = CharSet(()).complement()


class _Unreadable(Exception):
    """A rule that this reader does not know."""


def read_rule(
    source: SourceText, start: int, end: int, *, any_case: bool = False
) -> Pattern | None:
    """The rule whose definition is a stretch of a text, from its name on, without the semicolon."""
    try:
        return _Reader(source, start, end, any_case).rule()
    except (_Unreadable, ValueError):
        return None


class _Reader:
    """Recursive descent over the words."""

    def __init__(self, source: SourceText, start: int, end: int, any_case: bool) -> None:
        self._source = source
        self._any_case = any_case
        self._words: list[tuple[str, int, int]] = []
        self._next = 0
        while start < end:
            found = _WORD.match(source.text, start, end)
            if found is None or found.lastgroup is None:
                raise _Unreadable
            if found.lastgroup != "between":
                self._words.append((found.lastgroup, *found.span()))
            start = found.end()
        self._words.append(("end", end, end))

    def rule(self) -> Pattern:
        _, first, last = self._take("name")
        while not self._at(":"):
            if self._words[self._next][0] == "end":
                raise _Unreadable
            self._next += 1
        self._next += 1
        body = self._choice()
        if self._words[self._next][0] != "end":
            raise _Unreadable
        return Pattern(self._source.text[first:last], self._source.span(first, last), body)

    # --- words -------------------------------------------------------------------------------

    def _text(self) -> str:
        _, start, end = self._words[self._next]
        return self._source.text[start:end]

    def _at(self, *marks: str) -> bool:
        return self._words[self._next][0] == "mark" and self._text() in marks

    def _take(self, kind: str) -> tuple[str, int, int]:
        word = self._words[self._next]
        if word[0] != kind:
            raise _Unreadable
        self._next += 1
        return word

    def _span(self, first: int) -> Span:
        """From word number `first` to the last one that was taken."""
        last = max(first, self._next - 1)
        return self._source.span(self._words[first][1], self._words[last][2])

    # --- parts -------------------------------------------------------------------------------

    def _choice(self) -> Part:
        rows = [self._row()]
        while self._at("|"):
            self._next += 1
            rows.append(self._row())
        return rows[0] if len(rows) == 1 else Choice(_around(rows), Style.ANTLR, tuple(rows))

    def _row(self) -> Row:
        first, parts = self._next, []
        while self._words[self._next][0] not in ("end", "arrow") and not self._at("|", ")"):
            parts.append(self._quantified())
        here = self._words[first][1]
        span = _around(parts) if parts else self._source.span(here, here)
        while self._words[self._next][0] != "end" and not self._at("|", ")"):
            self._next += 1  # commands
            if self._at("("):
                while not self._at(")"):
                    self._next += 1
                self._next += 1
        return Row(span, Style.ANTLR, tuple(parts))

    def _quantified(self) -> Part:
        first = self._next
        part = self._atom()
        while self._at(*_OPERATORS):
            least, most = _OPERATORS[self._text()]
            begin = self._next
            self._next += 1
            lazy = self._at("?")
            self._next += lazy
            part = Repeat(
                self._span(first), Style.ANTLR, part, least, most, self._span(begin), lazy
            )
        return part

    def _atom(self) -> Part:
        first, (kind, start, end) = self._next, self._words[self._next]
        if self._at("("):
            self._next += 1
            body = self._choice()
            if not self._at(")"):
                raise _Unreadable
            self._next += 1
            return Row(self._span(first), Style.ANTLR, (body,))
        text = self._text()
        self._next += 1
        span = self._source.span(start, end)
        reading: dict[str, Callable[[], Part]] = {
            "name": lambda: Call(span, Style.ANTLR, text),
            "action": lambda: Blank(span, Style.ANTLR),
            "string": lambda: self._string(start, end),
            "range": lambda: self._leaf(span, text, _range(text)),
            "set": lambda: self._leaf(span, text, _set(text)),
            "not": lambda: self._negated(first),
        }
        if text == ".":
            return self._leaf(span, text, _EVERYTHING)
        if kind not in reading:
            raise _Unreadable
        return reading[kind]()

    def _negated(self, first: int) -> Part:
        """``~'x'`` or ``~( ... )``."""
        inner = self._atom()
        found = _members(inner)
        text = self._source.text[self._words[first][1] : self._words[self._next - 1][2]]
        return Leaf(self._span(first), Style.ANTLR, text, found.complement())

    def _leaf(self, span: Span, text: str, characters: CharSet) -> Leaf:
        folded = self._any_case and not text.startswith("~")
        return Leaf(span, Style.ANTLR, text, characters.folded() if folded else characters)

    def _string(self, start: int, end: int) -> Part:
        if self._source.text[start:end] == "''":
            raise _Unreadable
        leaves = []
        for found in _CHARACTER.finditer(self._source.text, start + 1, end - 1):
            place = self._source.span(*found.span())
            leaves.append(self._leaf(place, found[0], CharSet.single(_character(found))))
        return Quoted(self._source.span(start, end), Style.ANTLR, tuple(leaves))


def _around(parts: list[Part] | list[Row]) -> Span:
    return parts[0].span.to(parts[-1].span.after())


def _members(part: Part) -> CharSet:
    """The characters of a part that reads one, in one of several ways."""
    match part:
        case Leaf():
            return part.characters
        case Row(parts=(only,)):
            return _members(only)
        case Choice():
            ranges = [pair for row in part.rows for pair in _members(row).ranges]
            return CharSet.of(ranges)
    raise _Unreadable


def _character(found: re.Match[str]) -> str:
    if found["long"] or found["code"]:
        return chr(int(found["long"] or found["code"], 16))
    if found["escape"]:
        return _ESCAPES.get(found["escape"], found["escape"])
    return found["plain"]


def _range(text: str) -> CharSet:
    first, last = (
        _character(found)
        for quoted in re.findall(r"'((?:\\.[^']*|[^'\\])+)'", text)
        if (found := _CHARACTER.fullmatch(quoted)) is not None
    )
    return CharSet(((ord(first), ord(last)),))


def _set(text: str) -> CharSet:
    inside = text[text.index("[") + 1 : -1]
    found = [*_CHARACTER.finditer(inside)]
    if "".join(one[0] for one in found) != inside:
        raise _Unreadable
    ranges, place = [], 0
    while place < len(found):
        code = ord(_character(found[place]))
        last = code
        if place + 2 < len(found) and found[place + 1][0] == "-":
            last = ord(_character(found[place + 2]))
            place += 2
        ranges.append((code, last))
        place += 1
    characters = CharSet.of(ranges)
    return characters.complement() if text.startswith("~") else characters
