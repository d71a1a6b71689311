"""The lexemes of JavaCC's and CUP's grammar files, with marks where alternatives begin and end.

Both have code of Java between the symbols, which may hold any of the signs that are marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from gramspect.edits.writing.files import SourceFile
from gramspect.edits.writing.lexemes import Lexeme, marked

__all__ = ["class_end", "cup_lexemes", "javacc_lexemes"]

# --- CUP -----------------------------------------------------------------------------------

_CUP = re.compile(
    r"""
      (?P<space>  [\s\ufeff]+ | //[^\n]* | /\*.*?\*/ )
    | \{: .*? :\}
    | (?P<derives> ::= )
    | (?P<mark>   [|;] )
    | %?\w+ | .
    """,
    re.VERBOSE | re.DOTALL,
)


def cup_lexemes(file: SourceFile, _: int) -> Sequence[Lexeme]:
    return _cup_marked(file.text)


@lru_cache(maxsize=4)
def _cup_marked(text: str) -> tuple[Lexeme, ...]:
    derives = {match.start() for match in _CUP.finditer(text) if match.lastgroup == "derives"}
    return tuple(
        lexeme._replace(mark=":") if lexeme.start in derives else lexeme
        for lexeme in marked(text, _CUP, lambda _, at: at)
    )


# --- JavaCC --------------------------------------------------------------------------------

_JAVA = re.compile(
    r"""
      (?P<space> [\s\ufeff]+ | //[^\n]* | /\*.*?\*/ )
    | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+'
    | [^\W\d][\w$]* | \d[\w.]* | .
    """,
    re.VERBOSE | re.DOTALL,
)
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}


def javacc_lexemes(file: SourceFile, _: int) -> Sequence[Lexeme]:
    return _javacc_marked(file.text)


def class_end(text: str) -> int | None:
    """Where the class of a JavaCC grammar has ended; None if it does not end."""
    productions = _Productions(text)
    productions.pass_class()
    last = productions.at - 1
    return productions.words[last][1] if last < len(productions.words) else None


@lru_cache(maxsize=4)
def _javacc_marked(text: str) -> tuple[Lexeme, ...]:
    return tuple(_Productions(text).marked())


class _Productions:
    """Reads the productions of a grammar: ``void name() : { code } { alternatives }``."""

    def __init__(self, text: str) -> None:
        self.words = [m.span() for m in _JAVA.finditer(text) if m.lastgroup != "space"]
        self.text = text
        self.at = 0

    def word(self, at: int) -> str:
        return self.text[slice(*self.words[at])] if 0 <= at < len(self.words) else ""

    def marked(self) -> Iterator[Lexeme]:
        while self.at < len(self.words):
            if self.word(self.at) == "PARSER_BEGIN":
                self.pass_class()
            elif self.word(self.at) == "{":
                is_production = self.word(self.at - 1) == ":"
                self._pass_brackets()
                if is_production and self.word(self.at) == "{":
                    yield self._lexeme(":", self.at)
                    self.at += 1
                    yield from self._body(";")
            elif self.word(self.at) in "([":
                self._pass_brackets()
            else:
                self.at += 1
        yield Lexeme(";", len(self.text), len(self.text))

    def pass_class(self) -> None:
        """Pass all up to ``PARSER_END(Name)``."""
        while self.at < len(self.words) and self.word(self.at) != "PARSER_END":
            self.at += 1
        self.at += 4

    def _lexeme(self, mark: str, first: int) -> Lexeme:
        """From a word to the one before the next."""
        last = max(first, self.at - 1)
        return Lexeme(mark, self.words[first][0], self.words[min(last, len(self.words) - 1)][1])

    def _pass_brackets(self) -> None:
        """Pass a bracket that opens, and all up to the one that closes it."""
        opening = self.word(self.at)
        closing, depth = _CLOSING[opening], 0
        while self.at < len(self.words):
            depth += {opening: 1, closing: -1}.get(self.word(self.at), 0)
            self.at += 1
            if not depth:
                return

    def _is_called(self, name: str) -> bool:
        """Whether brackets after a word are its own: not after a field, as in `<A>.image`."""
        after_token = self.word(self.at - 2) == "." and self.word(self.at - 3) in (">", ")")
        return (name[:1].isalpha() or name[:1] == "_") and not after_token

    def _body(self, end: str) -> Iterator[Lexeme]:
        """Alternatives up to the bracket that closes them, which is marked as `end`."""
        while self.at < len(self.words):
            first, word, before = self.at, self.word(self.at), self.word(self.at - 1)
            is_name = self._is_called(before)
            if word in (")", "]", "}"):
                self.at += 1
                yield self._lexeme(end, first)
                return
            is_code = word == "{" and before != "try"
            if is_code or word == "<" or (word in ("(", "[") and is_name):
                self._pass_brackets()
                yield self._lexeme("", first)
            elif word in ("(", "[", "{"):
                self.at += 1
                yield self._lexeme("(", first)
                yield from self._body(")")
            else:
                self.at += 1
                yield self._lexeme("|" if word == "|" else "", first)
