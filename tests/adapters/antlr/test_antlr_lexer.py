"""Which token rules a lexical error has to do with."""

from __future__ import annotations

from pathlib import Path

import pytest
from g4 import Load

from command import Command
from gramspect.suites.suite import Expectation, TestCase

NUMBERS = """grammar G;
s : (INT | FLOAT | NAME | 'where' | TEXT)* EOF ;
INT : DIGIT+ ;
FLOAT : '#' DIGIT+ '.' DIGIT+
      | '#' 'inf' ;
NAME : [a-z] [a-z$]* ;
TEXT : '"' ~'"'* '"' ;
fragment DIGIT : [0-9] ;
SPACE : [ \\n]+ -> skip ;
"""


def rules(load: Load, text: str) -> list[str]:
    system = load(G=NUMBERS)
    test = TestCase("test", Expectation.ACCEPT, text)
    return [
        f"{d.span.line}:{d.span.column} {d.message}" if d.span else d.message
        for d in system.lexer_rules_at_error(test)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 abc", []),
        ("#1.x", ["8:18 the lexer stops at 'x' after '#1.'; FLOAT could go on with this"]),
        ("#ix", ["5:13 the lexer stops at 'x' after '#i'; FLOAT could go on with this"]),
        ('a "b', ["7:13 ", "7:18 "]),
        ("a $", ["6:14 the lexer stops at '$', which begins no token here; NAME has it"]),
        ("a é", ["the lexer stops at 'é', which begins no token here and which no token rule"]),
    ],
)  # fmt: skip
def test_the_rules_at_an_error(load: Load, text: str, expected: list[str]) -> None:
    found = rules(load, text)
    assert len(found) == len(expected)
    assert all(map(str.startswith, sorted(found), expected))


def test_all_rules_that_were_being_read(load: Load) -> None:
    found = rules(load, "#")
    end = "the lexer stops at the end of the input after '#'; FLOAT could go on with this"
    assert sorted(found) == [f"5:13 {end}", f"8:18 {end}"]


def test_a_literal_has_no_rule_of_its_own(load: Load) -> None:
    system = load(G="grammar G; s : 'begin' 'end' EOF ; SPACE : ' ' -> skip ;")
    found = system.lexer_rules_at_error(TestCase("test", Expectation.ACCEPT, "begin ens"))
    assert [(d.message, d.span) for d in found] == [
        ("the lexer stops at 's' after 'en'; 'end' could go on with this", None)
    ]


def test_modes_are_told_apart(load: Load) -> None:
    system = load(
        PParser="parser grammar PParser; options { tokenVocab = PLexer; } s : (A | B)* EOF ;",
        PLexer="lexer grammar PLexer; A : 'ab' ; IN : '<' -> mode(INNER) ;\n"
        "mode INNER ; B : 'a' 'c' ;",
    )
    (found,) = system.lexer_rules_at_error(TestCase("test", Expectation.ACCEPT, "ab<ab"))
    assert "; B could" in found.message
    assert found.span is not None
    assert (Path(found.span.file).name, found.span.line, found.span.column) == (
        "PLexer.g4",
        2,
        22,
    )


def test_the_note_of_a_report(load: Load, tmp_path: Path, command: Command) -> None:
    load(G=NUMBERS)
    (tmp_path / "tests.txt").write_text("12\n#1.x\n#1.y\n")
    arguments = (tmp_path / "G.g4", "--accept", tmp_path / "tests.txt", "--lines")
    answer = command("localize", *arguments, "-v")
    assert answer.status == 1
    assert "G.g4:8:18: the lexer stops at 'x' after '#1.'; FLOAT could go on" in answer.out
