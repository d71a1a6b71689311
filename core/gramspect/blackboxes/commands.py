"""Systems that are programs: started once for each input, without a shell."""

from __future__ import annotations

import re
import signal
import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from gramspect.blackboxes.answers import Answer, Reaction, Wording, silence
from gramspect.errors import GramspectError
from gramspect.running.programs import FILE, program_words, run_program

__all__ = ["Command"]

TIMEOUT = 10.0
"""Seconds that a command may take unless another limit is given."""

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
        program_words(self.line)
        if not _SUFFIX.fullmatch(self.suffix):
            raise GramspectError(f"no file name ends in {self.suffix!r}; choose one such as '.txt'")

    @property
    def identity(self) -> str:
        """A text for all that answers depend on."""
        return repr((self.line, self.wording, self.accepted, self.suffix))

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
        ended = run_program(program_words(self.line), path, timeout)
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
