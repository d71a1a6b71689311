"""Folders and files as they should not be."""

from __future__ import annotations

import os
import random
import socket
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from hostile_grammars import NOTATIONS
from hostile_runs import Case

__all__ = ["ODDITIES", "file_case", "file_cases"]

Odd = Callable[[Path], object]


def _file(name: str, content: bytes = b"ID = NUM ;") -> Odd:
    return lambda folder: (folder / name).write_bytes(content)


def _link(name: str, target: str) -> Odd:
    return lambda folder: (folder / name).symlink_to(target)


def _socket(folder: Path) -> None:
    place = os.open(folder, os.O_DIRECTORY)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(f"/proc/self/fd/{place}/tests/socket")
    os.close(place)


def _deep(folder: Path) -> None:
    folder = folder / "tests"
    for _ in range(60):
        folder = folder / ("d" * 30)
    folder.mkdir(parents=True)
    (folder / "t").write_text("ID = NUM ;")


ODDITIES: Mapping[str, Odd] = {
    "nothing": lambda _: None,
    "dangling link": _link("tests/link", "nowhere"),
    "link to itself": _link("tests/link", "link"),
    "loop of folders": _link("tests/link", ".."),
    "link to a device": _link("tests/link", "/dev/zero"),
    "link to this process": _link("tests/link", "/proc/self/fd"),
    "pipe": lambda folder: os.mkfifo(folder / "tests" / "pipe"),
    "socket": _socket,
    "empty file": _file("tests/empty", b""),
    "not text": _file("tests/bytes", bytes(range(256)) * 10),
    "a long line": _file("tests/line", b"ID = NUM ; " * 2000),
    "many blank lines": _file("tests/blank", b"\n" * 100_000),
    "name that is no text": lambda f: Path(os.fsdecode(bytes(f / "tests") + b"/\xff\xfe")).touch(),
    "name with markup": _file("tests/<script>alert(1)<|script>"),
    "name with a line end": _file("tests/a\nb"),
    "name with escapes": _file("tests/\x1b[2J\u202e"),
    "name like an option": _file("tests/--help"),
    "long name": _file("tests/" + "n" * 255),
    "deep folder": _deep,
    "many files": lambda f: [(f / "tests" / f"{n}").write_text(f"ID = {n}") for n in range(500)],
    "only hidden files": lambda f: (f / "tests" / "ok").rename(f / "tests" / ".ok"),
    "folder as output": lambda folder: (folder / "out").mkdir(),
    "full folder as output": lambda f: ((f / "out").mkdir(), (f / "out" / "x").touch()),
    "device as output": _link("out", "/dev/full"),
    "null device as output": _link("out", "/dev/null"),
    "dangling output": _link("out", "no/where"),
    "output is the grammar": _link("out", "g.y"),
    "output is a test": _link("out", "tests/ok"),
    "old draft": _file(".out.999999999"),
    "draft is a folder": lambda folder: (folder / f".out.{os.getpid()}").mkdir(),
    "grammar is a folder": lambda f: ((f / "g.y").unlink(), (f / "g.y").mkdir()),
    "grammar is a device": lambda f: ((f / "g.y").unlink(), (f / "g.y").symlink_to("/dev/zero")),
    "grammar is gone": lambda folder: (folder / "g.y").unlink(),
    "grammar is empty": _file("g.y", b""),
    "grammar is binary": _file("g.y", os.urandom(2000)),
    "no rights": lambda folder: (folder / "tests" / "ok").chmod(0),
    "no right to the folder": lambda folder: (folder / "tests").chmod(0),
    "suite is empty": _file("suite.jsonl", b""),
    "suite is no suite": _file("suite.jsonl", b"[" * 5000),
    "suite is binary": _file("suite.jsonl", b"\xff\x00" * 50),
    "suite is deep": _file("suite.jsonl", b'{"schema":"gramspect/suite/1"}\n' + b'{"a":' * 5000),
    "suite without tests": _file("suite.jsonl", b'{"schema":"gramspect/suite/1"}\n'),
    "suite of odd tests": _file(
        "suite.jsonl", b'{"schema":"gramspect/suite/1"}\n{"text":"\\ud800","expect":"accept"}\n'
    ),
}
"""What is done to a folder with a grammar, ``g.y``, and tests."""

_COMMANDS = (
    ("localize", "g.y", "--accept", "tests", "--evidence", "both"),
    ("localize", "g.y", "--accept", "tests", "--evidence", "both", "--format", "json"),
    ("localize", "g.y", "--accept", "tests", "--evidence", "both", "--format", "html", "-o", "out"),
    ("localize", "g.y", "--accept", "tests", "--lines", "--evidence", "both", "-o", "out"),
    ("localize", "g.y", "--suite", "suite.jsonl", "--evidence", "both"),
    ("coverage", "g.y", "--accept", "tests"),
    ("spectra", "g.y", "--accept", "tests", "-o", "out"),
    ("spectra", "g.y", "--accept", "tests", "--format", "gzoltar", "-o", "out"),
    ("generate", "g.y", "--limit", "5", "--format", "files", "-o", "out"),
    ("generate", "g.y", "--limit", "5", "--format", "jsonl", "-o", "out"),
)


def file_case(oddities: tuple[str, ...], command: tuple[str, ...]) -> Case:
    """A folder to which some of these have been done."""

    def prepare(folder: Path) -> None:
        for oddity in oddities:
            try:
                ODDITIES[oddity](folder)
            except OSError:
                continue  # it does not go with the one before

    return Case(
        f"{' + '.join(oddities)}: {' '.join(command)}", command,
        {"g.y": NOTATIONS["y"][0], "tests/ok": "ID = NUM ;", "tests/bad": "ID = NUM NUM"}, prepare,
    )  # fmt: skip


def file_cases(seed: int) -> Iterator[Case]:
    """Cases without end."""
    rng = random.Random(seed)
    while True:
        n = rng.choice((1, 1, 2, 3))
        yield file_case(tuple(rng.sample(list(ODDITIES), n)), rng.choice(_COMMANDS))
