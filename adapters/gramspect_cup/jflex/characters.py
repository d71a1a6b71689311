"""The sets of characters that have names in JFlex's specifications."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from gramspect.adapter_api import CharSet

__all__ = ["DOT", "LINE_ENDS", "named", "property_of"]

_END = 0x32400
"""After this code point there are no letters, digits or blanks (Unicode 16)."""
LINE_ENDS = CharSet(((0x0A, 0x0D), (0x85, 0x85), (0x2028, 0x2029)))
"""The characters that end a line."""
_SURROGATES = CharSet(((0xD800, 0xDFFF),))
DOT = (LINE_ENDS | _SURROGATES).complement()
"""What ``.`` reads."""

_LETTERS = ("Lu", "Ll", "Lt", "Lm", "Lo")
_MARKS = ("Mn", "Mc", "Me")
_CATEGORIES = {
    "jletter": (*_LETTERS, "Nl", "Sc", "Pc"),
    "jletterdigit": (*_LETTERS, "Nl", "Sc", "Pc", "Nd", "Mn", "Mc", "Cf"),
    "letter": _LETTERS,
    "digit": ("Nd",),
    "uppercase": ("Lu",),
    "lowercase": ("Ll",),
    "w": (*_LETTERS, *_MARKS, "Nd", "Pc", "Nl"),
}
_CONTROLS = CharSet(((0x00, 0x08), (0x0E, 0x1B), (0x7F, 0x9F)))
"""Java ignores them in names."""
_SPACES = CharSet(((0x09, 0x0D), (0x20, 0x20), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680)))
_SPACES |= CharSet(((0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F)))
_SPACES |= CharSet.single("\u3000")
_LONG = {
    "letter": "L", "uppercaseletter": "Lu", "lowercaseletter": "Ll", "titlecaseletter": "Lt",
    "modifierletter": "Lm", "otherletter": "Lo", "mark": "M", "nonspacingmark": "Mn",
    "number": "N", "decimalnumber": "Nd", "letternumber": "Nl", "othernumber": "No", "digit": "Nd",
    "punctuation": "P", "connectorpunctuation": "Pc", "dashpunctuation": "Pd", "symbol": "S",
    "mathsymbol": "Sm", "currencysymbol": "Sc", "separator": "Z", "spaceseparator": "Zs",
    "uppercase": "Lu", "lowercase": "Ll", "upper": "Lu", "lower": "Ll",
}  # fmt: skip
"""Unicode's long names of categories, and what is nearly the same."""


def named(name: str) -> CharSet | None:
    r"""The set ``[:name:]``, or that of ``\d``, ``\s`` and ``\w``; None if there is none."""
    if name == "s":
        return _SPACES
    name = {"d": "digit"}.get(name, name)
    if name not in _CATEGORIES:
        return None
    found = _of_categories(frozenset(_CATEGORIES[name]))
    return found | _CONTROLS if name == "jletterdigit" else found


def property_of(written: str) -> CharSet | None:
    r"""The set ``\p{written}``: a general category of Unicode; None for any other property."""
    name = re.sub(r"[\s_-]", "", written).lower().removeprefix("generalcategory=")
    name = name.removeprefix("gc=")
    if name in ("whitespace", "space", "wspace"):
        return _SPACES
    short = _LONG.get(name, name.capitalize())
    found = _of_categories(frozenset(c for c in _all_categories() if c.startswith(short)))
    return found if found.ranges and len(short) <= 2 else None


@cache
def _all_categories() -> frozenset[str]:
    return frozenset(unicodedata.category(chr(code)) for code in range(_END))


@cache
def _of_categories(categories: frozenset[str]) -> CharSet:
    ranges = list[tuple[int, int]]()
    for code in range(_END):
        if unicodedata.category(chr(code)) in categories:
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1] = ranges[-1][0], code
            else:
                ranges.append((code, code))
    return CharSet(tuple(ranges))
