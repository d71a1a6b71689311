"""The classpath that a user gives: jars and folders of classes."""

from __future__ import annotations

import os
from pathlib import Path
from zipfile import is_zipfile

from gramspect.adapter_api import AdapterError

__all__ = ["parse_classpath", "place_and_class"]


def parse_classpath(text: str) -> tuple[str, ...]:
    """The jars and folders of a classpath, as absolute paths.

    They are separated as Java has it on this system (by ``:``, on Windows ``;``); ``folder/*``
    stands for all jars in a folder.

    Raises:
        AdapterError: an entry does not exist, or a file is no jar.
    """
    found: list[Path] = []
    for entry in filter(None, map(str.strip, text.split(os.pathsep))):
        path = Path(entry)
        if path.name == "*":
            jars = sorted(path.parent.glob("*.[jJ][aA][rR]"))
            if not jars:
                raise AdapterError(f"{entry}: there are no jars in this folder")
            found += jars
        else:
            found.append(path)
    for path in found:
        _check(path)
    return tuple(str(path.resolve()) for path in dict.fromkeys(found))


def place_and_class(source: str) -> tuple[str, str | None]:
    """A jar or folder, and what stands after the colon behind it: ``x.jar:p.Parser``.

    The class may be written with more colons (``x.jar:p.Code::make``). A place that does not exist
    ends at the last single colon.
    """
    if Path(source).exists():
        return source, None
    for number, character in enumerate(source):
        if character == ":" and Path(source[:number]).exists():
            return source[:number], source[number + 1 :] or None
    place, colon, name = source.rpartition(":")
    return (place, name) if colon else (source, None)


def _check(path: Path) -> None:
    if path.is_dir():
        return
    if not path.exists():
        raise AdapterError(f"{path}: there is no such jar or folder; check the classpath")
    try:
        if is_zipfile(path):
            return
    except OSError as problem:
        raise AdapterError(f"{path}: cannot be read: {problem.strerror or problem}") from problem
    raise AdapterError(f"{path}: this is no jar; the classpath takes jars and folders of classes")
