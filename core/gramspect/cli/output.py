"""Where reports go: a terminal, a pipe or a file."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from gramspect.errors import GramspectError
from gramspect.files import write_whole
from gramspect.report.words import Line, plain, unstyled

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = [
    "ProgressBar",
    "drop_output",
    "mark_for",
    "reserve_output",
    "standard_output",
    "write_lines",
    "write_text",
]

_MARK = "•"
_PATIENCE = 1.5
"""Seconds of work before a progress bar appears."""


def reserve_output() -> None:
    """Keep standard output for reports.

    The user's code, programs that it starts, and libraries may write to the file descriptor 1. So
    this becomes the null device, and `sys.stdout` gets another descriptor that only we know.
    """
    try:
        descriptor = sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):  # closed, or somebody's own stream
        return
    old = sys.stdout
    old.flush()
    sys.stdout = open(  # noqa: SIM115, PTH123
        os.dup(descriptor), "w", 1 if old.isatty() else -1, old.encoding, "backslashreplace"
    )
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, descriptor)
    os.close(null)


def mark_for(output: str | None) -> str:
    """The sign for a position, one that the output can show."""
    if output is None:
        try:
            _MARK.encode(sys.stdout.encoding or "ascii")
        except UnicodeEncodeError:
            return "<.>"
    return _MARK


def write_text(text: str, output: str | None) -> None:
    """Write a report to a file, or to standard output."""
    if output is not None:
        write_whole(output, text)
        return
    with standard_output() as stream:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


@contextmanager
def standard_output() -> Iterator[TextIO]:
    """Standard output, to be written to.

    Raises:
        GramspectError: it cannot be written.
        BrokenPipeError: its reader has gone.
    """
    try:
        yield sys.stdout
        sys.stdout.flush()  # what follows on standard error comes after it
    except BrokenPipeError:
        raise
    except OSError as problem:
        drop_output()
        raise GramspectError(f"the output cannot be written ({problem.strerror})") from problem


def drop_output() -> None:
    """Keep the interpreter from complaining at exit about output that cannot be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_lines(lines: Sequence[Line], output: str | None, *, exact: bool = False) -> None:
    """Write a report of styled lines; the styles are seen on a terminal only.

    With `exact`, for what other programs read, blanks at the ends of lines stay.
    """
    if output is not None or not _styled(sys.stdout):
        write_text(unstyled(lines) if exact else plain(lines), output)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*((piece.text, piece.style) for piece in line)))


def _styled(stream: TextIO) -> bool:
    """Whether a stream is a terminal whose user wants colours (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class ProgressBar:
    """A bar on a terminal's standard error for work that takes more than a moment.

    It is called with the number of tests, or what `what` says, done and of all, None if nobody
    knows. Elsewhere it shows nothing.
    """

    def __init__(self, what: str = "tests") -> None:
        self._what = what
        self._stream = sys.stderr  # the user's code runs with another `sys.stderr`
        self._begin = time.monotonic()
        self._bar: Progress | None = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int | None) -> None:
        if self._bar is None:
            if time.monotonic() - self._begin < _PATIENCE or not self._stream.isatty():
                return
            self._bar = self._started(total)
        self._bar.update(self._bar.task_ids[0], completed=done)

    def _started(self, total: int | None) -> Progress:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

        console = Console(file=self._stream)
        columns = (self._what, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        bar = Progress(*columns, console=console, transient=True, redirect_stderr=False)
        bar.add_task(self._what, total=total)
        bar.start()
        return bar
