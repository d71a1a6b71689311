"""The start rule that is taken if none is named, and what cannot be done with generated code."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from python_parsers import Load, generate

from command import Command
from gramspect_antlr_python import adapter
from gramspect_antlr_python.recognizer import AntlrPythonRecognizer

LEXER = "ID : [a-z]+ ; WS : ' ' -> skip ;"


def started(parser: AntlrPythonRecognizer) -> tuple[str, str]:
    """The start rule and the notes on it."""
    grammar = parser.grammar
    notes = [each.message for each in grammar.diagnostics if each.code == "start"]
    return grammar.symbols[grammar.start].name, " ".join(notes)


@pytest.mark.parametrize(
    ("rules", "start", "note"),
    [
        ("a : b ; b : b ID | ID ;", "a", ""),
        ("part : b ; all : b EOF ; b : ID ;", "all", ""),
        ("part : b ; all : inner ; inner : b EOF ; b : ID ;", "all", ""),
        ("part : b EOF? ; all : (inner | ID (EOF)) ; inner : b EOF ; b : ID ;", "all", ""),
        (
            "part : b EOF? 'x' ; other : b ; b : ID ;",
            "part",
            "the start rule is part, because no other rule uses it and it has EOF"
            " (--start takes another one)",
        ),
        (
            "all : inner ; part : b EOF ; inner : b EOF ; b : ID ;",
            "all",
            "the start rule is all, because no other rule uses it and it ends in EOF; the same is"
            " true of part (--start takes another one)",
        ),
        (
            "unused : ID ; all : b+ ; b : c ; c : ID ;",
            "all",
            "the start rule is all, because no other rule uses it and it leads to most rules; no"
            " other rule uses unused either (--start takes another one)",
        ),
        (
            "all : 'x' EOF ; b : ID EOF ; c : ID EOF ; d : ID EOF ; e : ID EOF ; f : ID EOF ;",
            "all",
            "the start rule is all, because no other rule uses it and it ends in EOF; the same is"
            " true of b, c, d, e, ... (--start takes another one)",
        ),
    ],
)
def test_the_start_rule_that_is_taken(load: Load, rules: str, start: str, note: str) -> None:
    assert started(load(f"grammar G; {rules} {LEXER}")) == (start, note)


def test_one_that_is_named_needs_no_note(load: Load) -> None:
    assert started(load(f"grammar G; a : ID EOF ; b : ID EOF ; {LEXER}", "b")) == ("b", "")


def test_repairs_are_not_searched(command: Command, tmp_path: Path) -> None:
    """Nothing was looked for, so nothing is said of what was not found."""
    folder = shutil.copytree(
        generate({"G": f"grammar G; s : ID (',' ID)? EOF ; {LEXER}"}), tmp_path / "parsers"
    )
    tests = tmp_path / "tests.txt"
    tests.write_text("a\na, b\na, b, c\n")
    order = ("suggest", folder / "GParser.py", "--accept", tests, "--lines")
    why = f"the adapter antlr-python cannot search repairs; {adapter.without_repairs}"
    assert ".g4" in adapter.without_repairs
    assert "the adapter antlr" in adapter.without_repairs
    answer = command(*order)
    assert (answer.status, answer.out) == (1, f"No repair was searched: {why}.\n")
    told = json.loads(command(*order, "--format", "json").out)
    assert told["not_searched"] == why
    assert told["suggestions"] == []
    assert why in command.fails(*order, "--apply", "1", "-o", tmp_path / "mended.g4")
