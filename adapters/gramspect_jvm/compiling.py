"""Errors of the Java compiler in code that a generator took from the user's file."""

from __future__ import annotations

from gramspect.adapter_api import SourceText, Span

__all__ = ["place_of_line"]


def place_of_line(source: SourceText, line: str, column: int = 1) -> Span | None:
    """Where a line of generated code comes from: the one place in a file that holds it.

    From the `column` of the error on, if that is inside of the code. None if there is no such
    place, or several.
    """
    code = line.strip("{} \t\r")
    offset = source.text.find(code) if code else -1
    if offset < 0 or source.text.find(code, offset + 1) >= 0:
        return None
    inside = column - 1 - line.index(code)
    if not 0 < inside < len(code):
        inside = 0
    return source.span(offset + inside, offset + len(code))
