"""Definitions of token rules as they are written: trees whose parts know where they stand."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gramspect.lexical.characters import CharSet
from gramspect.source import Span

__all__ = [
    "Blank",
    "Call",
    "Choice",
    "Leaf",
    "Part",
    "Pattern",
    "Quoted",
    "Repeat",
    "Row",
    "Style",
]


class Style(StrEnum):
    """The notation in which a part is written."""

    REGEX = "regex"
    """Python's regular expressions."""
    VERBOSE = "verbose regex"
    """The same with blanks and comments between (``re.VERBOSE``)."""
    LARK = "lark"
    ANTLR = "antlr"
    JAVACC = "javacc"
    JFLEX = "jflex"

    @property
    def is_regex(self) -> bool:
        return self in (Style.REGEX, Style.VERBOSE)


@dataclass(frozen=True, eq=False)
class Part:
    """A stretch of a definition."""

    span: Span
    style: Style


@dataclass(frozen=True, eq=False)
class Leaf(Part):
    """A part that reads one character; `text` is its written form."""

    text: str
    characters: CharSet


@dataclass(frozen=True, eq=False)
class Blank(Part):
    """A part that reads nothing: lookahead, an action."""


@dataclass(frozen=True, eq=False)
class Call(Part):
    """The name of another definition."""

    name: str


@dataclass(frozen=True, eq=False)
class Row(Part):
    """Parts one after the other."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, eq=False)
class Quoted(Row):
    """A string in quotes, with a leaf for each character. `suffix` are its flags."""

    suffix: str = ""


@dataclass(frozen=True, eq=False)
class Choice(Part):
    """Alternatives."""

    rows: tuple[Part, ...]


@dataclass(frozen=True, eq=False)
class Repeat(Part):
    """A part `least` to `most` times (None: any number); `mark` is where the quantifier stands.

    `mark` is None if the part is in brackets that say the same.
    """

    body: Part
    least: int
    most: int | None
    mark: Span | None
    lazy: bool = False


@dataclass(frozen=True, eq=False)
class Pattern:
    """A definition: where its name stands, and what it consists of.

    `priority` is where a number says, or would, which of several tokens comes first, and that.
    `ordered` is the definition with its surroundings and what it is elsewhere, where the first of
    several comes first: in JavaCC what may go behind another one, else whole lines.
    `section` is what holds for the definition by where it stands.
    `any_case` is what can be written where so that its letters may be in either case, if that is
    not said in the body.
    """

    name: str
    named: Span
    body: Part
    priority: tuple[Span, int] | None = None
    ordered: tuple[Span, str] | None = None
    any_case: tuple[Span, str] | None = None
    section: tuple[object, ...] = ()
