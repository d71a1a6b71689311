"""Faults in the rules of ANTLR's lexers: found by what the lexer makes of the text."""

from __future__ import annotations

import pytest

from gramspect.lexical.rules import Splice
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.recognition.registry import adapter
from gramspect.suites.suite import Expectation, TestCase
from token_faults import knowing, localized, named

CALC = r"""
grammar Calc;
start : (assign ';')* EOF ;
assign : NAME '=' sum ;
sum : sum '+' term | term ;
term : NUMBER | FUNCTION '(' sum ')' | NAME ;

FUNCTION : 'SIN' | 'COS' | 'EXP' ;
NAME : [a-zA-Z]+ ;
NUMBER : INT ('.' INT)? EXPONENT? ;
fragment EXPONENT : [eE] INT ; // of ten
fragment INT : [0-9]+ ;
COMMENT : '#' ~[\n;]* -> skip ;
NESTED : '{' (NESTED | ~[{}])* '}' -> channel(HIDDEN) ;
WS : [ \n]+ -> skip ;
"""
GOOD = ("x = 1;", "x = 1.5 + y;", "x = SIN(1) + COS(y);  # so it is", "x = {a {b}} 2e5;")


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Recognizer:
    file = tmp_path_factory.mktemp("calc") / "Calc.g4"
    file.write_text(CALC)
    return adapter("antlr").load(str(file), LoadOptions(start="start"))


@pytest.mark.parametrize(
    ("token", "failing"),
    [
        ("FUNCTION", ("x = TAN(1);", "x = 1 + TAN(y);")),
        ("EXPONENT", ("x = 1e+5;", "x = 2 + 1E+7;")),
        ("NAME", ("x_y = 1;", "z = x_y + a_b;")),
        ("COMMENT", ("x = 1; ~ one\ny = 2; ~ two",)),
    ],
)
def test_a_token_rule_that_lacks_something(
    parser: Recognizer, token: str, failing: tuple[str, ...]
) -> None:
    found = localized(parser, GOOD, *failing)
    assert found.first_is_token
    assert found.ranking[0].label == f"token {token}"


def test_a_fault_of_the_parser_is_not_blamed_on_tokens(parser: Recognizer) -> None:
    found = localized(parser, GOOD, "x = 1; ;", "; y = 2;")
    assert not found.first_is_token
    assert found.ranking[0].nonterminal == "start"


def test_texts_are_read_as_told(parser: Recognizer) -> None:
    terminals = {symbol.name: symbol.index for symbol in parser.grammar.terminals}
    text = "x = TAN(1) + !!2; # c"
    test = TestCase("test", Expectation.ACCEPT, text)
    plain = knowing(parser).lexing(test)
    assert plain is not None
    assert plain.failed == 13
    told = knowing(parser).lexing(test, [Splice(4, 7, terminals["FUNCTION"]), Splice(13, 15, None)])
    assert told is not None
    assert told.failed is None
    assert named(parser, text, told) == [
        *(("NAME", "x"), ("'='", "="), ("FUNCTION", "TAN"), ("'('", "("), ("NUMBER", "1")),
        *(("')'", ")"), ("'+'", "+"), ("NUMBER", "2"), ("';'", ";"), ("EOF", "")),
    ]


def test_definitions_and_their_fragments(parser: Recognizer) -> None:
    rules = {rule.name: rule for rule in knowing(parser).token_rules()}
    assert list(rules) == [
        "FUNCTION", "NAME", "NUMBER", "EXPONENT", "INT", "COMMENT", "NESTED", "WS",
    ]  # fmt: skip
    assert [name for name, rule in rules.items() if rule.skipped] == ["COMMENT", "NESTED", "WS"]
    assert not rules["EXPONENT"].terminals
    assert rules["EXPONENT"].text == "EXPONENT : [eE] INT"
    place = rules["COMMENT"].span
    assert place is not None
    assert (place.line, place.column, place.end_column) == (13, 1, 30)
    assert rules["COMMENT"].text == r"COMMENT : '#' ~[\n;]* -> skip"
    function, number = rules["FUNCTION"].automaton, rules["NUMBER"].automaton
    assert function is not None
    assert function.words == ("SIN", "COS", "EXP")
    assert number is not None
    assert {edge.chain for edge in number.edges} == {
        ("NUMBER",), ("NUMBER", "INT"), ("NUMBER", "EXPONENT"), ("NUMBER", "EXPONENT", "INT"),
    }  # fmt: skip
