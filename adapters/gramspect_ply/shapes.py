"""The parts of PLY that the adapter touches, as shapes.

Projects bundle their own copies of PLY (pycparser and jsonpath-ng do), so a parser is recognized by
what it has, never by its class.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any, Protocol, TypeAlias, TypeGuard

__all__ = ["Action", "Lexer", "Parser", "Production", "Row", "Token", "is_lexer", "is_parser"]

Action: TypeAlias = Callable[[Any], object]
"""A ``p_`` function, bound to its object if it has one."""


Row: TypeAlias = Mapping[str, int | None]
"""A row of an action table, by token: > 0 shift to that state, < 0 reduce, 0 accept, None error."""


class Production(Protocol):
    """A grammar rule; those of cached tables have no `prod` but the rule as text, `str`."""

    name: str
    len: int
    str: str
    callable: Action | None


class Parser(Protocol):
    """``ply.yacc.LRParser``."""

    productions: Sequence[Production]
    action: Mapping[int, Row]
    goto: Mapping[int, Mapping[str, int]]
    errorfunc: Callable[[Any], object] | None
    statestack: list[int]
    parse: Callable[..., object]


class Token(Protocol):
    """What a lexer returns; `lineno` and `lexpos` may be missing in home-made ones."""

    type: str
    value: object


class Lexer(Protocol):
    """Anything a PLY parser can read from."""

    def input(self, text: str) -> object: ...

    def token(self) -> Token | None: ...


def is_parser(thing: object) -> TypeGuard[Parser]:
    """Whether `thing` is a table-driven parser as PLY makes them."""
    if isinstance(thing, type | ModuleType):
        return False
    productions = _attribute(thing, "productions")
    return (
        isinstance(productions, list | tuple)
        and bool(productions)
        and _attribute(productions[0], "name") == "S'"
        and all(isinstance(_attribute(thing, name), Mapping) for name in ("action", "goto"))
        and callable(_attribute(thing, "parse"))
    )


def is_lexer(thing: object) -> TypeGuard[Lexer]:
    """Whether `thing` is an object that hands out tokens."""
    if isinstance(thing, type | ModuleType) or is_parser(thing):
        return False
    return all(callable(_attribute(thing, name)) for name in ("input", "token"))


def _attribute(thing: object, name: str) -> object:
    """An attribute, looked up without running any code of the object's."""
    return inspect.getattr_static(thing, name, None)
