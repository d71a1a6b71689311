"""Text that the lexer cannot read is searched as a new token, whatever the tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramspect import LoadOptions, TestSuite, localize
from gramspect.edits.confirmation import Agreement
from gramspect.edits.model import NEW_TOKEN
from gramspect.edits.readings import Reading
from gramspect.edits.unread import MOST, read_anyway
from gramspect.edits.validation import Status
from gramspect.localization.conclusion import best_first
from gramspect.recognition.recognizer import Recognizer, Tokenizing
from gramspect.running.loading import load_parser
from gramspect.suites.suite import Expectation, TestCase

ANTLR = """grammar L;
start : stmt* EOF ;
stmt : ID '=' expr ';' ;
expr : atom ( '+' atom )* ;
atom : NUM | ID ;
NUM : [0-9]+ ;
ID : [a-z]+ ;
WS : [ \\n]+ -> skip ;
"""
LARK = """start : stmt*
stmt : ID "=" expr ";"
expr : atom ( "+" atom )*
atom : NUM | ID
NUM : /[0-9]+/
ID : /[a-z]+/
%ignore /[ \\n]+/
"""
JAVACC = """PARSER_BEGIN(L)
public class L {}
PARSER_END(L)
SKIP : { " " | "\\n" }
TOKEN : { <NUM: (["0"-"9"])+> | <ID: (["a"-"z"])+> | <SEMI: ";"> | <EQ: "="> | <PLUS: "+"> }
void start() : {} { ( stmt() )* <EOF> }
void stmt() : {} { <ID> <EQ> expr() <SEMI> }
void expr() : {} { atom() ( <PLUS> atom() )* }
void atom() : {} { <NUM> | <ID> }
"""
PLY = '''from ply import lex, yacc

tokens = ("NUM", "ID", "EQ", "SEMI", "PLUS")
t_NUM, t_ID, t_EQ, t_SEMI, t_PLUS, t_ignore = r"[0-9]+", r"[a-z]+", "=", ";", r"\\+", " "


def t_error(t):
    raise SyntaxError(f"illegal character {t.value[0]}")


def p_start(p):
    """start : start stmt
    | stmt"""


def p_stmt(p):
    "stmt : ID EQ expr SEMI"


def p_expr(p):
    """expr : expr PLUS atom
    | atom"""


def p_atom(p):
    """atom : NUM
    | ID"""


def p_error(p):
    raise SyntaxError(p)


lexer = lex.lex()
parser = yacc.yacc(debug=False, write_tables=False)
'''
TOOLS = {
    "antlr": ("L.g4", ANTLR),
    "lark-earley": ("l.lark", LARK),
    "lark-lalr": ("l.lark", LARK),
    "javacc": ("L.jj", JAVACC),
    "ply": ("new_operator.py", PLY),
}
CAN_WRITE = ("antlr", "javacc", "lark-earley", "lark-lalr", "ply")
SUITE = TestSuite.from_texts(
    ["a = 1;", "b = 2 + c;", "a = b; c = 3;", "b = 3 + 3 + 3;", "a = 1 * 2;", "b = c * 4 + 1;"],
    ["a = ;", "a = 1 +;"],
)


@pytest.fixture(params=TOOLS)
def tool(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    name, text = TOOLS[request.param]
    path = tmp_path / name
    path.write_text(text)
    return request.param, path


def test_an_operator_that_the_lexer_lacks(tool: tuple[str, Path]) -> None:
    """The rule that lacks it has a repair, which is written where that can be done."""
    adapter, path = tool
    result = localize(path, SUITE, load=LoadOptions(adapter=adapter))
    repairs = [
        one
        for element in result.ranking
        if element.nonterminal == "expr"
        for one in best_first(result, element)
        if NEW_TOKEN in one.edit.symbols and len(one.effect.fixed) == 2
    ]
    assert {one.edit.text for one in repairs} == {"*"}
    assert any(one.change is not None for one in repairs) == (adapter in CAN_WRITE)
    assert any(one.status is Status.VALIDATED for one in repairs)


def test_another_new_token_is_another_repair(tmp_path: Path) -> None:
    path = tmp_path / "L.g4"
    path.write_text(ANTLR)
    suite = TestSuite.from_texts(["a = 1;", "a = b;", "a = X;", "a = YZ;", "b = 1 + X;"])
    result = localize(path, suite)
    (element,) = [one for one in result.ranking if one.label == "atom:1:0"]
    repair = best_first(result, element)[0]
    others = {"X": 2, "YZ": 1}
    assert len(repair.effect.fixed) == others[repair.edit.text]
    assert repair.confirmation is not None
    assert repair.confirmation.agreement is Agreement.CONFIRMED


@pytest.mark.parametrize("adapter", CAN_WRITE)
@pytest.mark.parametrize("sign", ["'", '"', "\\"])
def test_a_sign_that_a_literal_escapes(adapter: str, sign: str, tmp_path: Path) -> None:
    """What is written is a literal of the notation, and the tool reads it."""
    name, text = TOOLS[adapter]
    (tmp_path / name).write_text(text)
    suite = TestSuite.from_texts(["a = 1;", "b = 2 + c;", "a = b;", f"a = 1 {sign} 2;"])
    result = localize(tmp_path / name, suite, load=LoadOptions(adapter=adapter))
    confirmed = [
        one
        for one in result.suggestions
        if one.edit.texts == (sign,) and one.status is Status.VALIDATED and one.change is not None
    ]
    assert confirmed
    assert all('"""' not in one.describe() for one in confirmed)


def test_a_sign_before_an_equals_sign_is_one_token_with_it(tool: tuple[str, Path]) -> None:
    """Also where the lexer can read ``=`` by itself, and where it goes on after what it cannot."""
    adapter, path = tool
    suite = TestSuite.from_texts(["a = 1;", "b = 2 + c;", "a = 1 != 2;"], ["a = ;"])
    result = localize(path, suite, load=LoadOptions(adapter=adapter))
    new = [one.edit for one in result.suggestions if NEW_TOKEN in one.edit.symbols]
    assert new
    assert {edit.text for edit in new} == {"!="}


def test_a_sign_before_a_number_is_one_token_without_it(tool: tuple[str, Path]) -> None:
    adapter, path = tool
    suite = TestSuite.from_texts(["a = 1;", "b = 2 + c;", "a = 1 -2;", "a = b -30;"])
    result = localize(path, suite, load=LoadOptions(adapter=adapter))
    new = [one.edit for one in result.suggestions if NEW_TOKEN in one.edit.symbols]
    assert new
    assert {edit.text for edit in new} == {"-"}


BRACKETS = TestSuite.from_texts(
    ["a = 1;", "b = 2 + c;", "a = b; c = 3;", "a = 1 + [b + c];", "b = [c] + 1; c = [2];"],
    ["a = ;", "a = 1 +;"],
)


def test_brackets_that_the_lexer_lacks(tool: tuple[str, Path]) -> None:
    """Two texts are one repair, around a call of what stands between them, however general."""
    adapter, path = tool
    result = localize(path, BRACKETS, load=LoadOptions(adapter=adapter))
    first = result.ranking[0]
    assert first.nonterminal == "atom"
    repair = best_first(result, first)[0]
    assert repair.edit.texts == ("[", "]")
    assert repair.edit.describe(result.grammar) == 'add the alternative "[" expr "]"'
    assert len(repair.effect.fixed) == 2
    if adapter in CAN_WRITE:
        assert repair.confirmation is not None
        assert repair.confirmation.agreement is Agreement.CONFIRMED


def test_one_new_text_does_not_stand_for_two(tmp_path: Path) -> None:
    """To the search both are one token, but a rule that has the one does not read the other."""
    path = tmp_path / "l.lark"
    path.write_text(LARK)
    suite = TestSuite.from_texts(["a = 1;", "a = b;", "a = # + %;"])
    result = localize(path, suite, load=LoadOptions(adapter="lark-lalr"))
    repairs = [one for element in result.ranking for one in best_first(result, element)]
    assert all(len(one.edit.texts) == 2 for one in repairs if one.effect.fixed)


NAMES = {"EQ": "=", "PLUS": "+", "SEMI": ";", "end of input": "?"}


def read(path: Path, adapter: str, text: str) -> tuple[list[str], list[str]] | None:
    recognizer = load_parser(path, LoadOptions(adapter=adapter)).recognizer
    assert isinstance(recognizer, Recognizer)
    assert isinstance(recognizer, Tokenizing)
    found = read_anyway(recognizer, TestCase("t", Expectation.ACCEPT, text))
    if found is None:
        return None
    assert isinstance(found, Reading)
    known = recognizer.grammar.symbols
    shown = [known[t].display.strip("'\"<>") for t in found.tokens if known[t].name != "EOF"]
    return [NAMES.get(name, name) for name in shown], list(found.texts)


def test_new_tokens(tool: tuple[str, Path]) -> None:
    """A word or signs are one token; none if the lexer reads all, or lacks too much."""
    adapter, path = tool
    assert read(path, adapter, "a = 1 ** b;") == (
        ["ID", "=", "NUM", "?", "ID", ";"],
        ["**"],
    )
    assert read(path, adapter, "a = Bc + 1; d = Bc;") == (
        ["ID", "=", "?", "+", "NUM", ";", "ID", "=", "?", ";"],
        ["Bc", "Bc"],
    )
    assert read(path, adapter, "a = (1 + (b));") == (
        ["ID", "=", "?", "NUM", "+", "?", "ID", "?", "?", ";"],
        ["(", "(", ")", ")"],
    )
    assert read(path, adapter, "a @ 1 # 2 % 3") is None
    assert read(path, adapter, "a = 1;") is None
    assert read(path, adapter, "@ a " * (MOST + 1)) is None


def test_not_too_much_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "l.lark"
    path.write_text(LARK)
    monkeypatch.setattr("gramspect.edits.unread.MOST_READ", 6)
    assert read(path, "lark-lalr", "a = 1 * b;") is not None
    assert read(path, "lark-lalr", "a = 10 * b;") is None
