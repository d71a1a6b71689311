"""What a JavaCC or JJTree grammar file says: productions, token rules, lookahead specifications."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from gramspect.adapter_api import Alternative, Definition, SourceText, Span

__all__ = ["END_OF_FILE", "JavaccFile", "Lookahead", "Production", "TokenRule", "literal_text"]

END_OF_FILE = "EOF"
"""The name of the token that ends the input."""


@dataclass(frozen=True, slots=True)
class TokenRule:
    """A regular expression of a token production, or one written inside a production.

    `literal` is its text if it is nothing but a string, `name` its label or None. Private ones
    (``#``) are for use in others only. `start` and `end` are the offsets of the whole, `body` that
    of the expression in angle brackets, `last` the end with the rule's code and change of state,
    `alone` those of what goes if the rule goes: all that with one of its bars; None if there is no
    other rule. `kind_end` is where ``[IGNORE_CASE]`` may be written.
    """

    kind: str
    name: str | None
    literal: str | None
    span: Span
    states: tuple[str, ...] = ("DEFAULT",)
    private: bool = False
    ignore_case: bool = False
    start: int = 0
    end: int = 0
    body: int = 0
    last: int = 0
    alone: tuple[int, int] | None = None
    kind_end: int | None = None


@dataclass(frozen=True, slots=True)
class Lookahead:
    """A LOOKAHEAD specification: a limit on tokens, an expansion to look for, a condition."""

    span: Span
    amount: int | None
    syntactic: bool
    semantic: bool


@dataclass(frozen=True, slots=True)
class Production:
    """A production; one in Java code (``JAVACODE``) has no alternatives.

    References name productions, tokens by their labels, literals with their quotes, and other
    regular expressions by their text.
    """

    name: str
    span: Span
    alternatives: tuple[Alternative, ...]
    is_code: bool = False

    @property
    def definition(self) -> Definition:
        return Definition(self.name, self.alternatives, self.span)


@dataclass(frozen=True, slots=True)
class JavaccFile:
    """A grammar file."""

    source: SourceText = field(repr=False)
    options: dict[str, str]
    parser: str
    productions: tuple[Production, ...]
    token_rules: tuple[TokenRule, ...]
    lookaheads: tuple[Lookahead, ...]

    @property
    def file(self) -> str:
        return self.source.file


def literal_text(literal: str) -> str:
    """The text that a string literal of Java stands for."""
    try:
        value = ast.literal_eval(literal)
    except (SyntaxError, ValueError):
        return literal[1:-1]
    return str(value)
