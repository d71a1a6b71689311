"""What tokens a text consists of, where no parser says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.lexer import BasicLexer, ContextualLexer, LexerThread
from lark.parser_frontends import PostLexConnector

__all__ = ["LenientLexing", "basic_tokens", "longest_match", "tokens_after"]


def basic_tokens(lark: Lark, text: Any) -> list[Token] | None:
    """The tokens of a lexer that runs before the parser; None if it fails."""
    try:
        thread: Any = lark.parser._make_lexer_thread(text)
        return list(thread.lex(None))
    except Exception:
        return None


def tokens_after(lark: Lark, text: str, place: int) -> list[Token] | None:
    """The tokens from a place on, as Lark's basic lexer reads them; None if it fails.

    The dynamic lexer has none there: nothing is expected after an error.
    """
    try:
        thread: Any = LexerThread.from_text(BasicLexer(lark.lexer_conf), text[place:])
        return list(thread.lex(None))
    except Exception:
        return None


def longest_match(lark: Lark, text: str, place: int) -> tuple[str, str] | None:
    """The longest of all terminals that match at a place, and its name."""
    conf = lark.lexer_conf
    found: tuple[str, str] | None = None
    for terminal in conf.terminals:
        pattern = conf.re_module.compile(terminal.pattern.to_regexp(), conf.g_regex_flags)
        match = pattern.match(text, place)
        if match and match[0] and (found is None or len(match[0]) > len(found[0])):
            found = match[0], terminal.name
    return found


class LenientLexing:
    """The tokens of an LALR parser, beyond its first error.

    Up to there the lexer may ask the parser what is expected. After it any terminal is taken.
    """

    def __init__(self, driver: Any) -> None:
        self._state = driver.parser_state
        self._thread = driver.lexer_thread
        self._failed = False

    def tokens(self, feed: Any) -> list[Token] | None:
        """All tokens, of which `feed` gets those up to the first error; None if the lexer fails."""
        lexer, found = self._thread.lexer, []
        process = None
        if isinstance(lexer, PostLexConnector):
            lexer, process = lexer.lexer, lexer.postlexer.process
        if isinstance(lexer, ContextualLexer):
            stream = self._read(lexer)
        else:
            stream = lexer.lex(self._thread.state, self._state)
        try:
            for token in stream if process is None else process(stream):
                found.append(token)
                if not self._failed:
                    self._feed(feed, token)
        except Exception:
            return None
        return found

    def _feed(self, feed: Any, token: Token) -> None:
        try:
            feed(token)
        except UnexpectedToken:
            self._failed = True

    def _read(self, lexer: ContextualLexer) -> Iterator[Token]:
        while True:
            chosen = lexer.root_lexer if self._failed else lexer.lexers[self._state.position]
            try:
                token = chosen.next_token(self._thread.state, self._state)
            except EOFError:
                return
            except UnexpectedCharacters:
                if self._failed:
                    raise
                self._failed = True
                continue
            yield token
