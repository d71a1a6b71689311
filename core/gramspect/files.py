"""Output files that are written whole or not at all."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from shutil import rmtree
from typing import BinaryIO, TextIO

from gramspect.errors import GramspectError

__all__ = ["check_writable", "write_whole", "writing_bytes", "writing_folder", "writing_whole"]


def check_writable(path: str) -> None:
    """Fail early if `path` cannot become a file: before long work, not after it.

    Raises:
        GramspectError: it is a folder, or its folder is missing or must not be written.
    """
    target = Path(path)
    if target.is_dir():
        raise GramspectError(f"{path}: cannot be written, it is a folder; name a file")
    if target.exists() and not target.is_file():  # a device or pipe
        return
    folder = target.resolve().parent
    if not folder.is_dir():
        raise GramspectError(f"{path}: cannot be written, the folder {folder} does not exist")
    if not os.access(folder, os.W_OK):
        raise GramspectError(f"{path}: cannot be written, no right to write into {folder}")


def write_whole(path: str, content: str | bytes) -> None:
    """Write a file, text as UTF-8 with its line ends; a reader sees the old or the new content.

    A symbolic link keeps its place and its target is replaced; a device or pipe is written to.

    Raises:
        GramspectError: the file cannot be written; nothing has changed then.
    """
    if isinstance(content, bytes):
        with _replacing(path) as stream:
            stream.write(content)
    else:
        with writing_whole(path) as text:
            text.write(content)


@contextmanager
def writing_whole(path: str) -> Iterator[TextIO]:
    """The same for text that comes in pieces: it takes the file's place when all is written.

    Raises:
        GramspectError: the file cannot be written; nothing has changed then.
    """
    with _replacing(path) as stream:
        text = TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", newline="")
        yield text
        text.flush()


@contextmanager
def writing_bytes(path: str) -> Iterator[BinaryIO]:
    """The same for bytes.

    Raises:
        GramspectError: the file cannot be written; nothing has changed then.
    """
    with _replacing(path) as stream:
        yield stream


_STANDARD_OUTPUT = ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
"""Names of what `sys.stdout` writes to; that need not be the file descriptor 1."""


@contextmanager
def _replacing(path: str) -> Iterator[BinaryIO]:
    """A stream whose content becomes that of the file."""
    try:
        if path in _STANDARD_OUTPUT and Path(path).exists():
            sys.stdout.flush()
            with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as stream:
                yield stream
            return
        if Path(path).exists() and not Path(path).is_file():  # /dev/stdout may resolve to no path
            with Path(path).open("wb") as stream:
                yield stream
            return
        target = Path(path).resolve()
        draft = _draft(target)
        try:
            with draft.open("wb") as stream:
                yield stream
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as problem:
        raise GramspectError(f"{path}: cannot be written ({problem.strerror})") from problem


def _draft(target: Path) -> Path:
    """What becomes a file or folder. What processes that are gone have left there is removed."""
    for old in target.parent.glob(f".{glob.escape(target.name)}.*"):
        pid = old.name.rpartition(".")[2]
        if pid.isascii() and pid.isdigit() and _is_gone(int(pid)):
            if old.is_dir():
                rmtree(old, ignore_errors=True)
            else:
                with suppress(OSError):
                    old.unlink()
    return target.with_name(f".{target.name}.{os.getpid()}")


def _is_gone(pid: int) -> bool:
    """Whether there is no such process, as far as this can be told."""
    if os.name != "posix":
        return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:
        return False
    return False


@contextmanager
def writing_folder(path: str) -> Iterator[Path]:
    """A folder to be filled that takes the place of `path`, which must be new or empty, at the end.

    Raises:
        GramspectError: there is something at `path`, or it cannot be written; nothing has changed
            then.
    """
    target = Path(path).resolve()
    try:
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise GramspectError(f"{path}: is there already and not empty; name a new folder")
        draft = _draft(target)
        try:
            draft.mkdir()
            yield draft
            draft.replace(target)
        finally:
            rmtree(draft, ignore_errors=True)
    except OSError as problem:
        raise GramspectError(f"{path}: cannot be written ({problem.strerror})") from problem
