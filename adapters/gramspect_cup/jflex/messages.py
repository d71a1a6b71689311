"""What JFlex prints, as diagnostics with places."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from gramspect.adapter_api import Diagnostic, Span
from gramspect_cup.jflex.syntax import FlexFile

__all__ = ["FlexMessages", "read_messages"]

_BEGIN = re.compile(
    r'^(?P<kind>Error|Warning)(?: in line (?P<warned>\d+)|(?: in file "(?P<file>[^"\n]*)")?'
    r"(?: \(line (?P<line>\d+)\))?)? ?:[ ]*\n?",
    re.MULTILINE,
)
_MACRO = re.compile(r'[Mm]acro "?([^\W\d][\w$]*)|while expanding "([^"]*)"')
_NO_MATTER = ("has been declared but never used", "%cupsym should be used before %cup")


_NEXT = {
    "Macro has not been declared": "; define it above the rules: 'Name = expression'",
    "Lexical state has not been declared": "; add it to a line %state or %xstate",
    "Unexpected character": "; rules begin at the beginning of a line, or after their states",
    "Unknown %-option": "; check how it is spelled",
}
"""What to do about messages that do not say it."""


@dataclass(frozen=True, slots=True)
class FlexMessages:
    """The errors, and the warnings."""

    errors: tuple[Diagnostic, ...]
    warnings: tuple[Diagnostic, ...]


def read_messages(printed: str, file: FlexFile) -> FlexMessages:
    """The messages in what JFlex prints about a specification."""
    errors, warnings = list[Diagnostic](), list[Diagnostic]()
    begins = list(_BEGIN.finditer(printed))
    if not begins and printed.strip():  # about macros it prints the bare message
        said = printed.strip().splitlines()[0]
        errors.append(Diagnostic("jflex-error", f"JFlex: {said}", _of_macro(said, file)))
    for place, begin in enumerate(begins):
        end = begins[place + 1].start() if place + 1 < len(begins) else len(printed)
        lines = printed[begin.end() : end].split("\n")
        said = lines[0].strip()
        span = _span(begin, lines, file) or _of_macro(said, file)
        message = f"JFlex: {said.rstrip(':. ')}{_NEXT.get(said.rstrip('. '), '')}"
        if begin["kind"] == "Error":
            errors.append(Diagnostic("jflex-error", message, span))
        elif not any(part in said for part in _NO_MATTER):
            warnings.append(Diagnostic("jflex-warning", message, span))
    return FlexMessages(tuple(errors), tuple(warnings))


def _span(begin: re.Match[str], lines: list[str], file: FlexFile) -> Span | None:
    """Where it is: the line, and the column of the mark below the line that is shown."""
    number = begin["line"] or begin["warned"]
    if number is None:
        return None
    mark = next((line for line in lines if line.strip() == "^"), None)
    column = 1 if mark is None else mark.index("^") + 1
    ends = (source.file for source in file.sources if _is(source.file, begin["file"]))
    return Span(next(ends, file.source.file), int(number), column, int(number), column)


def _is(path: str, shown: str | None) -> bool:
    return shown is not None and Path(path).resolve() == Path(shown).resolve()


def _of_macro(said: str, file: FlexFile) -> Span | None:
    """The definition of the macro that a message is about, or its first use."""
    names = [name for found in _MACRO.finditer(said) for name in found.groups() if name]
    for name in reversed(names):
        for macro in file.macros:
            if macro.name == name:
                return macro.source.span(macro.start, macro.start + len(name))
    return None
