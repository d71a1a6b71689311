"""Parses that need not run again: a failing text is looked at from many sides.

Its verdict, its tokens, what its lexer makes of it and which changes could mend it all begin with
the same parse, and Lark's Earley parser takes much longer for it than anybody else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lark.exceptions import UnexpectedInput

from gramspect_lark.earley import EarleyHook, EarleyRecording
from gramspect_lark.splicing import Stretch

__all__ = ["RememberingHook"]

_ROOM = 500_000
"""How many items and terminals are kept in all, of some ten bytes each."""


class RememberingHook:
    """An `EarleyHook` that keeps its recordings, the latest ones first."""

    def __init__(self, hook: EarleyHook) -> None:
        self._hook = hook
        self._kept: dict[tuple[str | bytes, tuple[Stretch, ...]], EarleyRecording] = {}
        self._size = 0

    @property
    def dynamic(self) -> bool:
        """Whether the parser has no lexer before it."""
        return self._hook.dynamic

    def observe(self, text: Any, stretches: Sequence[Stretch] = ()) -> EarleyRecording:
        """What the parser does with an input, or has done with it."""
        if not isinstance(text, str | bytes):
            return self._hook.observe(text, stretches)
        key = (text, tuple(stretches))
        known = self._kept.pop(key, None)
        if known is None:
            known = self._hook.observe(text, stretches)
            if not _can_be_kept(known):
                return known
            self._size += _size(text, known)
        self._kept[key] = known
        while self._size > _ROOM:
            oldest = next(iter(self._kept))
            self._size -= _size(oldest[0], self._kept.pop(oldest))
        return known


def _can_be_kept(recording: EarleyRecording) -> bool:
    """Whether a parse was accepted, or rejected by Lark; of its exception only the words stay.

    What users' code raises is left as it is, and what it holds is not held longer.
    """
    problem = recording.problem
    if problem is None:
        return True
    if not isinstance(problem, UnexpectedInput):
        return False
    problem.with_traceback(None)
    problem.__context__ = problem.__cause__ = None
    vars(problem).update(considered_rules=None, state=None)  # these hold the whole parse
    return True


def _size(text: str | bytes, recording: EarleyRecording) -> int:
    scanned = sum(map(len, recording.scanned)) + sum(map(len, recording.passed))
    return len(text) + len(recording.items) + len(recording.tokens) + scanned + 10
