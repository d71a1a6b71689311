"""Regular expressions in the notations of token rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from gramspect.lexical.parts import Choice, Leaf, Part, Repeat, Row, Style
from gramspect.lexical.regextext import read_regex
from gramspect.lexical.written import java_members, members_in_set, quoted, visible
from gramspect.source import SourceText

__all__ = ["translated"]

_ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|u[0-9a-f]{4}|.)", re.DOTALL)
_NAMED = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v"}
_UNICODE = {r"[^\W\d]": r"[\p{L}_]", r"\w": r"[\p{L}\p{N}_]"}
"""Letters, and letters and digits, of all languages, as ANTLR and JFlex have them."""


class _Untranslatable(Exception):
    """Something that notations write in different ways."""


def translated(expression: str, style: Style) -> str | None:
    """A regular expression of Python in another notation.

    None if it has more than characters, sets without escaped classes, groups and greedy
    quantifiers, or letters of all languages where the notation has no name for them.
    """
    if style is Style.REGEX:
        return expression
    if style is Style.LARK:
        escaped = re.sub(r"(?<!\\)/", r"\/", expression)
        return f"/{_visible(escaped)}/"
    source = SourceText("", expression)
    part = read_regex(expression, 0, source.span)
    try:
        return None if part is None else _written(part, style)
    except _Untranslatable:
        return None


def _visible(expression: str) -> str:
    """The expression with names for the characters that cannot be seen."""
    return "".join(map(visible, expression))


def _written(part: Part, style: Style) -> str:
    match part:
        case Leaf():
            return _leaf(part.text, style)
        case Row() if _in_parentheses(part):
            return f"({_written(part.parts[0], style)})"
        case Row():
            between = "" if style.is_regex else " "
            return between.join(_in_a_row(part.parts, style))
        case Choice():
            bar = "|" if style.is_regex else " | "
            return bar.join(_written(row, style) for row in part.rows)
        case Repeat(lazy=False):
            return _repeated(part, style)
    raise _Untranslatable


def _in_a_row(parts: Sequence[Part], style: Style) -> Iterator[str]:
    """The parts, single characters in a row as one text."""
    for single, group in groupby(parts, key=_is_character):
        if single and not style.is_regex:
            leaves = [one for one in group if isinstance(one, Leaf)]
            yield quoted(style, "".join(_ESCAPE.sub(_plain, one.text) for one in leaves))
        else:
            yield from (_written(one, style) for one in group)


def _is_character(part: Part) -> bool:
    return isinstance(part, Leaf) and part.text[0] not in ".[" and part.text not in _UNICODE


def _in_parentheses(part: Part) -> bool:
    return isinstance(part, Row) and len(part.parts) == 1 and isinstance(part.parts[0], Choice)


def _repeated(part: Repeat, style: Style) -> str:
    body = _written(part.body, style)
    single = isinstance(part.body, Leaf) and style is not Style.JAVACC
    if not single and not _in_parentheses(part.body):
        body = f"({body})"
    marks = {(0, 1): "?", (0, None): "*", (1, None): "+"}
    mark = marks.get((part.least, part.most))
    if mark is not None:
        return body + mark
    if style is Style.ANTLR:  # it has no numbers
        optional = [f"{body}?"] * ((part.most or part.least) - part.least)
        return " ".join([*[body] * part.least, *optional])
    most = "" if part.most == part.least else f",{part.most or ''}"
    return f"{body}{{{part.least}{most}}}"


def _leaf(text: str, style: Style) -> str:
    if style in (Style.ANTLR, Style.JFLEX) and text in _UNICODE:
        return _UNICODE[text]
    if not text.startswith("["):
        character = _ESCAPE.sub(_plain, text)
        if len(character) != 1 or text == ".":
            raise _Untranslatable
        return quoted(style, character) if style is not Style.VERBOSE else f"[{text}]"
    negated = text.startswith("[^")
    members = text[2 if negated else 1 : -1]
    if style is Style.JAVACC:
        return f"{'~' * negated}[{java_members(_ESCAPE.sub(_plain, members))}]"
    if style is Style.JFLEX:
        return f"[{'^' * negated}{members_in_set(_ESCAPE.sub(_plain, members), style)}]"
    if style is Style.ANTLR:
        members = re.sub(r"^-|(?<!\\)-$", r"\-", members)
        return f"{'~' * negated}[{_visible(members)}]"
    return f"[{'^' * negated}{_visible(members)}]"


def _plain(escape: re.Match[str]) -> str:
    code = escape[1]
    if len(code) > 1:
        return chr(int(code[1:], 16))
    if code in "dwsDWSbB":
        raise _Untranslatable
    return _NAMED.get(code, code)
