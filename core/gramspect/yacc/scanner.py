"""The lexemes of a yacc grammar.

Code in braces, prologues and the lines of declarations that say nothing about the language are
scanned only as far as needed to find their end. Every character is looked at a bounded number of
times and nothing recurses, so size and nesting of the text do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple, NoReturn

from gramspect.errors import GrammarError
from gramspect.source import SourceText

__all__ = ["DIRECTIVES", "Kind", "Lexeme", "scan"]


class Kind(Enum):
    """The kinds of lexemes. `RULE` is a name that begins a rule: a colon follows it."""

    RULE = auto()
    NAME = auto()
    CHAR = auto()
    STRING = auto()
    NUMBER = auto()
    TAG = auto()
    ACTION = auto()
    NAMED_REFERENCE = auto()
    DIRECTIVE = auto()
    SKIPPED = auto()
    SECTION = auto()
    COLON = auto()
    BAR = auto()
    SEMICOLON = auto()
    COMMA = auto()
    EQUALS = auto()
    STRAY = auto()
    END = auto()


class Lexeme(NamedTuple):
    """A stretch of the text. The `text` of a directive is its normalized name, else as written."""

    kind: Kind
    text: str
    start: int
    end: int


_TOKENS = {"token", "term", "left", "right", "nonassoc", "binary", "precedence"}
_SYMBOLS = {"start", "type", "nterm", "destructor", "printer"}
_IN_RULES = {"prec", "empty", "dprec", "merge", "expect", "expect-rr"}
DIRECTIVES = frozenset(_TOKENS | _SYMBOLS | _IN_RULES)
"""The directives whose arguments are lexemes; of any other the line and its braces are skipped."""

# Repeated groups are kept from backtracking by atomic groups: possessive quantifiers of groups
# match wrongly before Python 3.11.5 (https://github.com/python/cpython/issues/106052).
_IN_LINE = r"""
      \\[^\n]                        # keeps an escaped quote from opening a literal
    | "(?>(?:[^"\\\n]|\\[\s\S])*)"
    | '(?>(?:[^'\\\n]|\\[\s\S])*)'
    | /\*[\s\S]*?\*/
    | /(?![/*])
"""

# A number is taken whole for the sake of C++ digit separators (1'000). An apostrophe that is not
# closed on its line is no literal: prose in #error lines has them, and lifetimes and primed names.
_CODE = r"""(?>(?:
      [^{PLAIN}'"/\\0-9]++
    | [0-9][\w']*+
    | //[^\n]*+
    | {IN_LINE}
    | ['\\]
    {MORE}
)*)"""
_BRACED = re.compile(
    _CODE.replace("{PLAIN}", "{}").replace("{IN_LINE}", _IN_LINE).replace("{MORE}", ""), re.VERBOSE
)
_PROLOGUE = re.compile(
    _CODE.replace("{PLAIN}", "%").replace("{IN_LINE}", _IN_LINE).replace("{MORE}", r"| %(?!\})"),
    re.VERBOSE,
)
_LINE_REST = re.compile(
    rf"""(?>(?: [^\n{{;%'"/\\]++ | {_IN_LINE} | (?<!\s)% | %(?![A-Za-z%{{]) | ['"\\] )*)""",
    re.VERBOSE,
)
_SPACE = r"(?>(?:\s++|//[^\n]*+|/\*[\s\S]*?\*/)*)"
_BLANK = re.compile(_SPACE)
_TAG = re.compile(r"(?>(?:[^<>-]++|->|-)*)")
_LINE_DIRECTIVE = re.compile(r'#line[ \t]+\d+(?:[ \t]+"[^"\n]*")?[ \t]*(?=\n|\Z)')
_NAME = r"(?:[^\W\d]|\.)[\w.-]*+"
_LEXEME = re.compile(
    rf"""
      (?P<STRING>_\(\s*+"(?>(?:[^"\\\n]|\\.)*)"\s*+\)|"(?>(?:[^"\\\n]|\\.)*)")
    | (?P<NAME>{_NAME})
    | (?P<CHAR>'(?>(?:[^'\\\n]|\\.)*)')
    | (?P<NUMBER>0[xX][0-9a-fA-F]++|[0-9]++)
    | (?P<COLON>:) | (?P<BAR>\|) | (?P<SEMICOLON>;) | (?P<COMMA>,) | (?P<EQUALS>=)
    | (?P<NAMED_REFERENCE>\[{_SPACE}{_NAME}{_SPACE}\])
    | (?P<SECTION>%%)
    | (?P<DIRECTIVE>%[A-Za-z][A-Za-z0-9_-]*+)
    | (?P<prologue>%\{{)
    | (?P<predicate>%\?\s*+\{{)
    | (?P<action>\{{)
    | (?P<tag><)
    """,
    re.VERBOSE,
)
_KINDS = {name: Kind[name] for name in _LEXEME.groupindex if name in Kind.__members__}


def _directive_name(text: str) -> str:
    """The name of ``%Pure_Parser``: ``-`` for ``_`` as in bison, in small letters as in byacc."""
    return text[1:].replace("_", "-").lower()


def scan(source: SourceText) -> Iterator[Lexeme]:
    """The lexemes up to the epilogue, and `Kind.END`.

    The epilogue begins at the second ``%%``, or at the first one if rules stand before it.

    Raises:
        GrammarError: an action, prologue, comment, literal or tag does not end. It is raised when
            the iteration gets there, so that an error before it is met first.
    """
    in_rules = False
    held: list[Lexeme] = []
    for lexeme in _lexemes(source):
        if held and lexeme.kind is Kind.COLON:
            held[0] = held[0]._replace(kind=Kind.RULE)
            in_rules = True
        elif len(held) == 1 and lexeme.kind is Kind.NAMED_REFERENCE:
            held.append(lexeme)
            continue
        yield from held
        held.clear()
        if lexeme.kind is Kind.NAME:
            held.append(lexeme)
        elif lexeme.kind is Kind.SECTION and in_rules:
            yield Lexeme(Kind.END, "", lexeme.start, lexeme.start)
            break
        else:
            in_rules = in_rules or lexeme.kind is Kind.SECTION
            yield lexeme


def _lexemes(source: SourceText) -> Iterator[Lexeme]:
    """All lexemes, the names of rules not yet told from others, prologues left out."""
    scanner = _Scanner(source)
    position = scanner.blank(0)
    while position < len(source.text):
        lexeme = scanner.lexeme(position)
        if lexeme.text != "%{":
            yield lexeme
        position = scanner.blank(lexeme.end)
    yield Lexeme(Kind.END, "", position, position)


class _Scanner:
    """Finds the ends of things in one text."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.text = source.text

    def blank(self, position: int) -> int:
        """The end of the white space, comments and ``#line`` directives at `position`."""
        while True:
            match = _BLANK.match(self.text, position)
            position = match.end() if match else position
            if self.text.startswith("/*", position):
                self.unterminated(position, "comment", "*/")
            line = self.text.startswith("#line", position) and _LINE_DIRECTIVE.match(
                self.text, position
            )
            if not line:
                return position
            position = line.end()

    def lexeme(self, start: int) -> Lexeme:
        match = _LEXEME.match(self.text, start)
        if match is None:
            return self.stray(start)
        group = match.lastgroup or ""
        kind = _KINDS.get(group)
        if kind is Kind.DIRECTIVE:
            return self.directive(match)
        if kind:
            return Lexeme(kind, match.group(), start, match.end())
        if group == "prologue":
            return Lexeme(Kind.SKIPPED, "%{", start, self.prologue(start))
        if group == "tag":
            return self.spanned(Kind.TAG, start, self.tag(start))
        return self.spanned(Kind.ACTION, start, self.braces(match.end() - 1, start, "action"))

    def spanned(self, kind: Kind, start: int, end: int) -> Lexeme:
        return Lexeme(kind, self.text[start:end], start, end)

    def stray(self, start: int) -> Lexeme:
        """A character that begins nothing."""
        char = self.text[start]
        if char in "'\"":
            self.unterminated(start, "literal", f"{char} on the same line")
        return Lexeme(Kind.STRAY, char, start, start + 1)

    def directive(self, match: re.Match[str]) -> Lexeme:
        name = _directive_name(match.group())
        if name in DIRECTIVES:
            return Lexeme(Kind.DIRECTIVE, name, match.start(), match.end())
        return Lexeme(Kind.SKIPPED, name, match.start(), self.line_rest(match.end()))

    def line_rest(self, position: int) -> int:
        """The end of a directive: its line, and all the code in braces that belongs to it.

        A semicolon or another directive ends it earlier.
        """
        while True:
            match = _LINE_REST.match(self.text, position)
            position = match.end() if match else position
            if self.text.startswith("/*", position):
                self.unterminated(position, "comment", "*/")
            if not self.text.startswith(("{", ";", "%"), position):
                brace = self.blank(position)
                if not self.text.startswith("{", brace):
                    return position
                position = brace
            if not self.text.startswith("{", position):
                return position
            position = self.braces(position, position, "code in braces")

    def braces(self, opening: int, start: int, what: str) -> int:
        """The end of the code in braces that `opening` opens; a message names `start`."""
        depth, position = 1, opening + 1
        while depth:
            position = self.code(_BRACED, position, start, what, "}")
            depth += 1 if self.text[position] == "{" else -1
            position += 1
        return position

    def prologue(self, start: int) -> int:
        """The end of the prologue that begins at `start`."""
        return self.code(_PROLOGUE, start + 2, start, "prologue", "%}") + 2

    def code(
        self, pattern: re.Pattern[str], position: int, start: int, what: str, closing: str
    ) -> int:
        """The next brace (or end of a prologue) outside literals and comments."""
        match = pattern.match(self.text, position)
        position = match.end() if match else position
        if position == len(self.text):
            self.unterminated(start, what, closing)
        if self.text.startswith("/*", position):
            self.unterminated(position, "comment", "*/")
        if self.text[position] == '"':
            self.unterminated(position, "string", '" on the same line')
        return position

    def tag(self, start: int) -> int:
        """The end of a type tag, which may hold others: ``<std::vector<int>>``."""
        depth, position = 1, start + 1
        while depth:
            match = _TAG.match(self.text, position)
            position = match.end() if match else position
            if position == len(self.text):
                self.unterminated(start, "tag", ">", "; a literal is written '<'")
            depth += 1 if self.text[position] == "<" else -1
            position += 1
        return position

    def unterminated(self, start: int, what: str, closing: str, more: str = "") -> NoReturn:
        raise GrammarError(
            f"the {what} that begins here does not end; close it with {closing}{more}",
            self.source.span(start, start + 1),
        )
