"""Runs the command ``gramspect``: in this process for its answers, in another for its manners."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gramspect.cli import main
from jars import without_notice

ROOT = Path(__file__).parents[1]
FAULTY = str(ROOT / "fixtures" / "toy" / "toy-faulty.y")
CORRECT = str(ROOT / "fixtures" / "toy" / "toy.y")
ACCEPT = str(ROOT / "fixtures" / "toy" / "accept.txt")


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Command:
    """``command("localize", ...)`` gives the exit status and what was printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self._capsys, self._patch = capsys, patch

    def __call__(self, *args: str | Path) -> Answer:
        self._patch.setattr(sys, "argv", ["gramspect", *map(str, args)])
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        printed = self._capsys.readouterr()
        assert isinstance(end.value.code, int)
        return Answer(end.value.code, printed.out, printed.err)

    def fails(self, *args: str | Path) -> str:
        """The message of a command that must fail as every error does: one line, status 2."""
        answer = self(*args)
        assert answer.status == 2, answer
        assert answer.out == ""
        assert answer.err.startswith("gramspect: error: ")
        assert answer.err.count("\n") == 1, "an error is one line"
        assert answer.err.endswith("\n")
        return answer.err.removeprefix("gramspect: error: ").rstrip("\n")


def start(*args: str | Path, **settings: Any) -> subprocess.Popen[bytes]:
    """The command in a process of its own, with pipes."""
    environment = {k: v for k, v in os.environ.items() if k not in ("GRAMSPECT_DEBUG", "COLUMNS")}
    return subprocess.Popen(
        [sys.executable, "-m", "gramspect", *map(str, args)],
        stdout=settings.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env={**environment, **settings.pop("env", {})},
        **settings,
    )


def run(*args: str | Path, **settings: Any) -> Answer:
    """What such a process prints."""
    process = start(*args, **settings)
    out, err = process.communicate()
    return Answer(process.returncode, (out or b"").decode(), without_notice(err.decode()))
