"""Programs of the user's: started without a shell, stopped with all that they start."""

from __future__ import annotations

import os
import selectors
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from gramspect.errors import GramspectError

__all__ = ["FILE", "Ended", "program_words", "run_program"]

FILE = "{file}"
"""The placeholder in a command for the name of the input's file."""

_KEPT = 1 << 16
_MOST_OUTPUT = 1 << 23
"""How many bytes of each output are kept, at its beginning and its end, and after how many the
program is stopped."""


class Ended(NamedTuple):
    """How a program ended: its exit status, minus a signal, or None if it was stopped.

    The message is what it wrote, standard error first; of one that was stopped, why it was.
    """

    status: int | None
    message: str


def program_words(line: str) -> list[str]:
    """The words of a command, split as a POSIX shell would.

    Raises:
        GramspectError: there is no word, a quote is not closed, or there is no such program.
    """
    try:
        words = shlex.split(line)
    except ValueError as problem:
        raise GramspectError(f"the command {line!r} is not complete: {problem}") from None
    if not words:
        raise GramspectError("the command is empty; name a program, such as 'jq . {file}'")
    if shutil.which(words[0]) is None:
        raise GramspectError(f"the program {words[0]!r} is not found, or cannot be run")
    return words


def run_program(
    words: Sequence[str],
    path: Path,
    timeout: float,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Ended:
    """Run a program on the input in a file, and stop it if it takes too long or says too much.

    `FILE` in a word becomes the name of the file; if there is none, it is standard input. The
    program has a process group of its own, so that what it starts is stopped with it. It finds the
    variables of `environment` besides ours.

    Raises:
        GramspectError: it cannot be started.
    """
    named = [word.replace(FILE, str(path)) for word in words]
    stdin = path if named == list(words) else Path(os.devnull)
    with stdin.open("rb") as source:
        try:
            process = subprocess.Popen(
                named,
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                env={**os.environ, **environment},
            )
        except OSError as problem:
            raise GramspectError(f"{named[0]}: cannot be started ({problem.strerror})") from None
    with process:
        try:
            return _watched(process, time.monotonic() + timeout, timeout)
        finally:
            _stop(process)


def _watched(process: subprocess.Popen[bytes], deadline: float, timeout: float) -> Ended:
    assert process.stdout is not None
    assert process.stderr is not None
    kept: dict[int, bytearray] = {}
    size = 0
    with selectors.DefaultSelector() as selector:
        for stream in (process.stderr, process.stdout):
            selector.register(stream, selectors.EVENT_READ)
            kept[stream.fileno()] = bytearray()
        while selector.get_map():
            if (left := deadline - time.monotonic()) <= 0:
                break
            for key, _ in selector.select(left):
                chunk = os.read(key.fd, _KEPT)
                if not chunk:
                    selector.unregister(key.fileobj)
                size += len(chunk)
                _keep(kept[key.fd], chunk)
            if size > _MOST_OUTPUT:
                return Ended(None, f"it wrote more than {_MOST_OUTPUT >> 20} MiB and was stopped")
    try:
        # A child that keeps the pipes open does not matter once the program itself has ended.
        status = process.wait(max(0.01, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return Ended(None, f"time limit of {timeout:g} s")
    words = [bytes(each).decode("utf-8", "replace").strip() for each in kept.values()]
    return Ended(status, "\n".join(filter(None, words)))


def _keep(kept: bytearray, chunk: bytes) -> None:
    """Add what a program has written; of much the beginning and the end are kept."""
    kept += chunk
    if len(kept) > _KEPT:
        kept[_KEPT // 2 : len(kept) - _KEPT // 2] = b"\n"


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a program that is still running, and what it has started."""
    if process.returncode is not None:  # its number may be that of another process by now
        return
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:  # Windows
        process.kill()
