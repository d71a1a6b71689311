"""Lark's lexers, run over a text in which the caller says how some stretches are read.

The lexer sees the text end before a stretch, so that no token and no ignored text runs into it.
After the stretch the lexer goes on from there, with what it knows of the parser and of lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.lexer import BasicLexer, ContextualLexer
from lark.parser_frontends import PostLexConnector

from gramspect_lark.lexing import UNKNOWN_TYPE, GuidedLexer

__all__ = ["SplicedLexing", "Stretch", "UnknownLexer"]


class Stretch(NamedTuple):
    """``text[start:end]``, to be read as the terminal of that name, or to be skipped."""

    start: int
    end: int
    terminal: str | None


class UnknownLexer(Exception):
    """A lexer of the user's own, which cannot be run from any place."""


@dataclass
class SplicedLexing:
    """One run of a lexer.

    Args:
        thread: Lark's lexer with its text.
        parser: the state of the parser that a contextual lexer asks what is expected, else None.
        feed: hands a token to that parser.
        guided: reads on where the parser could not go on; without it Lark's basic lexer does.
        lost: whether the parser could not go on.
    """

    thread: Any
    parser: Any = None
    feed: Callable[[Token], object] | None = None
    guided: GuidedLexer | None = None
    lost: bool = False
    failed: int | None = field(default=None, init=False)
    """Where the lexer could not go on."""

    def tokens(self, stretches: Sequence[Stretch]) -> list[Token]:
        """The tokens up to the place where the lexer fails, if it does.

        After the first error of the parser no terminal is expected, so any is taken.

        Raises:
            UnknownLexer: the lexer is the user's own.
        """
        lexer = self.thread.lexer
        process = None
        if isinstance(lexer, PostLexConnector):
            lexer, process = lexer.lexer, lexer.postlexer.process
        if not isinstance(lexer, BasicLexer | ContextualLexer):
            raise UnknownLexer
        stream = self._read(lexer, stretches)
        found: list[Token] = []
        try:
            for token in stream if process is None else process(stream):
                found.append(token)
                if self.feed is not None and not self.lost:
                    self._hand_over(token)
        except (RecursionError, MemoryError):
            raise
        except Exception:  # of a postlexer, or a callback
            self._fail()
        return found

    def _hand_over(self, token: Token) -> None:
        assert self.feed is not None
        try:
            self.feed(token)
        except UnexpectedToken:
            self.lost = True

    def _fail(self) -> None:
        if self.failed is None:
            self.failed = self.thread.state.line_ctr.char_pos

    def _read(
        self, lexer: BasicLexer | ContextualLexer, stretches: Sequence[Stretch]
    ) -> Iterator[Token]:
        state: Any = self.thread.state
        whole = state.text
        for stretch in stretches:
            state.text = _cut(whole, stretch.start)
            yield from self._plainly(lexer, state)
            if self.failed is not None:
                return
            if state.line_ctr.char_pos != stretch.start:
                self._fail()
                return
            state.text = whole
            token = _told(state, stretch)
            if token is not None:
                yield token
        state.text = whole
        yield from self._plainly(lexer, state)

    def _plainly(self, lexer: BasicLexer | ContextualLexer, state: Any) -> Iterator[Token]:
        contextual = isinstance(lexer, ContextualLexer)
        while True:
            try:
                token = self._next(lexer, state)
            except EOFError:
                return
            except UnexpectedCharacters:
                if self.lost or not contextual:
                    self._fail()
                    return
                self.lost = True
                continue
            if token.type == UNKNOWN_TYPE:
                self.failed = token.start_pos
                return
            yield token

    def _next(self, lexer: BasicLexer | ContextualLexer, state: Any) -> Token:
        if self.lost and self.guided is not None:
            return self.guided.next_token(state)
        chosen: Any = lexer
        if isinstance(lexer, ContextualLexer):
            chosen = lexer.root_lexer if self.lost else lexer.lexers[self.parser.position]
        found: Token = chosen.next_token(state, self.parser)
        return found


def _cut(text: Any, end: int) -> Any:
    """The text as if it ended there, in the form that this release of Lark has texts in."""
    if isinstance(text, str):
        return text[:end]
    return type(text)(text.text, text.start, end)


def _told(state: Any, stretch: Stretch) -> Token | None:
    """The token of a stretch, None if it is to be skipped; the lexer's state moves past it."""
    lines = state.line_ctr
    whole = state.text if isinstance(state.text, str) else state.text.text
    value = whole[stretch.start : stretch.end]
    token = None
    if stretch.terminal is not None:
        token = Token(stretch.terminal, value, lines.char_pos, lines.line, lines.column)
    lines.feed(value, True)
    if token is not None:
        token.end_line, token.end_column = lines.line, lines.column
        token.end_pos = lines.char_pos
        state.last_token = token
    return token
