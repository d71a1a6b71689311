"""The files that PLY writes beside a parser: its tables, and a description of them.

Loading a parser must leave no files behind, wherever the user's code wants them.
"""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

__all__ = ["nothing_written"]


@contextmanager
def nothing_written() -> Iterator[None]:
    """Discard what any copy of PLY writes to files while the user's code runs."""
    original = builtins.open

    def opened(file: Any, mode: str = "r", *args: Any, **options: Any) -> Any:
        writes = isinstance(mode, str) and not set(mode).isdisjoint("wax")
        if writes and _is_ply(sys._getframe(1)):
            file, mode = os.devnull, mode.replace("x", "w")
        return original(file, mode, *args, **options)

    builtins.open = opened
    try:
        yield
    finally:
        builtins.open = original


def _is_ply(frame: FrameType) -> bool:
    """Whether code is of PLY's module ``yacc`` or ``lex``, under whatever name."""
    known = frame.f_globals
    return known.keys() >= {"YaccError", "LRParser"} or known.keys() >= {"LexError", "LexToken"}
