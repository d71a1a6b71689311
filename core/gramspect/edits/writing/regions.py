"""Where alternatives begin and end in the user's text, in each notation.

A span covers the symbols of an alternative. What belongs to it beyond them (actions, labels,
precedences, aliases) and the bars around it are found here, with the lexemes of the notation.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from gramspect.edits.writing.files import SourceFile, Unwritable
from gramspect.edits.writing.java_lexemes import cup_lexemes, javacc_lexemes
from gramspect.edits.writing.lexemes import (
    Lexeme,
    docstring_lexemes,
    g4_lexemes,
    lark_lexemes,
    lark_string_lexemes,
    literal_around,
    yacc_lexemes,
)
from gramspect.lexical.parts import Style
from gramspect.lexical.written import quoted

__all__ = ["PARSER_ALONE", "UNDEFINED", "Notation", "Region", "notation_in", "notation_of"]


UNDEFINED = "the lexer has no token for this text; define one first"


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
    of its own for what it imports. `methods` says that rules are methods of Java: symbols are
    called and assigned, operators follow parentheses only, there is no left recursion, and ``{}``
    is an alternative without symbols.
    """

    name: str
    lexemes: Callable[[SourceFile, int], Sequence[Lexeme]]
    ebnf: bool
    literals: Style | None = None
    in_string: bool = False
    importing: bool = False
    methods: bool = False

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
        Unwritable: gramspect cannot change files of this kind, or it takes their text to tell.
    """
    suffix = PurePath(path).suffix
    try:
        return _NOTATIONS[suffix]
    except KeyError:
        raise Unwritable(f"gramspect cannot change {suffix or 'such'} files") from None


def notation_in(file: SourceFile, offset: int) -> Notation:
    """The notation of a file at an offset: a string in a Python module may be a Lark grammar.

    Lark reads files of all names, so where the name says nothing the text does.

    Raises:
        Unwritable: gramspect cannot change files of this kind.
    """
    if PurePath(file.path).suffix not in _NOTATIONS and _is_lark(file):
        return _LARK
    notation = notation_of(file.path)
    if notation is _NOTATIONS[".py"]:
        first, last = literal_around(file, offset)
        if _LARK_ALONE.search(file.text, first, last):
            return _LARK_IN_PYTHON
    return notation


def _is_lark(file: SourceFile) -> bool:
    """Whether a text is a Lark grammar: all others with such rules divide or end them by signs."""
    if not _LARK_ALONE.search(f"\n{file.text}"):
        return False
    words = {file.text[lexeme.start : lexeme.end] for lexeme in lark_lexemes(file, 0)}
    return ";" not in words and not _SECTIONS.search(file.text)


def _ignores_case(text: str) -> bool:
    """Whether most words of a Lark grammar may be written in capital and in small letters."""
    flags = Counter(match[1] for match in _LARK_WORD.finditer(text))
    return flags["i"] > flags[""]


PARSER_ALONE = re.compile(r"^\s*parser\s+grammar\b", re.MULTILINE)
"""ANTLR's header of a grammar whose tokens are defined elsewhere."""
_LARK_ALONE = re.compile(r"\n[ \t]*(?:%(?:import|ignore|declare|extend|override)\b|[?!]?\w+:)")
"""What Lark has and PLY has not: directives, and colons right after names."""
_SECTIONS = re.compile(r"^%%", re.MULTILINE)
"""What divides grammars of yacc."""

_LARK_WORD = re.compile(r""""[^\W\d](?:\\.|[^"\\\n])*"(i?)""")
_IN_QUOTES = re.compile(r"""(["'`])[^"'`\n]+\1""")

_YACC = Notation("yacc", yacc_lexemes, ebnf=False)
_JAVACC = Notation("javacc", javacc_lexemes, ebnf=True, methods=True)
_LARK = Notation("lark", lark_lexemes, ebnf=True, literals=Style.LARK, importing=True)
_NOTATIONS = {
    ".y": _YACC,
    ".yy": _YACC,
    ".ypp": _YACC,
    ".yacc": _YACC,
    ".py": Notation("docstring", docstring_lexemes, ebnf=False),
    ".cup": Notation("cup", cup_lexemes, ebnf=False),
    ".g4": Notation("antlr", g4_lexemes, ebnf=True, literals=Style.ANTLR),
    ".jj": _JAVACC,
    ".jjt": _JAVACC,
    ".lark": _LARK,
}
_LARK_IN_PYTHON = Notation(
    "lark", lark_string_lexemes, ebnf=True, literals=Style.LARK, in_string=True, importing=True
)
