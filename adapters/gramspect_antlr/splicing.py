"""ANTLR's lexer, run over a text in which the caller says how some stretches are read.

The lexer sees the text end before a stretch, and goes on after it in the mode that it is in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jpype import JImplements, JOverride

from gramspect.adapter_api import LexedText, Lexeme, Splice
from gramspect_jvm import for_java, java_class

__all__ = ["SplicedLexer"]

_MOST_EMPTY = 10_000
"""A lexer that makes this many tokens in a row without reading a character is in a loop."""


class SplicedLexer:
    """One interpreted lexer; `terminals` are those of the core grammar by token type.

    `end` is the terminal that stands for the end of the input, if the grammar has it.
    """

    def __init__(
        self, java: Any, terminals: Mapping[int, int], end: int | None, letters: str
    ) -> None:
        self._lexer = java.lexerGrammar().createLexerInterpreter(_stream(""))
        self._lexer.removeErrorListeners()
        self._errors: list[int] = []
        self._listener = _listener(self._errors)
        self._lexer.addErrorListener(self._listener)
        self._terminals = terminals
        self._end = end
        self._letters = letters

    def lexed(self, text: str, splices: Sequence[Splice]) -> LexedText | None:
        """The tokens that the parser sees, up to where the lexer fails; None if it runs forever."""
        seen = {"upper": text.upper(), "lower": text.lower()}.get(self._letters, text)
        if len(seen) != len(text):
            return None
        lexemes: list[Lexeme] = []
        self._errors.clear()
        self._lexer.setInputStream(_stream(""))
        place = 0
        for splice in (*splices, None):
            until = len(text) if splice is None else splice.start
            failed = self._read(seen[:until], place, lexemes)
            if failed is not None:
                return LexedText(lexemes, failed)
            if splice is not None:
                place = splice.end
                if splice.terminal is not None:
                    lexemes.append(Lexeme(splice.terminal, splice.start, splice.end))
        if self._end is not None:
            lexemes.append(Lexeme(self._end, len(text), len(text)))
        return LexedText(lexemes)

    def _read(self, text: str, place: int, lexemes: list[Lexeme]) -> int | None:
        """Add the tokens of a text from a place on; give the place where the lexer fails, or
        None."""
        stream = _stream(text)
        stream.seek(place)
        self._lexer._input = stream
        self._lexer._hitEOF = False
        empty = 0
        while True:
            token = self._lexer.nextToken()
            if self._errors:
                return self._errors[0]
            kind, start = int(token.getType()), int(token.getStartIndex())
            if kind < 0:
                return None
            end = int(token.getStopIndex()) + 1
            empty = 0 if end > start else empty + 1
            if empty > _MOST_EMPTY:
                return start
            if int(token.getChannel()) == 0:
                lexemes.append(Lexeme(self._terminals.get(kind, -1), start, max(start, end)))


def _stream(text: str) -> Any:
    return java_class("org.antlr.v4.runtime.CharStreams").fromString(for_java(text))


def _listener(errors: list[int]) -> Any:
    """A listener that notes where the lexer could not read a token."""

    @JImplements("org.antlr.v4.runtime.ANTLRErrorListener")
    class Listener:
        @JOverride  # type: ignore[untyped-decorator]
        def syntaxError(self, *given: Any) -> None:  # noqa: N802
            errors.append(int(given[-1].getStartIndex()))

        @JOverride  # type: ignore[untyped-decorator]
        def reportAmbiguity(self, *given: Any) -> None:  # noqa: N802
            pass

        @JOverride  # type: ignore[untyped-decorator]
        def reportAttemptingFullContext(self, *given: Any) -> None:  # noqa: N802
            pass

        @JOverride  # type: ignore[untyped-decorator]
        def reportContextSensitivity(self, *given: Any) -> None:  # noqa: N802
            pass

    return Listener()
