"""What a C program executes, as gcov tells it: of a program that was built with ``--coverage``.

The counters go to a folder of ours (``GCOV_PREFIX``), so those that the user has stay as they are;
and as it is emptied before each input, what is in it afterwards is of that input alone.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from gramspect.errors import GramspectError
from gramspect.running.executions import Execution

__all__ = ["Gcov"]

_COUNTERS, _NOTES = ".gcda", ".gcno"


@dataclass(frozen=True)
class Gcov:
    """Reads the counters of one program.

    Args:
        build: the folder in which its object files are, and the notes of the compiler.
        folder: where the counters go; it must be there, and be empty.

    Raises:
        GramspectError: there are no notes in `build`, or no gcov.
    """

    build: Path
    folder: Path

    def __post_init__(self) -> None:
        if shutil.which("gcov") is None:
            raise GramspectError("gcov is not found; it comes with gcc")
        if not self.build.is_dir():
            raise GramspectError(f"{self.build}: there is no such folder")
        if not self._notes():
            raise GramspectError(
                f"{self.build}: there are no {_NOTES} files in it or below; build the program with"
                " gcc --coverage, and name the folder of its object files"
            )

    @property
    def environment(self) -> Mapping[str, str]:
        """What the program must find in its environment."""
        return {"GCOV_PREFIX": str(self.folder), "GCOV_PREFIX_STRIP": "0"}

    def executed(self, ended: str) -> Execution:
        """What the program has executed since the last call; `ended` says how it ended."""
        counters = sorted(self.folder.rglob(f"*{_COUNTERS}"))
        try:
            if not counters:
                return Execution(lost=f"the program left no counters of gcov ({ended})")
            return self._read(counters)
        finally:
            for path in counters:
                path.unlink()

    def _read(self, counters: list[Path]) -> Execution:
        notes, build = self._notes(), self.build.resolve()
        for path in counters:
            beside = path.with_suffix(_NOTES)
            same_name = [note for note in notes if note.stem == path.stem]
            if not beside.exists() and same_name:
                shutil.copyfile(
                    max(same_name, key=lambda note: _likeness(note, path, build)), beside
                )
        command = ["gcov", "--json-format", "--stdout", *map(str, counters)]
        found = subprocess.run(command, cwd=self.folder, capture_output=True, check=False)
        if found.returncode:
            message = found.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
            raise GramspectError(f"gcov cannot read the counters: {message}")
        functions: set[str] = set()
        lines: set[str] = set()
        for file in _files(found.stdout):
            name = Path(file["file"]).name
            functions.update(
                f"{name}:{each['demangled_name']}"
                for each in file["functions"]
                if each["execution_count"]
            )
            lines.update(f"{name}:{each['line_number']}" for each in file["lines"] if each["count"])
        return Execution(frozenset(functions), frozenset(lines))

    def _notes(self) -> list[Path]:
        """The notes of the compiler."""
        return sorted(self.build.resolve().rglob(f"*{_NOTES}"))


def _likeness(notes: Path, counters: Path, build: Path) -> tuple[bool, int]:
    """How well notes suit counters of the same name.

    The counters lie below the whole path of the object file that the compiler wrote, so the folders
    right above both have the same names: all those below `build`, and more if it was not moved.
    """
    pairs = zip(reversed(notes.parts[:-1]), reversed(counters.parts[:-1]), strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return same >= len(notes.relative_to(build).parts) - 1, same


def _files(output: bytes) -> Iterator[Any]:
    """The source files in what gcov says: a line of JSON for each file of counters."""
    for line in output.splitlines():
        if line.strip():
            yield from json.loads(line)["files"]
