"""Runs what a Markdown document shows, in the way of its reader.

Fenced blocks are run in their order, in one folder. The word after the fence decides:

* ``console``: each line ``$ command`` is run by a shell and must print what follows it. A line
  ``...`` stands for any number of lines;
* ``python``: is executed, all blocks of a document in one namespace. If a block ``text``
  follows, it is what must have been printed;
* any, with ``file=NAME`` after it: is written into that file.

Other blocks (``sh`` for commands that a test must not run, ``text``) are only shown.

    python tests/documents.py README.md docs/guide.md

puts what is printed now into documents: read the difference before you commit it.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager, redirect_stdout
from dataclasses import dataclass
from importlib import invalidate_caches
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from forks import forked
from jars import without_notice

__all__ = ["ROOT", "Block", "Output", "Shell", "blocks", "matches", "outputs", "prepare"]

ROOT = Path(__file__).parents[1]

_FENCE = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; `start` is where its text begins in the document.

    `output` is the text block after a Python block: what that prints.
    """

    language: str
    file: str | None
    text: str
    start: int
    output: Block | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """What a command or program printed, and what the document shows at `start`."""

    what: str
    shown: str
    printed: str
    start: int

    @property
    def as_shown(self) -> bool:
        return matches(self.shown, self.printed)


def blocks(document: str) -> Iterator[Block]:
    """The fenced blocks of a document."""
    found = list(_FENCE.finditer(document))
    for match, following in zip_longest(found, found[1:]):
        output = None
        if following is not None and (match[1], following[1]) == ("python", "text"):
            adjacent = not document[match.end() : following.start()].strip()
            output = Block("text", None, following[3], following.start(3)) if adjacent else None
        yield Block(match[1], match[2], match[3], match.start(3), output)


def matches(shown: str, printed: str) -> bool:
    """Whether an output is the one shown, where a line ``...`` stands for any lines."""
    parts = re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE)
    return re.fullmatch("(?s:.*)".join(map(re.escape, parts)), printed) is not None


def prepare(folder: Path, document: str) -> Path:
    """Make a folder like a clone, as far as a document needs it: most do without fixtures."""
    if any("fixtures" in block.text for block in blocks(document)):
        shutil.copytree(ROOT / "fixtures", folder / "fixtures")
    return folder.resolve()


def outputs(document: str, folder: Path) -> Iterator[Output]:
    """Run all blocks of a document in a folder."""
    shell = Shell(folder)
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(document):
        if block.file is not None:
            target = folder / block.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text)
        elif block.language == "console":
            yield from _console(shell, block)
        elif block.language == "python":
            yield _python(block, folder, names)


def _console(shell: Shell, block: Block) -> Iterator[Output]:
    status = 0
    for entry in re.finditer(r"^\$ ((?:.*\\\n)*.*\n)((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
        command, shown = entry.groups()
        printed, status = shell.run(command.rstrip("\n"), status)
        yield Output(f"$ {command}", shown, printed, block.start + entry.start(2))


@contextmanager
def _modules_of(folder: Path) -> Iterator[None]:
    """Modules are found in a folder, as by an interpreter that is started there."""
    sys.path.insert(0, str(folder))
    invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def _python(block: Block, folder: Path, names: dict[str, Any]) -> Output:
    printed = io.StringIO()
    with chdir(folder), _modules_of(folder), redirect_stdout(printed):
        exec(compile(block.text, "the document", "exec"), names)
    if block.output is None:
        return Output(block.text, "", printed.getvalue(), block.start)
    return Output(block.text, block.output.text, printed.getvalue(), block.output.start)


@dataclass(frozen=True)
class Shell:
    """Runs commands in a folder, as in an environment that gramspect is installed in.

    ``pip install`` puts packages into the folder's ``site``, without asking an index.
    """

    folder: Path

    @property
    def environment(self) -> Mapping[str, str]:
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("GRAMSPECT", "PIP"))}
        site = str(self.folder / "site")
        return {
            **inherited,
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "PYTHONPATH": site,
            "PYTHONIOENCODING": "utf-8",
            "COLUMNS": "100",
            "PIP_TARGET": site,
            "PIP_NO_INDEX": "1",
            "PIP_NO_DEPS": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # pip's way to say that there is none
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_ROOT_USER_ACTION": "ignore",
        }

    def run(self, command: str, last_status: int = 0) -> tuple[str, int]:
        """What a command prints, on either stream, and its status; ``$?`` is `last_status`."""
        arguments = _words_of_gramspect(command)
        if arguments is not None:
            ended = forked(arguments, self.folder, environment=self.environment, one_stream=True)
            assert ended.status is not None
            return _as_read(ended.output.decode(), self.folder), ended.status
        done = subprocess.run(
            ["/bin/sh", "-c", f"(exit {last_status}); {command}"],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return _as_read(done.stdout.decode(), self.folder), done.returncode


def _words_of_gramspect(command: str) -> list[str] | None:
    """The arguments of gramspect, or None if the command is another, or more than a shell splits.

    A fork costs a tenth of a fresh process, and there are a hundred such commands.
    """
    line = command.replace("\\\n", "")
    if not line.startswith("gramspect ") or re.search(r"[|&;<>()$`*?\[#~{\n]", line):
        return None
    return shlex.split(line)[1:]


def _as_read(text: str, folder: Path) -> str:
    """An output with the paths that a reader sees: site-packages in ``.venv`` and no folder."""
    installed = sysconfig.get_path("purelib")
    text = without_notice(text)
    return text.replace(installed, ".venv/lib/python3.11/site-packages").replace(f"{folder}/", "")


def _update(path: Path) -> None:
    document = path.read_text()
    with TemporaryDirectory() as folder:
        found = list(outputs(document, prepare(Path(folder), document)))
    for output in sorted(found, key=lambda output: -output.start):
        if not output.as_shown:
            end = output.start + len(output.shown)
            document = document[: output.start] + output.printed + document[end:]
    path.write_text(document)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        _update(Path(name))
