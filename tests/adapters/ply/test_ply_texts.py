"""Texts of generated tests: samples from PLY's lexers, judged by the parsers themselves."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from gramspect.generation.generate import Generation, Plan
from gramspect.generation.texts import Model, Spacing, sample_texts
from gramspect.recognition.recognizer import Lexing, LoadOptions, Recognizer
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import LRTrace, Trace, Undecided
from gramspect.suites.suite import Expectation, TestCase

CALC = r'''
    import ply.lex as lex
    import ply.yacc as yacc

    reserved = {"let": "LET", "in": "IN"}
    tokens = ["ID", "NUMBER", "TEXT", "PLUS", *reserved.values()]
    literals = "=()"
    states = (("quoted", "exclusive"),)
    t_PLUS = r"\+"
    t_ignore = " \n"
    t_quoted_ignore = ""

    def t_ID(t):
        r"[a-zA-Z_]\w*"
        t.type = reserved.get(t.value, "ID")
        return t

    def t_NUMBER(t):
        r"\d+(\.\d+)?"
        return t

    def t_begin(t):
        r'"'
        t.lexer.begin("quoted")

    def t_quoted_inside(t):
        r'[^"]+'

    def t_quoted_TEXT(t):
        r'"'
        t.lexer.begin("INITIAL")
        return t

    def t_ANY_error(t):
        raise SyntaxError(t.value[0])

    def p_expr(p):
        """expr : LET ID '=' expr IN expr
                | sum"""

    def p_sum(p):
        """sum : sum PLUS atom
               | atom"""

    def p_atom(p):
        """atom : ID
                | NUMBER
                | TEXT
                | '(' expr ')'"""

    def p_error(p):
        raise SyntaxError(p)

    lexer = lex.lex()
    parser = yacc.yacc(write_tables=False, debug=False)
'''


@pytest.fixture
def calc(tmp_path: Path) -> Recognizer:
    file = tmp_path / "calc.py"
    file.write_text(dedent(CALC))
    return adapter("ply").load(str(file), LoadOptions())


def judged(
    system: Recognizer, plan: Plan, **how: Any
) -> Counter[tuple[Expectation, type[Trace], bool]]:
    """What the parser says of generated tests, by what is expected: how it ends, and any error."""
    assert isinstance(system, Lexing)
    grammar, texts = sample_texts(system.grammar, system, **how)
    tests = [
        TestCase("test", test.expectation, texts.text(test.tokens))
        for test in Generation(grammar, plan, texts)
    ]
    traces = [(test.expectation, system.trace(test)) for test in tests]
    return Counter((e, type(t), getattr(t, "error", None) is None) for e, t in traces)


def test_samples(calc: Recognizer) -> None:
    """Reserved words from their table, literals, and a token that is read across two states."""
    assert isinstance(calc, Lexing)
    found = {s.name: calc.samples(s.index, 2) for s in calc.grammar.terminals if s.name != "error"}
    assert {name: found[name] for name in ("LET", "IN", "=", "PLUS")} == {
        "LET": ["let"],
        "IN": ["in"],
        "=": ["="],
        "PLUS": ["+"],
    }
    assert found["ID"] == ["a", "b"]
    assert found["NUMBER"] == ["1", "2"]
    assert found["TEXT"][0] == '""'


@pytest.mark.parametrize("spacing", Spacing)
@pytest.mark.parametrize("seed", [pytest.param(None, marks=pytest.mark.slow), 5])
def test_the_parser_judges_the_texts_as_expected(
    calc: Recognizer, spacing: Spacing, seed: int | None
) -> None:
    plan = Plan(("cdrc",), negative=("tokens", "rules"), per_sentence=10)
    found = judged(calc, plan, spacing=spacing, seed=seed)
    accepted, rejected = (Expectation.ACCEPT, LRTrace, True), (Expectation.REJECT, LRTrace, False)
    assert found.keys() == {accepted, rejected}
    assert found[accepted] > 8
    assert found[rejected] > 60


def test_a_lexer_that_the_parser_guides() -> None:
    """C: names of types are such only where a prefix declares them."""
    system = adapter("ply").load("pycparser.c_parser:CParser", LoadOptions())
    assert isinstance(system, Lexing)
    grammar = system.grammar
    assert list(system.samples(grammar.symbol("WHILE"), 3)) == ["while"]
    assert list(system.samples(grammar.symbol("INT_CONST_HEX"), 2)) == ["0xa", "0xb"]
    assert list(system.samples(grammar.symbol("TYPEID"), 2)) == []
    given = {grammar.symbol("TYPEID"): ("T",), grammar.symbol("PPPRAGMASTR"): ()}
    model = Model(prefix="typedef int T; ")
    found = judged(system, Plan(("rule",), limit=150), given=given, model=model)
    accepted, semantic = (Expectation.ACCEPT, LRTrace, True), (Expectation.ACCEPT, Undecided, True)
    assert found.keys() <= {accepted, semantic}
    assert found[accepted] > found[semantic]
