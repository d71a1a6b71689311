"""Which tokens a text consists of, where no parser says so.

Up to its first error a text has the tokens that the parser asked for. After it no parser asks, and
Lark's basic lexer would take the terminal of the highest priority everywhere: a type where a name
must stand, or a pattern for what is inside of strings. So the token before says which terminals may
come (`GuidedLexer`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from copy import copy
from functools import cached_property
from typing import Any

from lark import Lark, Token
from lark.common import LexerConf
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.lexer import BasicLexer, ContextualLexer, LexerThread, PatternRE, TerminalDef
from lark.parser_frontends import PostLexConnector

__all__ = [
    "UNKNOWN_TYPE",
    "Followers",
    "GuidedLexer",
    "LenientLexing",
    "basic_lexer",
    "basic_tokens",
    "longest_match",
    "tokens_after",
]

Followers = Mapping[str, frozenset[str]]
"""For each terminal those that may stand after it, whatever stands around them."""

UNKNOWN_TYPE = "<unknown>"
"""The type of a token that stands for text which no terminal matches."""

_PIECE = re.compile(
    r"""\s*(?:(["'`])[^\n]*?\1|[^\w\s()\[\]{},;"'`]+(?=\d)|[^\s()\[\]{},;"']+|\S)"""
)
"""The text that becomes one token where no terminal matches: in quotes, signs before a number, or
up to a blank or a bracket."""

_GLOBAL_FLAGS = re.compile(r"\(\?([aimsux]+)\)")


def basic_lexer(conf: LexerConf) -> BasicLexer:
    """Lark's basic lexer, also for terminals that were written for the dynamic one.

    That compiles each pattern by itself, so it may begin with ``(?s)``. The basic lexer joins all
    of them, where such flags would be an error: they become flags of the one pattern.
    """
    conf = copy(conf)
    conf.terminals = [_with_own_flags(terminal) for terminal in conf.terminals]
    return BasicLexer(conf)


def _with_own_flags(terminal: TerminalDef) -> TerminalDef:
    pattern = terminal.pattern
    found = _GLOBAL_FLAGS.match(pattern.value) if isinstance(pattern, PatternRE) else None
    if found is None:
        return terminal
    flags = {*pattern.flags, *found[1]}
    alone = PatternRE(pattern.value[found.end() :], flags, pattern.raw)
    return TerminalDef(terminal.name, alone, terminal.priority)


def basic_tokens(lark: Lark, text: Any) -> list[Token] | None:
    """The tokens of a lexer that runs before the parser; None if it fails.

    Text that no terminal matches becomes a token of `UNKNOWN_TYPE`, where the lexer is Lark's own.
    """
    try:
        thread: Any = lark.parser._make_lexer_thread(text)
        lexer, process = _parts(thread.lexer)
        if type(lexer) is not BasicLexer or not isinstance(text, str):
            return list(thread.lex(None))
        stream = _read(GuidedLexer(lexer), thread.state)
        return list(stream if process is None else process(stream))
    except Exception:
        return None


def tokens_after(
    lark: Lark, text: str, place: int, guided: GuidedLexer | None = None
) -> list[Token] | None:
    """The tokens from a place on, as Lark's lexer reads them; None if it fails.

    The dynamic lexer has none there: nothing is expected after an error. Without `guided` any
    terminal may come, and text that no terminal matches is a failure.
    """
    try:
        root = basic_lexer(lark.lexer_conf)
        thread: Any = LexerThread.from_text(root, text[place:])
        return list(thread.lex(None) if guided is None else _read(guided, thread.state))
    except Exception:
        return None


def _parts(lexer: Any) -> tuple[Any, Any]:
    """A lexer, and the function that changes the stream of its tokens if there is one."""
    if isinstance(lexer, PostLexConnector):
        return lexer.lexer, lexer.postlexer.process
    return lexer, None


def _read(lexer: GuidedLexer, state: Any) -> Iterator[Token]:
    while True:
        try:
            token = lexer.next_token(state)
        except EOFError:
            return
        yield token


class GuidedLexer:
    """Lark's basic lexer, told by the token before which terminals may come.

    Where none of these matches, any terminal may; where none at all does, the next piece of text
    (`_PIECE`) is a token of `UNKNOWN_TYPE`. Without `conf` and `followers` any terminal may come
    everywhere.
    """

    def __init__(self, root: Any, conf: Any = None, followers: Followers | None = None) -> None:
        self._root, self._conf = root, conf
        self._followers = followers or {}
        self._lexers: dict[frozenset[str], Any] = {}

    def next_token(self, state: Any) -> Token:
        """The next token. Raises EOFError at the end of the text."""
        before = state.last_token
        allowed = self._followers.get(before.type) if before is not None else None
        if allowed:
            try:
                found: Token = self._lexer(allowed).next_token(state, None)
                return found
            except UnexpectedCharacters:
                state.last_token = before
        try:
            return self._most_used(self._root.next_token(state, None))
        except UnexpectedCharacters:
            return self._unknown(state)

    def _lexer(self, allowed: frozenset[str]) -> Any:
        if allowed not in self._lexers:
            conf, by_name = copy(self._conf), self._conf.terminals_by_name
            wanted = allowed | set(self._conf.ignore)
            conf.terminals = [by_name[name] for name in sorted(wanted) if name in by_name]
            conf.skip_validation = True
            self._lexers[allowed] = basic_lexer(conf)
        return self._lexers[allowed]

    def _most_used(self, token: Token) -> Token:
        """A token, read as a keyword if it is one, else as the terminal that may stand in most
        places.

        The terminal that the lexer took first says little: all that is known is that it is not
        expected.
        """
        if self._conf is None or token.type not in self._patterns:
            return token
        text = str(token)
        alike = [name for name, regexp in self._patterns.items() if regexp.fullmatch(text)]
        best = max([token.type, *alike], key=lambda name: (self._is_word(name), self._places[name]))
        return token if best == token.type else Token.new_borrow_pos(best, token, token)

    def _is_word(self, terminal: str) -> bool:
        """Whether a terminal is one text, such as a keyword."""
        pattern = self._conf.terminals_by_name[terminal].pattern
        return bool(pattern.type == "str")

    @cached_property
    def _patterns(self) -> Mapping[str, re.Pattern[str]]:
        conf = self._conf
        return {
            terminal.name: conf.re_module.compile(terminal.pattern.to_regexp(), conf.g_regex_flags)
            for terminal in conf.terminals
            if terminal.name not in conf.ignore
        }

    @cached_property
    def _places(self) -> Counter[str]:
        """After how many terminals each may stand."""
        places: Counter[str] = Counter()
        for names, times in Counter(self._followers.values()).items():
            for name in names:
                places[name] += times
        return places

    @staticmethod
    def _unknown(state: Any) -> Token:
        """A token of the text that no terminal matches."""
        counter, text = state.line_ctr, state.text.text
        piece = _PIECE.match(text, counter.char_pos, state.text.end)
        value = piece[0] if piece else text[counter.char_pos : state.text.end]
        token = Token(UNKNOWN_TYPE, value, counter.char_pos, counter.line, counter.column)
        counter.feed(value, "\n" in value)
        token.end_line, token.end_column = counter.line, counter.column
        token.end_pos = counter.char_pos
        state.last_token = token
        return token


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

    Up to there the lexer may ask the parser what is expected, after it a `GuidedLexer` reads.
    """

    def __init__(self, driver: Any, guided: GuidedLexer) -> None:
        self._state = driver.parser_state
        self._thread = driver.lexer_thread
        self._guided = guided
        self._failed = False

    def tokens(self, feed: Any) -> list[Token] | None:
        """All tokens, of which `feed` gets those up to the first error; None if the lexer fails."""
        found = []
        lexer, process = _parts(self._thread.lexer)
        if isinstance(lexer, ContextualLexer):
            stream = self._read(lexer)
        elif type(lexer) is BasicLexer:
            stream = _read(GuidedLexer(lexer), self._thread.state)
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
        except (UnexpectedToken, KeyError):
            self._failed = True

    def _read(self, lexer: ContextualLexer) -> Iterator[Token]:
        state = self._thread.state
        try:
            while not self._failed:
                try:
                    token = lexer.lexers[self._state.position].next_token(state, self._state)
                except UnexpectedCharacters:
                    self._failed = True
                else:
                    yield token
        except EOFError:
            return
        yield from _read(self._guided, state)
