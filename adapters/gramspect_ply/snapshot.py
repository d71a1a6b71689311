"""The state of the user's objects, kept so that every test starts from the same one."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

__all__ = ["Snapshot"]

Containers = list[Any] | dict[Any, Any] | set[Any]


@dataclass(frozen=True)
class Snapshot:
    """The attributes of some objects, and what was in their lists, dictionaries and sets.

    Containers are restored in place, so objects that share one still do afterwards.
    """

    attributes: tuple[tuple[dict[str, Any], dict[str, Any]], ...]
    contents: tuple[tuple[Containers, Containers], ...]

    @classmethod
    def of(cls, *things: object) -> Snapshot:
        """The state of objects and of the lexers that they hold as an attribute ``lexer``."""
        held = [getattr(thing, "lexer", None) for thing in things]
        objects = {id(t): t for t in (*things, *held) if not isinstance(t, type | ModuleType)}
        attributes = [vars(thing) for thing in objects.values() if hasattr(thing, "__dict__")]
        containers = {
            id(value): value
            for live in attributes
            for value in live.values()
            if type(value) in (list, dict, set)
        }
        return cls(
            tuple((live, live.copy()) for live in attributes),
            tuple((live, live.copy()) for live in containers.values()),
        )

    def restore(self) -> None:
        """Puts everything back."""
        for live, saved in self.attributes:
            live.clear()
            live.update(saved)
        for container, content in self.contents:
            if not container and not content:
                continue
            container.clear()
            if isinstance(container, list):
                container.extend(content)
            else:
                container.update(content)
