"""The lexemes of grammar files, with marks where alternatives begin and end."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from gramspect.edits.writing.files import SourceFile, Unwritable
from gramspect.errors import GrammarError
from gramspect.source import SourceText
from gramspect.yacc.scanner import Kind, scan

__all__ = [
    "Lexeme",
    "docstring_lexemes",
    "g4_lexemes",
    "lark_lexemes",
    "lark_string_lexemes",
    "literal_around",
    "marked",
    "yacc_lexemes",
]


class Lexeme(NamedTuple):
    """A stretch of text. `mark` is set for what separates alternatives: ``: | ( ) ; end``."""

    mark: str
    start: int
    end: int


# --- yacc ----------------------------------------------------------------------------------

_YACC_MARKS = {
    Kind.COLON: ":",
    Kind.BAR: "|",
    Kind.SEMICOLON: ";",
    Kind.RULE: ";",
    Kind.SKIPPED: ";",
    Kind.SECTION: ";",
    Kind.END: ";",
}


def yacc_lexemes(file: SourceFile, _: int) -> tuple[Lexeme, ...]:
    try:
        return _yacc_marked(file.path, file.text)
    except GrammarError as problem:
        raise Unwritable(str(problem)) from None


@lru_cache(maxsize=4)
def _yacc_marked(path: str, text: str) -> tuple[Lexeme, ...]:
    lexemes = scan(SourceText(path, text.replace("\ufeff", " ", 1)))
    return tuple(Lexeme(_YACC_MARKS.get(x.kind, ""), x.start, x.end) for x in lexemes)


# --- ANTLR ---------------------------------------------------------------------------------

_G4 = re.compile(
    r"""
      (?P<space>  [\s\ufeff]+ | //[^\n]* | /\*.*?\*/ )
    | (?P<mark>   [:|();] )
    | (?P<opens>  [{\[] )
    | '(?:\\.|[^'\\\n])*' | "(?:\\.|[^"\\\n])*" | \w+ | -> | .
    """,
    re.VERBOSE | re.DOTALL,
)
_G4_ACTION = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | \\. | [{}]""",
    re.VERBOSE | re.DOTALL,
)
_G4_BRACKETS = re.compile(r"\\.|[\]]", re.DOTALL)


def g4_lexemes(file: SourceFile, _: int) -> tuple[Lexeme, ...]:
    return _g4_marked(file.text)


@lru_cache(maxsize=4)
def _g4_marked(text: str) -> tuple[Lexeme, ...]:
    return tuple(marked(text, _G4, _g4_opened))


def _g4_opened(text: str, at: int) -> int:
    """The end of an action or of brackets that opens at an offset."""
    if text[at] == "[":
        found = next((m for m in _G4_BRACKETS.finditer(text, at + 1) if m[0] == "]"), None)
        return found.end() if found else len(text)
    depth = 1
    for match in _G4_ACTION.finditer(text, at + 1):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return len(text)


def marked(
    text: str, pattern: re.Pattern[str], opened: Callable[[str, int], int]
) -> Iterator[Lexeme]:
    at = 0
    while at < len(text):
        match = pattern.match(text, at)
        assert match is not None
        end = opened(text, at) if match.lastgroup == "opens" else match.end()
        if match.lastgroup != "space":
            yield Lexeme(match[0] if match.lastgroup == "mark" else "", at, end)
        at = end
    yield Lexeme(";", len(text), len(text))


# --- Lark ----------------------------------------------------------------------------------

_LARK = re.compile(
    r"""
      (?P<space>  [ \t\r\f\ufeff]+ | //[^\n]* | \#[^\n]* | \\\r?\n | \n(?=\s*\|) )
    | (?P<line>   \n )
    | (?P<mark>   [:|()\[\]] )
    | "(?:\\.|[^"\\\n])*"i? | /(?!/)(?:\\/|\\\\|[^/\n])*/[imslux]* | \w+ | -> | .
    """,
    re.VERBOSE | re.DOTALL,
)
_LARK_MARKS = {"[": "(", "]": ")"}


def lark_lexemes(file: SourceFile, _: int) -> list[Lexeme]:
    return _lark_marked(file.text, 0, len(file.text))


def lark_string_lexemes(file: SourceFile, start: int) -> list[Lexeme]:
    return _lark_marked(file.text, *literal_around(file, start))


def _lark_marked(text: str, at: int, last: int) -> list[Lexeme]:
    found = []
    while at < last:
        match = _LARK.match(text, at, last)
        assert match is not None
        if match.lastgroup == "line":
            found.append(Lexeme(";", at, match.end()))
        elif match.lastgroup != "space":
            mark = match[0] if match.lastgroup == "mark" else ""
            found.append(Lexeme(_LARK_MARKS.get(mark, mark), at, match.end()))
        at = match.end()
    return [*found, Lexeme(";", at, at)]


# --- docstrings of PLY ---------------------------------------------------------------------

_WORD = re.compile(r"\S+")


def docstring_lexemes(file: SourceFile, start: int) -> list[Lexeme]:
    """The words of the string literal around `start`; each line is an alternative."""
    first, last = literal_around(file, start)
    found: list[Lexeme] = []
    at = first
    for line in file.text[first:last].splitlines(keepends=True):
        for number, word in enumerate(_WORD.finditer(line)):
            separates = (word[0] == "|" and not number) or (number == 1 and word[0] in (":", "::="))
            mark = ("|" if not number else ":") if separates else ""
            if not number and found and not mark:
                found.append(Lexeme(";", at + word.start(), at + word.start()))
            found.append(Lexeme(mark, at + word.start(), at + word.end()))
        at += len(line)
    return [*found, Lexeme(";", last, last)]


def literal_around(file: SourceFile, offset: int) -> tuple[int, int]:
    """The inside of the Python string literal at an offset.

    Raises:
        Unwritable: there is none.
    """
    try:
        for token in tokenize.generate_tokens(io.StringIO(file.text, newline="").readline):
            if token.type != tokenize.STRING:
                continue
            start, end = (file.offset(row, column + 1) for row, column in (token.start, token.end))
            opening = re.match(r"[A-Za-z]*('''|\"\"\"|'|\")", token.string)
            if start <= offset <= end and opening:
                return start + opening.end(), end - len(opening[1])
    except (tokenize.TokenError, SyntaxError):
        pass
    raise Unwritable("the rule is not written in a docstring")
