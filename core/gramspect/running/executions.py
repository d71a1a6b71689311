"""What an input executes, whatever runs it: programs that are watched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

__all__ = ["Execution", "Program", "Programs"]


@dataclass(frozen=True, slots=True)
class Execution:
    """What happened when a program ran on one input.

    `functions` are the names of the functions or methods that were called, `lines` the lines that
    were executed, where they were watched. `raised` is the exception that left the program, with
    its place, or how the program ended otherwise than well. `lost` says why nothing is known: the
    program crashed, or had to be stopped.
    """

    functions: frozenset[str] = frozenset()
    lines: frozenset[str] = frozenset()
    raised: str | None = None
    lost: str | None = None


class Program(Protocol):
    """A program that is watched while it runs on texts."""

    @property
    def tells(self) -> frozenset[str]:
        """What it tells of an execution: ``functions``, ``lines``, ``exceptions``."""
        ...

    def executions(self, texts: Iterable[str]) -> Iterator[Execution]:
        """What each text executes, in order.

        Raises:
            GramspectError: the program cannot be loaded.
        """
        ...


class Programs(Protocol):
    """Programs in one language; an entry point in the group ``gramspect.programs``."""

    def claims(self, name: str) -> bool:
        """Whether a name is that of such a program, as far as its form tells."""
        ...

    def program(self, name: str, packages: tuple[str, ...], seconds: float) -> Program:
        """The program of a name; `packages` say what is watched, `seconds` how long an input may
        take."""
        ...
