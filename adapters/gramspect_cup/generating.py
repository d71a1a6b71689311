"""Runs CUP on the text of a grammar, in the JVM, and reads what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gramspect.adapter_api import Diagnostic, GrammarError, SourceText, Span
from gramspect_jvm import java_class

__all__ = ["Generation", "generate"]

_MESSAGE = re.compile(r"^(Error|Warning|Fatal)\s*:\s*", re.MULTILINE)
_PLACE = re.compile(r"\s*@\s*Symbol: (.*?)(?: \(.*- [^:]*:(\d+)/(-?\d+)\(.*\))?\s*$", re.DOTALL)
_CONFLICT = re.compile(r"\*+ (\S+ conflict) found in state #(\d+)\s*(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Generation:
    """What CUP made of a grammar (the Java object ``Generated``), and what it warned of."""

    java: Any
    diagnostics: tuple[Diagnostic, ...]


def generate(text: str, source: SourceText) -> Generation:
    """Run CUP on `text`; messages are about `source`.

    CUP resolves all conflicts, however many the grammar has; each becomes a diagnostic.

    Raises:
        GrammarError: CUP refuses the grammar.
        MissingDependency: JPype or Java is missing.
    """
    result = java_class("org.gramspect.cup.Generator").generate(text)
    messages = list(_messages(str(result.messages()), source))
    for kind, message, span in messages:
        if kind != "Warning":
            raise GrammarError(f"CUP: {message}", span or source.span(0, 0))
    if result.generated() is None:
        reason = result.failure() or "it gave up without a message"
        raise GrammarError(f"CUP cannot read this grammar: {reason}", source.span(0, 0))
    warnings = tuple(_diagnostic(message, span) for _, message, span in messages)
    return Generation(result.generated(), warnings)


def _messages(said: str, source: SourceText) -> Iterator[tuple[str, str, Span | None]]:
    """Kind, text and place of each message."""
    parts: Sequence[str] = _MESSAGE.split(said)
    for kind, text in zip(parts[1::2], parts[2::2], strict=True):
        place = _PLACE.search(text)
        if place is None:
            yield kind, text.strip(), None
            continue
        symbol, line, column = place.groups()
        span = None
        if line is not None:
            span, symbol = _word(source, int(line), int(column))
        elif symbol == "EOF":
            end = len(source.text.rstrip())
            span, symbol = source.span(end, end), "the end"
        yield kind, f"{text[: place.start()].strip()} at {symbol}", span


def _word(source: SourceText, line: int, column: int) -> tuple[Span, str]:
    """The word at a place, which CUP calls by a name of its own, sometimes by a wrong one."""
    lines = source.text.split("\n")
    written = lines[line - 1] if line <= len(lines) else ""
    column = max(1, column)
    word = re.match(r"\w+|\S?", written[column - 1 :])
    length = len(word[0]) if word else 0
    span = Span(source.file, line, column, line, column + length)
    return span, repr(written[column - 1 :][:length])


def _diagnostic(message: str, span: Span | None) -> Diagnostic:
    conflict = _CONFLICT.match(message)
    if conflict is None:
        return Diagnostic("cup", f"CUP: {' '.join(message.strip('* ').split())}", span)
    kind, state, rest = conflict.groups()
    return Diagnostic("conflict", f"{kind} in state {state} {' '.join(rest.split())}", span)
