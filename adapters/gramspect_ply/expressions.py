"""Where each character of a regular expression stands in the Python code that it is written in.

An expression may be a string, several in a row, or a sum of strings and of names that are assigned
such ones in the same file.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from itertools import pairwise

from gramspect.adapter_api import SourceText, Span

__all__ = ["Expression", "expression_of"]

_DEEPEST = 20
_ESCAPES = frozenset("abfnrtvxuUN\\'\"\n01234567")
"""The characters that a backslash gives a meaning, in a string that is not raw."""


class _Unclear(Exception):
    """An expression that is put together in a way that is not followed."""


class Expression:
    """A text and the offset in the file of each of its characters."""

    def __init__(self, source: SourceText, pieces: list[tuple[str, int]]) -> None:
        self._source = source
        self.text = "".join(text for text, _ in pieces)
        self._places = [start + n for text, start in pieces for n in range(len(text))]

    def place(self, start: int, end: int) -> Span:
        """Where ``text[start:end]`` stands."""
        if start < end:
            places = self._places[start:end]
            if any(b != a + 1 for a, b in pairwise(places)):
                return self._source.span(places[0], places[0])  # it is in several strings
            return self._source.span(places[0], places[-1] + 1)
        if not self._places:
            return self._source.span(0, 0)
        place = self._places[start] if start < len(self._places) else self._places[-1] + 1
        return self._source.span(place, place)


def expression_of(
    node: ast.FunctionDef | ast.Assign, source: SourceText, tree: ast.Module
) -> Expression | None:
    """The expression of a ``t_`` variable or function; None if it is not plain in the text."""
    try:
        return Expression(source, list(_pieces(_value(node), source, tree, 0)))
    except _Unclear:
        return None


def _value(node: ast.FunctionDef | ast.Assign) -> ast.expr:
    if isinstance(node, ast.Assign):
        return node.value
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and len(decorator.args) == 1:
            return decorator.args[0]
    first = node.body[0]
    if isinstance(first, ast.Expr):
        return first.value
    raise _Unclear


def _pieces(
    node: ast.expr, source: SourceText, tree: ast.Module, depth: int
) -> Iterator[tuple[str, int]]:
    """The strings of an expression, each with the offset of its first character."""
    match node:
        case ast.Constant(value=str()):
            yield from _strings(node, source)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _pieces(left, source, tree, depth)
            yield from _pieces(right, source, tree, depth)
        case ast.Name(id=name) if depth < _DEEPEST:
            yield from _pieces(_assigned(name, tree), source, tree, depth + 1)
        case _:
            raise _Unclear


def _assigned(name: str, tree: ast.Module) -> ast.expr:
    """The one value that a name is assigned in a module."""
    found = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
    ]
    if len(found) != 1:
        raise _Unclear
    return found[0]


def _strings(node: ast.Constant, source: SourceText) -> Iterator[tuple[str, int]]:
    lines = source.text.splitlines(keepends=True)
    before = sum(map(len, lines[: node.lineno - 1]))
    column = len(lines[node.lineno - 1].encode()[: node.col_offset].decode())
    start = before + column
    segment = ast.get_source_segment(source.text, node)
    if segment is None:
        raise _Unclear
    offsets = [0]
    for line in segment.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(f"({segment})").readline))
    except (tokenize.TokenError, SyntaxError):
        raise _Unclear from None
    for token in tokens:
        if token.type == tokenize.STRING:
            row, place = token.start
            begin = start + offsets[row - 1] + place - (row == 1)
            text, skipped = _content(token.string)
            yield text, begin + skipped


def _content(string: str) -> tuple[str, int]:
    """What is between the quotes of a string in which every character means itself."""
    found = _STRING.fullmatch(string)
    if found is None or "b" in found[1].lower() or "f" in found[1].lower():
        raise _Unclear
    text = found[3]
    if "r" not in found[1].lower() and any(e in _ESCAPES for e in _ESCAPED.findall(text)):
        raise _Unclear
    return text, found.start(3)


_STRING = re.compile(r"(\w*)('''|\"\"\"|'|\")(.*)\2", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
