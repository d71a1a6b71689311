"""TOML files with names for keys, whose mistakes are reported where they are."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gramspect.errors import GramspectError
from gramspect.reading import read_whole
from gramspect.source import SourceText, Span

__all__ = ["TomlFile", "read_toml"]

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True)
class TomlFile:
    """A file and its content."""

    source: SourceText
    table: Mapping[str, Any]

    @property
    def file(self) -> str:
        return self.source.file

    def span(self, key: str) -> Span | None:
        """Where a key is first given a value, as far as that can be seen without parsing."""
        written = re.escape(key)
        pattern = (
            rf"""^[ \t]*(?:\[[^\]\n]*)?(?P<key>"{written}"|'{written}'|{written})[ \t]*[=\]]"""
        )
        found = re.search(pattern, self.source.text, re.MULTILINE)
        return None if found is None else self.source.span(*found.span("key"))

    def error(self, key: str, message: str) -> GramspectError:
        """An error at a key."""
        span = self.span(key)
        return GramspectError(message if span is not None else f"{self.file}: {message}", span)

    def texts(self, table: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The names in a table, each with a list of texts, or one text, without empty ones.

        Raises:
            GramspectError: a value is something else.
        """
        for name, value in table.items():
            found = [value] if isinstance(value, str) else value
            if not isinstance(found, list) or not all(isinstance(x, str) and x for x in found):
                raise self.error(
                    name, f'{name} must be a text or a list of texts, as in ["a", "b"]'
                )
            yield name, tuple(found)


def read_toml(path: str) -> TomlFile:
    """Read a file.

    Raises:
        GramspectError: it cannot be read, or it is no TOML.
    """
    try:
        text = read_whole(path).decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as problem:
        raise GramspectError(f"{path}: cannot be read ({problem.strerror})") from problem
    except UnicodeDecodeError as problem:
        raise GramspectError(f"{path}: is not UTF-8 text (byte {problem.start})") from problem
    try:
        return TomlFile(SourceText(path, text), tomllib.loads(text))
    except tomllib.TOMLDecodeError as problem:
        what, line, column = str(problem), text.count("\n") + 1, 1
        place = _PLACE.search(what)
        if place is not None:
            what, line, column = what[: place.start()], int(place[1] or line), int(place[2] or 1)
        span = Span(path, line, column, line, column)
        raise GramspectError(f"is no TOML: {what}", span) from problem
