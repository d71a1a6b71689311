"""Tables of TOML files as dataclasses; a key that is not known names the nearest one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, TypeVar

from gramspect.generation.texts.toml_file import TomlFile

__all__ = ["check_keys", "nearest", "read_table", "text_of", "texts_of"]

T = TypeVar("T")


def read_table(file: TomlFile, table: Mapping[str, Any], into: Callable[..., T], where: str) -> T:
    """A dataclass from a table; a dash in a key is an underscore in a field.

    Raises:
        GramspectError: a key is unknown, or a value of the wrong type.
    """
    types = {each.name.replace("_", "-"): str(each.type) for each in fields(into)}  # type: ignore[arg-type]
    check_keys(file, table, list(types), where)
    return into(
        **{
            key.replace("-", "_"): _converted(file, key, value, types[key])
            for key, value in table.items()
        }
    )


def _converted(file: TomlFile, key: str, value: Any, wanted: str) -> Any:
    if wanted.startswith("tuple"):
        return texts_of(file, key, value)
    if wanted.startswith("str"):
        return text_of(file, key, value)
    if wanted == "bool":
        if not isinstance(value, bool):
            raise file.error(key, f"{key} must be true or false")
        return value
    number = (int, float) if "float" in wanted else int
    if isinstance(value, bool) or not isinstance(value, number) or value < 0:
        raise file.error(key, f"{key} must be a number from 0 on")
    return value


def text_of(file: TomlFile, key: str, value: Any) -> str:
    """A text that is not empty.

    Raises:
        GramspectError: it is something else.
    """
    if not isinstance(value, str) or not value:
        raise file.error(key, f"{key} must be a text")
    return value


def texts_of(file: TomlFile, key: str, value: Any) -> tuple[str, ...]:
    """A text, or a list of different texts.

    Raises:
        GramspectError: it is something else.
    """
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list) or not all(isinstance(each, str) and each for each in found):
        raise file.error(key, f'{key} must be a list of texts, as in ["a", "b"]')
    if len(set(found)) < len(found):
        raise file.error(key, f"{key} names something twice")
    return tuple(found)


def check_keys(file: TomlFile, table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    """Refuse keys that nobody knows.

    Raises:
        GramspectError: there is one; the message names the nearest one that there is.
    """
    for key in table:
        if key not in known:
            raise file.error(key, f"{where} has no key {key!r}{nearest(key, known)}")


def nearest(name: str, known: Sequence[str]) -> str:
    """What to say after the name of something that there is not."""
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else f"; there are: {', '.join(known)}"
