"""The report for code hosts and editors: SARIF 2.1.0.

Static Analysis Results Interchange Format, OASIS Standard, 27 March 2020; section numbers below are
its. The suspicious elements and the grammar's diagnostics become results with their places in the
grammar, the places of errors in failing tests related locations, and validated edits fixes.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from gramspect.edits.validation import Status
from gramspect.grammars.diagnostics import diagnose
from gramspect.grammars.symbols import Diagnostic
from gramspect.localization.results import Localization, RankedElement
from gramspect.report.edits import worth_showing
from gramspect.report.evidence import evidence_text, executing, failing_by_number
from gramspect.report.values import Json
from gramspect.report.words import printable
from gramspect.running.recording import FailingTest
from gramspect.source import Span
from gramspect.spectrum.matrix import SpectrumKind
from gramspect.suites.suite import Expectation

if TYPE_CHECKING:
    from gramspect.edits.suggestion import Suggestion
    from gramspect.edits.writing import Change, SourceFile

__all__ = ["SCHEMA_URI", "sarif_report", "sarif_value"]

SCHEMA_URI = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_ROOT = "%SRCROOT%"
_WARNED = 5
"""Up to this rank an element is a warning, after it a note."""
_RELATED = 10
"""How many failing tests of an element are named."""

_RULES = {
    "suspicious-rule": "A rule that failing tests make suspicious.",
    "suspicious-position": "A position in a rule that failing tests make suspicious.",
    "duplicate-rule": "A rule that is there twice.",
    "unreachable": "A non-terminal that no sentence can use.",
    "unproductive": "A non-terminal that derives no sentence.",
    "cyclic": "A non-terminal that can derive itself.",
}
"""The kinds of findings; the diagnostics of readers are added to them."""


def sarif_report(result: Localization, top: int | None = 10) -> str:
    """The report as text, with the first `top` elements or all with a positive score."""
    return json.dumps(sarif_value(result, top), indent=1, allow_nan=False) + "\n"


def sarif_value(result: Localization, top: int | None = 10) -> dict[str, Json]:
    """The report as JSON values."""
    ranking = result.ranking[:top]
    diagnostics = [one for one in diagnose(result.grammar) if one.span is not None]
    kinds = [_kind(result), *dict.fromkeys(diagnostic.code for diagnostic in diagnostics)]
    found: list[Json] = [*_elements(result, ranking), *_diagnosed(diagnostics)]
    return {
        "$schema": SCHEMA_URI,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "gramspect",
                        "version": version("gramspect"),
                        "rules": [_descriptor(kind) for kind in kinds],
                    }
                },
                "automationDetails": {"id": f"gramspect/{printable(result.grammar.name)}/"},
                "invocations": [_invocation(result)],
                "originalUriBaseIds": {
                    _ROOT: {"description": {"text": "The folder in which gramspect was run."}}
                },
                "columnKind": "unicodeCodePoints",
                "results": found,
                "properties": {
                    "adapter": result.adapter,
                    "spectrum": result.method.spectrum,
                    "extraction": result.method.extraction,
                    "evidence": result.method.evidence,
                    "metric": result.method.metric,
                    "ties": result.method.ties,
                    "passed": result.n_passing,
                    "failed": result.n_failing,
                    "undecided": len(result.undecided),
                },
            }
        ],
    }


def _descriptor(kind: str) -> Json:
    text = _RULES.get(kind, f"Something odd in the grammar: {kind}.")
    return {
        "id": kind,
        "name": "".join(word.capitalize() for word in kind.split("-")),
        "shortDescription": {"text": text},
        "defaultConfiguration": {"level": "warning" if kind.startswith("suspicious") else "note"},
    }


def _invocation(result: Localization) -> Json:
    """The run, with what limits its results as notifications (Section 3.20.21)."""
    notifications: list[Json] = [
        {"level": "note", "message": _message(note.text), "descriptor": {"id": note.code}}
        for note in result.notes
        if note.code != "grammar"  # that sums up the diagnostics
    ]
    notifications += [
        {"level": "note", "message": _message(one.message), "descriptor": {"id": one.code}}
        for one in diagnose(result.grammar)
        if one.span is None  # the others are results, which code hosts want to have a place
    ]
    notifications += [
        {
            "level": "warning",
            "message": _message(f"{undecided.test.name} is undecided: {undecided.reason}"),
            "descriptor": {"id": "undecided"},
        }
        for undecided in result.undecided
    ]
    return {"executionSuccessful": True, "toolExecutionNotifications": notifications}


# --- suspicious elements -------------------------------------------------------------------


def _kind(result: Localization) -> str:
    of_rules = result.method.spectrum is SpectrumKind.RULE
    return "suspicious-rule" if of_rules else "suspicious-position"


def _elements(result: Localization, ranking: Sequence[RankedElement]) -> Iterator[Json]:
    prints = _fingerprints(result, ranking)
    failing = failing_by_number(result)
    shown: set[object] = set()
    for element in ranking:
        edits = list(worth_showing(result, element, shown))
        best = result.ranking[0]
        found: dict[str, Json] = {
            "ruleId": _kind(result),
            "ruleIndex": 0,
            "level": _level(element, best),
            "rank": round(100 * element.score / best.score, 2),
            "message": _message(evidence_text(result, element, edits)),
            "locations": [_location(element.span, element)],
            "partialFingerprints": {"gramspect/v1": _fingerprint(prints, element)},
            "properties": {
                "label": element.label,
                "rank": element.rank,
                "ties": element.ties,
                "score": element.score,
                "ef": element.ef,
                "ep": element.ep,
                "nf": element.nf,
                "np": element.np,
            },
        }
        tests = executing(result, element)
        related = (failing[test] for test in tests if test in failing)
        if locations := _related(related):
            found["relatedLocations"] = locations
        if fixes := list(_fixes(edits)):
            found["fixes"] = fixes
        yield found


def _fingerprint(prints: Mapping[int, str], element: RankedElement) -> str:
    if element.token is not None:
        return _digest("token", element.token.name, element.token.text)
    return prints[element.element]


def _level(element: RankedElement, best: RankedElement) -> str:
    if element.rank == best.rank:
        return "error"
    return "warning" if element.rank <= _WARNED else "note"


def _related(tests: Iterable[FailingTest]) -> list[Json]:
    """Where failing tests went wrong; tests that are in no file have no place."""
    found: list[Json] = []
    for failing in tests:
        if failing.test.path is None or len(found) == _RELATED:
            continue
        error = failing.error
        wanted = "accepted" if failing.test.expectation is Expectation.ACCEPT else "rejected"
        reason = "" if error is None else f": {error.message}"
        place: dict[str, Json] = {"artifactLocation": _artifact(failing.test.path)}
        if error is not None and failing.line is not None:
            region: dict[str, Json] = {"startLine": failing.line}
            if error.column is not None:
                region["startColumn"] = error.column
            place["region"] = region
        elif failing.test.line > 1:
            place["region"] = {"startLine": failing.test.line}
        found.append(
            {
                "id": len(found) + 1,
                "physicalLocation": place,
                "message": _message(f"{failing.test.name} should be {wanted}{reason}"),
            }
        )
    return found


def _fingerprints(result: Localization, ranking: Sequence[RankedElement]) -> dict[int, str]:
    """For each element what stays the same when other rules change (Section 3.27.17).

    That is the text of its rule with the position in it; elements of one non-terminal that have
    the same are numbered.
    """
    grammar, kind = result.grammar, result.method.spectrum
    wanted = {element.nonterminal for element in ranking}
    seen: Counter[object] = Counter()
    prints = {}
    for number in range(kind.n_elements(grammar)):
        rule, dot = (number, None) if kind is SpectrumKind.RULE else grammar.split_item(number)
        home = grammar.symbols[grammar.user_nonterminal(grammar.rules[rule].lhs)].name
        if home in wanted:
            text = grammar.rule_text(rule) if dot is None else grammar.item_text(number)
            expanded = [grammar.symbols[symbol].display for symbol in grammar.rules[rule].rhs]
            identity = json.dumps([kind, home, text, expanded, dot])
            prints[number] = _digest(identity, seen[identity])
            seen[identity] += 1
    return prints


def _digest(*parts: object) -> str:
    return sha256(json.dumps(parts).encode()).hexdigest()


# --- diagnostics ---------------------------------------------------------------------------


def _diagnosed(diagnostics: Sequence[Diagnostic]) -> Iterator[Json]:
    kinds = list(dict.fromkeys(diagnostic.code for diagnostic in diagnostics))
    for diagnostic in diagnostics:
        print_ = _digest(diagnostic.code, diagnostic.message)
        yield {
            "ruleId": diagnostic.code,
            "ruleIndex": 1 + kinds.index(diagnostic.code),
            "level": "note",
            "message": _message(diagnostic.message),
            "locations": [_location(diagnostic.span)],
            "partialFingerprints": {"gramspect/v1": print_},
        }


# --- fixes ---------------------------------------------------------------------------------


def _fixes(edits: Iterable[Suggestion]) -> Iterator[Json]:
    """The edits that were validated and can be written as a change of the grammar's text."""
    for one in edits:
        if one.status is Status.VALIDATED and one.change is not None and one.change.replacements:
            yield {
                "description": _message(one.describe()),
                "artifactChanges": [
                    {
                        "artifactLocation": _artifact(change.file.path),
                        "replacements": _replacements(change),
                    }
                    for change in one.change.of_each_file
                ],
            }


def _replacements(change: Change) -> list[Json]:
    file = change.file
    return [
        {
            "deletedRegion": _region_of(file, replacement.start, replacement.end),
            "insertedContent": {"text": replacement.text.replace("\n", file.newline)},
        }
        for replacement in sorted(change.replacements)
    ]


def _region_of(file: SourceFile, start: int, end: int) -> Json:
    line, column = _position(file, start)
    end_line, end_column = _position(file, end)
    return _region(Span(file.path, line, column, end_line, end_column))


def _position(file: SourceFile, offset: int) -> tuple[int, int]:
    """Line and column of an offset, where a byte order mark does not count."""
    before = file.text[:offset].removeprefix("\ufeff")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


# --- places --------------------------------------------------------------------------------


def _location(span: Span | None, element: RankedElement | None = None) -> Json:
    found: dict[str, Json] = {}
    if span is not None:
        found["physicalLocation"] = {
            "artifactLocation": _artifact(span.file),
            "region": _region(span),
        }
    if element is not None:
        label = printable(element.label)
        found["logicalLocations"] = [{"fullyQualifiedName": label, "kind": "grammar rule"}]
    return found


def _region(span: Span) -> Json:
    """Lines and columns from 1, the end exclusive, as in a span."""
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _artifact(path: str) -> Json:
    """A file below the current folder relative to that, another one by its absolute URI."""
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 (resolve would follow links)
    try:
        relative = absolute.relative_to(Path.cwd())
    except ValueError:
        return {"uri": absolute.as_uri()}
    return {"uri": quote(os.fsencode(relative.as_posix())), "uriBaseId": _ROOT}


def _message(text: str) -> Json:
    """Plain text of a message: braces are doubled (3.11.5), and nothing is a link (3.11.6)."""
    shown = printable(text).replace("{", "{{").replace("}", "}}")
    return {
        "text": shown.replace("](", "\\]("),
    }
