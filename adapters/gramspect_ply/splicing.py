"""PLY's lexers, run over a text in which the caller says how some stretches are read.

For the time of a parse the method ``token`` of PLY's lexers is replaced in every loaded copy of
PLY, because some parsers make their lexer when they parse. The lexer sees its text end before a
stretch, and goes on after it in the state that it is in. The user's code may still change the
tokens on their way to the parser (indents, pushed back tokens).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from gramspect_ply.shapes import Token

__all__ = ["SplicedLexers", "Stretch"]


class Stretch(NamedTuple):
    """``text[start:end]``, to be read as a token of that type, or to be skipped."""

    start: int
    end: int
    type: str | None


class SplicedLexers:
    """Lexers that read a text with such stretches, and the places of the tokens they made."""

    def __init__(self, text: str, stretches: Sequence[Stretch] = ()) -> None:
        self.lexers: dict[int, object] = {}
        """The lexers that were asked for tokens."""
        self._text = text
        self._stretches = list(stretches)
        self._base: int | None = None
        self._made: dict[int, tuple[object, int, int]] = {}
        self._last = 0
        self.is_foreign = False
        """Whether a lexer read something other than this text."""

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Put the methods in their places for a while."""
        originals = {kind: kind.token for kind in _lexer_types()}
        try:
            for kind, original in originals.items():
                kind.token = self._instead(original)
            yield
        finally:
            for kind, original in originals.items():
                kind.token = original

    @property
    def is_complete(self) -> bool:
        """Whether all stretches were read."""
        return not self._stretches

    @property
    def place(self) -> int:
        """The offset up to which tokens were made."""
        return self._last

    def offset(self, in_lexer: int) -> int:
        """The offset in the text of one in what the lexer reads."""
        return in_lexer - (self._base or 0)

    def span(self, token: Token) -> tuple[int, int] | None:
        """Where a token stands; None if no lexer made it."""
        known = self._made.get(id(token))
        return None if known is None else known[1:]

    def _instead(self, original: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def token(lexer: Any) -> Any:
            self.lexers[id(lexer)] = lexer
            if self._base is None:
                self._base = self._find(lexer)
            if self._base is None:
                self.is_foreign = True
                return original(lexer)
            while True:
                if not self._stretches:
                    return self._noted(lexer, original(lexer))
                stretch = self._stretches[0]
                found = self._before(lexer, original, self._base + stretch.start)
                if found is not None or lexer.lexpos != self._base + stretch.start:
                    return self._noted(lexer, found)
                self._stretches.pop(0)
                lexer.lexpos = self._base + stretch.end
                told = self._told(lexer, stretch)
                if told is not None:
                    return told

        return token

    def _find(self, lexer: Any) -> int | None:
        """Where in the lexer's text the test begins."""
        if not isinstance(lexer.lexdata, str):
            return None
        plain = self._text.strip()
        place = lexer.lexdata.find(plain) if plain else -1
        return None if place < 0 else place - self._text.index(plain)

    def _before(self, lexer: Any, original: Callable[[Any], Any], end: int) -> Any:
        """The next token if the lexer's text ended there; None if the lexer has reached that
        place."""
        whole, length = lexer.lexdata, lexer.lexlen
        if lexer.lexpos == end:
            return None
        lexer.lexdata, lexer.lexlen = whole[:end], min(length, end)
        try:
            found = original(lexer)
        finally:
            lexer.lexdata, lexer.lexlen = whole, length
        if found is None and lexer.lexpos == end + 1:
            lexer.lexpos = end
        return found

    def _noted(self, lexer: Any, token: Any) -> Any:
        if token is not None and self._base is not None:
            start, end = getattr(token, "lexpos", None), lexer.lexpos - self._base
            start = start - self._base if isinstance(start, int) else self._last
            if not self._last <= start <= end:
                start = self._last
            self._made[id(token)] = token, start, max(start, end)
            self._last = max(start, end)
        return token

    def _told(self, lexer: Any, stretch: Stretch) -> Any:
        """The token of a stretch; None if it is to be skipped."""
        value = self._text[stretch.start : stretch.end]
        line = lexer.lineno
        lexer.lineno += value.count("\n")
        self._last = stretch.end
        if stretch.type is None:
            return None
        token = sys.modules[type(lexer).__module__].LexToken()
        token.type, token.value, token.lineno = stretch.type, value, line
        token.lexpos = lexer.lexpos - len(value)
        token.lexer = lexer
        self._made[id(token)] = token, stretch.start, stretch.end
        return token


def _lexer_types() -> set[Any]:
    """The class ``Lexer`` of each copy of PLY that is loaded."""
    modules = [m for name, m in tuple(sys.modules.items()) if name.rpartition(".")[2] == "lex"]
    kinds = (getattr(module, "Lexer", None) for module in modules)
    return {kind for kind in kinds if isinstance(kind, type) and hasattr(kind, "token")}
