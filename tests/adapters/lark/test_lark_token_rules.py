"""Faults in terminals: found by what the lexer and the parser make of the text."""

from __future__ import annotations

import pytest
from lark_cases import Load, text_test

from gramspect import TestSuite, localize
from gramspect.lexical.rules import Splice
from gramspect.localization.conclusion import conclusion
from gramspect.report.conclusion import sentence
from gramspect.suites.suite import Expectation, TestCase
from token_faults import knowing, localized, named

CALC = """
    start: (assign ";")*
    assign: NAME "=" sum
    sum: sum ("+" | "-") term | term
    term: NUMBER | FUNCTION "(" sum ")" | NAME | TEXT | "(" sum ")"
    FUNCTION.2: "SIN" | "COS" | "EXP"
    NAME: /[a-zA-Z]+/
    NUMBER: INT ("." INT)? EXPONENT?
    EXPONENT: ("e" | "E") INT
    INT: "0".."9"+
    TEXT: /"[^"\\n]*"/
    COMMENT: /#[^\\n]*/
    %ignore /[ \\n]+/
    %ignore COMMENT
"""
GOOD = ("x = 1;", "x = 1.5 + y;", "x = SIN(1) - COS(y);  # so it is", 'x = "a b";', "x = 2e5;")

EVERY = [
    ("lark-lalr", "contextual"),
    ("lark-lalr", "basic"),
    ("lark-earley", "basic"),
    ("lark-earley", "dynamic"),
]
every = pytest.mark.parametrize(("name", "lexer"), EVERY)


@pytest.mark.parametrize(
    ("token", "failing"),
    [
        ("FUNCTION", ("x = TAN(1);", "x = 1 + TAN(y);")),
        ("EXPONENT", ("x = 1e+5;", "x = 2 - 1E+7;")),
        ("TEXT", ('x = "a\\"b";', 'x = 1 + "\\"";')),
        ("COMMENT", ("x = 1; ~ one\ny = 2; ~ two",)),
        ("NAME", ("x_y = 1;", "z = x_y + a_b;")),
    ],
)
def test_a_terminal_that_lacks_something(load: Load, token: str, failing: tuple[str, ...]) -> None:
    found = localized(load("lark-lalr", CALC), GOOD, *failing)
    assert found.first_is_token
    assert found.ranking[0].label == f"token {token}"


@every
def test_every_lexer(load: Load, name: str, lexer: str) -> None:
    found = localized(load(name, CALC, None, {"lexer": lexer}), GOOD, "x = TAN(1);")
    assert found.ranking[0].label == "token FUNCTION"


@every
def test_a_terminal_that_reads_too_much(load: Load, name: str, lexer: str) -> None:
    faulty = CALC.replace('NUMBER: INT ("." INT)? EXPONENT?', "NUMBER: /[0-9]+(.[0-9]+)*/")
    faulty = faulty.replace("| NAME |", '| NAME | "[" NUMBER NUMBER "]" |')
    parser = load(name, faulty, None, {"lexer": lexer})
    tests = TestSuite(
        (
            TestCase("good", Expectation.ACCEPT, "x = 1.5;"),
            TestCase("bad", Expectation.ACCEPT, "x = [1 2];"),
        )
    )
    found = localize(parser, tests, evidence="edits", confirm=None)
    assert found.ranking[0].label == "token NUMBER"


@pytest.mark.parametrize(
    ("nonterminal", "failing"),
    [
        ("start", ("x = 1; ;", "; y = 2;")),
        ("term", ("x = -1;", "x = 2 + -y;")),
        ("assign", ("x y = 1;",)),
    ],
)
def test_faults_of_the_parser_are_not_blamed_on_tokens(
    load: Load, nonterminal: str, failing: tuple[str, ...]
) -> None:
    found = localized(load("lark-lalr", CALC), GOOD, *failing)
    assert not found.first_is_token
    assert nonterminal in {element.nonterminal for element in found.ranking if element.rank < 8}


@every
def test_texts_are_read_as_told(load: Load, name: str, lexer: str) -> None:
    parser = load(name, CALC, None, {"lexer": lexer})
    text = text_test("x = TAN(1) + <<; y = 2;")
    terminals = {symbol.name: symbol.index for symbol in parser.grammar.terminals}
    told = knowing(parser).lexing(text, [Splice(4, 7, terminals["FUNCTION"])])
    assert told is not None
    assert told.failed == 13
    assert not told.accepted
    told = knowing(parser).lexing(text, [Splice(4, 7, terminals["FUNCTION"]), Splice(11, 15, None)])
    assert told is not None
    assert (told.failed, told.accepted) in ((None, True), (None, None))
    assert named(parser, text.text, told) == [
        *(("NAME", "x"), ("EQUAL", "="), ("FUNCTION", "TAN"), ("LPAR", "("), ("NUMBER", "1")),
        *(("RPAR", ")"), ("SEMICOLON", ";"), ("NAME", "y"), ("EQUAL", "="), ("NUMBER", "2")),
        ("SEMICOLON", ";"),
    ]


def test_definitions_and_their_fragments(load: Load) -> None:
    rules = {rule.name: rule for rule in knowing(load("lark-lalr", CALC)).token_rules()}
    assert list(rules) == ["FUNCTION", "NAME", "NUMBER", "EXPONENT", "INT", "TEXT", "COMMENT"]
    assert [name for name, rule in rules.items() if rule.skipped] == ["COMMENT"]
    assert not rules["EXPONENT"].terminals
    assert rules["EXPONENT"].text == 'EXPONENT: ("e" | "E") INT'
    place = rules["EXPONENT"].span
    assert place is not None
    assert (place.line, place.column) == (9, 1)
    number = rules["NUMBER"].automaton
    assert number is not None
    assert {edge.chain for edge in number.edges} == {
        ("NUMBER",), ("NUMBER", "INT"), ("NUMBER", "EXPONENT"), ("NUMBER", "EXPONENT", "INT"),
    }  # fmt: skip


def test_a_pattern_in_a_rule_is_a_part_of_the_rule(load: Load) -> None:
    parser = load("lark-earley", "start: year | long\nyear: /[0-9]{4}/\nlong: /Y[0-9]{5,}/\n")
    found = localized(parser, ("2020", "Y17000"), "Y-17000")
    first = found.ranking[0]
    assert (first.label, first.nonterminal) == ("token /Y[0-9]{5,}/", "long")
    assert first.definition == parser.grammar.symbol("long")
    stated = conclusion(found)
    assert stated is not None
    assert "`long`, line 3" in sentence(found, stated)
    assert any("/Y[0-9]{5,}/ could go on" in note.text for note in found.notes)


def test_a_pattern_in_several_rules_is_a_part_of_none(load: Load) -> None:
    grammar = """
        start: (old | new)+
        old: "o" /[a-z]+;/
        new: "n" /[a-z]+;/
    """
    found = localized(load("lark-earley", grammar), ("oab;", "nab;"), "oa1b;", "nc3;")
    first = found.ranking[0]
    assert (first.label, first.nonterminal) == ("token /[a-z]+;/", "/[a-z]+;/")
    assert first.definition < 0


IMPORTING = """
%import common.INT
%import common.WS -> BLANK
%ignore BLANK
start: year ("," year)*
year: INT
"""


def test_what_comes_with_lark_is_at_fault_where_it_is_used(load: Load) -> None:
    found = localized(load("lark-earley", IMPORTING), ("12", "13, 14"), "-12, 13")
    first = found.ranking[0]
    assert (first.label, first.nonterminal) == ("token INT", "year")
    assert first.span is not None
    assert (first.span.line, first.span.column) == (6, 7)
    assert not any("DIGIT" in element.label for element in found.ranking)
    assert all("main.lark" in note.text for note in found.notes if "the lexer stops" in note.text)


def test_what_comes_with_lark_and_has_several_users_is_where_it_is_imported(load: Load) -> None:
    grammar = IMPORTING.replace("year: INT", 'year: INT | "y" month\nmonth: INT')
    found = localized(load("lark-earley", grammar), ("12", "13, y 14"), "12, -13", "12, y-3")
    first = found.ranking[0]
    assert (first.label, first.nonterminal, first.definition) == ("token INT", "INT", -1)
    assert first.span is not None
    assert (first.span.line, first.span.column) == (2, 16)


def test_a_part_that_comes_with_lark_is_a_part_of_the_terminal(load: Load) -> None:
    grammar = IMPORTING.replace("year: INT", 'year: YEAR\nYEAR: INT "a"?')
    found = localized(load("lark-earley", grammar), ("12", "13a, 14"), "x12, 13")
    assert found.ranking[0].label == "token YEAR"
    assert "token INT" not in {element.label for element in found.ranking}
