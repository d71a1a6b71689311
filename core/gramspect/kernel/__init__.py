"""The inner loops: LR parsing, Earley recognition and extraction over flat arrays.

They are written once, as plain Python over a list. When gramspect is built, `hatch_build.py` makes
an extension module of them, `gramspect.kernel.machine_code`, which does the same over an array.
Where there is no C compiler, there is no such module, and plain Python does the work.

May use: `grammars`.
"""

from __future__ import annotations

import importlib
from functools import cache
from importlib.util import find_spec
from typing import Any

__all__ = ["is_compiled", "load"]

_COMPILED = f"{__name__}.machine_code"


@cache
def is_compiled() -> bool:
    """Whether the kernel was compiled when gramspect was built."""
    return find_spec(_COMPILED) is not None


@cache
def load(module: str, compiled: bool) -> Any:
    """The kernel module of that name (``lr``, ``earley``, ...); all compiled ones are one.

    Raises:
        ModuleNotFoundError: the kernel was not compiled.
    """
    if compiled and not is_compiled():
        raise ModuleNotFoundError(
            "the kernel is not compiled: install a C compiler (gcc, clang), then gramspect again"
        )
    return importlib.import_module(_COMPILED if compiled else f"{__name__}.{module}")
