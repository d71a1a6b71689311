"""Findings as the Language Server Protocol says them: pure functions, without a server.

Findings are of texts as they were when they were read. While the user goes on, `Document` finds the
lines that are still as they were.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from lsprotocol import types
from pygls.uris import from_fs_path
from pygls.workspace import PositionCodec

from gramspect.languageserver.findings import Findings, Lens, Mark, Place, Repair, Severity
from gramspect.source import Span

__all__ = ["Document", "code_actions", "diagnostics", "hints", "hover", "lenses", "uri_of"]

SOURCE = "gramspect"

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
}
_LINE_END = re.compile(r"\r\n|\n|\r")


def lines_of(text: str) -> list[str]:
    """The lines of a text without their ends and a byte order mark."""
    return _LINE_END.split(text.removeprefix("\ufeff"))


def uri_of(path: str) -> str:
    """The URI of a file."""
    uri: str | None = from_fs_path(path)
    assert uri is not None
    return uri


def _alike(some: Sequence[str], others: Sequence[str]) -> int:
    """How many of the first lines are the same."""
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


@dataclass(frozen=True)
class Document:
    """A file as it was read (`lines`, none if that is not known) and as it is in the editor now.

    Attributes:
        version: the editor's number of its state; None if it is not open.
        current: None if it is not open.
    """

    path: str
    codec: PositionCodec
    lines: Sequence[str] = ()
    current: Sequence[str] | None = None
    version: int | None = None

    @property
    def unchanged(self) -> bool:
        """Whether it is as it was."""
        return self.current is None or list(self.current) == list(self.lines)

    @cached_property
    def _kept(self) -> tuple[int, int]:
        """How many of the first and of the last lines are as they were."""
        now = self.lines if self.current is None else self.current
        first = _alike(self.lines, now)
        return first, _alike(self.lines[first:][::-1], now[first:][::-1])

    def now(self, line: int) -> int | None:
        """Where a line (from 0) is now; None if it was changed."""
        first, last = self._kept
        if line < first or not self.lines or self.current is None:
            return line
        if line >= len(self.lines) - last:
            return line + len(self.current) - len(self.lines)
        return None

    def then(self, line: int) -> int | None:
        """Where a line of now was; None if it is new."""
        first, last = self._kept
        if line < first or not self.lines or self.current is None:
            return line
        if line >= len(self.current) - last:
            return line + len(self.lines) - len(self.current)
        return None

    def range(self, span: Span) -> types.Range | None:
        """Where a span is now, in the units of the client; None if its lines were changed."""
        lines = [self.now(span.line - 1), self.now(span.end_line - 1)]
        if lines[0] is None or lines[1] is None:
            return None
        return types.Range(
            types.Position(lines[0], self._units(span.line, span.column)),
            types.Position(lines[1], self._units(span.end_line, span.end_column)),
        )

    def _units(self, line: int, column: int) -> int:
        """A column (from 1) in code points as one of the client (from 0)."""
        if not 0 < line <= len(self.lines):
            return column - 1
        units: int = self.codec.client_num_units(self.lines[line - 1][: column - 1])
        return units

    def column(self, position: types.Position, line: int) -> int:
        """The column (from 1) in code points of a position in a line (from 0) of the old text."""
        text = self.lines[line] if line < len(self.lines) else ""
        units = 0
        for number, character in enumerate(text):
            if units >= position.character:
                return number + 1
            units += self.codec.client_num_units(character)
        return len(text) + 1


DocumentOf = Callable[[str], Document]
"""Gives the document at a path."""


def diagnostics(findings: Findings, document: Document, of: DocumentOf) -> list[types.Diagnostic]:
    """The marks in a file."""
    return [
        types.Diagnostic(
            range=place,
            message=mark.text,
            severity=_SEVERITIES[mark.severity],
            code=mark.code,
            source=SOURCE,
            related_information=list(_related(mark, of)) or None,
        )
        for mark in findings.marks
        if mark.span.file == document.path and (place := document.range(mark.span)) is not None
    ]


def _related(mark: Mark, of: DocumentOf) -> Iterator[types.DiagnosticRelatedInformation]:
    for one in mark.related:
        if (place := of(one.span.file).range(one.span)) is not None:
            location = types.Location(uri_of(one.span.file), place)
            yield types.DiagnosticRelatedInformation(location, one.text)


def code_actions(
    findings: Findings,
    document: Document,
    asked: types.Range,
    of: DocumentOf,
    *,
    versioned: bool,
) -> list[types.CodeAction]:
    """The repairs in the lines that are asked for, of files that are as they were.

    If `versioned`, the client knows edits of documents in a certain state, and refuses others.
    """
    preferred = next((one for one in findings.repairs if one.validated), None)
    found = []
    for repair in findings.repairs:
        targets = [of(path) for path in dict.fromkeys(edit.span.file for edit in repair.edits)]
        if not (_touches(repair, document, asked) and all(one.unchanged for one in targets)):
            continue
        found.append(
            types.CodeAction(
                title=repair.title,
                kind=types.CodeActionKind.QuickFix,
                is_preferred=repair is preferred,
                edit=_workspace_edit(repair, targets, versioned),
            )
        )
    return found


def _touches(repair: Repair, document: Document, asked: types.Range) -> bool:
    for span in (repair.span, *(edit.span for edit in repair.edits)):
        place = document.range(span) if span.file == document.path else None
        if place and place.start.line <= asked.end.line and asked.start.line <= place.end.line:
            return True
    return False


def _workspace_edit(
    repair: Repair, targets: Iterable[Document], versioned: bool
) -> types.WorkspaceEdit:
    edits = [(target, list(_edits(repair, target))) for target in targets]
    if not versioned:
        return types.WorkspaceEdit(changes={uri_of(target.path): e for target, e in edits})
    changes = [
        types.TextDocumentEdit(
            types.OptionalVersionedTextDocumentIdentifier(
                uri=uri_of(target.path), version=target.version
            ),
            of_file,
        )
        for target, of_file in edits
    ]
    return types.WorkspaceEdit(document_changes=list(changes))


def _edits(repair: Repair, target: Document) -> Iterator[types.TextEdit]:
    for edit in repair.edits:
        place = target.range(edit.span) if edit.span.file == target.path else None
        if place is not None:
            yield types.TextEdit(place, edit.text)


def lenses(findings: Findings, document: Document) -> list[types.CodeLens]:
    """The coverage of each non-terminal, over its definition."""
    return [
        types.CodeLens(place, types.Command(title=lens.text, command=""))
        for lens, place in _placed(findings.coverage, document)
    ]


def hints(findings: Findings, document: Document, asked: types.Range) -> list[types.InlayHint]:
    """What no accepted test uses, after it."""
    return [
        types.InlayHint(place.end, f"  {gap.text}", tooltip=gap.detail, padding_left=True)
        for gap, place in _placed(findings.gaps, document)
        if asked.start.line <= place.end.line <= asked.end.line
    ]


def _placed(lines: Sequence[Lens], document: Document) -> Iterator[tuple[Lens, types.Range]]:
    for line in lines:
        if line.span.file == document.path and (place := document.range(line.span)) is not None:
            yield line, place


def hover(findings: Findings, document: Document, at: types.Position) -> types.Hover | None:
    """The innermost rule or position here, with its counts and tests."""
    line = document.then(at.line)
    if line is None:
        return None
    here = line + 1, document.column(at, line)
    around = [
        place
        for place in findings.places
        if place.span.file == document.path and _start(place) <= here <= _end(place)
    ]
    inner = min(around, key=lambda place: (_end(place) == here, _size(place)), default=None)
    if inner is None:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, "\n".join(_hover_lines(inner)))
    return types.Hover(content, document.range(inner.span))


def _start(place: Place) -> tuple[int, int]:
    return place.span.line, place.span.column


def _end(place: Place) -> tuple[int, int]:
    return place.span.end_line, place.span.end_column


def _size(place: Place) -> tuple[int, int]:
    span = place.span
    return span.end_line - span.line, span.end_column - span.column


def _hover_lines(place: Place) -> Iterator[str]:
    yield from ("```", place.text, "```", place.counts)
    for what, names in (("failing", place.failing), ("passing", place.passing)):
        if names:
            yield f"\n{what}:\n"
            yield from (f"- `{name}`" for name in names)
