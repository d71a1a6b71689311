"""The command in processes that cost milliseconds: forks of one where all is imported already.

Each thread has a server of its own, so that threads run commands at the same time.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import local
from weakref import finalize

__all__ = ["Ended", "Order", "forked"]


@dataclass(frozen=True)
class Order:
    """A command line.

    Attributes:
        arguments: what comes after ``gramspect``.
        folder: where it is run.
        said, wrong: files for standard output and errors; they may be the same.
        aside: a folder for temporary files.
        jvm: whether it needs a JVM; without, its address space has a limit.
        seconds: when it is stopped; None for never.
        environment: the variables of its environment; None for those of this process.
    """

    arguments: Sequence[str]
    folder: str
    said: str
    wrong: str
    aside: str
    jvm: bool = True
    seconds: float | None = None
    environment: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Ended:
    """How a command ended; a status of None stands for one that had to be stopped.

    `killed` is set if the process went with it that had started it.
    """

    status: int | None
    output: bytes
    errors: bytes
    seconds: float
    megabytes: float
    killed: bool = False


def forked(
    arguments: Sequence[str],
    folder: Path,
    *,
    jvm: bool = True,
    seconds: float | None = None,
    environment: Mapping[str, str] | None = None,
    one_stream: bool = False,
) -> Ended:
    """Runs the command in a folder. With `one_stream` errors are among the output.

    The other arguments are those of `Order`.
    """
    with tempfile.TemporaryDirectory() as aside:
        said = Path(aside, "stdout")
        wrong = said if one_stream else Path(aside, "stderr")
        paths = [str(path) for path in (folder, said, wrong, aside)]
        order = Order(list(arguments), *paths, jvm, seconds, environment)
        begin = time.monotonic()
        answer = _server().answer(order)
        took = time.monotonic() - begin
        output, errors = (path.read_bytes() if path.exists() else b"" for path in (said, wrong))
        return Ended(output=output, errors=errors, seconds=took, **answer)


class _Server:
    """The server of this thread, which ends with it: the pipe that it reads is closed then."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("fork_server.py")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        self._end = finalize(self, self._process.kill)

    def answer(self, order: Order) -> dict[str, object]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(asdict(order)), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if line:
            answer: dict[str, object] = json.loads(line)
            return answer
        self._process.wait()
        del _own.server
        return {"status": None, "megabytes": 0.0, "killed": True}


_own = local()


def _server() -> _Server:
    if not hasattr(_own, "server"):
        _own.server = _Server()
    server: _Server = _own.server
    return server
