"""The files that PLY writes beside a parser: its tables, and a description of them.

Loading a parser must leave no files behind, wherever the user's code wants them; and tables in a
file belong to the grammar as it was when they were written (``optimize=1`` takes them unseen).
"""

from __future__ import annotations

import builtins
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

__all__ = ["is_table_file", "nothing_written"]

_ASSIGNED = [
    re.compile(rb"^%s\s*=" % name, re.MULTILINE)
    for name in (b"_lr_signature", b"_lr_action_items", b"_lr_productions")
]
"""PLY's own ``yacc.py`` has these names as well, but not all of them at the front of a line."""


def is_table_file(file: str) -> bool:
    """Whether a file holds tables that PLY has written (``parsetab.py``)."""
    if not file.endswith(".py"):
        return False
    try:
        content = Path(file).read_bytes()
    except OSError:
        return False
    return all(assigned.search(content) for assigned in _ASSIGNED)


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
