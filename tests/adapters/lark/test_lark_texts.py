"""Texts of generated tests: samples of Lark's terminals, judged by Lark itself."""

from __future__ import annotations

import pytest
from lark import Lark
from lark.exceptions import LarkError
from lark_cases import Load

from gramspect.generation.generate import Generation, Plan
from gramspect.generation.texts import Spacing, sample_texts
from gramspect.recognition.recognizer import Lexing
from gramspect.recognition.registry import adapter
from gramspect.suites.suite import Expectation
from ranks import sampled

CALC = r"""
start: stmt+
stmt: "if" expr "then" stmt
    | NAME "=" expr ";"
    | "print"i expr ";"
expr: expr "+" term | term
term: NUMBER | NAME | STRING | HEX | "(" expr ")" | term "." NAME
NAME: /[a-z_]\w*/
STRING: /"[^"\n]*"/
NUMBER: /\d+(\.\d+)?/
HEX.2: /0x[0-9a-f]+/i
%ignore /\s+/
%ignore /#[^\n]*/
"""

WAYS = [
    ("lark-lalr", "contextual"),
    ("lark-lalr", "basic"),
    ("lark-earley", "basic"),
    ("lark-earley", "dynamic"),
]


@pytest.mark.parametrize(("name", "lexer"), WAYS)
def test_samples(load: Load, name: str, lexer: str) -> None:
    system = load(name, CALC, extra={"lexer": lexer})
    assert isinstance(system, Lexing)
    found = {s.name: system.samples(s.index, 3) for s in system.grammar.terminals}
    assert found["IF"] == ["if"]
    assert found["PRINT"] == ["print"]
    assert found["NAME"] == ["a", "b", "c"]
    assert found["STRING"] == ['""', '"a"', '"b"']
    assert found["NUMBER"] == ["1", "2", "3"]
    assert found["HEX"] == ["0xa", "0xb", "0xc"]
    assert found["SEMICOLON"] == [";"]


@pytest.mark.parametrize(("name", "lexer"), WAYS)
@pytest.mark.parametrize("spacing", sampled(map(pytest.param, Spacing), 2))
def test_lark_judges_the_texts_as_expected(
    load: Load, name: str, lexer: str, spacing: Spacing
) -> None:
    """By a parser of its own, without any hooks.

    A dynamic lexer may find a sentence in a text that is none by its tokens; such tests are left
    out.
    """
    system = load(name, CALC, extra={"lexer": lexer})
    assert isinstance(system, Lexing)
    grammar, texts = sample_texts(system.grammar, system, spacing=spacing)
    plan = Plan(("rule",), negative=("tokens", "rules"), per_sentence=4)
    judge = Lark(CALC, parser=name.removeprefix("lark-"), lexer=lexer)
    verdicts = dict.fromkeys(Expectation, 0)
    for test in Generation(grammar, plan, texts):
        text = texts.text(test.tokens)
        try:
            judge.parse(text)
            accepted = True
        except LarkError:
            accepted = False
        assert accepted == (test.expectation is Expectation.ACCEPT), text
        verdicts[test.expectation] += 1
    assert verdicts[Expectation.ACCEPT] >= 10
    assert verdicts[Expectation.REJECT] > 40


def test_a_declared_terminal_has_no_sample(load: Load) -> None:
    system = load("lark-lalr", "start: A _INDENT? A\nA: /a/\n%declare _INDENT\n%ignore / /")
    assert isinstance(system, Lexing)
    assert system.samples(system.grammar.symbol("_INDENT"), 3) == []


def test_sequences_of_token_names_are_their_own_samples() -> None:
    from gramspect.grammars.grammar import Grammar

    grammar = Grammar.from_rules([("s", ["a", "b"])])
    system = adapter("lark-lalr").build(grammar)
    assert isinstance(system, Lexing)
    _, texts = sample_texts(grammar, system)
    tokens = (grammar.symbol("a"), grammar.symbol("b"))
    assert texts.read_back([tokens]) == [True]
