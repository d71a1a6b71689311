"""Puts the recorded runs of several processes together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gramspect.errors import GramspectError
from gramspect.files import write_whole

__all__ = ["merge_runs"]


def merge_runs(parts: Sequence[Path], out: Path) -> None:
    """Write one run with the lines of others, whose headers are the same; torn ends are left out.

    Raises:
        GramspectError: the parts are of different parsers, or a file cannot be read or written.
    """
    header, lines = b"", list[bytes]()
    for part in parts:
        try:
            *whole, _torn = part.read_bytes().split(b"\n")
        except OSError as problem:
            raise GramspectError(f"{part}: cannot be read ({problem.strerror})") from problem
        if not whole:  # killed before its header was written
            continue
        header = header or whole[0]
        if whole[0] != header:
            raise GramspectError(f"{part}: a run of another parser than {parts[0]}; run them again")
        lines += whole[1:]
    if header:
        write_whole(str(out), b"".join(line + b"\n" for line in (header, *lines)))
