"""The switch between the plain and the compiled kernel.

The modules of this package are written in the subset of Python that numba compiles. They are
loaded under two names: as ``gramspect.kernel`` they are ordinary Python, as
``gramspect.kernel_compiled`` (see `gramspect.kernel.load`) they are compiled: `entry`
decorates what the rest of gramspect calls, `jit` what only the kernel calls. One source, two
speeds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

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
        """Compile on first call, for callers in the kernel.

        Python cannot call it: the wrappers for that would be a quarter of what compiling takes.
        """
        return _compiled(function, no_cpython_wrapper=True)

    def entry(function: Callable[P, R]) -> Callable[P, R]:
        """Compile on first call, also for callers outside the kernel."""
        return _compiled(function)

    def _compiled(function: Callable[P, R], **options: bool) -> Callable[P, R]:
        """Compile on first call, keep the machine code on disk.

        Functions are inlined, for the tables that they pass on are long tuples. So machine code
        depends on other files than the function's own, of which numba's cache knows nothing: the
        name under which it is kept stands for them all.
        """
        function.__qualname__ += f"_{DIGEST}"
        options |= {"cache": True, "nogil": True, "forceinline": True, "no_cfunc_wrapper": True}
        compiled: Callable[P, R] = cast(Any, numba.njit)(**options)(function)
        _without_literals(compiled)
        return compiled

    def _without_literals(dispatcher: Any) -> None:
        """Compile a function once for all constants that others call it with.

        To numba a constant is a type of its own, so it would compile ``add(..., 0, -1)`` and
        ``add(..., 1, -1)`` apart, to the same machine code: a third of the time of the first run.
        """
        template, unliteral = dispatcher.get_call_template, cast(Any, numba.types.unliteral)

        def general(args: Any, kws: Any) -> Any:
            named = {name: unliteral(kind) for name, kind in kws.items()}
            return template(tuple(map(unliteral, args)), named)

        dispatcher.get_call_template = general

else:

    def jit(function: Callable[P, R]) -> Callable[P, R]:
        """Leave the function as it is."""
        return function

    def entry(function: Callable[P, R]) -> Callable[P, R]:
        """Leave the function as it is."""
        return function
