"""What Lark is given to parse, and how errors in it are described."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lark import Token
from lark.exceptions import UnexpectedCharacters

from gramspect.adapter_api import (
    UNKNOWN,
    ErrorKind,
    Grammar,
    ParseError,
    SourceText,
    TestCase,
    TokenSequence,
    one_line,
    sequence_of,
)
from gramspect_lark.building import STRANGE

__all__ = ["Inputs", "Sequences", "Texts"]


class Inputs(Protocol):
    """One kind of tests."""

    def given(self, test: TestCase) -> Any:
        """What Lark is to parse."""
        ...

    def at_token(self, test: TestCase, index: int, token: Token | None) -> ParseError:
        """The parser cannot go on at a token; None stands for the end of the input."""
        ...

    def in_lexer(self, test: TestCase, index: int, problem: BaseException) -> ParseError:
        """The lexer has raised an exception after reading this many tokens."""
        ...


@dataclass(frozen=True)
class Texts:
    """Texts, as bytes if Lark was made for these."""

    as_bytes: bool = False

    def given(self, test: TestCase) -> str | bytes:
        return test.text.encode("utf-8", "surrogateescape") if self.as_bytes else test.text

    def at_token(self, test: TestCase, index: int, token: Token | None) -> ParseError:
        if token is None:
            line, column = SourceText("", test.text).position(len(test.text))
            return ParseError(index, "unexpected end of input", line, column)
        shown = f"unexpected {shown_text(str(token))} ({token.type})"
        return ParseError(index, shown, token.line, token.column)

    def in_lexer(self, test: TestCase, index: int, problem: BaseException) -> ParseError:
        kind = ErrorKind.LEXICAL
        if isinstance(problem, UnexpectedCharacters):
            message = f"no terminal matches at {shown_text(problem.char)}"
            return ParseError(index, message, problem.line, problem.column, kind)
        return ParseError(index, f"lexical error: {one_line(problem)}", kind=kind)


@dataclass(frozen=True, eq=False)
class Sequences:
    """Sequences of token names (`gramspect.recognition.tokens`)."""

    grammar: Grammar
    names: Sequence[str]

    def given(self, test: TestCase) -> list[str]:
        terminals = self.terminals(test)
        return [STRANGE if t == UNKNOWN else self.names[t] for t in terminals]

    def terminals(self, test: TestCase) -> Sequence[int]:
        """The terminals that the words of a test name."""
        return self._split(test).terminals

    def at_token(self, test: TestCase, index: int, token: Token | None) -> ParseError:
        return self._split(test).error(index)

    def in_lexer(self, test: TestCase, index: int, problem: BaseException) -> ParseError:
        return self._split(test).error(index)

    def _split(self, test: TestCase) -> TokenSequence:
        return sequence_of(self.grammar, test)


def shown_text(text: str, limit: int = 40) -> str:
    """A piece of input as messages show it."""
    return repr(text if len(text) <= limit else text[: limit - 3] + "...")
