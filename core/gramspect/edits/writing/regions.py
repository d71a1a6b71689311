"""Where alternatives begin and end in the user's text, in each notation.

A span covers the symbols of an alternative. What belongs to it beyond them (actions, labels,
precedences, aliases) and the bars around it are found here, with the lexemes of the notation.
"""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath
from typing import NamedTuple

from gramspect.edits.writing.files import SourceFile, Unwritable
from gramspect.errors import GrammarError
from gramspect.lexical.parts import Style
from gramspect.lexical.rewriting import quoted
from gramspect.source import SourceText
from gramspect.yacc.scanner import Kind, scan

__all__ = ["PARSER_ALONE", "UNDEFINED", "Notation", "Region", "notation_in", "notation_of"]


UNDEFINED = "the lexer has no token for this text; define one first"


class Lexeme(NamedTuple):
    """A stretch of text. `mark` is set for what separates alternatives: ``: | ( ) ; end``."""

    mark: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Region:
    """An alternative with all that belongs to it, ``text[start:end]``, and the marks around it.

    `opening` is where the mark before it begins: a bar if `bar`, else a colon or parenthesis.
    `closing` is where the mark after it begins, a bar if `more`.
    """

    opening: int
    bar: bool
    start: int
    end: int
    closing: int
    more: bool


@dataclass(frozen=True)
class Notation:
    """How grammars are written in files of one kind.

    `literals` is how a literal in a rule is written that is a token without more ado, if there are
    such. `in_string` says that all is in a literal of Python, `importing` that each file has names
    of its own for what it imports.
    """

    name: str
    lexemes: Callable[[SourceFile, int], Sequence[Lexeme]]
    ebnf: bool
    literals: Style | None = None
    in_string: bool = False
    importing: bool = False

    def takes_literals(self, text: str) -> bool:
        """Whether a rule in a file may have a literal that is no token yet."""
        return self.literals is not None and not PARSER_ALONE.search(text)

    def literal(self, text: str, file: str) -> str:
        """A new token as it is written in a rule of a file, which says how it writes words.

        Raises:
            Unwritable: rules have no such literals, or Python would read its escapes first.
        """
        if self.literals is None:
            raise Unwritable(UNDEFINED)
        written = quoted(self.literals, text)
        if self.literals is Style.LARK:
            if (quote := _IN_QUOTES.fullmatch(text)) is not None:  # nobody means just this one
                return f"/{quote[1]}[^{quote[1]}]*{quote[1]}/"
            written += "i" * (_ignores_case(file) and text.upper() != text.lower())
        if self.in_string and "\\" in written:
            raise Unwritable(f"{written} has an escape, and the grammar is in a string of Python")
        return written

    def region(self, file: SourceFile, start: int, end: int) -> Region:
        """The alternative whose symbols are ``text[start:end]``.

        Raises:
            Unwritable: there is no alternative in the text.
        """
        lexemes = self.lexemes(file, start)
        left = bisect_left(lexemes, start, key=lambda lexeme: lexeme.start) - 1
        while left >= 0 and lexemes[left].mark not in (":", "|", "("):
            left -= 1
        right = bisect_left(lexemes, max(end, start), key=lambda lexeme: lexeme.start)
        while right < len(lexemes) and not lexemes[right].mark:
            right += 1
        if left < 0 or right == len(lexemes):
            raise Unwritable("the alternative is not found in the text")
        opening, closing = lexemes[left], lexemes[right]
        inside = lexemes[left + 1 : right]
        return Region(
            opening=opening.start,
            bar=opening.mark == "|",
            start=inside[0].start if inside else opening.end,
            end=inside[-1].end if inside else opening.end,
            closing=closing.start,
            more=closing.mark == "|",
        )


def notation_of(path: str) -> Notation:
    """The notation of a file, by its name.

    Raises:
        Unwritable: gramspect cannot change files of this kind.
    """
    suffix = PurePath(path).suffix
    try:
        return _NOTATIONS[suffix]
    except KeyError:
        raise Unwritable(f"gramspect cannot change {suffix or 'such'} files") from None


def notation_in(file: SourceFile, offset: int) -> Notation:
    """The notation of a file at an offset: a string in a Python module may be a Lark grammar."""
    notation = notation_of(file.path)
    if notation is _NOTATIONS[".py"]:
        first, last = literal_around(file, offset)
        if _LARK_ALONE.search(file.text, first, last):
            return _LARK_IN_PYTHON
    return notation


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


def _yacc_lexemes(file: SourceFile, _: int) -> tuple[Lexeme, ...]:
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


def _g4_lexemes(file: SourceFile, _: int) -> tuple[Lexeme, ...]:
    return _g4_marked(file.text)


@lru_cache(maxsize=4)
def _g4_marked(text: str) -> tuple[Lexeme, ...]:
    return tuple(_marked(text, _G4, _g4_opened))


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


def _marked(
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
_LARK_WORD = re.compile(r""""[^\W\d](?:\\.|[^"\\\n])*"(i?)""")
_IN_QUOTES = re.compile(r"""(["'`])[^"'`\n]+\1""")
_LARK_MARKS = {"[": "(", "]": ")"}


def _lark_lexemes(file: SourceFile, _: int) -> list[Lexeme]:
    return _lark_marked(file.text, 0, len(file.text))


def _lark_string_lexemes(file: SourceFile, start: int) -> list[Lexeme]:
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


def _docstring_lexemes(file: SourceFile, start: int) -> list[Lexeme]:
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


def _ignores_case(text: str) -> bool:
    """Whether most words of a Lark grammar may be written in capital and in small letters."""
    flags = Counter(match[1] for match in _LARK_WORD.finditer(text))
    return flags["i"] > flags[""]


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


PARSER_ALONE = re.compile(r"^\s*parser\s+grammar\b", re.MULTILINE)
"""ANTLR's header of a grammar whose tokens are defined elsewhere."""
_LARK_ALONE = re.compile(r"\n[ \t]*(?:%(?:import|ignore|declare|extend|override)\b|[?!]?\w+:)")
"""What Lark has and PLY has not: directives, and colons right after names."""

_YACC = Notation("yacc", _yacc_lexemes, ebnf=False)
_NOTATIONS = {
    ".y": _YACC,
    ".yy": _YACC,
    ".ypp": _YACC,
    ".yacc": _YACC,
    ".py": Notation("docstring", _docstring_lexemes, ebnf=False),
    ".g4": Notation("antlr", _g4_lexemes, ebnf=True, literals=Style.ANTLR),
    ".lark": Notation("lark", _lark_lexemes, ebnf=True, literals=Style.LARK, importing=True),
}
_LARK_IN_PYTHON = Notation(
    "lark", _lark_string_lexemes, ebnf=True, literals=Style.LARK, in_string=True, importing=True
)
