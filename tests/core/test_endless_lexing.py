"""A lexer that comes to no end on what follows an error costs seconds, not the report."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramspect import LoadOptions, TestSuite, localize
from gramspect.recognition.recognizer import Tokenizing
from gramspect.running import patience
from gramspect.running.loading import load_parser
from gramspect.running.patience import Patience
from gramspect.suites.suite import Expectation, TestCase

LARK = r"""start: (assign ";")*
assign: NAME "=" (NUMBER | STRING)
NAME: /[a-z]+/
NUMBER: /[0-9]+/
STRING: /"(([a-z .]|\\.)+)+"/
%ignore " "
"""
PLY = r'''import ply.lex
import ply.yacc

tokens = ("NAME", "NUMBER", "STRING", "EQ", "SEMI")
t_NAME, t_NUMBER, t_EQ, t_SEMI, t_ignore = "[a-z]+", "[0-9]+", "=", ";", " "
t_STRING = r'"(([a-z .]|\\.)+)+"'


def t_error(t):
    raise SyntaxError(t)


def p_start(p):
    """start : start assign SEMI
    | """


def p_assign(p):
    """assign : NAME EQ NUMBER
    | NAME EQ STRING"""


def p_error(p):
    raise SyntaxError(p)


lexer = ply.lex.lex()
parser = ply.yacc.yacc(debug=False, write_tables=False)
'''
FILES = {
    "lark-lalr": ("strings.lark", LARK),
    "lark-earley": ("strings.lark", LARK),
    "ply": ("endless_strings.py", PLY),
}
ENDLESS = f'a = b; c = "{"x" * 60}'


@pytest.fixture(params=FILES)
def tool(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Path, LoadOptions]:
    monkeypatch.setattr(patience, "TOGETHER", 1.0)
    monkeypatch.setattr(patience, "EACH", 0.2)
    name, text = FILES[request.param]
    path = tmp_path / name
    path.write_text(text)
    return path, LoadOptions(adapter=request.param)


def test_the_report_comes(tool: tuple[Path, LoadOptions]) -> None:
    """The parser stops at ``b``; what follows it is a string that is not closed.

    No repair is tried in the tool, for the parser itself would not come to an end then.
    """
    path, load = tool
    suite = TestSuite.from_texts(["a = 1;", 'a = "x.y"; b = 2;', "a = b;", ENDLESS])
    result = localize(path, suite, load=load, confirm=0)
    assert result.n_failing == 2
    assert result.ranking[0].nonterminal == "assign"


def test_an_endless_text_has_no_tokens_and_others_have(tool: tuple[Path, LoadOptions]) -> None:
    recognizer = load_parser(*tool).recognizer
    assert isinstance(recognizer, Tokenizing)
    other = TestCase("other", Expectation.ACCEPT, "a = b;")
    for _ in range(3):
        assert recognizer.tokens(TestCase("endless", Expectation.ACCEPT, ENDLESS)) is None
        assert recognizer.tokens(other)


def test_a_question_is_given_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "EACH", 0.05)
    asked = []

    def endless() -> None:
        asked.append(1)
        while True:
            pass

    waiting = Patience(left=0.3)
    assert waiting.ask("a", endless) is None
    assert waiting.ask("a", endless) is None
    assert len(asked) == 1
    assert waiting.left < 0.3
    assert waiting.ask("b", lambda: 1) == 1
