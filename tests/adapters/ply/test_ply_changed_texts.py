"""Places of errors in text that a method changes before its lexer reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramspect import LoadOptions, TestSuite, localize, text_report

MODULE = '''
from ply import lex, yacc

tokens = ("ID",)
literals = "=;"
t_ignore = " "
t_ID = "[a-z]+"

def t_newline(t):
    r"\\n+"
    t.lexer.lineno += len(t.value)

def t_error(t):
    raise ValueError(t.value[0])

def p_program(p):
    """program : program statement
               | statement"""

def p_statement(p):
    "statement : ID '=' ID ';'"

def p_error(p):
    raise SyntaxError

class Parser:
    def __init__(self):
        self.lexer = lex.lex()
        self.parser = yacc.yacc(debug=False, write_tables=False, start="program")

    def parse(self, text):
        self.lexer.lineno = 1
        return self.parser.parse({changed}, lexer=self.lexer)
'''


@pytest.mark.parametrize(
    ("changed", "place"),
    [("text", "2:7"), ('text + " "', "2"), ('3 * "\\n" + text', "")],
)
def test_only_what_is_known_of_the_place_is_said(changed: str, place: str, tmp_path: Path) -> None:
    """Of changed text the line is known, if the test has as many; the column is not."""
    path = tmp_path / "assignments.py"
    path.write_text(MODULE.replace("{changed}", changed))
    suite = TestSuite.from_texts(["a = b;", "a = b;\nc = d e;"])
    result = localize(f"{path}:Parser.parse", suite, load=LoadOptions(adapter="ply"))
    (failing,) = result.failing
    assert failing.place == failing.test.name + (f" at {place}" if place else "")
    assert "None" not in text_report(result)
