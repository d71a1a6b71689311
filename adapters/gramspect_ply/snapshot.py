"""The state of the user's objects, kept so that every test starts from the same one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any, NamedTuple, cast

from gramspect_ply.attributes import attributes_of, put_into, slots_of, value_in

__all__ = ["Snapshot"]

Containers = list[Any] | dict[Any, Any] | set[Any]

DEEPEST = 6
"""How far from the user's object state is looked for: a lexer in a parser in what holds it, and a
list in one of its lists."""
MOST_HELD = 5_000
"""How many things may be in a container whose contents are kept: tables are larger, and stay as
they are."""
MOST_KEPT = 2_000
"""How many objects and containers are looked at, the nearest first."""
_STATELESS = (type, ModuleType, FunctionType, MethodType, str, bytes, int, float, complex)
_TABLES = ("action", "goto", "productions")
"""A parser of PLY's has these. The hook restores what it changes there."""


class _Filled(NamedTuple):
    """A slot of an object, and what it held, which may be nothing."""

    slot: MemberDescriptorType
    thing: object
    value: object


@dataclass(frozen=True)
class Snapshot:
    """The attributes of some objects, and what was in their lists, dictionaries and sets.

    Containers are restored in place, so objects that share one still do afterwards.
    """

    attributes: tuple[tuple[dict[str, Any], dict[str, Any]], ...]
    slots: tuple[_Filled, ...]
    contents: tuple[tuple[Containers, Containers], ...]

    @classmethod
    def of(cls, *things: object) -> Snapshot:
        """The state of objects and of what they hold, up to `DEEPEST` steps away."""
        attributes: list[tuple[dict[str, Any], dict[str, Any]]] = []
        slots: list[_Filled] = []
        contents: list[tuple[Containers, Containers]] = []
        for thing in _reached(things):
            if type(thing) in (list, dict, set):
                contents.append((thing, thing.copy()))
                continue
            dictionary = getattr(thing, "__dict__", None)
            if isinstance(dictionary, dict):
                attributes.append((dictionary, dictionary.copy()))
            slots += (_Filled(s, thing, value_in(s, thing)) for s in slots_of(type(thing)))
        return cls(tuple(attributes), tuple(slots), tuple(contents))

    def restore(self) -> None:
        """Puts everything back."""
        for live, saved in self.attributes:
            live.clear()
            live.update(saved)
        for slot, thing, value in self.slots:
            put_into(slot, thing, value)
        for container, content in self.contents:
            if not container and not content:
                continue
            container.clear()
            if isinstance(container, list):
                container.extend(content)
            else:
                container.update(content)


def _reached(things: Iterable[object]) -> Iterator[Any]:
    """The objects with attributes, and the containers, that the things lead to, each once."""
    seen: set[int] = set()
    waiting = deque((thing, 0) for thing in things)
    while waiting and len(seen) < MOST_KEPT:
        thing, depth = waiting.popleft()
        if id(thing) in seen or not _has_state(thing, given=depth == 0):
            continue
        seen.add(id(thing))
        yield thing
        if depth < DEEPEST:
            waiting.extend((held, depth + 1) for held in _held(thing))


def _has_state(thing: object, given: bool) -> bool:
    if isinstance(thing, _STATELESS):
        return False
    if type(thing) in (list, dict, set):
        return len(cast(Containers, thing)) <= MOST_HELD
    is_parser = all(hasattr(thing, name) for name in _TABLES)
    has_attributes = hasattr(thing, "__dict__") or bool(slots_of(type(thing)))
    return has_attributes and (given or not is_parser)


def _held(thing: Any) -> Iterable[object]:
    if type(thing) in (list, set):
        return cast(Iterable[object], thing)
    return thing.values() if type(thing) is dict else attributes_of(thing).values()
