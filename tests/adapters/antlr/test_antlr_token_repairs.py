"""Repairs of the rules of ANTLR's lexers, each tried in a parser of its own."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from gramspect import LoadOptions, TestSuite, localize, suggest
from gramspect.lexical.patterns import automaton_of
from gramspect.recognition.recognizer import TokenRuleKnowing, TokenRuleWriting
from gramspect.recognition.registry import adapter
from token_repairs import mended

CALC = r"""
grammar Calc;
start : (assign ';')* EOF ;
assign : NAME '=' sum ;
sum : sum '+' term | term ;
term : NUMBER | FUNCTION '(' sum ')' | NAME | TEXT | PARTS ;

FUNCTION : 'SIN' | 'COS' | 'EXP' ;
NAME : [a-zA-Z]+ ;
NUMBER : INT ('.' INT)? EXPONENT? ;
TEXT : '"' (~["\\\n] | ESCAPE)*? '"' { act(); } ;
fragment ESCAPE : '\\' ('n' | 't' | 'u' HEX HEX /* of two */) ;
fragment HEX : '0'..'9' | [a-f\u{41}-\u0046\-\]] ;
fragment EXPONENT : [eE] INT ; // of ten
fragment INT : [0-9]+ ;
PARTS : '<<' PART ('/' PART)* '>>' ;
fragment PART : (LETTER | [0-9.])+ ;
fragment LETTER : [a-z] ;
COMMENT : '#' ~('\n' | ';')* -> skip ;
NESTED : '{' (NESTED | ~[{}])* '}' -> type(WS), channel(HIDDEN) ;
WS : [ \n]+ -> skip ;
"""
GOOD = (
    "x = 1;",
    "y = <<a/b.2>>;",
    "x = 1.5 + y;",
    "x = SIN(1) + COS(y);  # so it is",
    r'x = "a\n" + 2e5;',
)


@pytest.fixture
def calc(tmp_path: Path) -> Path:
    file = tmp_path / "Calc.g4"
    file.write_text(CALC)
    return file


@pytest.mark.parametrize(
    ("failing", "expected"),
    [
        (("x = TAN(1);", "x = 1 + TAN(y);"), "FUNCTION : 'SIN' | 'COS' | 'EXP' | 'TAN' ;"),
        (
            ("x = 1e-5;", "x = 2 + 1E-7;"),
            "fragment EXPONENT : [eE] '-'? INT ; // of ten",
        ),
        (("total_1 = 1;", "z = total_2 + y;"), "NAME : [a-zA-Z_0-9]+ ;"),
        (("x = <<a~b~c>>;",), "fragment PART : (LETTER | [0-9.] | '~')+ ;"),
    ],
)
def test_a_repair_that_makes_the_tests_pass(
    calc: Path, failing: tuple[str, ...], expected: str
) -> None:
    assert mended(calc, (*GOOD, *failing), adapter="antlr", start="start") == expected


KEYWORD_LAST = """grammar Late;
prog: stat* EOF;
stat: ID '=' expr ';' | IF expr stat;
expr: ID | NUM | expr '+' expr;
ID: [a-z]+;
IF : 'i' 'f' ; // read as a name
NUM: [0-9]+;
WS: [ \\n]+ -> skip;
"""


def test_a_keyword_behind_the_rule_of_names(tmp_path: Path) -> None:
    file = tmp_path / "Late.g4"
    file.write_text(KEYWORD_LAST)
    texts = ("a = 1;", "b = a + 2;", "if a b = 1;", "a = 1; if a + 1 c = 2;")
    suite = TestSuite.from_texts(texts)
    found = localize(file, suite)
    assert found.ranking[0].nonterminal == "IF"
    repair = suggest(file, suite).validated[0]
    assert (repair.nonterminal, repair.describe()) == ("token IF", "take precedence over ID")
    assert repair.change is not None
    lines = repair.change.changed.text.splitlines()
    assert lines[4:8] == [
        "IF : 'i' 'f' ; // read as a name",
        "ID: [a-z]+;",
        "NUM: [0-9]+;",
        "WS: [ \\n]+ -> skip;",
    ]


def test_two_keywords_behind_the_rule_of_names(tmp_path: Path) -> None:
    file = tmp_path / "Late.g4"
    text = KEYWORD_LAST.replace("IF expr stat", "IF NOT? expr stat")
    file.write_text(text + "NOT: 'not';\n")
    suite = TestSuite.from_texts(("a = 1;", "b = a + 2;", "if not a b = 1;", "if not 1 c = 2;"))
    repair = suggest(file, suite).validated[0]
    assert (repair.nonterminal, repair.describe()) == (
        "token IF",
        "take precedence over ID, and NOT, too",
    )
    assert repair.change is not None
    names = [line.split(":")[0].strip() for line in repair.change.changed.text.splitlines()]
    assert names[4:7] == ["IF", "NOT", "ID"]


def test_a_keyword_that_is_used_as_a_name_is_a_fault_of_the_parser(tmp_path: Path) -> None:
    file = tmp_path / "Soft.g4"
    file.write_text(
        KEYWORD_LAST.replace("ID: [a-z]+;\n", "").replace("Late", "Soft") + "ID: [a-z]+;"
    )
    suite = TestSuite.from_texts(("a = 1;", "b = a + 2;", "if a b = 1;", "if = 1;", "a = if + 1;"))
    first = localize(file, suite).ranking[0]
    assert first.token is None


def test_rules_as_they_are_written_read_what_the_tool_reads(calc: Path) -> None:
    """The automata of the text and those of ANTLR itself have edges for the same characters."""
    parser = adapter("antlr").load(str(calc), LoadOptions(start="start"))
    assert isinstance(parser, TokenRuleKnowing)
    assert isinstance(parser, TokenRuleWriting)
    compared = 0
    for rule in parser.token_rules():
        written = automaton_of(rule.name, parser.token_pattern)
        if rule.automaton is not None and rule.name != "NESTED":
            assert written is not None, rule.name
            sets = [
                {edge.characters for edge in automaton.edges}
                for automaton in (written, rule.automaton)
            ]
            united = [frozenset(c for s in some for c in s.ranges) for some in sets]
            assert written.words == rule.automaton.words
            assert _covered(united[0]) == _covered(united[1]), rule.name
            compared += 1
    assert compared > 5


def _covered(ranges: frozenset[tuple[int, int]]) -> set[int]:
    """The characters of ASCII in some ranges."""
    return {code for first, last in ranges for code in range(first, min(last, 127) + 1)}


@pytest.mark.parametrize(
    ("failing", "expected"),
    [
        (('a = "x\\"y";', 'b = "\\"q\\""; c = "d";'), r"""TEXT: '"' ('\\' . | ~["\\])* '"';"""),
        (('a = "it""s";', 'b = """q"""; c = "d";'), """TEXT: '"' ('""' | ~["])* '"';"""),
    ],
)
def test_quotes_inside_of_quotes(tmp_path: Path, failing: tuple[str, ...], expected: str) -> None:
    file = tmp_path / "Quoted.g4"
    file.write_text(
        "grammar Quoted;\nstart: (NAME '=' (TEXT | NAME) ';')* EOF;\nNAME: [a-z]+;\n"
        "TEXT: '\"' ~[\"]* '\"';\nWS: [ \\n]+ -> skip;\n"
    )
    good = ('a = "x";', "b = c;", 'a = "x y"; b = "z";')
    assert mended(file, (*good, *failing), adapter="antlr") == expected


def test_keywords_in_letters_of_another_case(tmp_path: Path) -> None:
    """All that a text has at once; the first of them is the one to look at."""
    file = tmp_path / "Q.g4"
    file.write_text(
        "grammar Q; file: (query ';')* EOF; query: SELECT NAME FROM NAME (LIMIT NUMBER)?;\n"
        "SELECT: 'SELECT';\nFROM\n  : 'FROM';\nLIMIT: 'LIMIT';\n"
        "NAME: [a-zA-Z]+;\nNUMBER: [0-9]+;\nWS: [ \\n]+ -> skip;\n"
    )
    good = ("SELECT a FROM t;", "SELECT b FROM t LIMIT 2;")
    changed = mended(file, (*good, "select a from T;"), adapter="antlr")
    assert changed.split("\n") == [
        "SELECT options { caseInsensitive = true; }: 'SELECT';",
        "FROM options { caseInsensitive = true; }",
    ]
    suite = TestSuite.from_texts([*good, "select a from T;"])
    assert localize(file, suite).ranking[0].label == "token SELECT"


def test_a_form_is_not_put_into_a_part_of_the_token(tmp_path: Path) -> None:
    """The exponent lacks a sign; that integers could be such numbers is no better."""
    file = tmp_path / "Numbers.g4"
    file.write_text(
        dedent("""
            grammar Numbers;
            start : (NAME '=' x ';')+ EOF ;
            x : x ('+'|'-') x | NAME | NUM | INT ;
            fragment E : [eE] ;
            NAME : [a-z]+ ;
            NUM : INT '.' D EXP? | INT EXP | '.' D EXP? ;
            EXP : E D ;
            INT : '0' | [1-9] D? ;
            fragment D : [0-9]+ ;
            WS : [ \\n]+ -> skip ;
        """).lstrip()
    )
    good = ("a = 1.5e3;", "a = 1.5 - b;")
    changed = mended(file, (*good, "a = 1.5e-3;"), adapter="antlr", start="start")
    assert changed == "EXP : E '-'? D ;"
