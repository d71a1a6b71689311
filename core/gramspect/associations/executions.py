"""What an input executes, whatever ran it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Execution"]


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
