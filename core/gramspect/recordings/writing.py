"""Appends what happens to a file; a program that is killed loses the running parse at most."""

from __future__ import annotations

import os
import threading

from gramspect.errors import GramspectError
from gramspect.recordings.format import Header, Line, header_text, line_text

__all__ = ["RunWriter"]


class RunWriter:
    """A recorded run that is being written. Any thread may write to it.

    Each line is handed to the system as a whole, at once and at the end of the file, so what is in
    the file survives the process, and a process that it forks may write to it as well.

    Raises:
        GramspectError: the file cannot be written.
    """

    def __init__(self, path: str, header: Header) -> None:
        self.path = path
        self._lock = threading.Lock()
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | getattr(os, "O_BINARY", 0)
        try:
            self._file = os.open(path, flags, 0o666)
        except OSError as problem:
            raise GramspectError(
                f"{path}: cannot be written ({problem.strerror}); name another file"
            ) from problem
        self._append(header_text(header))

    def write(self, line: Line) -> None:
        """Append a line.

        Raises:
            GramspectError: the disk is full, or the file is closed.
        """
        self._append(line_text(line))

    def close(self) -> None:
        """No lines come any more."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _append(self, text: str) -> None:
        data = memoryview(text.encode("ascii"))
        with self._lock:
            try:
                while data:
                    data = data[os.write(self._file, data) :]
            except OSError as problem:
                raise GramspectError(
                    f"{self.path}: the run cannot be recorded any further ({problem.strerror})"
                ) from problem
