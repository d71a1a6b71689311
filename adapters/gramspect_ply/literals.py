"""Where the characters of a string are written in the user's text.

Python joins string literals that stand beside each other to one, and reads escapes in those that
are not raw, so what is next to a character in the string may be far from it in the text.
"""

from __future__ import annotations

import io
import re
import tokenize
from ast import literal_eval
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Placed", "placed"]

_LITERAL = re.compile(r"([A-Za-z]*)('''|\"\"\"|'|\")(.*)\2", re.DOTALL)
_CHARACTER = re.compile(
    r"""
      \\ (?: [\n\\'"abfnrtv] | [0-7]{1,3} | x[0-9A-Fa-f]{2} | N\{[^{}]+\}
           | u[0-9A-Fa-f]{4} | U[0-9A-Fa-f]{8} )
    | .
    """,
    re.VERBOSE | re.DOTALL,
)
"""A character as it is written in a literal that is not raw. Other backslashes are themselves."""


class Placed(NamedTuple):
    """A character of a string, and where it is written: the line, and columns from 0."""

    character: str
    line: int
    start: int
    end: int


def placed(text: str, line: int, column: int) -> list[Placed]:
    """The characters of the string that some literals make, which begin at that place.

    Args:
        text: the literals, with what is between them.
        line: the number of the line that they begin in.
        column: how many characters are before them there.
    """
    found: list[Placed] = []
    for token in tokenize.generate_tokens(io.StringIO(f"({text})").readline):
        literal = _LITERAL.fullmatch(token.string) if token.type == tokenize.STRING else None
        if literal is not None:
            row, before = token.start
            # The parenthesis, which lets the literals go over several lines, is not in the text.
            before += column - 1 if row == 1 else 0
            found += _in_literal(literal, line + row - 1, before)
    return found


def _in_literal(literal: re.Match[str], line: int, column: int) -> Iterator[Placed]:
    prefix, _, inside = literal.groups()
    column += literal.start(3)
    parts = list(inside) if "r" in prefix.lower() else _CHARACTER.findall(inside)
    for part in parts:
        value = part if len(part) == 1 else literal_eval(f'"{part}"')
        if value:  # a line that is continued adds none
            yield Placed(value, line, column, column + len(part))
        line, column = (line + 1, 0) if part.endswith("\n") else (line, column + len(part))
