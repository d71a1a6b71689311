"""The answers of a system, and how its messages are understood."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from gramspect.errors import GramspectError
from gramspect.source import offset_of

__all__ = ["Answer", "Place", "Reaction", "Wording", "silence"]


class Reaction(StrEnum):
    """What a system does with an input."""

    ACCEPTED = "accepted"
    SYNTAX = "syntax"
    """Rejected because it is no sentence."""
    OTHER = "other"
    """Rejected, but not for its syntax: an unknown table, a type error."""
    NONE = "none"
    """No answer: the system hung, crashed or could not be understood."""


class Place(NamedTuple):
    """Where a system sees an error; None for what it does not tell.

    `offset` counts characters from 0; `near` is the text of the offending token.
    """

    offset: int | None = None
    near: str | None = None


class Answer(NamedTuple):
    """What a system says of one input; `message` is one line, empty if it says nothing."""

    reaction: Reaction
    message: str = ""
    place: Place = Place()


def silence(reason: str) -> Answer:
    """The answer that stands for none, with the reason."""
    return Answer(Reaction.NONE, reason)


_GROUPS = frozenset(["line", "column", "column0", "offset", "near", "end"])


@dataclass(frozen=True)
class Wording:
    """How a system's messages are understood.

    `syntax_errors` are regular expressions; a message in which one is found is about syntax. None
    are given for systems that reject for no other reason. `positions` are regular expressions with
    named groups: ``line`` and ``column`` (both from 1; ``column0`` from 0), ``offset`` (characters,
    from 0), ``near`` (the text of the offending token), ``end`` (anything: the error is at the end
    of the input). The first that is found counts.

    Raises:
        GramspectError: one is no regular expression, or a position has no such group.
    """

    syntax_errors: tuple[str, ...] = ()
    positions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for pattern in self.syntax_errors:
            _compiled(pattern)
        for pattern in self.positions:
            if not _GROUPS.intersection(_compiled(pattern).groupindex):
                known = ", ".join(sorted(_GROUPS))
                raise GramspectError(
                    f"the pattern {pattern!r} has no named group for a position, such as"
                    f" (?P<near>...); there are: {known}"
                )

    def is_syntax_error(self, message: str) -> bool:
        """Whether a message is about syntax."""
        return not self.syntax_errors or self.speaks_of_syntax(message)

    def speaks_of_syntax(self, message: str) -> bool:
        """Whether a pattern for syntax errors is found."""
        return any(_compiled(pattern).search(message) for pattern in self.syntax_errors)

    def place(self, message: str, text: str) -> Place:
        """Where in `text` a message sees the error."""
        for pattern in self.positions:
            found = _compiled(pattern).search(message)
            if found is not None:
                return _place(found.groupdict(), text)
        return Place()


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)  # `re` keeps the last hundreds compiled
    except (re.error, OverflowError, RecursionError) as problem:
        raise GramspectError(f"{pattern!r} is no regular expression: {problem}") from None


def _place(groups: dict[str, str | None], text: str) -> Place:
    near = groups.get("near") or None
    if groups.get("end") is not None:
        return Place(len(text))
    offset = _number(groups.get("offset"))
    line, column = _number(groups.get("line")), _number(groups.get("column"))
    if column is None and (column0 := _number(groups.get("column0"))) is not None:
        column = column0 + 1
    if offset is None and column is not None:
        offset = offset_of(text, 1 if line is None else line, column)
    return Place(None if offset is None else min(offset, len(text)), near)


def _number(digits: str | None) -> int | None:
    return int(digits) if digits is not None and digits.isascii() and digits.isdigit() else None
