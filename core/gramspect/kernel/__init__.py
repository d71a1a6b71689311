"""The inner loops: LR parsing, Earley recognition and extraction over flat arrays.

They are written once, as plain Python over a list. When gramspect is built, `hatch_build.py` makes
an extension module of them, `gramspect.kernel.machine_code`, which does the same over an array.
Where there is no C compiler, there is no such module, and plain Python does the work. So it does if
the module is not made of the sources that are here: a checkout may have changed since.

May use: `grammars`.
"""

from __future__ import annotations

import importlib
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

__all__ = ["is_compiled", "load"]

_COMPILED = f"{__name__}.machine_code"


@cache
def is_compiled() -> bool:
    """Whether the kernel was compiled, from the sources that are here."""
    try:
        compiled = importlib.import_module(_COMPILED)
    except ImportError:  # there is none, or it is for another system
        return False
    return bool(sources_digest(Path(__file__).parent) == compiled.SOURCES)


def sources_digest(folder: Path) -> str:
    """What tells the sources of the kernel in a folder from any others."""
    sources = sorted(folder.glob("*.py"))
    return sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


@cache
def load(module: str, compiled: bool) -> Any:
    """The kernel module of that name (``lr``, ``earley``, ...); all compiled ones are one.

    Raises:
        ModuleNotFoundError: the kernel was not compiled, or from other sources.
    """
    if compiled and not is_compiled():
        raise ModuleNotFoundError(
            "the kernel is not compiled: install a C compiler (gcc, clang), then gramspect again"
        )
    return importlib.import_module(_COMPILED if compiled else f"{__name__}.{module}")
