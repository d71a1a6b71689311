"""Other methods for the classes of every copy of PLY, while a parser is loaded.

Any project may bring a copy of PLY under a name of its own, so its classes are recognized when they
are made. Those that are there already are changed, too.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast

__all__ = ["Method", "Replacements", "methods_replaced"]

Method = Callable[..., Any]
Replacements = Mapping[str, Mapping[str, Callable[[Method], Method]]]
"""For the names of classes the names of methods, and what makes another method of each."""


@contextmanager
def methods_replaced(replacements: Replacements) -> Iterator[None]:
    """Have every copy of PLY use other methods, in the classes that define them."""
    replaced: list[tuple[type, str, Method]] = []

    def watch(made: object, name: str) -> None:
        methods = vars(made) if isinstance(made, type) else {}
        for method, instead_of in replacements[name].items():
            if isinstance(made, type) and method in methods:
                replaced.append((made, method, methods[method]))
                setattr(made, method, instead_of(methods[method]))

    build = builtins.__build_class__

    def built(function: Any, name: str, *bases: Any, **keywords: Any) -> Any:
        made = build(function, name, *bases, **keywords)
        if name in replacements and (name == _LOGGER or _is_ply(function.__globals__)):
            watch(made, name)
        return made

    for module in tuple(sys.modules.values()):
        known = getattr(module, "__dict__", {})
        if _is_ply(known):
            for name in replacements.keys() & known.keys():
                watch(known[name], name)
    builtins.__build_class__ = cast(Any, built)
    try:
        yield
    finally:
        builtins.__build_class__ = build
        for made, method, original in reversed(replaced):
            setattr(made, method, original)


def _is_ply(known: Mapping[str, Any]) -> bool:
    """Whether the names of a module, as far as it has run, are those of PLY's yacc or lex."""
    return _LOGGER in known


_LOGGER = "PlyLogger"
"""The first class of both modules."""
