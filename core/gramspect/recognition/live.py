"""How adapters record parsers where the user's program runs them, in this process.

An adapter that can do so is `Attaching`: it has its hooks put into the classes of the parser
generator, so that every parser with the grammar that was named is recorded, also one that is made
later. The program goes on as it would without: the same results, the same exceptions, error
recovery and all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.trace import Trace

__all__ = ["Attaching", "Attachment", "NoteParse"]

NoteParse = Callable[[Callable[[], Trace], str | None], None]
"""Called when a parse has ended, with what makes its trace, and its text if that is known.

The trace must be made before the call returns; nothing is raised, whatever happens in there."""


class Attachment(Protocol):
    """Hooks that are in place."""

    @property
    def grammar(self) -> Grammar:
        """The grammar of the parsers that are recorded."""
        ...

    def detach(self) -> None:
        """Take the hooks out. A parse that is running is not recorded then."""
        ...


@runtime_checkable
class Attaching(Protocol):
    """An adapter that records live parsers."""

    def records(self, thing: object) -> bool:
        """Whether a live object is, or has, a parser of this kind."""
        ...

    def attach(self, thing: object, options: LoadOptions, note: NoteParse) -> Attachment:
        """Record all parses of the parser that `thing` is or names, and of those like it.

        A string names a parser as for `Adapter.load`; it is loaded in this process.

        Raises:
            GramspectError: it is no parser of this kind, or does not load.
        """
        ...
