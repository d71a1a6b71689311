"""Token rules as an adapter hands them over, and texts as a tool's lexer reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gramspect.lexical.automaton import Automaton
from gramspect.source import Span

__all__ = ["LexedText", "Lexeme", "Splice", "Substitute", "TokenRule"]


@dataclass(frozen=True, slots=True)
class Substitute:
    """A token rule that comes with the tool and may be taken in the place of another.

    `name` is what the tool calls it, `words` say what is done, `rewriting` how it is written.
    """

    name: str
    words: str
    rewriting: tuple[tuple[Span, str], ...] = field(repr=False)


@dataclass(frozen=True)
class TokenRule:
    """A rule of a lexer.

    Attributes:
        name: as the user writes it, or as the tool calls a pattern that has no name; then `shown`
            is the pattern.
        automaton: what it reads; None if that is not known (the user's code decides).
        terminals: the terminals of the grammar that it makes.
        skipped: whether the parser never sees what it reads (blanks, comments). A rule that makes
            no terminal and is not skipped is a *fragment*, a part of others.
        span: its definition.
        text: its definition on one line, as the user wrote it.
        inside: the non-terminals that change with it: of a pattern without a name those in whose
            definitions it is written, of a fixed rule those that use it.
        fixed: whether it comes with the tool, so that no user can change it.
        substitutes: what could be taken in the place of a fixed one, the likeliest first.
    """

    name: str
    automaton: Automaton | None = field(repr=False)
    terminals: frozenset[int] = frozenset()
    skipped: bool = False
    span: Span | None = None
    text: str = ""
    inside: frozenset[int] = frozenset()
    fixed: bool = False
    substitutes: tuple[Substitute, ...] = field(default=(), repr=False)
    shown: str = ""

    @property
    def label(self) -> str:
        """``token NAME``, or ``token /PATTERN/`` for one without a name."""
        return f"token {self.shown or self.name}"

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
