"""Runs in the background: a process for each, which the next run of the same target ends.

What runs is a command that writes lines of JSON (`gramspect.cli.analysis`). It is started in a
session of its own with a folder of its own for temporary files, so that when it is ended nothing of
it stays behind; and it ends itself when its standard input does, so that it does not outlive us.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

__all__ = ["Hear", "Runs", "run_command"]

Hear = Callable[[str, Any], None]
"""Called with the kind of a message and its value."""

_SETTLED = 0.1
"""Seconds without another save before a run begins: editors save many files at once."""

_LINE = 1 << 28
"""The most bytes of one message."""

_TOLD = 400
"""The most characters of what a process says before it fails."""


class Runs:
    """The runs of all targets: one at a time, at most one asked for by each key."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}
        self._turn = asyncio.Semaphore(1)

    def start(self, key: Hashable, command: Sequence[str], folder: Path, hear: Hear) -> None:
        """Run a command in a folder; an earlier run for the key ends, and is not heard again."""
        self.stop(key)
        self._tasks[key] = asyncio.create_task(self._run(command, folder, hear))

    def stop(self, key: Hashable) -> None:
        """End the run of a key, if there is one."""
        task = self._tasks.pop(key, None)
        if task is not None:
            task.cancel()

    def is_running(self, key: Hashable) -> bool:
        """Whether a run for the key is waiting or going on."""
        return key in self._tasks and not self._tasks[key].done()

    async def close(self) -> None:
        """End all runs, and return when their processes have gone."""
        tasks = list(self._tasks.values())
        for key in list(self._tasks):
            self.stop(key)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, command: Sequence[str], folder: Path, hear: Hear) -> None:
        await asyncio.sleep(_SETTLED)
        async with self._turn:
            hear("begin", None)
            try:
                await run_command(command, folder, hear)
            except Exception as problem:  # nobody else would hear of it
                hear("lost", f"{type(problem).__name__}: {problem}")
            finally:
                hear("end", None)


async def run_command(command: Sequence[str], folder: Path, hear: Hear) -> None:
    """Run a command in a folder and pass on what it says; if this is cancelled it is ended."""
    with TemporaryDirectory(prefix="gramspect-", ignore_cleanup_errors=True) as temporary:
        process = await asyncio.create_subprocess_exec(
            *command, cwd=folder, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=_LINE,
            env={**os.environ, "TMPDIR": temporary, "PWD": str(folder)}, start_new_session=True,
        )  # fmt: skip
        try:
            told = await _pass_on(process, hear)
        finally:
            await _ended(process)
    if process.returncode:
        hear("lost", told or f"exit status {process.returncode}")


async def _pass_on(process: Process, hear: Hear) -> str:
    """Until the process closes its output; the last that it wrote as an error."""
    assert process.stdout is not None
    assert process.stderr is not None
    errors = asyncio.create_task(_tail(process.stderr))
    try:
        async for line in process.stdout:
            for kind, value in json.loads(line).items():
                hear(kind, value)
        await process.wait()
        return await errors
    finally:
        errors.cancel()


async def _tail(stream: asyncio.StreamReader) -> str:
    last = b""
    while piece := await stream.read(1 << 16):
        last = (last + piece)[-_TOLD:]
    return last.decode(errors="replace").strip()


async def _ended(process: Process) -> None:
    """The process ended, and all of its group."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    await asyncio.shield(process.wait())
