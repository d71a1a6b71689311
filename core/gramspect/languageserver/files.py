"""Files as the editor knows them: by their full paths, with the texts that are in them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from gramspect.errors import GramspectError
from gramspect.reading import read_whole
from gramspect.source import Span

__all__ = ["absolute", "full_path", "texts_of"]


def full_path(file: str) -> str:
    """The full path of a file as the user says it: the folder may be known by a link's name."""
    named = os.environ.get("PWD", "")
    known = bool(named) and Path(named).is_dir() and Path(named).samefile(os.curdir)
    return os.path.normpath(Path(named if known else Path.cwd(), file))


def absolute(span: Span | None) -> Span | None:
    """The span with the full path of its file; None if there is no such file."""
    if span is None:
        return None
    path = full_path(span.file)
    return replace(span, file=path) if Path(path).is_file() else None


def texts_of(files: Iterable[str]) -> dict[str, str]:
    """The texts of the files that can be read, by path."""
    texts = {}
    for file in files:
        try:
            texts[file] = read_whole(file).decode("utf-8", "replace")
        except (OSError, GramspectError):
            continue
    return texts
