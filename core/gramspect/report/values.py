"""The values that reports in JSON share."""

from __future__ import annotations

from typing import TypeAlias

from gramspect.source import Span

__all__ = ["Json", "location"]

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None


def location(span: Span | None) -> Json:
    """A place in a file; null for none."""
    if span is None:
        return None
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }
