"""Which rule a parse starts with, and start rules that do not end in EOF."""

from __future__ import annotations

from pathlib import Path

import pytest
from g4 import Load

from command import Command
from gramspect.recognition.recognizer import LoadOptions
from gramspect.suites.suite import Expectation, TestCase
from gramspect_antlr import adapter

CHUNKS = """grammar Chunks;

start_ : chunk EOF ;
chunk : block ;
block : statement* ;
statement
    : 'if' NAME 'then' block ('elseif' NAME 'then' block)? ('else' block)? 'end'
    | NAME '=' value
    ;
value : NAME | '{' (NAME (',' NAME)?)? '}' ;

NAME : [a-z]+ ;
SPACE : [ \\n]+ -> skip ;
"""

DESCRIPTION = """<desc><entry-point>chunk</entry-point></desc>"""

ACCEPTED = {
    "one": "a = b",
    "two": "if a then b = c else d = e end",
    "three": "if a then b = {c} elseif d then e = f elseif g then h = i end",
    "four": "a = {b, c, d}",
    "five": "a = {b, c} d = {}",
}


def folder(place: Path, grammar: str = CHUNKS, description: str = DESCRIPTION) -> Path:
    (place / "Chunks.g4").write_text(grammar)
    (place / "desc.xml").write_text(description)
    (place / "examples").mkdir()
    for name, text in ACCEPTED.items():
        (place / "examples" / name).write_text(text)
    return place


def start_of(source: Path, start: str | None = None) -> tuple[str, list[str]]:
    grammar = adapter.load(str(source), LoadOptions(start=start)).grammar
    notes = [d.message for d in grammar.diagnostics if d.code == "start"]
    return grammar.symbols[grammar.start].name, notes


def test_a_description_that_is_out_of_date(tmp_path: Path) -> None:
    name, notes = start_of(folder(tmp_path))
    assert name == "start_"
    assert notes == [
        "the start rule is start_, which calls chunk and ends in EOF; the description names chunk,"
        " which does not (--start chunk takes it)"
    ]


def test_a_description_of_a_rule_that_there_is_not(tmp_path: Path) -> None:
    place = folder(tmp_path, description=DESCRIPTION.replace("chunk", "program"))
    name, notes = start_of(place)
    assert name == "start_"
    assert notes == [
        "the description names program, which has no rule; the start rule is start_, because no"
        " other rule uses it and it ends in EOF (--start takes another one)"
    ]


def test_a_description_of_a_start_rule_with_eof_is_followed(tmp_path: Path) -> None:
    grammar = CHUNKS.replace("chunk : block", "chunk : block EOF")
    assert start_of(folder(tmp_path, grammar)) == ("chunk", [])


def test_what_the_user_asks_for_is_taken(tmp_path: Path) -> None:
    name, notes = start_of(folder(tmp_path), "chunk")
    assert name == "chunk"
    assert notes == [
        "the start rule chunk does not end in EOF: a test is accepted if the rule reads all of it;"
        " start_ calls it and does (--start start_)"
    ]


@pytest.mark.parametrize(
    ("rules", "expected", "told"),
    [
        ("a : b EOF ; b : 'x' ;", "a", []),
        ("a : 'x' ; b : a 'y' ;", "b", []),
        ("part : 'x' ; whole : part EOF ; other : part 'y' ;", "whole", []),
        ("one : 'x' ; all : a ; a : 'x' EOF ;", "all", []),
        (
            "first : 'x' EOF ; second : 'y' EOF ;",
            "first",
            [
                "the start rule is first, because no other rule uses it and it ends in EOF; the"
                " same is true of second (--start takes another one)"
            ],
        ),
    ],
)
def test_the_start_rule_that_nobody_names(
    load: Load, tmp_path: Path, rules: str, expected: str, told: list[str]
) -> None:
    load(G=f"grammar G; {rules}")
    assert start_of(tmp_path / "G.g4") == (expected, told)


def test_no_repair_inserts_the_end_of_the_input(tmp_path: Path, command: Command) -> None:
    place = folder(tmp_path)
    arguments = ("suggest", str(place), "--start", "chunk")
    for result in (command(*arguments), command(*arguments[:2])):
        assert "EOF" not in result.out.split("try:", 1)[-1]
        assert "several times" in result.out


def test_tokens_without_the_end_where_no_rule_reads_it(tmp_path: Path) -> None:
    place = folder(tmp_path)
    last = {}
    for start in ("chunk", "start_"):
        system = adapter.load(str(place), LoadOptions(start=start))
        tokens = system.tokens(TestCase("test", Expectation.ACCEPT, "a = b"))
        assert tokens is not None
        last[start] = system.grammar.symbols[tokens[-1]].name
    assert last == {"chunk": "NAME", "start_": "EOF"}
