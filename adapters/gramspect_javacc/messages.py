"""What JavaCC and JJTree print, as diagnostics with places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gramspect.adapter_api import Diagnostic, Span

__all__ = ["Messages", "read_messages"]

_BEGIN = re.compile(r"^(?P<kind>Warning|Error|\S*Exception|\S*Error|Error parsing input):\s*")
_PLACE = re.compile(r"\bat\s+line (\d+), column (\d+)|^Line (\d+), Column (\d+):\s*")
_EXPECTING = re.compile(r"\s*Was expecting( one of)?:.*$", re.DOTALL)
_NO_MATTER = ("Output directory", "Command line setting")
_CONFLICT = ("Choice conflict", "This choice can expand to the empty token sequence")


@dataclass(frozen=True, slots=True)
class Messages:
    """The errors, and the warnings: of the choices that need more lookahead, and others."""

    errors: tuple[Diagnostic, ...]
    conflicts: tuple[Diagnostic, ...]
    warnings: tuple[Diagnostic, ...]


def read_messages(printed: str, file: str) -> Messages:
    """The messages in what the tools print about a file."""
    errors: list[Diagnostic] = []
    conflicts: list[Diagnostic] = []
    warnings: list[Diagnostic] = []
    for kind, text in _messages(printed):
        place = _PLACE.search(text)
        span = None
        if place is not None:
            line, column = (max(int(n), 1) for n in place.groups() if n is not None)
            span = Span(file, line, column, line, column)
        said = _EXPECTING.sub("", " ".join(_without_place(text).split())).replace(" .", ".")
        if kind != "Warning":
            errors.append(Diagnostic("javacc-error", f"JavaCC: {said}", span))
        elif said.startswith(_CONFLICT):
            conflicts.append(Diagnostic("choice-conflict", f"JavaCC: {said}", span))
        elif not said.startswith(_NO_MATTER):
            warnings.append(Diagnostic("javacc-warning", f"JavaCC: {said}", span))
    return Messages(tuple(errors), tuple(conflicts), tuple(warnings))


def _without_place(text: str) -> str:
    """The text without the place that the diagnostic holds."""
    return text if "respectively" in text else _PLACE.sub("", text, count=1)


def _messages(printed: str) -> Iterator[tuple[str, str]]:
    """Kind and text of each message; lines that begin none continue the last one."""
    kind, lines = "", list[str]()
    for line in [*printed.splitlines(), "Detected"]:
        begin = _BEGIN.match(line)
        ends = line.startswith(
            ("Detected", "File ", "Parser generated", "Reading from", "Java Com")
        )
        if begin is not None or ends:
            if kind:
                yield kind, "\n".join(lines)
            kind, lines = "", []
        if begin is not None:
            kind = begin["kind"]
            line = line[begin.end() :]  # noqa: PLW2901
            nested = _BEGIN.match(line)
            line = line[nested.end() :] if nested else line  # noqa: PLW2901
        lines.append(line)
