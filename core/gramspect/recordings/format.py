"""The lines of a recorded run: a header, then a line for each parse and each test.

docs/recording.md describes the format for those who write it in other languages.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gramspect.grammars.grammar import Grammar
from gramspect.lr.items import bits
from gramspect.recognition.trace import ErrorKind, Extraction, Observation, ParseError, Verdict
from gramspect.recordings.grammars import grammar_of, grammar_value
from gramspect.suites.suite import Expectation

__all__ = [
    "SCHEMA",
    "Header",
    "Line",
    "Outcome",
    "ParseLine",
    "TableLine",
    "TestLine",
    "header_of",
    "header_text",
    "line_of",
    "line_text",
]

SCHEMA = "gramspect/run/1"

_ENCODER = json.JSONEncoder(separators=(",", ":"))

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Header:
    """The first line: who has recorded what.

    `source` is what `adapter` would load. `grammar` gives rules and items their numbers; a recorder
    that does not know it writes an `identity` instead, which the adapter can compare with its own.
    """

    adapter: str
    source: str
    writer: str
    extraction: Extraction = Extraction.EXACT
    grammar: Grammar | None = None
    identity: object = None


class Outcome:
    """How a test ended."""

    PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
    ALL = (PASSED, FAILED, SKIPPED)


@dataclass(frozen=True, slots=True)
class ParseLine:
    """A parse: its observation, or what the hook of an adapter saw of it (`OutcomeReading`).

    `test` is the test that it happened in, None outside of any; `text` its input and `tokens` the
    names of its terminals, if they were recorded.
    """

    test: str | None = None
    observation: Observation | None = None
    seen: object = None
    text: str | None = None
    tokens: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class TestLine:
    """The end of a test. `expect` is what it expects of all its parses, if it says so."""

    __test__ = False  # not a pytest class

    name: str
    outcome: str
    expect: Expectation | None = None


@dataclass(frozen=True, slots=True)
class TableLine:
    """Something that an adapter has to know for the parses after it (`OutcomeReading.learn`)."""

    entries: object = field(hash=False)


Line = ParseLine | TestLine | TableLine


# --- written -------------------------------------------------------------------------------


def header_text(header: Header) -> str:
    """The first line."""
    value: dict[str, Any] = {
        "type": "run",
        "schema": SCHEMA,
        "writer": header.writer,
        "adapter": header.adapter,
        "source": header.source,
        "extraction": header.extraction,
    }
    if header.grammar is not None:
        value["grammar"] = grammar_value(header.grammar)
    if header.identity is not None:
        value["identity"] = header.identity
    return _text(value)


def line_text(line: Line) -> str:
    """Any other line."""
    match line:
        case TableLine():
            return _text({"type": "table", "entries": line.entries})
        case TestLine():
            expect = {} if line.expect is None else {"expect": line.expect}
            return _text({"type": "test", "name": line.name, "outcome": line.outcome} | expect)
        case ParseLine():
            value: dict[str, Any] = {"type": "parse"}
            if line.test is not None:
                value["test"] = line.test
            if line.observation is not None:
                value |= _observation_value(line.observation)
            else:
                value["outcome"] = line.seen
            if line.text is not None:
                value["text"] = line.text
            if line.tokens is not None:
                value["tokens"] = line.tokens
            return _text(value)


def _text(value: Json) -> str:
    return _ENCODER.encode(value) + "\n"  # in ASCII: any text can be written


def _observation_value(observation: Observation) -> dict[str, Any]:
    value: dict[str, Any] = {"verdict": observation.verdict}
    if observation.verdict is Verdict.UNDECIDED:
        return value | {"reason": observation.reason}
    value |= {"rules": _bits(observation.rules), "shifts": _bits(observation.shift_items)}
    error = observation.error
    if error is not None:  # of an accepted input the items are those of the rules
        value |= {
            "items": _bits(observation.items),
            "error": {
                "token": error.token,
                "line": error.line,
                "column": error.column,
                "kind": error.kind,
                "message": error.message,
            },
            "active": {str(item): depth for item, depth in sorted(observation.active.items())},
            "predicted": {str(item): d for item, d in sorted(observation.predicted.items())},
        }
    return value


def _bits(elements: Iterable[int]) -> str:
    """A bit for each element, the lowest first, without zero bytes at the end, in base64."""
    ascending = sorted(elements)
    data = bytearray(ascending[-1] // 8 + 1 if ascending else 0)
    for element in ascending:
        data[element >> 3] |= 1 << (element & 7)
    return base64.b64encode(data).decode("ascii")


# --- read ----------------------------------------------------------------------------------


def header_of(value: Json) -> Header:
    """The header in a line of JSON.

    Raises:
        ValueError: it is none, or another version.
        KeyError, TypeError: something is missing in it or of another type.
    """
    if value.get("type") != "run" or not isinstance(value.get("schema"), str):
        raise ValueError("it has no header of a recorded run")
    if value["schema"] != SCHEMA:
        raise ValueError(
            f"its format is {value['schema']}, this gramspect reads {SCHEMA}; record the run again,"
            " or use the gramspect that recorded it"
        )
    grammar = value.get("grammar")
    return Header(
        str(value["adapter"]),
        str(value.get("source", "")),
        str(value.get("writer", "")),
        Extraction(value.get("extraction", Extraction.EXACT)),
        None if grammar is None else grammar_of(grammar),
        value.get("identity"),
    )


def line_of(value: Json, grammar: Grammar | None) -> Line:
    """The line that is not the header.

    Raises:
        ValueError, KeyError, TypeError: it is none.
    """
    match value["type"]:
        case "parse":
            test, text, tokens = value.get("test"), value.get("text"), value.get("tokens")
            if not isinstance(test, str | None) or not isinstance(text, str | None):
                raise TypeError("the names and texts of parses are strings")
            return ParseLine(
                test,
                None if "outcome" in value else _observation(value, grammar),
                value.get("outcome"),
                text,
                None if tokens is None else tuple(map(str, tokens)),
            )
        case "test":
            expect, outcome = value.get("expect"), value["outcome"]
            if outcome not in Outcome.ALL:
                raise ValueError(f"there is no outcome {outcome!r} of a test")
            expected = None if expect is None else Expectation(expect)
            return TestLine(str(value["name"]), outcome, expected)
        case "table":
            return TableLine(value["entries"])
        case other:
            raise ValueError(f"there are no lines of the type {other!r}")


def _observation(value: Json, grammar: Grammar | None) -> Observation:
    verdict = Verdict(value["verdict"])
    if verdict is Verdict.UNDECIDED:
        return Observation(verdict, reason=str(value.get("reason", "")))
    if grammar is None:
        raise ValueError("a parse has spectra, but the header has no grammar for them")
    rules = _elements(value["rules"], grammar.n_rules)
    shifts = _elements(value["shifts"], grammar.n_items)
    if verdict is Verdict.ACCEPTED:
        starts = grammar.item_start
        items = frozenset(i for rule in rules for i in range(starts[rule], starts[rule + 1]))
        return Observation(verdict, None, rules, items, shifts)
    error = value["error"]
    return Observation(
        verdict,
        ParseError(
            int(error["token"]),
            str(error["message"]),
            _number(error.get("line")),
            _number(error.get("column")),
            ErrorKind(error.get("kind", ErrorKind.SYNTAX)),
        ),
        rules,
        _elements(value["items"], grammar.n_items),
        shifts,
        _depths(value.get("active", {}), grammar.n_items),
        _depths(value.get("predicted", {}), grammar.n_items),
    )


def _number(value: object) -> int | None:
    if not isinstance(value, int | None):
        raise TypeError("lines and columns are numbers")
    return value


def _elements(text: str, n_elements: int) -> frozenset[int]:
    found = int.from_bytes(base64.b64decode(text, validate=True), "little")
    if found >> n_elements:
        raise ValueError(f"a spectrum has more than the {n_elements} elements of the grammar")
    return frozenset(bits(found))


def _depths(value: Json, n_items: int) -> dict[int, int]:
    found = {int(item): int(depth) for item, depth in value.items()}
    if any(not 0 <= item < n_items for item in found):
        raise ValueError(f"there are only {n_items} items in the grammar")
    return found
