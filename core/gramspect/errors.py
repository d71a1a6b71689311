"""The one exception family of gramspect.

Every message says what is wrong, where (``file:line:column``) and what to do next.
The command line prints it on one line and exits with status 2.
"""

from __future__ import annotations

from gramspect.source import Span

__all__ = [
    "AdapterError",
    "CodeError",
    "GrammarError",
    "GramspectError",
    "MissingDependency",
    "NoSuchFile",
    "SuiteError",
]


class GramspectError(Exception):
    """Base class: something the user can mend.

    `span` is the place in the user's files, if there is one; it is put before the message.
    """

    def __init__(self, message: str, span: Span | None = None) -> None:
        super().__init__(message if span is None else f"{span}: {message}")
        self.message = message
        self.span = span


class GrammarError(GramspectError):
    """A grammar that cannot be read or used."""


class CodeError(GrammarError):
    """A grammar that its tool takes, with code of the user's that does not compile or load."""


class NoSuchFile(GrammarError):
    """The file of a grammar does not exist."""


class SuiteError(GramspectError):
    """A test suite that cannot be read or used."""


class AdapterError(GramspectError):
    """A parser generator, or a parser made by it, that cannot be loaded or built."""


class MissingDependency(GramspectError):
    """A package or program that is needed is not installed; the message says how to get it."""
