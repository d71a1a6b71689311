"""Reads recorded runs, up to the last whole line of each."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gramspect.errors import GramspectError
from gramspect.reading import read_whole
from gramspect.recordings.format import Header, Line, header_of, line_of

__all__ = ["RecordedRun", "read_run", "read_runs"]


@dataclass(frozen=True)
class RecordedRun:
    """What is in a file. `torn` tells whether its last line was not written to its end."""

    path: str
    header: Header
    lines: tuple[Line, ...]
    torn: bool = False


def read_runs(paths: Iterable[str | os.PathLike[str]]) -> list[RecordedRun]:
    """Several files, as the processes of one test run write them.

    Raises:
        GramspectError: one of them cannot be read, or is no recorded run.
    """
    return [read_run(path) for path in paths]


def read_run(path: str | os.PathLike[str]) -> RecordedRun:
    """The recorded run in a file. A last line without its end is left out.

    Raises:
        GramspectError: the file cannot be read, is no recorded run or one of another version, or a
            line in it is broken.
    """
    name = os.fspath(path)
    try:
        data = read_whole(name)
    except OSError as problem:
        reason = problem.strerror or problem
        raise GramspectError(f"{name}: cannot be read ({reason}); check the path") from problem
    *whole, rest = data.split(b"\n")
    if not whole:
        raise GramspectError(f"{name}: this is no recorded run, it has no header; record it again")
    try:
        header = header_of(_json(whole[0]))
    except _BROKEN as problem:
        raise GramspectError(f"{name}: this is no recorded run: {_said(problem)}") from problem
    lines: list[Line] = []
    for number, line in enumerate(whole[1:], start=2):
        try:
            lines.append(line_of(_json(line), header.grammar))
        except _BROKEN as problem:
            raise GramspectError(
                f"{name}:{number}: this line of the recorded run is broken: {_said(problem)}"
            ) from problem
    return RecordedRun(name, header, tuple(lines), bool(rest))


_BROKEN = (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError)


def _json(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line.decode())
    except (ValueError, RecursionError):
        raise ValueError("it is no JSON") from None
    if not isinstance(value, dict):
        raise TypeError("it is no JSON object")
    return value


def _said(problem: Exception) -> str:
    return f"{problem} is missing" if isinstance(problem, KeyError) else str(problem)
