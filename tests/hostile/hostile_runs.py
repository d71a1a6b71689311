"""Runs the command on hostile cases, each in a process of its own, and says what goes wrong.

A process is a fork of this one, where all is imported already, so a case costs milliseconds; what
it does, is killed with or leaves in memory is of no consequence here.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import NoReturn

import gramspect
import gramspect.cli

__all__ = ["Case", "Outcome", "faults", "run"]

SECONDS = 900.0
"""After which a case hangs: hundreds of times what it takes, for the machine may be busy."""

MEGABYTES = 2000
"""What a case may have in memory."""

_STOP = 6 << 30
"""Bytes of address space at which a case without a JVM is stopped, to spare the machine."""

_LONGEST = 2000
"""Characters of an error message."""

_ROOMS = (gramspect, *map(import_module, ("gramspect_ply", "gramspect_lark", "gramspect_antlr")))
for _room in _ROOMS:
    for _module in walk_packages(_room.__path__, f"{_room.__name__}."):
        if "__main__" not in _module.name and ".testing" not in _module.name:
            import_module(_module.name)


@dataclass(frozen=True)
class Case:
    """Files, and a command line that is run among them.

    `prepare` does to the folder what contents cannot say. `statuses` are those that would be right.
    `jvm` says whether a JVM is needed.
    """

    name: str
    arguments: Sequence[str]
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    prepare: Callable[[Path], object] | None = None
    statuses: frozenset[int] = frozenset((0, 1, 2))
    jvm: bool = False


@dataclass(frozen=True)
class Outcome:
    """How a case ended; a status of None stands for one that had to be stopped."""

    status: int | None
    output: bytes
    errors: str
    seconds: float
    megabytes: float


def run(case: Case, folder: Path, seconds: float = SECONDS) -> Outcome:
    """Runs a case in an empty folder."""
    for name, content in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else _encoded(content))
    if case.prepare is not None:
        case.prepare(folder)
    with tempfile.TemporaryDirectory() as aside:
        said, wrong = Path(aside, "stdout"), Path(aside, "stderr")
        begin = time.monotonic()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if pid == 0:
            _be_case(case, folder, said, wrong, aside)
        status, megabytes = _waited(pid, seconds)
        return Outcome(
            status, said.read_bytes(), wrong.read_bytes().decode(errors="replace"),
            time.monotonic() - begin, megabytes,
        )  # fmt: skip


def faults(case: Case, outcome: Outcome) -> Iterator[str]:
    """What is wrong with how a case ended; nothing, if all is well."""
    if outcome.status is None:
        yield f"hangs: stopped after {outcome.seconds:.0f} s"
        return
    if outcome.status not in case.statuses:
        yield f"status {outcome.status}"
    for sign in ("Traceback (most recent call last)", "fault of gramspect", "Exception ignored"):
        if sign in outcome.errors:
            yield f"standard error has {sign!r}"
    if outcome.status == 2:
        lines = outcome.errors.rstrip("\n").split("\n")
        if len(lines) != 1 or not lines[0].startswith("gramspect: error: "):
            yield "an error is not one line"
        elif len(lines[0]) > _LONGEST:
            yield f"an error has {len(lines[0])} characters"
    elif "json" in case.arguments and "-o" not in case.arguments:
        try:
            json.loads(outcome.output)
        except ValueError:
            yield "standard output is not JSON"
    if outcome.megabytes > MEGABYTES:
        yield f"{outcome.megabytes:.0f} MB in memory"


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _waited(pid: int, seconds: float) -> tuple[int | None, float]:
    """Exit status and megabytes of a child; what it has started may still run."""
    end = os.pidfd_open(pid)
    try:
        in_time, _, _ = select.select([end], [], [], seconds)
        if not in_time:
            os.killpg(pid, signal.SIGKILL)
        _, status, usage = os.wait4(pid, 0)
    finally:
        os.close(end)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    return (os.waitstatus_to_exitcode(status) if in_time else None), usage.ru_maxrss / 1024


def _be_case(case: Case, folder: Path, said: Path, wrong: Path, aside: str) -> NoReturn:
    status = 99
    try:
        os.setsid()
        for descriptor, path, mode in (
            (0, Path(os.devnull), os.O_RDONLY),
            (1, said, os.O_WRONLY | os.O_CREAT),
            (2, wrong, os.O_WRONLY | os.O_CREAT),
        ):
            os.dup2(os.open(path, mode), descriptor)
        sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
        signal.signal(signal.SIGINT, signal.default_int_handler)
        tempfile.tempdir = aside  # what is left there goes with it
        if not case.jvm:
            resource.setrlimit(resource.RLIMIT_AS, (_STOP, _STOP))
        os.chdir(folder)
        sys.argv = ["gramspect", *case.arguments]
        try:
            gramspect.cli.main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 98
        gc.collect()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)
