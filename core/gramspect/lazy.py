"""Public modules whose names are imported when they are first used.

Such a module has one list of names: its imports under ``if TYPE_CHECKING``. Type checkers and
editors read it as it stands, and `on_first_use` reads it when the module is imported.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

__all__ = ["on_first_use"]


def on_first_use(module: str) -> tuple[Callable[[str], object], list[str]]:
    """``__getattr__`` and ``__all__`` for a module that imports its names under TYPE_CHECKING.

    It says ``else: __getattr__, __all__ = on_first_use(__name__)`` after them.
    """
    homes = dict(_imported(Path(sys.modules[module].__file__ or "")))

    def attribute(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name]), name)
        setattr(sys.modules[module], name, value)
        return value

    return attribute, sorted(homes)


def _imported(file: Path) -> Iterator[tuple[str, str]]:
    """The names that a file imports under ``if TYPE_CHECKING``, each with its module."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for step in node.body:
                if isinstance(step, ast.ImportFrom) and step.module:
                    yield from ((alias.name, step.module) for alias in step.names)
