"""The characters that JFlex's classes read: ``[a-z&&[^x]]``."""

from __future__ import annotations

import re
from collections.abc import Callable

from gramspect.adapter_api import CharSet
from gramspect_cup.jflex.characters import named, property_of

__all__ = ["NotUnderstood", "character", "characters_of", "shorthand"]


class NotUnderstood(Exception):
    """An expression that is not read."""


_MEMBER = re.compile(
    r"""
      (?P<named> \[:(?P<name>\w+):\] )
    | (?P<operator> && | \|\| | -- | ~~ )
    | (?P<macro> \{(?P<called>[^\W\d][\w$]*)\} )
    | (?P<text> "(?:[^"\\\n]|\\.)*" )
    | (?P<category> \\[dDsSwW] )
    | (?P<property> \\[pP]\{[^}\n]*\} )
    | (?P<character> \\u\{\s*[0-9a-fA-F]{1,6}\s*\} | \\x[0-9a-fA-F]{2} | \\u[0-9a-fA-F]{4}
      | \\U[0-9a-fA-F]{6} | \\[0-3]?[0-7]{1,2} | \\. | [^\\] )
    """,
    re.VERBOSE | re.DOTALL,
)
_NAMED = re.compile(r"\[:(\w+):\]")
_ESCAPED = {"b": "\b", "n": "\n", "t": "\t", "f": "\f", "r": "\r"}
_TEXT = re.compile(r"\\u\{[^}]*\}|\\x..|\\u.{4}|\\U.{6}|\\[0-3]?[0-7]{1,2}|\\.|.", re.DOTALL)


def character(written: str) -> int:
    """The code point of a character or an escape."""
    if not written.startswith("\\"):
        return ord(written)
    kind, rest = written[1], written[2:]
    if kind in "xuU" and rest:
        return int(rest.strip("{} "), 16)
    if kind.isdigit() and kind in "01234567":
        return int(written[1:], 8)
    return ord(_ESCAPED.get(kind, kind))


def characters_of(text: str, macro: Callable[[str], CharSet | None]) -> CharSet:
    """What a class reads; `macro` gives the characters of a macro that reads single ones.

    Raises:
        NotUnderstood: something in it is not known.
    """
    alone = _NAMED.fullmatch(text)
    return _Class(text, macro).read() if alone is None else _known(named(alone[1]))


class _Class:
    def __init__(self, text: str, macro: Callable[[str], CharSet | None]) -> None:
        self._text = text
        self._macro = macro
        self._at = 0

    def read(self) -> CharSet:
        """The class that begins here, brackets and all."""
        self._at += 1
        negated = self._take("^")
        if negated and self._take("]"):
            return CharSet(()).complement()
        found = self._content()
        while not self._take("]"):
            operator = self._text[self._at : self._at + 2]
            self._at += 2
            other_negated = self._take("^")
            other = self._content()
            if other_negated:
                other = other.complement()
            found = _combined(found, operator, other)
        return found.complement() if negated else found

    def _take(self, sign: str) -> bool:
        found = self._text.startswith(sign, self._at)
        self._at += len(sign) * found
        return found

    def _content(self) -> CharSet:
        """Members up to the bracket or an operator."""
        found = CharSet(())
        while self._at < len(self._text) and self._text[self._at] != "]":
            member = _MEMBER.match(self._text, self._at)
            if member is None:
                raise NotUnderstood
            if member["operator"] in ("&&", "--", "~~"):
                return found
            if self._text[self._at] == "[" and member["named"] is None:
                found |= self.read()
                continue
            self._at = member.end()
            found |= self._member(member)
        if self._at == len(self._text):
            raise NotUnderstood
        return found

    def _member(self, member: re.Match[str]) -> CharSet:
        if member["operator"] is not None:
            return CharSet(())
        if member["character"] is not None:
            return self._range(character(member[0]))
        if member["text"] is not None:
            codes = [character(one) for one in _TEXT.findall(member[0][1:-1])]
            return CharSet.of([(code, code) for code in codes])
        return _known(self._other(member))

    def _other(self, member: re.Match[str]) -> CharSet | None:
        if member["named"] is not None:
            return named(member["name"])
        if member["macro"] is not None:
            return self._macro(member["called"])
        return shorthand(member[0])

    def _range(self, first: int) -> CharSet:
        """A character, or a range that begins with it."""
        other = _MEMBER.match(self._text, self._at + 1)
        is_range = self._text.startswith("-", self._at) and not self._text.startswith(
            ("-]", "--"), self._at
        )
        if not is_range or other is None or other["character"] is None or other[0] == "[":
            return CharSet(((first, first),))
        self._at = other.end()
        last = character(other[0])
        if last < first:
            raise NotUnderstood
        return CharSet(((first, last),))


def shorthand(written: str) -> CharSet | None:
    r"""The characters of ``\d``, ``\p{L}`` and the like; None if they are not known."""
    found = property_of(written[3:-1]) if written[1] in "pP" else named(written[1].lower())
    return found.complement() if found is not None and written[1].isupper() else found


def _known(found: CharSet | None) -> CharSet:
    if found is None:
        raise NotUnderstood
    return found


def _combined(one: CharSet, operator: str, other: CharSet) -> CharSet:
    both = (one.complement() | other.complement()).complement()
    if operator == "&&":
        return both
    without = (one.complement() | other).complement()
    if operator == "--":
        return without
    if operator == "~~":
        return without | (other.complement() | one).complement()
    raise NotUnderstood
