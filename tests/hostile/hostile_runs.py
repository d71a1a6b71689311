"""Runs the command on hostile cases, each in a process of its own, and says what goes wrong.

The processes are forks of a server (`forks`), so a case costs milliseconds, and what it
does, is killed with or leaves in memory is of no consequence here.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

from forks import forked
from jars import without_notice

__all__ = ["Case", "Outcome", "faults", "run"]

MEGABYTES = 2000
"""What a case may have in memory."""

_TIMES = 10
"""A case hangs that takes so many times as long as a plain run of the command."""

_PLAIN = {False: ("g.y", "%token a\n%%\ns : a ;\n"), True: ("g.g4", "grammar g;\ns : 'a' ;\n")}
"""The grammar of a plain run, without and with a JVM."""

_LONGEST = 2000
"""Characters of an error message."""


@dataclass(frozen=True)
class Case:
    """Files, and a command line that is run among them.

    `prepare` does to the folder what contents cannot say. `statuses` are those that would be right.
    `jvm` says whether a JVM is needed. `seconds` is what the time limits among the arguments allow.
    """

    name: str
    arguments: Sequence[str]
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    prepare: Callable[[Path], object] | None = None
    statuses: frozenset[int] = frozenset((0, 1, 2))
    jvm: bool = False
    seconds: float = 2.0


@dataclass(frozen=True)
class Outcome:
    """How a case ended; a status of None stands for one that had to be stopped.

    `killed` is set if the process went with it that had started it.
    """

    status: int | None
    output: bytes
    errors: str
    seconds: float
    megabytes: float
    killed: bool = False


def run(case: Case, folder: Path) -> Outcome:
    """Runs a case in an empty folder. It is stopped if it hangs."""
    for name, content in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else _encoded(content))
    if case.prepare is not None:
        case.prepare(folder)
    outcome = _outcome(case, folder, case.seconds + _TIMES * _plain_seconds(case.jvm))
    if outcome.status is None and not outcome.killed:  # or the machine has become busier
        _plain_seconds.cache_clear()
        outcome = _outcome(case, folder, case.seconds + _TIMES * _plain_seconds(case.jvm))
    return outcome


def faults(case: Case, outcome: Outcome) -> Iterator[str]:
    """What is wrong with how a case ended; nothing, if all is well."""
    if outcome.killed:
        yield "kills the process that started it"
        return
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
    elif ("--format", "json") in pairwise(case.arguments) and not (
        {"-o", "--output"} & {*case.arguments}
    ):
        try:
            json.loads(outcome.output)
        except ValueError:
            yield "standard output is not JSON"
    if outcome.megabytes > MEGABYTES:
        yield f"{outcome.megabytes:.0f} MB in memory"


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@cache
def _plain_seconds(jvm: bool) -> float:
    """How long the command takes, as its user starts it, for the smallest grammar and test."""
    name, grammar = _PLAIN[jvm]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, name).write_text(grammar)
        Path(folder, "t.txt").write_text("a")
        begin = time.monotonic()
        command = [sys.executable, "-m", "gramspect", "localize", name, "--accept", "t.txt"]
        ended = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        assert ended.returncode == 0, ended.stderr.decode()
        return time.monotonic() - begin


def _outcome(case: Case, folder: Path, seconds: float) -> Outcome:
    ended = forked(case.arguments, folder, jvm=case.jvm, seconds=seconds)
    errors = without_notice(ended.errors.decode(errors="replace"))
    return Outcome(ended.status, ended.output, errors, ended.seconds, ended.megabytes, ended.killed)
