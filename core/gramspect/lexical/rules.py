"""Token rules as an adapter hands them over, and texts as a tool's lexer reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gramspect.lexical.automaton import Automaton
from gramspect.source import Span

__all__ = ["LexedText", "Lexeme", "Splice", "TokenRule"]


@dataclass(frozen=True)
class TokenRule:
    """A rule of a lexer.

    Attributes:
        name: as the user writes it, or as the tool calls a pattern that has no name.
        automaton: what it reads; None if that is not known (the user's code decides).
        terminals: the terminals of the grammar that it makes.
        skipped: whether the parser never sees what it reads (blanks, comments). A rule that makes
            no terminal and is not skipped is a *fragment*, a part of others.
        span: its definition.
        text: its definition on one line, as the user wrote it.
        inside: of a pattern without a name, the non-terminals in whose definitions it is written.
    """

    name: str
    automaton: Automaton | None = field(repr=False)
    terminals: frozenset[int] = frozenset()
    skipped: bool = False
    span: Span | None = None
    text: str = ""
    inside: frozenset[int] = frozenset()

    @property
    def label(self) -> str:
        """``token NAME``, or ``token /PATTERN/`` for one without a name."""
        return f"token {self.text if self.inside else self.name}"

    @property
    def definition(self) -> int | None:
        """The non-terminal whose definition a change of it changes, if it is part of one."""
        return next(iter(self.inside)) if len(self.inside) == 1 else None


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A token: the terminal (-1 if the grammar does not know it), and the text that it spans.

    Tokens that stand for no text, such as those of an indenter, are empty.
    """

    terminal: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LexedText:
    """The tokens of a text.

    `failed` is the offset where the lexer could not go on, if any. `accepted` is what the parser
    says of the tokens, None if it was not asked.
    """

    lexemes: Sequence[Lexeme]
    failed: int | None = None
    accepted: bool | None = None


@dataclass(frozen=True, slots=True)
class Splice:
    """A stretch of a text that is to be read as one token, whatever the lexer makes of it.

    `terminal` is None if it is to be skipped.
    """

    start: int
    end: int
    terminal: int | None
