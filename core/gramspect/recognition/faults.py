"""Exceptions of a lexer that say that its code cannot run, not that the input is wrong."""

from __future__ import annotations

from gramspect.recognition.surroundings import one_line

__all__ = ["fault_in_setting_up"]

_FAULTS = (AttributeError, ImportError, NameError, NotImplementedError, OSError, TypeError)
"""Exceptions that broken code raises, but no lexer raises to reject an input."""


def fault_in_setting_up(problem: BaseException | None, n_tokens: int) -> str | None:
    """Why a lexer that has read so many tokens gives no verdict; None if what it raised is one.

    A lexer that fails by a fault of its code before it has read anything fails on every input.
    """
    if n_tokens or not isinstance(problem, _FAULTS):
        return None
    return f"the lexer fails before its first token: it raised {one_line(problem)}"
