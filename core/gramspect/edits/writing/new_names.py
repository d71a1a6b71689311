"""What new tokens are called."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import chain, count

__all__ = ["IN_QUOTES", "IS_WORD", "new_name"]

IS_WORD = re.compile(r"[^\W\d]\w*")
_PARTS = re.compile(r"[a-zA-Z0-9]+|[^\w\s]|[^\W_]")
MOST_PARTS = 8
"""How many words and signs of a text its name has."""
IN_QUOTES = re.compile(r"""(["'`])[^"'`\n]+\1""")
"""A text in quotes stands for any text in such quotes: nobody means just this one."""

_SIGNS = {
    "!": "NOT", "#": "HASH", "$": "DOLLAR", "%": "PERCENT", "&": "AND", "(": "LPAREN",
    ")": "RPAREN", "*": "STAR", "+": "PLUS", ",": "COMMA", "-": "MINUS", ".": "DOT", "/": "SLASH",
    ":": "COLON", ";": "SEMICOLON", "<": "LESS", "=": "EQUALS", ">": "GREATER", "?": "QUESTION",
    "@": "AT", "[": "LBRACKET", "\\": "BACKSLASH", "]": "RBRACKET", "^": "CARET", "{": "LBRACE",
    "|": "BAR", "}": "RBRACE", "~": "TILDE",
}  # fmt: skip


def new_name(text: str, taken: Collection[str], prefix: str = "") -> str:
    """A name for the token of a text: its words in capitals, and what people call its signs."""
    if IN_QUOTES.fullmatch(text):
        name = "QUOTED"
    elif IS_WORD.fullmatch(text):
        name = text.upper()
    elif text.isalnum():
        name = f"TOKEN_{text.upper()}"
    else:
        parts = _PARTS.findall(text)[:MOST_PARTS]
        name = "_".join(
            _SIGNS.get(part, part.upper() if part.isascii() and part.isalnum() else "SIGN")
            for part in parts
        )
        name = name if IS_WORD.fullmatch(name) else f"TOKEN_{name}"
    name = prefix + name
    return next(n for n in chain([name], (f"{name}_{i}" for i in count(2))) if n not in taken)
