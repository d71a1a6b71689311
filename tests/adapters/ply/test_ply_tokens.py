"""The tokens of a test, with which edits are searched."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramspect import TestSuite, localize, suggest
from gramspect.recognition.recognizer import LoadOptions, Tokenizing
from gramspect.recognition.registry import adapter
from gramspect.suites.suite import Expectation, TestCase

ROOT = Path(__file__).parents[3]
DEMO = f"{ROOT / 'fixtures' / 'demo' / 'faulty_c.py'}:FaultyCParser"


def tokens(text: str) -> list[str] | None:
    system = adapter("ply").load(DEMO, LoadOptions())
    assert isinstance(system, Tokenizing)
    found = system.tokens(TestCase("test", Expectation.ACCEPT, text))
    return None if found is None else [system.grammar.symbols[t].name for t in found]


def test_all_tokens_are_there_after_an_error_too() -> None:
    assert tokens("int a;") == ["INT", "ID", "SEMI"]
    assert tokens("int ) a;") == ["INT", "RPAREN", "ID", "SEMI"]


def test_the_parser_guides_the_lexer_up_to_the_error() -> None:
    assert tokens("typedef int t; t a; ) t b;") == [
        *("TYPEDEF", "INT", "ID", "SEMI", "TYPEID", "ID", "SEMI"),
        *("RPAREN", "TYPEID", "ID", "SEMI"),
    ]


def test_a_lexer_that_fails() -> None:
    assert tokens("int `;") is None
    assert tokens("int ) a; `") is None


@pytest.mark.slow
def test_the_edit_that_undoes_the_fault_of_the_demo() -> None:
    suite = TestSuite.load([ROOT / "fixtures" / "c" / "accept"])
    found = localize(DEMO, suite, evidence="edits")
    best = found.ranking[0]
    assert best.label == "iteration_statement:1:2"
    (edit, *_) = found.proposals_for(best)
    assert edit.edit.describe(found.grammar) == "make expression optional"
    assert len(edit.tests) == found.n_failing


SCANNER = """
from ply import lex

tokens = ["IF", "ELSE", "A"]

def new():
    t_ignore = " "

    def t_A(t):
        "[a-z]+"
        if t.value in ("if", "else"):
            t.type = t.value.upper()
        return t

    def t_error(t):
        raise SyntaxError(t.value)

    return lex.lex()
"""
OF_MODULE = """
import scanner
from ply import yacc
from scanner import tokens

def p_s(p):
    "s : IF A"

def p_error(p):
    raise SyntaxError

parser = yacc.yacc(write_tables=False, debug=False, errorlog=yacc.NullLogger())

class Language:
    def __init__(self):
        self.parser = parser

    def parse(self, text):
        return self.parser.parse(text, lexer=scanner.new())
"""
OF_OBJECT = """
import scanner
from ply import yacc

class Language:
    tokens = scanner.tokens

    def __init__(self):
        self.parser = yacc.yacc(
            module=self, write_tables=False, debug=False, errorlog=yacc.NullLogger()
        )

    def p_s(self, p):
        "s : IF A"

    def p_error(self, p):
        raise SyntaxError

    def parse(self, text):
        return self.parser.parse(text, lexer=scanner.new())
"""


@pytest.mark.parametrize("text", [OF_MODULE, OF_OBJECT])
def test_tokens_of_a_lexer_that_is_made_for_each_parse(tmp_path: Path, text: str) -> None:
    """One that no rule has is known from the list of tokens: it is no new one."""
    (tmp_path / "scanner.py").write_text(SCANNER)
    path = tmp_path / "language.py"
    path.write_text(text)
    suite = TestSuite.from_texts(["if a", "if a else a"])
    found = suggest(f"{path}:Language", suite)
    (failing,) = found.localization.failing
    assert "syntax error at 'else' (ELSE)" in str(failing.error)
    assert "ELSE" in [symbol.name for symbol in found.localization.grammar.terminals]
    best = found.suggestions[0]
    assert best.describe() == "also allow ELSE A at the end"
    assert best.change is not None
    assert "IF A ELSE A" in best.change.changed.text
