"""Input files, which are read whole: only what has an end, and only so much of it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from gramspect.errors import GramspectError

__all__ = ["LARGEST", "read_whole", "set_largest"]

LARGEST = 256
"""Megabytes that a file may have unless another limit is given."""

_MEGABYTE = 1 << 20
_largest = LARGEST * _MEGABYTE


def set_largest(megabytes: float) -> None:
    """Another limit for all files that this process reads from now on."""
    global _largest  # noqa: PLW0603
    _largest = int(megabytes * _MEGABYTE)


def read_whole(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file or pipe.

    Raises:
        GramspectError: it is a device, whose end nobody knows, or larger than a file may be.
        OSError: it cannot be read.
    """
    with Path(path).open("rb", buffering=0) as stream:
        kind = os.fstat(stream.fileno()).st_mode
        device = stat.S_ISCHR(kind) or stat.S_ISBLK(kind)
        if device and not stream.isatty() and not Path(path).samefile(os.devnull):
            raise GramspectError(f"{os.fspath(path)}: is a device; name a file or a pipe")
        pieces, size = [], 0
        while piece := stream.read(min(_MEGABYTE, _largest + 1 - size)):
            pieces.append(piece)
            size += len(piece)
            if size > _largest:
                raise GramspectError(
                    f"{os.fspath(path)}: has more than {_largest / _MEGABYTE:g} megabytes;"
                    " gramspect --file-limit MEGABYTES COMMAND ... reads it"
                )
    return b"".join(pieces)
