"""Literal tokens: what a quoted text stands for, and its one canonical spelling.

Escapes are those of the Bison manual (3.8, Section 3.1 "Symbols"): those of C, with ``\\u`` and
``\\U``. An unknown escape stands for the character after the backslash.
"""

from __future__ import annotations

import re

__all__ = ["canonical", "inner", "value"]

_ESCAPE = re.compile(
    r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]+)|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL
)
_NAMED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_NAME_OF = {char: name for name, char in _NAMED.items()}


def inner(literal: str) -> str:
    """What stands between the quotes of ``'x'``, ``"x"`` or ``_("x")``, as written."""
    quote = "'" if literal.startswith("'") else '"'
    return literal[literal.index(quote) + 1 : literal.rindex(quote)]


def value(literal: str) -> str:
    """The text that a quoted literal stands for."""
    return _ESCAPE.sub(_unescape, inner(literal))


def canonical(literal: str) -> str:
    """The spelling under which equal literals are one symbol: ``'\\012'`` is ``'\\n'``.

    ``'x'`` and ``"x"`` stay different, as they are for bison.
    """
    quote = "'" if literal.startswith("'") else '"'
    return quote + "".join(_escape(char, quote) for char in value(literal)) + quote


def _unescape(match: re.Match[str]) -> str:
    octal, *hexadecimal, other = match.groups()
    if other is not None:
        return _NAMED.get(other, other)
    digits, base = (octal, 8) if octal is not None else (next(filter(None, hexadecimal)), 16)
    # The length is checked first: int() is not linear in the number of digits.
    code = int(digits, base) if len(digits.lstrip("0")) <= 8 else -1
    is_character = 0 <= code < 0xD800 or 0xDFFF < code <= 0x10FFFF
    return chr(code) if is_character else match.group()


def _escape(char: str, quote: str) -> str:
    if char in (quote, "\\"):
        return "\\" + char
    if char in _NAME_OF:
        return "\\" + _NAME_OF[char]
    if char.isprintable():
        return char
    code = ord(char)
    return (
        f"\\x{code:02x}"
        if code < 0x100
        else f"\\u{code:04x}"
        if code < 0x10000
        else f"\\U{code:08x}"
    )
