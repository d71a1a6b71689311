"""Programs by their names: in Python, or in a language that a package knows how to watch.

Such a package has an entry point in the group ``gramspect.programs``, a
`gramspect.running.executions.Programs`.
"""

from __future__ import annotations

from importlib.metadata import entry_points

from gramspect.associations.python_programs import PythonProgram
from gramspect.running.executions import Program, Programs

__all__ = ["GROUP", "SECONDS", "program_of"]

GROUP = "gramspect.programs"

SECONDS = 10.0
"""How long an input may take unless it is said."""


def program_of(
    name: str, packages: tuple[str, ...] = (), *, lines: bool = False, seconds: float = SECONDS
) -> Program:
    """The program of a name, which is loaded when it runs.

    Args:
        name: ``module:function``, ``file.py:function`` or ``lib.jar:p.Class::method``.
        packages: whose code is watched; by default that of the program itself.
        lines: whether the lines of a Python program are watched, which takes longer.
        seconds: how long an input may take.
    """
    for entry in sorted(entry_points(group=GROUP)):
        known: Programs = entry.load()
        if known.claims(name):
            return known.program(name, packages, seconds)
    return PythonProgram(name, packages, lines, seconds)
