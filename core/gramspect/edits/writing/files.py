"""Grammar files as they are on disk, and changes of their texts.

All that an edit does not touch stays as it is to the byte: line ends, tabs, a byte order mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher, unified_diff
from functools import cached_property
from itertools import takewhile
from pathlib import Path

from gramspect.errors import GrammarError
from gramspect.reading import read_whole
from gramspect.source import Span

__all__ = ["Change", "Replacement", "SourceFile", "Unwritable", "from_here"]

_LINE_END = re.compile(r"\r\n|\n|\r")
_BOM = "\ufeff"


class Unwritable(Exception):
    """An edit that cannot be written into the user's text; the message says why."""


@dataclass(frozen=True, slots=True, order=True)
class Replacement:
    """New text for ``text[start:end]`` of a file; its line ends are ``\\n``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class SourceFile:
    """A text file: `text` has the line ends and the byte order mark of the file."""

    path: str
    text: str
    encoding: str = "utf-8"

    @classmethod
    def read(cls, path: str) -> SourceFile:
        """The file at a path, as UTF-8 or else as Latin-1.

        Raises:
            GrammarError: it cannot be read.
        """
        try:
            data = read_whole(path)
        except OSError as problem:
            raise GrammarError(f"{path}: cannot be read ({problem.strerror})") from None
        try:
            return cls(path, data.decode())
        except UnicodeDecodeError:
            return cls(path, data.decode("latin-1"), "latin-1")

    @cached_property
    def line_offsets(self) -> tuple[int, ...]:
        """Where each line begins."""
        first = len(_BOM) if self.text.startswith(_BOM) else 0
        return (first, *(match.end() for match in _LINE_END.finditer(self.text)))

    @property
    def newline(self) -> str:
        """How the lines of the file end: as the first one does."""
        found = _LINE_END.search(self.text)
        return found[0] if found else "\n"

    def offset(self, line: int, column: int) -> int:
        """The offset of a place, both counted from 1.

        Raises:
            Unwritable: the file has no such place; it is not the text that was loaded.
        """
        if not 0 < line <= len(self.line_offsets):
            raise Unwritable(f"{self.path} has changed since it was loaded")
        found = self.line_offsets[line - 1] + column - 1
        if found > len(self.text):
            raise Unwritable(f"{self.path} has changed since it was loaded")
        return found

    def range(self, span: Span) -> tuple[int, int]:
        """Where a span begins and ends, as offsets."""
        return self.offset(span.line, span.column), self.offset(span.end_line, span.end_column)

    def replaced(self, replacements: Iterable[Replacement]) -> SourceFile:
        """The file with some stretches replaced, none of which overlap."""
        text = self.text
        for one in sorted(replacements, reverse=True):
            text = text[: one.start] + one.text.replace("\n", self.newline) + text[one.end :]
        return replace(self, text=text)

    def encoded(self) -> bytes:
        """The content of the file."""
        return self.text.encode(self.encoding, "backslashreplace")


@dataclass(frozen=True)
class Change:
    """The change of one file. `replacements` are its steps, if it was one edit.

    `others` are the changes of other files that belong to it.
    """

    file: SourceFile
    changed: SourceFile
    replacements: tuple[Replacement, ...] = ()
    others: tuple[Change, ...] = ()

    @classmethod
    def of(cls, file: SourceFile, replacements: Iterable[Replacement]) -> Change:
        """Some stretches of a file replaced."""
        done = tuple(replacements)
        return cls(file, file.replaced(done), done)

    @property
    def of_each_file(self) -> tuple[Change, ...]:
        """The change as one of each file."""
        return (replace(self, others=()), *self.others)

    @property
    def results(self) -> tuple[SourceFile, ...]:
        """The changed files."""
        return tuple(one.changed for one in self.of_each_file)

    def then(self, other: Change) -> Change:
        """This change, and after it another one of the changed files."""
        before = {one.file.path: one.file for one in other.of_each_file}
        before |= {one.file.path: one.file for one in self.of_each_file}
        after = {file.path: file for file in (*self.results, *other.results)}
        first, *rest = (Change(file, after[path]) for path, file in before.items())
        return replace(first, others=tuple(rest))

    def diff(self, path: str | None = None) -> str:
        """The change as a unified diff, for ``patch -p0`` or ``git apply -p0``.

        `path` is what the file is called there, by default its path from the current folder.
        """
        name = from_here(self.file.path) if path is None else path
        lines = unified_diff(
            _lines(self.file.text), _lines(self.changed.text), name, name, lineterm="\n"
        )
        own = "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
            for line in lines
        )
        return own + "".join(other.diff() for other in self.others)

    def new_lines(self) -> list[tuple[int, str, int]]:
        """The lines that are new: number, text, and where it differs from the line it replaces."""
        before, after = (file.text.splitlines() for file in (self.file, self.changed))
        above = _n_same(before, after)
        before, after = before[above:], after[above:]
        below = _n_same(before[::-1], after[::-1])
        before, after = before[: len(before) - below], after[: len(after) - below]
        found = []
        blocks = SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes()
        for tag, old, old_end, start, end in blocks:
            for number in range(start, end) if tag != "equal" else ():
                place = old + number - start
                line = before[place] if place < old_end else ""
                found.append((above + number + 1, after[number], _n_same(line, after[number])))
        return found


def _n_same(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines, or characters, two texts have in common before they differ."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return sum(1 for _ in same)


def _lines(text: str) -> list[str]:
    """The lines with their ends, where only ``\\n`` ends one, as for the program patch."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def from_here(path: str) -> str:
    """A path from the current folder, if it lies below that."""
    try:
        return Path(path).resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path
