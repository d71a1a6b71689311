"""Output files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from gramspect.errors import GramspectError

__all__ = ["check_writable", "write_whole"]


def check_writable(path: str) -> None:
    """Fail early if `path` cannot become a file: before long work, not after it.

    Raises:
        GramspectError: it is a folder, or its folder is missing or must not be written.
    """
    target = Path(path)
    if target.is_dir():
        raise GramspectError(f"{path}: cannot be written, it is a folder; name a file")
    folder = target.resolve().parent
    if not folder.is_dir():
        raise GramspectError(f"{path}: cannot be written, the folder {folder} does not exist")
    if not os.access(folder, os.W_OK):
        raise GramspectError(f"{path}: cannot be written, no right to write into {folder}")


def write_whole(path: str, text: str) -> None:
    """Write a UTF-8 file, line ends as they are; whoever reads it sees the old or the new text.

    A symbolic link keeps its place and its target is replaced; a device or pipe is written to.

    Raises:
        GramspectError: the file cannot be written; nothing has changed then.
    """
    target = Path(path).resolve()
    data = text.encode("utf-8", "backslashreplace")
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        draft = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            draft.write_bytes(data)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as problem:
        raise GramspectError(f"{path}: cannot be written ({problem.strerror})") from problem
