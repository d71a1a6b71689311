"""The switch between the plain and the compiled kernel.

The modules of this package are written in the subset of Python that numba compiles. They are
loaded under two names: as ``gramspect.kernel`` they are ordinary Python, as
``gramspect.kernel_compiled`` (see `gramspect.kernel.load`) this decorator compiles them. One
source, two speeds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

COMPILED = __name__.startswith("gramspect.kernel_compiled")

if COMPILED:
    from hashlib import sha256
    from pathlib import Path

    import numba

    SOURCES = sorted(Path(__file__).parent.glob("*.py"))
    DIGEST = sha256(b"".join(path.read_bytes() for path in SOURCES)).hexdigest()[:16]

    def jit(function: Callable[P, R]) -> Callable[P, R]:
        """Compile on first call, keep the machine code on disk.

        Functions are inlined, for the tables that they pass on are long tuples. So machine code
        depends on other files than the function's own, of which numba's cache knows nothing: the
        name under which it is kept stands for them all.
        """
        function.__qualname__ += f"_{DIGEST}"
        compiled: Callable[P, R] = numba.njit(cache=True, nogil=True, forceinline=True)(function)
        return compiled

else:

    def jit(function: Callable[P, R]) -> Callable[P, R]:
        """Leave the function as it is."""
        return function
