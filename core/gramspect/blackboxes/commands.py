"""Systems that are programs: started once for each input, without a shell."""

from __future__ import annotations

import os
import re
import selectors
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from gramspect.blackboxes.answers import Answer, Reaction, Wording, silence
from gramspect.errors import GramspectError

__all__ = ["Command"]

FILE = "{file}"
"""The placeholder in a command for the name of the input's file."""

TIMEOUT = 10.0
"""Seconds that a command may take unless another limit is given."""

_KEPT = 1 << 16
_MOST_OUTPUT = 1 << 23
"""How many bytes of each output are kept, and after how many the program is stopped."""

_LONGEST_MESSAGE = 300

_SUFFIX = re.compile(r"[^/\0]{0,100}")


@dataclass(frozen=True)
class Command:
    """A program that reads an input from a file or from standard input.

    `line` is split as a POSIX shell would, but no shell runs. Every ``{file}`` in it becomes the
    name of a file, which ends in `suffix`; without one, the input comes on standard input. The exit
    statuses in `accepted` say that the input is accepted; the others are rejections. What
    the program writes, standard error first, is its message: if a pattern for syntax errors is
    found in it, the input is rejected for its syntax, whatever the status.

    Raises:
        GramspectError: there is no such program, or file names cannot end in `suffix`.
    """

    line: str
    wording: Wording = field(default_factory=Wording)
    accepted: tuple[int, ...] = (0,)
    suffix: str = ".txt"

    def __post_init__(self) -> None:
        if not self._words:
            raise GramspectError("the command is empty; name a program, such as 'jq . {file}'")
        program = self._words[0]
        if shutil.which(program) is None:
            raise GramspectError(f"the program {program!r} is not found, or cannot be run")
        if not _SUFFIX.fullmatch(self.suffix):
            raise GramspectError(f"no file name ends in {self.suffix!r}; choose one such as '.txt'")

    @property
    def identity(self) -> str:
        """A text for all that answers depend on."""
        return repr((self.line, self.wording, self.accepted, self.suffix))

    @property
    def _words(self) -> list[str]:
        try:
            return shlex.split(self.line)
        except ValueError as problem:
            raise GramspectError(f"the command {self.line!r} is not complete: {problem}") from None

    def ask(
        self, texts: Sequence[str], *, timeout: float | None = None, jobs: int = 1
    ) -> Iterator[Answer]:
        """The answers to `texts`, in their order.

        With a `timeout` of None, `TIMEOUT` holds.

        Raises:
            GramspectError: the program cannot be started.
        """
        limit = TIMEOUT if timeout is None else timeout
        waiting: deque[Future[Answer]] = deque()
        with (
            tempfile.TemporaryDirectory(prefix="gramspect-") as folder,
            ThreadPoolExecutor(jobs) as pool,
        ):
            try:
                for number, text in enumerate(texts):
                    path = Path(folder, f"{number % (4 * jobs)}{self.suffix}")
                    if len(waiting) == 2 * jobs:
                        yield waiting.popleft().result()
                    waiting.append(pool.submit(self._answer, text, path, limit))
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for future in waiting:
                    future.cancel()

    def _answer(self, text: str, path: Path, timeout: float) -> Answer:
        """The program's answer; `path` is the file that it reads from."""
        path.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
        words = [word.replace(FILE, str(path)) for word in self._words]
        ended = _run(words, None if words != self._words else path, timeout)
        message = ended.message.replace(str(path), FILE)
        if ended.status is None:
            return silence(message)
        if ended.status < 0:
            return silence(f"the program died ({signal.Signals(-ended.status).name})")
        return self._understood(ended.status, message, text)

    def _understood(self, status: int, message: str, text: str) -> Answer:
        if status in self.accepted and not self.wording.speaks_of_syntax(message):
            return Answer(Reaction.ACCEPTED)
        about_syntax = self.wording.is_syntax_error(message)
        return Answer(
            Reaction.SYNTAX if about_syntax else Reaction.OTHER,
            _shortened(message) or f"exit status {status}",
            self.wording.place(message, text),
        )


def _shortened(message: str) -> str:
    """The message as one line that a report can show."""
    line = " ".join(message.split())
    return line if len(line) <= _LONGEST_MESSAGE else line[: _LONGEST_MESSAGE - 3] + "..."


class _Ended(NamedTuple):
    """How a program ended: its exit status, minus a signal, or None if it was stopped."""

    status: int | None
    message: str


def _run(words: list[str], stdin: Path | None, timeout: float) -> _Ended:
    """Run a program with an input file or none, and stop it if it takes too long or says too much.

    It has a process group of its own, so that what it starts is stopped with it.
    """
    with (stdin or Path(os.devnull)).open("rb") as source:
        try:
            process = subprocess.Popen(
                words,
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as problem:
            raise GramspectError(f"{words[0]}: cannot be started ({problem.strerror})") from None
    with process:
        try:
            return _watched(process, time.monotonic() + timeout, timeout)
        finally:
            _stop(process)


def _watched(process: subprocess.Popen[bytes], deadline: float, timeout: float) -> _Ended:
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
                kept[key.fd] += chunk[: _KEPT - len(kept[key.fd])]
            if size > _MOST_OUTPUT:
                return _Ended(None, f"it wrote more than {_MOST_OUTPUT >> 20} MiB and was stopped")
    try:
        # A child that keeps the pipes open does not matter once the program itself has ended.
        status = process.wait(max(0.01, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return _Ended(None, f"time limit of {timeout:g} s")
    words = [bytes(each).decode("utf-8", "replace").strip() for each in kept.values()]
    return _Ended(status, "\n".join(filter(None, words)))


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a program that is still running, and what it has started."""
    if process.returncode is not None:  # its number may be that of another process by now
        return
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:  # Windows
        process.kill()
