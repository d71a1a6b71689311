"""Where the alternatives of a PLY grammar are written: the docstrings of its functions.

PLY's own line numbers suppose that a docstring starts on the line below ``def``. Here the source
file is parsed instead, so decorators and long signatures do no harm, and every word of a docstring
is found where it is written, also in one that is put together from several strings. Functions that
are made by other functions (decorators, pycparser's parameterized rules) are followed to the
function whose docstring has the same words per line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tokenize import open as open_source
from types import CodeType

from gramspect.adapter_api import Span
from gramspect_ply.literals import Placed, placed
from gramspect_ply.shapes import Action

__all__ = ["Written", "definition_span", "display_path", "written"]

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Written:
    """An alternative as it is written.

    `symbols` includes quoted literals as they stand, without the ``%prec`` part. Where the words
    cannot be found, `name_span` and `span` are the line that defines the function, if there is one.
    """

    name: str
    symbols: tuple[str, ...]
    precedence: str | None
    name_span: Span | None
    span: Span | None
    symbol_spans: tuple[Span | None, ...]


def written(action: Action) -> tuple[Written, ...]:
    """The alternatives in the docstring of a ``p_`` function, in order.

    Lines that are no rule are left out; PLY refuses them.
    """
    lines = [line.split() for line in (getattr(action, "__doc__", None) or "").splitlines()]
    spans = _word_spans(action, [len(words) for words in lines])
    home = None if spans else definition_span(action)
    found: list[Written] = []
    for number, words in enumerate(lines):
        where: Sequence[Span | None] = spans[number] if spans else [None] * len(words)
        continued = words[:1] == ["|"]
        skip = 1 if continued else 2
        if len(words) < skip or (continued and not found):
            continue
        end = words.index("%prec") if "%prec" in words else len(words)
        head = where[skip - 1]
        found.append(
            Written(
                found[-1].name if continued else words[0],
                tuple(words[skip:end]),
                words[end + 1] if end + 1 < len(words) else None,
                home if continued else where[0] or home,
                _whole(where[skip:end]) or (head and head.after()) or home,
                tuple(where[skip:end]),
            )
        )
    return tuple(found)


def _whole(spans: Sequence[Span | None]) -> Span | None:
    """From the first to the last."""
    if not spans or spans[0] is None or spans[-1] is None:
        return None
    return spans[0].to(spans[-1])


def definition_span(action: Action) -> Span | None:
    """The line where the function is defined."""
    for function in _functions(action):
        code = function.__code__
        source = _source(code.co_filename)
        if source and 0 < code.co_firstlineno <= len(source.lines):
            line = source.lines[code.co_firstlineno - 1]
            start = len(line) - len(line.lstrip()) + 1
            number = code.co_firstlineno
            return Span(source.shown, number, start, number, len(line.rstrip()) + 1)
    return None


def display_path(file: str) -> str:
    """A path as reports show it: from the current folder if it lies below."""
    path = Path(file)
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _word_spans(action: Action, shape: list[int]) -> list[list[Span]] | None:
    """The spans of the words of each docstring line, if a source with as many words is found."""
    for function in _functions(action):
        source = _source(function.__code__.co_filename)
        node = source and source.docstrings.get(function.__code__.co_firstlineno)
        if source and node:
            spans = list(source.words(node))
            spans += [[] for _ in range(len(shape) - len(spans))]
            if [len(words) for words in spans][: len(shape)] == shape:
                return spans
    return None


class _Function:
    """The part of a function object that this module uses."""

    __code__: CodeType


def _functions(action: object) -> Iterator[_Function]:
    """The function that a callable runs, then those that it wraps."""
    waiting, seen = [action], set[int]()
    while waiting:
        thing = waiting.pop(0)
        thing = getattr(thing, "__func__", None) or getattr(thing, "func", None) or thing
        if id(thing) in seen or not isinstance(getattr(thing, "__code__", None), CodeType):
            continue
        seen.add(id(thing))
        yield thing  # type: ignore[misc]  # it has a code object, so it is a function
        cells = getattr(thing, "__closure__", None) or ()
        waiting += [getattr(thing, "__wrapped__", None), *map(_content, cells)]


def _content(cell: object) -> object:
    try:
        return cell.cell_contents  # type: ignore[attr-defined]
    except ValueError:  # a variable of a closure that has no value yet
        return None


@dataclass(frozen=True)
class _Source:
    """A Python file: its lines, and its docstrings by the first line of their function."""

    shown: str
    lines: Sequence[str]
    docstrings: Mapping[int, ast.Constant]

    def words(self, node: ast.Constant) -> Iterator[list[Span]]:
        """The spans of the words on each line of a string."""
        characters = self._placed(node)
        text = "".join(one.character for one in characters)
        at = 0
        for line in text.splitlines(keepends=True):
            yield [
                self._span(characters[at + word.start()], characters[at + word.end() - 1])
                for word in _WORD.finditer(line)
            ]
            at += len(line)

    def _placed(self, node: ast.Constant) -> list[Placed]:
        lines = list(self.lines[node.lineno - 1 : node.end_lineno])
        start = _column(lines[0], node.col_offset)
        lines[-1] = lines[-1][: _column(lines[-1], node.end_col_offset or 0)]
        lines[0] = lines[0][start:]
        return placed("\n".join(lines), node.lineno, start)

    def _span(self, first: Placed, last: Placed) -> Span:
        return Span(self.shown, first.line, first.start + 1, last.line, last.end + 1)


def _column(line: str, offset: int) -> int:
    """The index in a line of a byte offset in its UTF-8 form."""
    return len(line.encode()[:offset].decode(errors="replace"))


@cache
def _source(file: str) -> _Source | None:
    try:
        with open_source(file) as stream:
            text = stream.read()
        tree = ast.parse(text)
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None
    docstrings: dict[int, ast.Constant] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and isinstance(node.body[0], ast.Expr):
            literal = node.body[0].value
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if isinstance(literal, ast.Constant) and isinstance(literal.value, str):
                docstrings[first] = literal
    return _Source(display_path(file), text.split("\n"), docstrings)
