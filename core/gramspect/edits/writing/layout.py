"""Alternatives put into the user's text and taken out of it, in its own layout."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gramspect.edits.writing.files import Replacement, SourceFile, Unwritable
from gramspect.edits.writing.lexemes import literal_around
from gramspect.edits.writing.regions import Region

__all__ = ["added", "all_tripled", "dropped", "removed", "tripled"]

_REST = re.compile(r"[ \t]*(?://[^\r\n]*|/\*(?:(?!\*/)[^\r\n])*\*/[ \t]*)?(?=\r|\n|\Z)")
"""What may stand after an alternative on its line without belonging to what follows."""
_BLANK = re.compile(r"[ \t]*(?=\r|\n|\Z)")


def added(
    file: SourceFile, region: Region, alternative: str, *, own_line: bool = False
) -> Replacement:
    """A new alternative right after another one: on a line of its own if the others have theirs.

    `alternative` is what stands after the bar.
    """
    words = f"| {alternative}".rstrip()
    indent = _indent(file.text, region)
    if indent is None and own_line:
        indent = " " * len(_before(file.text, region.opening).expandtabs())
    if indent is None:
        return Replacement(region.end, region.end, f" {words}")
    rest = _REST.match(file.text, region.end)
    end = rest.end() if rest and rest.end() <= region.closing else region.end
    return Replacement(end, end, f"\n{indent}{words}")


def _indent(text: str, region: Region) -> str | None:
    """What stands before the bar of a new line; None if the alternatives share a line."""
    same_line = "\n" not in text[region.end : region.closing]
    if region.more and same_line:
        return None
    own = _before(text, region.opening)
    if region.bar and not own.strip():
        return own
    following = _before(text, region.closing)
    if not same_line:
        if not following.strip() and text[region.closing : region.closing + 1] in ("|", ";"):
            return following
        return own if not own.strip() else " " * len(own.expandtabs())
    return own if not own.strip() and not region.bar and own else None


def _before(text: str, offset: int) -> str:
    """What stands on the line before an offset."""
    return text[text.rfind("\n", 0, offset) + 1 : offset]


def dropped(file: SourceFile, region: Region) -> Replacement:
    """An alternative taken out with its bar.

    Raises:
        Unwritable: it is the only one.
    """
    text = file.text
    if region.bar:
        before = _before(text, region.opening)
        rest = _BLANK.match(text, region.end)
        if not before.strip() and rest:
            line = re.compile(r"\r\n|\n|\r").match(text, rest.end())
            return Replacement(region.opening - len(before), line.end() if line else rest.end(), "")
        start = region.opening if not before.strip() else len(text[: region.opening].rstrip(" \t"))
        return Replacement(start, region.end, "")
    if not region.more:
        raise Unwritable("it is the only alternative that is written there")
    behind = re.compile(r"\|\s*").match(text, region.closing)
    return Replacement(region.start, behind.end() if behind else region.closing, "")


def removed(file: SourceFile, start: int, end: int) -> Replacement:
    """A stretch of a line taken out with the blanks on one side of it."""
    text = file.text
    blanks = re.compile(r"[ \t]*").match(text, end)
    assert blanks is not None
    if text[blanks.end() : blanks.end() + 1] in ("", "\r", "\n"):
        start = len(text[:start].rstrip(" \t"))
        return Replacement(start, end, "")
    return Replacement(start, blanks.end(), "")


def all_tripled(file: SourceFile, changes: Iterable[Replacement]) -> tuple[Replacement, ...]:
    """Changes of Python string literals, of which several may be in one."""
    return tuple(dict.fromkeys(part for change in changes for part in tripled(file, change)))


def tripled(file: SourceFile, change: Replacement) -> tuple[Replacement, ...]:
    """A change of a Python string literal, which needs three quotes for a new line or for a quote.

    The quotes that end it must not touch another one.
    """
    start, end = literal_around(file, change.start)
    quote, text = file.text[start - 1], change.text
    is_triple = file.text[start - 3 : start] == quote * 3
    if not is_triple and "\n" not in text and quote not in text:
        return (change,)
    if change.end > end:
        raise Unwritable("the alternative goes over the end of its docstring")
    if change.end == end and text.endswith(quote):
        text += " "
    if is_triple:
        return (Replacement(change.start, change.end, text),)
    shifted = text.replace("\n", "\n  ")  # as the two more quotes shift the rest
    return (
        Replacement(start - 1, start, quote * 3),
        Replacement(change.start, change.end, shifted),
        Replacement(end, end + 1, quote * 3),
    )
