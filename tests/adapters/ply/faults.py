"""A fault in a grammar whose rules are docstrings of ``p_`` methods."""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType


@dataclass(frozen=True)
class Fault:
    """One alternative that is written otherwise in the docstring of a method, or left out.

    `correct` and `faulty` are right-hand sides; `faulty` is None for an alternative left out.
    """

    name: str
    method: str
    correct: str
    faulty: str | None

    def seeded(self, parser_class: type) -> type:
        """A subclass with the fault. The method keeps its code, so PLY keeps the order of rules."""
        original = getattr(parser_class, self.method)
        text = self._edited(original.__doc__)
        changed: FunctionType | None = None
        if text is not None:
            changed = FunctionType(
                original.__code__,
                original.__globals__,
                original.__name__,
                original.__defaults__,
                original.__closure__,
            )
            changed.__doc__ = text
        return type(f"Faulty{parser_class.__name__}", (parser_class,), {self.method: changed})

    def lhs(self, parser_class: type) -> str:
        """The non-terminal that the fault is in."""
        return str(getattr(parser_class, self.method).__doc__.split()[0])

    def _edited(self, docstring: str) -> str | None:
        """The docstring with the fault, None if no alternative is left."""
        head, _, body = docstring.partition(":")
        lines = [line.strip().removeprefix("|").split() for line in body.splitlines()]
        alternatives = [words for words in lines if words]
        place = alternatives.index(self.correct.split())
        alternatives[place : place + 1] = [] if self.faulty is None else [self.faulty.split()]
        if not alternatives:
            return None
        return f"{head}: " + "\n| ".join(" ".join(words) for words in alternatives)
