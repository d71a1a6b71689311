"""The reports of a comparison, and the command: text, JSON by its schema, HTML that stays quiet."""

from __future__ import annotations

import json
import re
from functools import cache
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jsonschema
import pytest

from command import ACCEPT, FAULTY, ROOT, Command
from gramspect import Comparison, TestSuite, compare
from gramspect.report.comparison_html import comparison_html
from gramspect.report.comparison_json import comparison_json
from gramspect.report.comparison_text import comparison_text
from hostile import RIGHT_TO_LEFT, SAID, hostile_comparison

SETTINGS = """%token name number
%%
list    : setting more ;
more    : ',' setting more | %empty ;
setting : value | entry ;
value   : name | number ;
entry   : name '=' number | '-' number ;
"""
"""One token does not tell a value from an entry: all but JavaCC look further or keep both."""

TESTS = ["name , - number", "name = number", "name , name = number", "name ="]


def strict(properties: dict[str, Any]) -> dict[str, Any]:
    """An object that has these keys and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def optional(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


TEXT, COUNT, NUMBER = {"type": "string"}, {"type": "integer", "minimum": 0}, {"type": "number"}
PLACE = strict({"file": TEXT, **dict.fromkeys(("line", "column", "end_line", "end_column"), COUNT)})
SCHEMA = strict(
    {
        "schema": {"const": "gramspect/comparison/1"},
        "grammar": optional(
            strict(
                {
                    "name": TEXT, "files": array(TEXT), "start": TEXT,
                    "rules": COUNT, "nonterminals": COUNT, "terminals": COUNT,
                }
            )
        ),
        "spectrum": {"enum": ["rule", "item", "shift"]},
        "extraction": {"enum": ["exact", "all", "stack"]},
        "evidence": {"enum": ["spectrum", "error", "both", "edits"]},
        "metric": TEXT,
        "ties": {"enum": ["mid", "worst", "kmax"]},
        "grouped": {"type": "boolean"},
        "tests": COUNT,
        "top": COUNT,
        "techniques": array(
            strict(
                {
                    "name": TEXT, "adapter": TEXT, "source": optional(TEXT),
                    "refusal": optional(TEXT),
                    "result": optional(
                        strict(
                            {
                                "accepted": COUNT, "rejected": COUNT, "undecided": COUNT,
                                "failing": array(TEXT), "undecided_tests": array(TEXT),
                                "elements": COUNT, "executed": COUNT,
                                "executed_per_test": NUMBER, "build_seconds": NUMBER,
                                "seconds_per_test": NUMBER,
                            }
                        )
                    ),
                }
            )
        ),
        "disagreements": array(
            strict(
                {
                    "test": TEXT,
                    "expected": {"enum": ["accept", "reject"]},
                    "techniques": array(
                        strict(
                            {
                                "name": TEXT,
                                "verdict": {"enum": ["accepted", "rejected", "undecided"]},
                                "derivable": {"type": ["boolean", "null"]},
                                "cause": {
                                    "enum": [
                                        None, "conflict resolution", "lookahead",
                                        "ordered choice", "lexing", "grammar", "unknown",
                                    ]
                                },
                                "reason": optional(TEXT),
                                "details": array(TEXT),
                            }
                        )
                    ),
                }
            )
        ),
        "ranks": array(
            strict(
                {
                    "label": TEXT, "text": TEXT, "location": optional(PLACE),
                    "ranks": {"type": "object", "additionalProperties": optional(NUMBER)},
                }
            )
        ),
        "agreement": array(
            strict(
                {
                    "first": TEXT, "second": TEXT, "compared": COUNT,
                    "tau_b": optional({"type": "number", "minimum": -1, "maximum": 1}),
                    "top_overlap": optional({"type": "number", "minimum": 0, "maximum": 1}),
                    "same_spectra": optional(COUNT),
                }
            )
        ),
        "warnings": array(strict({"code": TEXT, "message": TEXT, "details": array(TEXT)})),
    }
)  # fmt: skip


@cache
def toy() -> Comparison:
    return compare(FAULTY, TestSuite.load([ACCEPT], lines=True))


@cache
def settings(**how: Any) -> Comparison:
    with TemporaryDirectory() as folder:
        file = Path(folder, "settings.y")
        file.write_text(SETTINGS)
        return compare(str(file), TestSuite.from_texts(TESTS), **how)


def keys(schema: dict[str, Any]) -> set[str]:
    """The names of all keys of a schema."""
    found = set(schema.get("properties", {}))
    for part in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        found |= keys(part)
    return found | (keys(schema["items"]) if "items" in schema else set())


class TestJson:
    @pytest.mark.parametrize("how", [{}, {"spectrum": "rule"}, {"group": True, "metric": "dstar"}])
    def test_it_follows_its_schema(self, how: dict[str, Any]) -> None:
        value = json.loads(comparison_json(settings(**how)))
        jsonschema.validate(value, SCHEMA)
        assert value["disagreements"]
        assert value["ranks"]

    def test_refusals_and_several_sources(self) -> None:
        suite = TestSuite.load([ACCEPT], lines=True)
        found = compare([FAULTY, str(ROOT / "fixtures" / "antlr" / "Toy.g4")], suite)
        value = json.loads(comparison_json(found))
        jsonschema.validate(value, SCHEMA)
        assert value["grammar"] is None
        value = json.loads(comparison_json(toy()))
        jsonschema.validate(value, SCHEMA)
        (javacc,) = (t for t in value["techniques"] if t["name"] == "javacc")
        assert javacc["result"] is None
        assert "Left recursion" in javacc["refusal"]

    def test_every_key_is_documented(self) -> None:
        text = (ROOT / "docs" / "compare.md").read_text()
        missing = {key for key in keys(SCHEMA) if not re.search(rf"[`.]{key}[`\[]", text)}
        assert missing == set()


class TestText:
    def test_reasons_of_each_technique(self) -> None:
        lines = comparison_text(settings()).splitlines()
        first = lines.index("  accept:2 should be accepted")
        assert lines[first + 2] == "    rejected: javacc"
        assert lines[first + 3] == "    the grammar derives it"
        assert lines[first + 4] == (
            "    javacc: ordered choice: takes an earlier alternative of setting; with setting:2 in"
            " front it"
        )
        assert lines[first + 5] == "      accepts the test"
        text = " ".join(line.strip() for line in lines)
        assert (
            "javacc: lookahead: needs both setting:1 and setting:2, which one token (name) does not"
            " tell apart"
        ) in text

    def test_long_messages_and_particulars(self) -> None:
        brief, whole = comparison_text(toy()), comparison_text(toy(), verbose=True)
        assert "(-v shows" in brief
        assert "(-v shows" not in whole
        assert "expr -> expr • '+' expr" in whole

    def test_tests_that_all_pass(self) -> None:
        suite = TestSuite.from_texts(["program id = { } ."])
        text = comparison_text(compare(FAULTY, suite, adapters=["chart", "native"]))
        assert "All techniques agree on all 1 test." in text
        assert "No test fails in any technique" in text
        assert "rank agreement" not in text

    def test_hostile_names_cannot_forge_lines(self, tmp_path: Path) -> None:
        text = comparison_text(hostile_comparison(tmp_path), verbose=True)
        assert not set(text) & {"\x1b", "\x00", "\u2028", "\u2029", RIGHT_TO_LEFT}


class TestHtml:
    def test_hostile_names_are_escaped(self, tmp_path: Path) -> None:
        page = comparison_html(hostile_comparison(tmp_path))
        assert f"<script>{SAID}" not in page
        assert "<img" not in page
        assert RIGHT_TO_LEFT not in page
        assert page.count("<script>") == 1

    def test_it_needs_nothing_else(self) -> None:
        page = comparison_html(toy())
        assert not re.search(r"(?:src|href)=\"(?!#)", page)
        assert "default-src 'none'" in unescape(page)


class TestCommand:
    def test_text_json_html_and_a_plot(self, command: Command, tmp_path: Path) -> None:
        arguments = ("compare", FAULTY, "--lines", "--accept", ACCEPT, "--adapters", "native,ply")
        answer = command(*arguments)
        assert answer.status == 1
        assert "the spectra of all techniques are identical" in answer.out
        jsonschema.validate(command(*arguments, "--format", "json").json, SCHEMA)
        page, plot = tmp_path / "page.html", tmp_path / "ranks.svg"
        answer = command(*arguments, "--format", "html", "-o", page, "--plot", plot)
        assert (answer.status, answer.out) == (1, "")
        assert page.read_text().startswith("<!doctype html>")
        assert plot.read_text().startswith("<?xml")

    def test_several_sources(self, command: Command) -> None:
        answer = command("compare", FAULTY, f"chart={FAULTY}", "--lines", "--accept", ACCEPT)
        assert answer.status == 1
        assert "rank of what some technique has among its first 10" in answer.out

    def test_options_of_adapters(self, command: Command, tmp_path: Path) -> None:
        """Each source gets those that its adapter knows; an adapter may be named for all."""
        (tmp_path / "g.lark").write_text(
            'start: "a" X | "b" NAME\nX: "x"\nNAME: /[b-z]+/\n%ignore " "\n'
        )
        (tmp_path / "g.y").write_text("%%\nstart : 'a' 'x' | 'b' 'x' ;\n")
        (tmp_path / "tests.txt").write_text("b x\n")
        sources = f"lark-lalr={tmp_path / 'g.lark'}", tmp_path / "g.y"
        tests = "--lines", "--accept", tmp_path / "tests.txt"
        answer = command("compare", *sources, *tests)
        assert answer.status == 0, answer.out
        answer = command("compare", *sources, *tests, "--option", "lexer=basic")
        assert answer.status == 1, answer.out
        message = command.fails("compare", *sources, *tests, "--option", "nonsense=1")
        assert "has no --option nonsense" in message
        (tmp_path / "g.y").rename(tmp_path / "g")
        answer = command("compare", tmp_path / "g", *tests, "--adapter", "native")
        assert answer.status == 0, answer.out

    def test_a_file_that_is_not_there(self, command: Command) -> None:
        message = command.fails("compare", FAULTY, "nix.y", "--lines", "--accept", ACCEPT)
        assert message == "nix.y: there is no such file; check the path"

    def test_no_test_fails(self, command: Command, tmp_path: Path) -> None:
        tests = tmp_path / "tests"
        tests.write_text("program id = { } .\n")
        answer = command("compare", FAULTY, "--lines", "--accept", tests, "--adapters", "native")
        assert answer.status == 0

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["none.y"], "none.y"),
            ([FAULTY, "--adapters", "yacc"], "there is no adapter 'yacc'"),
            ([FAULTY, FAULTY, "--adapters", "native"], "write ADAPTER=SOURCE"),
            ([FAULTY, "--plot", "ranks.pdf"], "the name of a plot ends in .svg or .png"),
            ([FAULTY, "--metric", "best"], "best"),
            ([FAULTY, "-o", "no/such/folder"], "does not exist"),
            ([], "Missing argument"),
        ],
    )
    def test_errors(self, command: Command, arguments: list[str], message: str) -> None:
        assert message in command.fails("compare", *arguments, "--lines", "--accept", ACCEPT)
