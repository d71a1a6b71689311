"""Faults in the rules of PLY's lexers: found by what the lexer makes of the text."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from ply_calc import PARSER

from gramspect import localize
from gramspect.lexical.rules import Splice
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.recognition.registry import adapter
from gramspect.suites.suite import Expectation, TestCase, TestSuite
from token_faults import knowing, localized, named

CALC = r"""
    import ply.lex as lex
    import ply.yacc as yacc

    tokens = ["FUNCTION", "NAME", "NUMBER", "TEXT", "PLUS"]
    literals = "=();"
    states = (("quoted", "exclusive"),)
    t_PLUS = r"\+"
    t_ignore = " \n"
    t_ignore_COMMENT = r"\#[^\n]*"
    t_quoted_ignore = ""

    def t_FUNCTION(t):
        r"SIN|COS|EXP"
        return t

    def t_NAME(t):
        r"[a-zA-Z]+"
        return t

    def t_NUMBER(t):
        r"[0-9]+(\.[0-9]+)?(e[0-9]+)?"
        t.value = float(t.value)
        return t

    def t_quote(t):
        r"<"
        t.lexer.begin("quoted")

    def t_quoted_TEXT(t):
        r"[^>]+"
        return t

    def t_quoted_end(t):
        r">"
        t.lexer.begin("INITIAL")

    def t_ANY_error(t):
        raise SyntaxError(f"illegal {t.value[0]!r}")

"""
GOOD = ("x = 1;", "x = 1.5 + y;", "x = SIN(1) + COS(y);  # so it is", "x = <a b> + 2e5;")


@pytest.fixture
def parser(tmp_path: Path) -> Recognizer:
    file = tmp_path / "calc.py"
    file.write_text(dedent(CALC + PARSER))
    return adapter("ply").load(str(file), LoadOptions())


@pytest.mark.parametrize(
    ("token", "failing"),
    [
        ("FUNCTION", ("x = TAN(1);", "x = 1 + TAN(y);")),
        ("NUMBER", ("x = 1e+5;", "x = 2 + 1e+7;")),
        ("COMMENT", ("x = 1; // one\ny = 2; // two",)),
        ("NAME", ("x_y = 1;", "z = x_y + a_b;")),
    ],
)
def test_a_token_rule_that_lacks_something(
    parser: Recognizer, token: str, failing: tuple[str, ...]
) -> None:
    found = localized(parser, GOOD, *failing)
    assert found.ranking[0].label == f"token {token}"


def test_a_fault_of_the_parser_is_not_blamed_on_tokens(parser: Recognizer) -> None:
    found = localized(parser, GOOD, "x = 1; ;", "; y = 2;")
    assert not found.first_is_token
    assert found.ranking[0].nonterminal == "start"


def test_texts_are_read_as_told_in_the_state_of_the_lexer(parser: Recognizer) -> None:
    terminals = {symbol.name: symbol.index for symbol in parser.grammar.terminals}
    text = "x = <a> + TAN(<b> !!);"
    test = TestCase("test", Expectation.ACCEPT, text)
    plain = knowing(parser).lexing(test)
    assert plain is not None
    assert (plain.failed, plain.accepted) == (18, False)
    told = knowing(parser).lexing(
        test, [Splice(10, 13, terminals["FUNCTION"]), Splice(18, 20, None)]
    )
    assert told is not None
    assert told.accepted
    assert named(parser, text, told) == [
        *(("NAME", "x"), ("=", "="), ("TEXT", "a"), ("PLUS", "+"), ("FUNCTION", "TAN")),
        *(("(", "("), ("TEXT", "b"), (")", ")"), (";", ";")),
    ]


def test_definitions(parser: Recognizer) -> None:
    rules = {rule.name: rule for rule in knowing(parser).token_rules()}
    assert list(rules) == [
        "FUNCTION", "NAME", "NUMBER", "quote", "COMMENT", "PLUS", "TEXT", "quoted_end",
    ]  # fmt: skip
    assert [name for name, rule in rules.items() if rule.skipped] == ["COMMENT"]
    assert rules["NAME"].text == "t_NAME: [a-zA-Z]+"
    assert rules["PLUS"].text == 't_PLUS = r"\\+"'
    assert rules["PLUS"].span is not None
    assert rules["PLUS"].span.line == 8


ADDED_END = r'''
    import sys

    import ply.lex as lex
    import ply.yacc as yacc

    tokens = ["WORD", "NL"]
    t_WORD = r"[a-z]+"
    t_NL = r"\n+"
    t_ignore = " "

    def t_error(t):
        raise SyntaxError("illegal")

    def p_lines(p):
        """lines : WORD ':' WORD NL
                 | WORD NL"""

    def p_error(p):
        pass

    class Lines:
        def __init__(self):
            self.lexer = lex.lex(module=sys.modules[__name__])

        def input(self, text):
            self.lexer.input(text + "\n")

        def token(self):
            return self.lexer.token()

    literals = ":"
    lexer = Lines()
    parser = yacc.yacc(write_tables=False, debug=False)
'''


def test_a_lexer_that_puts_a_line_break_after_the_text(tmp_path: Path) -> None:
    """Its last token ends after the end of the text; no token is said to."""
    module = tmp_path / "lines.py"
    module.write_text(dedent(ADDED_END))
    recognizer = knowing(adapter("ply").load(str(module), LoadOptions()))
    for text in ("ab\n", "ab", "ab cd\n"):
        lexing = recognizer.lexing(TestCase("test", Expectation.ACCEPT, text))
        assert lexing is not None
        assert all(x.start <= x.end <= len(text) for x in lexing.lexemes), text
        assert lexing.lexemes[-1].end == len(text)
    suite = TestSuite.from_texts(accept=["ab", "ab: cd", "ab cd\n"])
    assert localize(recognizer, suite).n_failing == 1
