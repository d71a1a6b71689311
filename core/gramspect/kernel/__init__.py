"""The inner loops: LR parsing, Earley recognition and extraction over flat arrays.

They are written once, in the subset of Python that numba compiles. `load` gives the plain or the
compiled form. Plain Python is right for small jobs: importing numba and loading machine code takes
longer than they do.

May use: `grammars`. Its own modules import each other relatively, for it is loaded under two names.
"""

from __future__ import annotations

import importlib
import sys
from functools import cache
from importlib.util import find_spec
from types import ModuleType
from typing import Any

__all__ = ["can_compile", "is_compiled", "load"]

_COMPILED = "gramspect.kernel_compiled"


@cache
def can_compile() -> bool:
    """Whether numba is installed (the extra ``fast``)."""
    return find_spec("numba") is not None


def is_compiled() -> bool:
    """Whether numba has been loaded, which is most of what compiled code costs."""
    return _COMPILED in sys.modules


@cache
def load(module: str, compiled: bool) -> Any:
    """The kernel module of that name (``lr``, ``earley``, ...), plain or compiled by numba."""
    if not compiled:
        return importlib.import_module(f"{__name__}.{module}")
    if _COMPILED not in sys.modules:
        package = ModuleType(_COMPILED)
        package.__path__ = list(__path__)
        sys.modules[_COMPILED] = package
    return importlib.import_module(f"{_COMPILED}.{module}")
