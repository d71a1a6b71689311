"""The lexemes of grammar files, with marks where alternatives begin and end."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from gramspect.edits.writing.files import SourceFile, Unwritable
from gramspect.errors import GrammarError
from gramspect.source import SourceText
from gramspect.yacc.scanner import Kind, scan

__all__ = [
    "Lexeme",
    "docstring_lexemes",
    "docstring_trouble",
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
_LITERAL = re.compile(r"([A-Za-z]*)('''|\"\"\"|'|\")")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_MAYBE_BLANK = frozenset("nrtfv\r\nxuUN01234567")
"""What follows the backslash of an escape that may stand for a blank or a line end."""


def docstring_trouble(file: SourceFile, offset: int) -> str:
    """Why the lines of the docstring at an offset are not those of the text; empty if they are.

    Raises:
        Unwritable: there is no string.
    """
    joined, literal = _string_around(file, offset)
    if joined:
        return "the docstring is put together from several strings"
    opening = _LITERAL.match(literal.string)
    is_raw = opening is not None and "r" in opening[1].lower()
    if not is_raw and not _MAYBE_BLANK.isdisjoint(_ESCAPE.findall(literal.string)):
        return "the docstring has escapes for blanks or line ends"
    return ""


def docstring_lexemes(file: SourceFile, start: int) -> list[Lexeme]:
    """The words of the string literal around `start`; each line is an alternative.

    Raises:
        Unwritable: the lines of the docstring are not those of the text.
    """
    if trouble := docstring_trouble(file, start):
        raise Unwritable(trouble)
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
    _, literal = _string_around(file, offset)
    start, end = _range(file, literal)
    opening = _LITERAL.match(literal.string)
    assert opening is not None
    return start + opening.end(), end - len(opening[2])


def _string_around(file: SourceFile, offset: int) -> tuple[bool, tokenize.TokenInfo]:
    """The string literal at an offset, and whether Python joins it with others beside it.

    Raises:
        Unwritable: there is none.
    """
    for beside in _strings(file.text):
        for literal in beside:
            start, end = _range(file, literal)
            if start <= offset <= end:
                return len(beside) > 1, literal
    raise Unwritable("the rule is not written in a docstring")


@lru_cache(maxsize=4)
def _strings(text: str) -> Sequence[Sequence[tokenize.TokenInfo]]:
    """The string literals of a file; together those that Python joins."""
    found: list[list[tokenize.TokenInfo]] = [[]]
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
            if token.type == tokenize.STRING:
                found[-1].append(token)
            elif token.type not in (tokenize.NL, tokenize.COMMENT) and found[-1]:
                found.append([])
    except (tokenize.TokenError, SyntaxError):
        pass
    return found


def _range(file: SourceFile, token: tokenize.TokenInfo) -> tuple[int, int]:
    start, end = (file.offset(row, column + 1) for row, column in (token.start, token.end))
    return start, end
