"""Characters and texts as token rules are written, in each notation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gramspect.lexical.parts import Style

__all__ = [
    "JFLEX_SIGNS",
    "NAMED",
    "called",
    "escaped",
    "family",
    "generalized",
    "in_set",
    "java_listed",
    "java_members",
    "members_in_set",
    "quoted",
    "visible",
]

_SPECIAL = set("\\^$.|?*+()[]{}")
NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f"}
"""Characters that have a name of their own, and that."""
JFLEX_SIGNS = '^["{&|~'
"""Signs that mean something in JFlex's sets, besides those that do in all."""
_RUN = re.compile(r"(?P<digits>\d+)|(?P<word>\w+)|(?P<rest>[^\w]+)")


def quoted(style: Style, text: str) -> str:
    """A definition that reads just this text."""
    if style.is_regex:
        return "".join(escaped(character, style) for character in text)
    quote = "'" if style is Style.ANTLR else '"'
    known = {"\\": "\\\\", quote: f"\\{quote}"}
    return quote + "".join(known.get(c) or visible(c) for c in text) + quote


def escaped(character: str, style: Style) -> str:
    """A character as a regular expression that reads it."""
    if not character.isprintable():
        return visible(character)
    special = character in _SPECIAL or character == "/"
    between = style is Style.VERBOSE and (character.isspace() or character == "#")
    return f"\\{character}" if special or between else character


def in_set(characters: str, style: Style) -> str:
    """Members of a set, as ``[...]`` has them."""
    if style is Style.JAVACC:
        return ",".join(quoted(style, character) for character in characters)
    spelled = {"\\": "\\\\", "]": "\\]", "-": "\\-"}
    if style is Style.JFLEX:
        spelled |= {sign: f"\\{sign}" for sign in JFLEX_SIGNS}
    if style.is_regex:
        spelled |= {"^": "\\^", "[": "\\[", "/": "\\/"}
    return "".join(spelled.get(c) or visible(c) for c in characters)


def visible(character: str) -> str:
    """A character, with a name if it cannot be seen."""
    if character.isprintable() or ord(character) > _LAST_NAMED:
        return character
    return NAMED.get(character) or f"\\u{ord(character):04x}"


_LAST_NAMED = 0xFFFF
"""All notations have names of four digits for characters up to this one."""


def family(character: str) -> str:
    """The characters that are likely to be meant with one, as a set has them: ``0-9``."""
    if not character.isascii():
        return character
    if character.isdigit():
        return "0-9"
    if character.isalpha():
        return "a-z" if character.islower() else "A-Z"
    return character


def called(style: Style, name: str, *, repeated: bool = False) -> str:
    """A call of a definition, once or several times."""
    if style is Style.JFLEX:
        return f"{{{name}}}+" if repeated else f"{{{name}}}"
    if style is not Style.JAVACC:
        return f"{name}+" if repeated else name
    return f"(<{name}>)+" if repeated else f"<{name}>"


def generalized(style: Style, text: str, names: Sequence[tuple[str, str]]) -> tuple[str, bool]:
    """A definition of texts like this one: any words and numbers in place of its own.

    `names` are calls of definitions, each with a text of those that occur; the first that reads one
    of the runs of this text stands for it. The second value says whether the text is that several
    times.
    """
    known = {read: name for name, read in reversed(names)}
    found = []
    for run in _RUN.finditer(text):
        name = known.get(run[0])
        if run.lastgroup == "rest" or not run[0].isascii():
            found.append(quoted(style, run[0]))
        elif name is not None:
            found.append(name)
        else:
            found.append(_any_like(style, run.lastgroup == "digits"))
    for length in range(1, len(found) // 2 + 1):
        if found == found[:length] * (len(found) // length):
            return _in_a_row(style, found[:length]), True
    return _in_a_row(style, found), False


def _in_a_row(style: Style, texts: Sequence[str]) -> str:
    return "".join(texts) if style.is_regex else " ".join(texts)


def _any_like(style: Style, digits: bool) -> str:
    if style is Style.JAVACC:
        return f"({_java_set('0-9' if digits else 'a-zA-Z_0-9')})+"
    members = "[0-9]+" if digits else "[a-zA-Z_0-9]+"
    return f"/{members}/" if style is Style.LARK else members


_MEMBER = re.compile(r"(.)-(.)|(.)", re.DOTALL)


def java_members(members: str) -> str:
    """Members of a set as JavaCC writes them: ``"a"-"z","_"`` of ``a-z_``."""
    return members_in_set(members, Style.JAVACC, ",")


def members_in_set(members: str, style: Style, between: str = "") -> str:
    """Members of a set, in which ranges may be, in a notation."""
    found = []
    for match in _MEMBER.finditer(members):
        first, last = (in_set(c, style) if c else "" for c in (match[1] or match[3], match[2]))
        found.append(f"{first}-{last}" if last else first)
    return between.join(found)


def _java_set(members: str) -> str:
    return f"[{java_members(members)}]"


_LISTED = re.compile(r"""\s*("(?:\\.|[^"\\])*"(?:\s*-\s*"(?:\\.|[^"\\])*")?)\s*,?""")


def java_listed(text: str) -> list[str]:
    """The members of a set, as JavaCC writes one."""
    return _LISTED.findall(text[text.index("[") + 1 : -1])
