"""The stretches of a file that a change replaces, as an editor takes them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from gramspect.languageserver.files import full_path
from gramspect.source import Span

if TYPE_CHECKING:
    from gramspect.edits.writing import Change

__all__ = ["TextEdit", "text_edits"]


@dataclass(frozen=True, slots=True)
class TextEdit:
    """New text for a stretch of a file, with the line ends of that file."""

    span: Span
    text: str


def text_edits(change: Change) -> Iterator[TextEdit]:
    """The stretches of the files that a change replaces; none of them overlap."""
    for one in change.of_each_file:
        path = full_path(one.file.path)
        for start, end, text in _stretches(one):
            (line, column), (end_line, end_column) = _place(one, start), _place(one, end)
            yield TextEdit(Span(path, line, column, end_line, end_column), text)


def _stretches(change: Change) -> Iterator[tuple[int, int, str]]:
    if change.replacements:
        newline = change.file.newline
        for one in sorted(change.replacements):
            yield one.start, one.end, one.text.replace("\n", newline)
        return
    before, after = (file.text.splitlines(keepends=True) for file in (change.file, change.changed))
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    for tag, low, high, new, new_end in SequenceMatcher(
        a=before, b=after, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            yield starts[low], starts[high], "".join(after[new:new_end])


def _place(change: Change, offset: int) -> tuple[int, int]:
    starts = change.file.line_offsets
    line = max(1, bisect_right(starts, offset))
    return line, max(1, offset - starts[line - 1] + 1)
