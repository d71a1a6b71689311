"""Offsets in texts, as Java counts them and as Python does."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["from_utf16"]

_FIRST_PLANE = "\uffff"


def from_utf16(text: str) -> Callable[[int], int]:
    """What turns Java's offsets in a text into Python's.

    Java counts a character beyond the first plane of Unicode as two; the offset between them is
    that of the character. Offsets after the end are the end.
    """
    if all(character <= _FIRST_PLANE for character in text):
        return lambda offset: min(offset, len(text))
    known = [n for n, c in enumerate(text) for _ in range(1 + (c > _FIRST_PLANE))]
    return lambda offset: known[offset] if offset < len(known) else len(text)
