"""The definitions of a Lark grammar's terminals as trees whose parts know where they stand."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Mapping, Sequence

from gramspect.adapter_api import (
    Call,
    CharSet,
    Choice,
    Leaf,
    Operator,
    Part,
    Pattern,
    Quoted,
    Repeat,
    Row,
    Span,
    Style,
    read_regex,
)
from gramspect_lark.definitions import Definitions, TerminalDefinition
from gramspect_lark.sources import LoadedText
from gramspect_lark.syntax import Branch, Element, Group, Literal, Name, Range

__all__ = ["FLAGS", "pattern_of"]

FLAGS = {
    "i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "l": re.LOCALE, "u": re.UNICODE,
    "x": re.VERBOSE,
}  # fmt: skip
"""What the letters after a string or regular expression mean."""

_CHARACTER = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)|[^\\]", re.DOTALL)
_BOUNDS: Mapping[Operator, tuple[int, int | None]] = {
    Operator.OPTION: (0, 1),
    Operator.STAR: (0, None),
    Operator.PLUS: (1, None),
}


class _Unreadable(Exception):
    """A definition that cannot be read as a pattern."""


def pattern_of(definitions: Definitions, name: str, flags: int) -> Pattern | None:
    """The definition of a terminal; None if there is none, or if it is not known how it is read.

    A regular expression in a rule is its own definition. `flags` are those of all regular
    expressions of the grammar.
    """
    known: TerminalDefinition | None = definitions.terminal_definitions().get(name)
    named = definitions.span(name)
    if known is None or named is None:
        return _unnamed(definitions, name, flags)
    try:
        body = _choice(known.branches, known.branches[0][0].span.to(known.span.after()), flags)
    except (_Unreadable, ValueError, SyntaxError, KeyError):
        return None
    return Pattern(name, named, body, known.priority)


def _unnamed(definitions: Definitions, name: str, flags: int) -> Pattern | None:
    """A regular expression in a rule."""
    known = definitions.regexps().get(name)
    if known is None:
        return None
    written, _ = known
    try:
        return Pattern(name, written.span, _literal(written, flags))
    except (_Unreadable, KeyError):
        return None


def _choice(branches: Sequence[tuple[Branch, LoadedText]], span: Span, flags: int) -> Part:
    rows = tuple(_row(branch, text, flags) for branch, text in branches)
    return rows[0] if len(rows) == 1 else Choice(span, Style.LARK, rows)


def _row(branch: Branch, text: LoadedText, flags: int) -> Part:
    parts = tuple(_part(element, text, flags) for element in branch.elements)
    return Row(branch.span, Style.LARK, parts)


def _part(element: Element, text: LoadedText, flags: int) -> Part:
    match element:
        case Group():
            return _group(element, text, flags)
        case Name():
            return Call(element.span, Style.LARK, text.renamed(element.text))
        case Literal():
            return _literal(element, flags)
        case Range():
            first, last = ord(literal_eval(element.first)), ord(literal_eval(element.last))
            characters = CharSet(((first, last),))
            return Leaf(element.span, Style.LARK, element.text, characters)
    raise _Unreadable


def _group(group: Group, text: LoadedText, flags: int) -> Part:
    branches = [(branch, text) for branch in group.branches]
    inside = group.branches[0].span.to(group.branches[-1].span.after())
    body = _choice(branches, inside, flags)
    if group.bounds is not None:
        return Repeat(group.span, Style.LARK, body, *group.bounds, None)
    if group.operator not in _BOUNDS:
        return Row(group.span, Style.LARK, (body,))
    span = group.span
    mark = Span(span.file, span.end_line, span.end_column - 1, span.end_line, span.end_column)
    return Repeat(span, Style.LARK, body, *_BOUNDS[group.operator], None if group.text else mark)


def _literal(literal: Literal, flags: int) -> Part:
    """A string or a regular expression."""
    text, span = literal.text, literal.span
    end = text.rindex(text[0])
    for letter in text[end + 1 :]:
        flags |= FLAGS[letter]
    if text[0] == "/":
        inside = read_regex(
            text[1:end], flags, lambda start, stop: span.inside(text, start + 1, stop + 1)
        )
        if inside is None:
            raise _Unreadable
        return Row(span, Style.LARK, (inside,))
    leaves = []
    for found in _CHARACTER.finditer(text, 1, end):
        read = CharSet.single(literal_eval(f'"{found[0]}"') if found[0] != '"' else '"')
        read = read.folded() if flags & re.IGNORECASE else read
        place = span.inside(text, *found.span())
        leaves.append(Leaf(place, Style.LARK, found[0], read))
    return Quoted(span, Style.LARK, tuple(leaves), text[end + 1 :])
