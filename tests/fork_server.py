"""Runs the command for `forks`: each time as a fork of this process, where all is imported already.

This is a fresh process with one thread, for a fork of one that has a JVM or other threads may wait
for ever for their locks. It and each fork are sessions of their own, so that a command that kills
its parent or its group harms at most this process, and no test.

Orders come as JSON, one a line, with the fields of `forks.Order`. So do the answers: `status`, null
for a command that was stopped, and `megabytes`.
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
from contextlib import suppress
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, NoReturn

import gramspect.cli
from gramspect.recognition.registry import adapter, adapters

_STOP = 6 << 30
"""Bytes of address space at which a command without a JVM is stopped, to spare the machine."""


def main() -> None:
    gc.disable()
    rooms = {entry.module.partition(".")[0] for entry in adapters().values()}
    for room in map(import_module, sorted(rooms)):
        for module in walk_packages(room.__path__, f"{room.__name__}."):
            if "__main__" not in module.name and ".testing" not in module.name:
                import_module(module.name)
    for name in adapters():
        adapter(name)
    gc.freeze()
    gc.enable()
    # Commands get neither end of the pipes: what they leave behind would hold them open.
    orders = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    for line in orders:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            os.close(orders.fileno())
            os.close(answers.fileno())
            _be_command(order)
        status, megabytes = _waited(pid, order["seconds"])
        print(json.dumps({"status": status, "megabytes": megabytes}), file=answers, flush=True)


def _waited(pid: int, seconds: float | None) -> tuple[int | None, float]:
    """Exit status and megabytes of a command; what it has started ends with it."""
    end = os.pidfd_open(pid)
    try:
        in_time, _, _ = select.select([end], [], [], seconds)
        if not in_time:
            os.kill(pid, signal.SIGKILL)
        _, status, usage = os.wait4(pid, 0)
    finally:
        os.close(end)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    return (os.waitstatus_to_exitcode(status) if in_time else None), usage.ru_maxrss / 1024


def _be_command(order: dict[str, Any]) -> NoReturn:
    status = 99
    try:
        os.setsid()
        said, wrong = (
            os.open(order[name], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            for name in ("said", "wrong")
        )
        os.dup2(said, 1)
        os.dup2(wrong, 2)
        sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
        signal.signal(signal.SIGINT, signal.default_int_handler)
        tempfile.tempdir = order["aside"]  # what is left there goes with it
        if order["environment"] is not None:
            _take(order["environment"])
        if not order["jvm"]:
            resource.setrlimit(resource.RLIMIT_AS, (_STOP, _STOP))
        os.chdir(order["folder"])
        sys.argv = ["gramspect", *order["arguments"]]
        try:
            gramspect.cli.main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 98
        gc.collect()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _take(environment: dict[str, str]) -> None:
    """What an interpreter does that is started in an environment."""
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    adapters.cache_clear()  # other adapters may be installed there


if __name__ == "__main__":
    main()
