"""Symbols and rules as small integers that remember how and where the user wrote them.

A *rule* is one alternative of a non-terminal, an *item* a rule with a designated position
(Raselimo and Fischer 2024, Section 2). Terminals are numbered first; terminal 0 is the end of the
input, written ``$end``.

A non-terminal that the user did not write (a repetition, option, group or embedded action)
is a *helper*: it remembers its operator and source text, and reports show it inside the rule that
the user wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from gramspect.source import Span

__all__ = [
    "END",
    "Associativity",
    "Diagnostic",
    "Operator",
    "Precedence",
    "Rule",
    "Symbol",
    "block_text",
]

END = 0
"""The index of the end-of-input terminal."""


class Operator(StrEnum):
    """What a helper non-terminal stands for in the user's text."""

    GROUP = "()"
    OPTION = "?"
    STAR = "*"
    PLUS = "+"
    ACTION = "{}"
    SET = "~"
    """One of many tokens, such as ``~A`` or ``.``; always shown as written."""


class Associativity(StrEnum):
    """How yacc resolves a conflict between a rule and a token of the same precedence."""

    LEFT = "left"
    RIGHT = "right"
    NONASSOC = "nonassoc"
    NONE = "precedence"


@dataclass(frozen=True, slots=True)
class Precedence:
    """A precedence level (higher binds tighter) with its associativity."""

    level: int
    associativity: Associativity


@dataclass(frozen=True, slots=True)
class Symbol:
    """A terminal or non-terminal.

    `display` is how the user writes it, `spellings` are the other texts that name this token in
    a test (a literal without its quotes, an alias). `span` is where it is declared or defined.
    `operator` and `owner`, the non-terminal that it was written in, are set for helpers only.
    """

    index: int
    name: str
    terminal: bool
    display: str
    span: Span | None = None
    spellings: tuple[str, ...] = ()
    operator: Operator | None = None
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One alternative ``lhs -> rhs``.

    `alternative` counts from 1 within the non-terminal. `span` covers the alternative in the
    source (empty for an empty one), `rhs_spans` the symbol occurrences.
    `precedence` is the terminal whose precedence the rule has, if any.
    """

    index: int
    lhs: int
    rhs: tuple[int, ...]
    alternative: int
    label: str
    span: Span | None
    rhs_spans: tuple[Span | None, ...]
    precedence: int | None = None

    def numbered(self, index: int, alternative: int, label: str) -> Rule:
        """The same rule at another place. Thousands are made for an edit of a large grammar, and
        `dataclasses.replace` takes three times as long."""
        return Rule(
            index, self.lhs, self.rhs, alternative, label,
            self.span, self.rhs_spans, self.precedence,
        )  # fmt: skip


def block_text(operator: Operator, alternatives: Sequence[Sequence[str]]) -> str:
    """A block on one line, such as ``( a | b )*`` or ``a?``."""
    words = [word for alternative in alternatives for word in ("|", *alternative)][1:]
    if operator is Operator.ACTION:
        return " ".join([*words, "{}"])
    if operator is Operator.GROUP:
        return " ".join(["(", *words, ")"])
    if len(words) == 1 and words[0][-1:] not in ("?", "*", "+"):
        return f"{words[0]}{operator}"
    return " ".join(["(", *words, f"){operator}"])


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something odd in a grammar that does not keep it from being used."""

    code: str
    message: str
    span: Span | None = None

    def __str__(self) -> str:
        return self.message if self.span is None else f"{self.span}: {self.message}"
