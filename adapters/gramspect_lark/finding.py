"""Where the text of a live Lark object's grammar stands.

Lark keeps the text and, unless the object is from a cache, the path of the file that it has opened.
Else the text is looked for in the files and modules around.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from lark import Lark, load_grammar
from lark.exceptions import LarkError

from gramspect.adapter_api import GramspectError, SourceText, split_source
from gramspect_lark.sources import Loading, display_path, recorded_loading

__all__ = ["grammars_below", "loading_again", "module_of", "read_text"]

Place = tuple[SourceText, int, int]
"""A file, and where a grammar's text begins and ends in it."""

_NOWHERE = "<string>"
"""What Lark calls a text in no file; it has another name for the same text from a cache."""
_MOST_FILES = 20_000
"""In so many files of a folder a grammar's text is looked for."""


def read_text(text: str, name: str, import_paths: Sequence[Any], *, keep_all_tokens: bool) -> Any:
    """A grammar as Lark's loader makes it."""
    load: Any = load_grammar.load_grammar
    return load(text, name, import_paths, keep_all_tokens)[0]


def loading_again(lark: Lark, source: str, module: Path | None) -> Loading | None:
    """The texts of a live object's grammar, read once more; None if they cannot be had.

    `source` is what names the object, `module` the file that it is from.
    """
    text = getattr(lark, "source_grammar", None)
    if not isinstance(text, str):
        return None
    name, place = _place_of(text, str(lark.source_path), source, module)
    with recorded_loading({text: place}) as loading:
        try:
            options = lark.options
            read_text(text, name, options.import_paths, keep_all_tokens=options.keep_all_tokens)
        except (LarkError, OSError, GramspectError):
            return None
    return loading


def _place_of(text: str, path: str, source: str, module: Path | None) -> tuple[str, Place]:
    """What Lark is to call a grammar's text, and where it stands.

    That is the file that Lark has opened, one with the same text beside the module or elsewhere in
    its package, or the module itself, or another one, if it has the text as a string.
    """
    if Path(path).is_file():
        return path, (SourceText(display_path(path), text), 0, len(text))
    if module is not None:
        for file in _with_text(text, _folders(module, split_source(source)[0])):
            return str(file), (SourceText(display_path(str(file)), text), 0, len(text))
    for file in ([] if module is None else [module]) + _modules_with(text):
        code = _content(file)
        if code.count(text) == 1:
            begin = code.index(text)
            place = SourceText(display_path(str(file)), code), begin, begin + len(text)
            return str(file), place
    return _NOWHERE, (SourceText(_NOWHERE, text), 0, len(text))


def module_of(source: str) -> Path | None:
    """The file of the module that a source names."""
    name = split_source(source)[0]
    file = name if name.endswith(".py") else getattr(sys.modules.get(name), "__file__", None)
    return None if file is None else Path(file)


def _folders(module: Path, name: str) -> list[Path]:
    """The folder of a module, and that of the package which it is in with others."""
    file = module.resolve()
    top = file.parent
    while (top / "__init__.py").is_file() and (top.parent / "__init__.py").is_file():
        top = top.parent
    above = len(name.split(".")) - 2 + (file.name == "__init__.py")
    if not name.endswith(".py") and above > 0:  # a package may do without __init__.py
        named = file.parents[min(above, len(file.parents) - 1)]
        top = min(top, named, key=lambda folder: len(folder.parts))
    return [module.parent] if top == file.parent else [module.parent, top]


def _with_text(text: str, folders: Sequence[Path]) -> Iterator[Path]:
    """The files in some folders that hold a text and nothing else; Lark's kind comes first."""
    least = len(text.encode(errors="replace"))
    most = least + text.count("\n") + len("\ufeff".encode())  # with the line ends of Windows
    for folder in folders:
        for file in grammars_below(folder):
            if least <= _size(file) <= most and _content(file) == text:
                yield file


def grammars_below(folder: Path) -> list[Path]:
    """The files of a folder that may be grammars; those that are called so come first.

    Others may write there: what vanishes meanwhile is left out.
    """
    found = islice(_files_below(folder), _MOST_FILES)
    return sorted(found, key=lambda file: (file.suffix != ".lark", file))


def _files_below(folder: Path) -> Iterator[Path]:
    """All files but Python's and hidden ones, in an order that is always the same."""
    for place, inner, names in os.walk(folder):
        inner[:] = sorted(name for name in inner if not name.startswith((".", "__pycache__")))
        for name in sorted(names):
            if not name.startswith(".") and not name.endswith((".py", ".pyc")):
                yield Path(place, name)


def _modules_with(text: str) -> list[Path]:
    """The files of the loaded modules in which a name stands for a text."""
    found = {}
    for module in tuple(sys.modules.values()):
        known = tuple(getattr(module, "__dict__", {}).values())
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and any(isinstance(v, str) and v == text for v in known):
            found[Path(file)] = True
    return list(found)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _content(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
