"""Runs in the background: a process for each, which the next run of the same target ends.

What runs is a command that reads what it should do as a line of JSON, and writes lines of JSON
(`gramspect.cli.analysis`). It is started in a session of its own with a folder of its own for
temporary files, so that when it is ended nothing of it stays behind; and it ends itself when its
standard input does, so that it does not outlive us. When a run has found something, the process of
the next one is started: it has imported what it needs when the user saves the file.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory
from typing import Any

__all__ = ["Hear", "Runs"]

Hear = Callable[[str, Any], None]
"""Called with the kind of a message and its value."""

_SETTLED = 0.1
"""Seconds without another save before a run begins: editors save many files at once."""

_LINE = 1 << 28
"""The most bytes of one message."""

_TOLD = 400
"""The most characters of what a process says before it fails."""


class Runs:
    """The runs of all targets: one at a time, at most one asked for by each key.

    `command` starts a process that waits for what it should do.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = tuple(command)
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}
        self._turn = asyncio.Semaphore(1)
        self._next: _Waiting | None = None

    def start(self, key: Hashable, wanted: object, hear: Hear) -> None:
        """Run what is wanted, as JSON; an earlier run for the key ends, and is not heard again."""
        self.stop(key)
        self._tasks[key] = asyncio.create_task(self._run(wanted, hear))

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
        if self._next is not None:
            await self._next.end()

    async def _run(self, wanted: object, hear: Hear) -> None:
        await asyncio.sleep(_SETTLED)
        async with self._turn:
            hear("begin", None)
            try:
                await self._answered(wanted, hear)
            except Exception as problem:  # nobody else would hear of it
                hear("lost", f"{type(problem).__name__}: {problem}")
            finally:
                hear("end", None)

    async def _answered(self, wanted: object, hear: Hear) -> None:
        """Pass on what a process says to what is wanted; if this is cancelled it is ended."""
        one, self._next = self._next, None
        if one is None or one.process.returncode is not None:
            one = await _started(self._command)
        try:
            told = await self._passed_on(one.process, wanted, hear)
        finally:
            await one.end()
        if one.process.returncode:
            hear("lost", told or f"exit status {one.process.returncode}")

    async def _passed_on(self, process: Process, wanted: object, hear: Hear) -> str:
        """Until the process closes its output; the last that it wrote as an error."""
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(json.dumps(wanted).encode() + b"\n")
        errors = asyncio.create_task(_tail(process.stderr))
        try:
            async for line in process.stdout:
                said = json.loads(line)
                for kind, value in said.items():
                    hear(kind, value)
                if self._next is None and "progress" not in said:
                    self._next = await _started(self._command)
            await process.wait()
            return await errors
        finally:
            errors.cancel()


@dataclass(frozen=True)
class _Waiting:
    """A process that has not been told yet what it should do, with its folder for files."""

    process: Process
    folder: TemporaryDirectory[str] = field(repr=False)

    async def end(self) -> None:
        """End it, and remove what it has written."""
        await _ended(self.process)
        self.folder.cleanup()


async def _started(command: Sequence[str]) -> _Waiting:
    folder = TemporaryDirectory(prefix="gramspect-", ignore_cleanup_errors=True)
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=_LINE,
            env={**os.environ, "TMPDIR": folder.name}, start_new_session=True,
        )  # fmt: skip
    except BaseException:
        folder.cleanup()
        raise
    return _Waiting(process, folder)


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
