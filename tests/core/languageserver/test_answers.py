"""Findings in the words of the protocol: lines that moved, columns, what is offered when."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cattrs
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.workspace import PositionCodec

from gramspect import Coverage, SpectrumKind, TestSuite, localize, suggest
from gramspect.languageserver.answers import Document, code_actions, diagnostics, hover, uri_of
from gramspect.languageserver.findings import Findings, findings_of
from gramspect.source import Span

CODEC = PositionCodec()
ALL = types.Range(types.Position(0, 0), types.Position(10_000, 0))
LINES = st.lists(st.sampled_from("abc"), min_size=1, max_size=8)


@given(LINES, LINES)
def test_lines_are_where_they_were_or_changed(then: list[str], now: list[str]) -> None:
    document = Document("/g", CODEC, then, now, 2)
    moved = {line: document.now(line) for line in range(len(then))}
    for line, place in moved.items():
        if place is not None:
            assert now[place] == then[line]
            assert document.then(place) == line
    kept = [place for place in moved.values() if place is not None]
    assert kept == sorted(set(kept))
    assert document.unchanged == (then == now)
    if then == now:
        assert len(kept) == len(then)


@given(st.text(alphabet="aé\u2028😀", max_size=6), st.integers(1, 7))
def test_columns_are_counted_in_units_of_the_client(line: str, column: int) -> None:
    column = min(column, len(line) + 1)
    document = Document("/g", CODEC, [line])
    place = document.range(Span("/g", 1, column, 1, column))
    assert place is not None
    assert place.start.character == len(line[: column - 1].encode("utf-16-le")) // 2
    assert document.column(place.start, 0) == column


def found_in(project: Path) -> Findings:
    suite = TestSuite.load(accept=[project / "good"], reject=[project / "bad"])
    grammar = str(project / "calc.lark")
    first = localize(grammar, suite, evidence="both", all_spectra=True)
    matrices = first.basis.matrices
    covered = Coverage(
        first.grammar, suite, None, first.method.extraction,
        matrices[SpectrumKind.RULE], matrices[SpectrumKind.ITEM],
    )  # fmt: skip
    found = suggest(grammar, suite, effort="low")
    return findings_of(found.localization, covered, found, watched=[str(project / "good")])


def test_findings_survive_the_way_to_the_server_and_fit_what_the_editor_has(project: Path) -> None:
    # Line ends of another system and signs outside the first plane stand before what is changed.
    grammar = project / "calc.lark"
    text = grammar.read_text().replace("\n", "\r\n").replace('"-"', '"😀"')
    grammar.write_bytes(f"// 😀\r\n{text}".encode())
    findings = found_in(project)
    sent = json.loads(json.dumps(findings.as_json()))
    assert cattrs.structure(sent, Findings) == findings
    lines = grammar.read_bytes().decode().split("\r\n")
    path = str(grammar)

    def document(name: str, current: list[str] | None = None) -> Document:
        return Document(name, CODEC, lines if name == path else [], current, 7)

    shown = diagnostics(findings, document(path), document)
    assert shown[0].message.startswith("Suspicious: ")
    assert shown[0].range.start.line >= 1
    longer = document(path, ["new", *lines])
    moved = diagnostics(findings, longer, lambda _: longer)
    assert [one.range.start.line for one in moved] == [one.range.start.line + 1 for one in shown]
    versioned = code_actions(findings, document(path), ALL, document, versioned=True)
    plain = code_actions(findings, document(path), ALL, document, versioned=False)
    assert len(plain) == len(versioned) == len(findings.repairs) > 0
    for one, other, repair in zip(versioned, plain, findings.repairs, strict=True):
        assert one.edit is not None
        assert other.edit is not None
        (change,) = one.edit.document_changes or ()
        assert isinstance(change, types.TextDocumentEdit)
        assert change.text_document.version == 7
        assert other.edit.changes == {uri_of(path): change.edits}
        assert [edit.text for edit in repair.edits] == [
            edit.new_text for edit in change.edits if isinstance(edit, types.TextEdit)
        ]
    assert sum(bool(one.is_preferred) for one in versioned) <= 1
    changed = document(path, [*lines, "more"])
    assert not code_actions(findings, changed, ALL, lambda _: changed, versioned=True)
    where = next(one.range.start for one in shown if one.range.start != one.range.end)
    there = hover(findings, document(path), where)
    assert there is not None
    assert there.range is not None
    assert there.range.start == where
    gone = replace(document(path), current=["all", "is", "new"])
    assert not diagnostics(findings, gone, document)
    assert hover(findings, gone, where) is None
