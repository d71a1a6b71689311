"""Places in the user's texts."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

__all__ = ["SourceText", "Span", "offset_of"]


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file. Lines and columns count from 1; the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def to(self, end: Span) -> Span:
        """The span from the start of this one to the end of the other."""
        return Span(self.file, self.line, self.column, end.end_line, end.end_column)

    def inside(self, text: str, start: int, end: int) -> Span:
        """Where ``text[start:end]`` stands, if `text` is what stands here."""
        places = []
        for offset in (start, end):
            before = text[:offset]
            lines = before.count("\n")
            column = offset - before.rfind("\n") if lines else self.column + offset
            places += [self.line + lines, column]
        return Span(self.file, *places)

    def before(self) -> Span:
        """The empty span right before this one."""
        return Span(self.file, self.line, self.column, self.line, self.column)

    def after(self) -> Span:
        """The empty span right after this one."""
        return Span(self.file, self.end_line, self.end_column, self.end_line, self.end_column)


@dataclass(frozen=True)
class SourceText:
    """A named text that turns offsets (from 0, in code points) into spans."""

    file: str
    text: str

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        starts.extend(i + 1 for i, char in enumerate(self.text) if char == "\n")
        return starts

    def lines(self, first: int, last: int) -> tuple[Span, str]:
        """Whole lines, counted from 1, with the end of the last one; the text always has it."""
        found = self.text.split("\n")[first - 1 : last]
        end = (last + 1, 1) if last < len(self._line_starts) else (last, len(found[-1]) + 1)
        return Span(self.file, first, 1, *end), "\n".join(found) + "\n"

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of an offset."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The span of ``text[start:end]``."""
        return Span(self.file, *self.position(start), *self.position(end))


def offset_of(text: str, line: int, column: int) -> int:
    """The offset of a line and column, both from 1; places after a line's end are at its end."""
    lines = text.split("\n")
    if line > len(lines):
        return len(text)
    before = sum(len(each) + 1 for each in lines[: max(line, 1) - 1])
    return before + min(max(column, 1) - 1, len(lines[max(line, 1) - 1]))
