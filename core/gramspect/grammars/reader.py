"""The common part of predictive readers of grammar files: one lexeme of lookahead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, NoReturn, Protocol, TypeVar

from gramspect.errors import GrammarError
from gramspect.source import SourceText, Span

__all__ = ["Reader", "Stretch"]


class Stretch(Protocol):
    """A part of a text, from the offset `start` to `end`."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


L = TypeVar("L", bound=Stretch)


class Reader(Generic[L]):
    """Reads lexemes one after the other; `ahead` is the one that comes next.

    The last lexeme of a text is one that stands for its end.
    """

    def __init__(self, source: SourceText, lexemes: Iterator[L]) -> None:
        self.source = source
        self._lexemes = lexemes
        self.ahead = next(lexemes)

    def next(self) -> L:
        """Take one lexeme; the end stays where it is."""
        taken = self.ahead
        self.ahead = next(self._lexemes, taken)
        return taken

    def span(self, lexeme: L) -> Span:
        """Where a lexeme is."""
        return self.source.span(lexeme.start, lexeme.end)

    def refuse(self, message: str, lexeme: L) -> NoReturn:
        """Stop reading at a lexeme."""
        raise GrammarError(message, self.span(lexeme))
