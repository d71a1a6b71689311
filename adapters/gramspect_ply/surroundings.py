"""Imports modules that need PLY. See `gramspect.recognition.surroundings`."""

from __future__ import annotations

from types import ModuleType

from gramspect import adapter_api
from gramspect.adapter_api import Surroundings, one_line

__all__ = ["INSTALL", "Surroundings", "import_file", "import_name", "one_line"]

INSTALL = 'pip install "gramspect[ply]"'

_NEEDS = {"ply": f"PLY, which is not installed: {INSTALL}"}


def import_file(path: str) -> tuple[ModuleType, Surroundings]:
    """The module in a file.

    Raises:
        AdapterError: there is no such file, or running it raises; the message is one line.
        MissingDependency: PLY is not installed.
    """
    return adapter_api.import_file(path, _NEEDS)


def import_name(name: str) -> ModuleType:
    """The module of that name.

    Raises:
        AdapterError: it does not import; the message is one line.
        MissingDependency: PLY is not installed.
    """
    return adapter_api.import_name(name, _NEEDS)
