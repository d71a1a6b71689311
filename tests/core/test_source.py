"""Stretches of files by whole lines."""

import pytest

from gramspect.source import SourceText


@pytest.mark.parametrize(
    ("text", "first", "last", "ends", "expected"),
    [
        ("a\nb\nc\n", 2, 2, (3, 1), "b\n"),
        ("a\nb\nc\n", 1, 3, (4, 1), "a\nb\nc\n"),
        ("a\n  bc", 2, 2, (2, 5), "  bc\n"),
        ("a\n\n", 2, 2, (3, 1), "\n"),
    ],
)
def test_whole_lines(
    text: str, first: int, last: int, ends: tuple[int, int], expected: str
) -> None:
    span, found = SourceText("f", text).lines(first, last)
    assert (span.line, span.column, span.end_line, span.end_column) == (first, 1, *ends)
    assert found == expected
