"""Repairs of the rules of PLY's lexers, each tried in a parser of its own."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest
from ply_calc import PARSER

from gramspect import LoadOptions, TestSuite, debug, suggest
from gramspect.suites.suite import Expectation, TestCase
from token_repairs import mended

CALC = r"""
    import ply.lex as lex
    import ply.yacc as yacc
    from ply.lex import TOKEN

    tokens = ["FUNCTION", "NAME", "NUMBER", "TEXT", "PLUS"]
    literals = "=();"
    t_PLUS = r"\+"
    t_ignore = " \n"
    t_TEXT = (
        r'"[^"\n]*'  # what is not quoted
        r'"'
    )
    digits = r"[0-9]+"

    def t_FUNCTION(t):
        r"SIN|COS|EXP"
        return t

    def t_NAME(t):
        r"[a-zA-Z]+"
        return t

    @TOKEN(digits + r"(\." + digits + r")?")
    def t_NUMBER(t):
        return t

    def t_error(t):
        raise SyntaxError(f"illegal {t.value[0]!r}")

"""
GOOD = ("x = 1;", "x = 1.5 + y;", "x = SIN(1) + COS(y);", 'x = "a b" + 2;')


@pytest.fixture
def calc(tmp_path: Path) -> Path:
    file = tmp_path / "calc.py"
    file.write_text(dedent(CALC + PARSER))
    return file


@pytest.mark.parametrize(
    ("failing", "expected"),
    [
        (("x = TAN(1);", "x = 1 + TAN(y);"), 'r"SIN|COS|EXP|TAN"'),
        (("total_1 = 1;", "z = total_2 + y;"), 'r"[a-zA-Z]+(?:[a-zA-Z_0-9]+)?"'),
        (("x = 12_500;", "y = 1_000_000;"), 'digits = r"[0-9_]+"'),
    ],
)
def test_a_repair_that_makes_the_tests_pass(
    calc: Path, failing: tuple[str, ...], expected: str
) -> None:
    assert mended(calc, (*GOOD, *failing), adapter="ply") == expected


KEYWORD_LAST = '''from ply import lex, yacc

tokens = ("ID", "IF", "NUM")
literals = "=;+"
t_ignore = " "

def t_ID(t):
    r"[a-z]+"
    return t

def t_IF(t):
    r"if"
    return t

def t_NUM(t):
    r"[0-9]+"
    return t

def t_error(t):
    raise SyntaxError(t)

def p_stats(p):
    """stats : stats stat
             | stat"""

def p_stat(p):
    """stat : ID '=' expr ';'
            | IF expr stat"""

def p_expr(p):
    """expr : ID
            | NUM
            | expr '+' expr"""

def p_error(p):
    raise SyntaxError(p)

lex.lex()
parser = yacc.yacc(debug=False, write_tables=False)
'''


@pytest.mark.slow
def test_one_fault_after_the_other(calc: Path) -> None:
    """A token rule and a rule of the parser; places are in the user's file in every round."""
    texts = (*GOOD, "x = TAN(1);", "x = 1 + TAN(y);", "x = SIN();", "y = EXP();")
    tests = [TestCase(f"t{n}", Expectation.ACCEPT, text) for n, text in enumerate(texts)]
    load = LoadOptions(adapter="ply")
    result = debug(calc, TestSuite(tuple(tests)), load=load)
    assert result.left == 0
    (change,) = result.changes
    assert 'r"SIN|COS|EXP|TAN"' in change.changed.text
    for one in result.rounds:
        assert one.chosen is not None
        assert one.chosen.span is not None
        assert Path(one.chosen.span.file).samefile(calc)
        places = [e.span for e in one.found.localization.ranking if e.token is not None]
        assert all(place is None or Path(place.file).samefile(calc) for place in places)
    names = [one.chosen.nonterminal for one in result.rounds if one.chosen is not None]
    assert "token FUNCTION" in names


def test_a_keyword_whose_function_comes_late(tmp_path: Path) -> None:
    file = tmp_path / "late.py"
    file.write_text(KEYWORD_LAST)
    texts = ("a = 1;", "b = a + 2;", "if a b = 1;", "a = 1; if a + 1 c = 2;")
    suite = TestSuite.from_texts(texts)
    repair = suggest(f"{file}:parser", suite, load=LoadOptions(adapter="ply")).validated[0]
    assert (repair.nonterminal, repair.describe()) == ("token IF", "take precedence over ID")
    assert repair.change is not None
    assert repair.change.changed.text.index("def t_IF") < repair.change.changed.text.index(
        "def t_ID"
    )


def test_two_keywords_whose_functions_come_late(tmp_path: Path) -> None:
    text = KEYWORD_LAST.replace('"IF", "NUM"', '"IF", "NOT", "NUM"').replace(
        "IF expr stat", "IF expr stat\n            | IF NOT expr stat"
    )
    text = text.replace("def t_NUM", "def t_NOT(t):\n    r'not'\n    return t\n\ndef t_NUM")
    file = tmp_path / "late.py"
    file.write_text(text)
    texts = ("a = 1;", "b = a + 2;", "if not a b = 1;", "a = 1; if not 1 c = 2;")
    suite = TestSuite.from_texts(texts)
    repair = suggest(f"{file}:parser", suite, load=LoadOptions(adapter="ply")).validated[0]
    assert repair.describe() == "take precedence over ID, and NOT, too"
    assert repair.change is not None
    functions = re.findall(r"^def t_(\w+)", repair.change.changed.text, re.MULTILINE)
    assert functions == ["IF", "NOT", "ID", "NUM", "error"]


SWALLOWING = '''
import ply.lex as lex
import ply.yacc as yacc

tokens = ("ON", "TYPE", "NAME", "NUM")
literals = "=;"
t_NAME = r"[a-z]+"
t_NUM = r"[0-9]+"
t_ON = r"on{2}|on"
t_ignore = " "

def t_TYPE(t):
    r"int|real"
    return t

def t_error(t):
    raise SyntaxError(t)

def p_start(p):
    """start :
             | start entry ';'"""

def p_entry(p):
    """entry : ON NAME
             | TYPE NAME
             | NAME '=' NUM"""

def p_error(p):
    raise SyntaxError(p)

lex.lex()
parser = yacc.yacc(debug=False, write_tables=False)
'''


@pytest.mark.parametrize(
    ("failing", "expected"),
    [
        (("one = 1;", "a = 1; only = 2;"), 't_ON = r"(?:on{2}|on)(?!\\w)"'),
        (("integer = 1;", "a = 1; reality = 2;"), 'r"(?:int|real)(?!\\w)"'),
    ],
)
def test_a_keyword_that_swallows_the_beginning_of_a_name(
    tmp_path: Path, failing: tuple[str, ...], expected: str
) -> None:
    file = tmp_path / "swallowing.py"
    file.write_text(SWALLOWING)
    texts = ("on a;", "int b; real c;", "d = 4;", "x = 1; onn y;", *failing)
    assert mended(file, texts, adapter="ply") == expected


def test_keywords_in_letters_of_another_case(tmp_path: Path) -> None:
    file = tmp_path / "cases.py"
    file.write_text(SWALLOWING.replace("[a-z]+", "[a-z]+[0-9]"))
    texts = ("on a1;", "int b1; real c1;", "d1 = 4;", "INT x1;", "Real y1; int z1;")
    line = mended(file, texts, adapter="ply")
    assert line == 'r"(?i:int|real)"'


LOGIC = '''
    from ply import lex, yacc

    tokens = ("NAME", "NOT", "AND", "OR")
    literals = "()"
    t_ignore = " "
    t_NOT = r"!"
    t_NAME = r"[a-z]+"

    def t_AND(t):
        r"&&|&"
        return t

    def t_OR(t):
        r"\\|"
        return t

    def t_error(t):
        raise SyntaxError(t.value)

    def p_expr(p):
        """expr : expr AND expr
                | expr OR expr
                | NOT expr
                | "(" expr ")"
                | NAME"""

    def p_error(p):
        raise SyntaxError(p)

    lexer = lex.lex()
    parser = yacc.yacc(write_tables=False, debug=False)
'''


@pytest.mark.parametrize(
    ("failing", "expected"),
    [
        (("a || b", "(a) || (b)"), [r'r"\|\||\|"']),
        ((r"a /\ b", r"a /\ (b) /\ c"), [r'r"\/\\|&&|&"']),
        ((r"a /\ ~ b", "(~ a)"), ['t_NOT = r"~|!"', r'r"\/\\|&&|&"']),
        (("Abc & Def",), ['t_NAME = r"[a-zA-Z]+"']),
    ],
)
def test_operators_and_names_in_another_form(
    tmp_path: Path, failing: tuple[str, ...], expected: list[str]
) -> None:
    file = tmp_path / "logic.py"
    file.write_text(dedent(LOGIC))
    good = ("a & b && c", "! (a | b)", "abc")
    assert mended(file, (*good, *failing), adapter="ply").split("\n") == expected
