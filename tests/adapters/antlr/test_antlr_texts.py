"""Texts of generated tests: samples from ANTLR's lexers, judged by ANTLR's own lexer and parser."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from g4 import Load

from command import Command
from gramspect.generation.generate import Generation, Plan
from gramspect.generation.texts import Spacing, sample_texts
from gramspect.recognition.trace import LLTrace
from gramspect.suites.suite import Expectation, TestCase
from gramspect_antlr.recognizer import AntlrRecognizer
from ranks import sampled

SQL = r"""
grammar Sql;
parse : stmt (';' stmt)* EOF ;
stmt : K_SELECT expr (',' expr)* (K_FROM name)? | K_DELETE K_FROM name ;
expr : expr ('*' | '/') expr | expr ('+' | '-' | '--') expr
     | name | NUMBER | TEXT | BLOB | PARAMETER ;
name : ID | ID '.' ID ;
K_SELECT : S E L E C T ;
K_DELETE options { caseInsensitive = true; } : 'delete' ;
K_FROM : F R O M ;
ID : '"' (~["\r\n] | '""')* '"' | [a-zA-Z_] [a-zA-Z_0-9]* ;
NUMBER : DIGIT+ ('.' DIGIT+)? ;
TEXT : '\'' .*? '\'' ;
BLOB : X TEXT ;
PARAMETER : [:@$] [\p{L}]+ | '?' ;
COMMENT : '/*' (COMMENT | .)*? ('*/' | EOF) -> channel(HIDDEN) ;
SPACE : [ \t\r\n] -> skip ;
fragment DIGIT : [0-9] ;
fragment S : [sS] ; fragment E : [eE] ; fragment L : [lL] ; fragment C : [cC] ; fragment T : [tT] ;
fragment F : [fF] ; fragment R : [rR] ; fragment O : [oO] ; fragment M : [mM] ; fragment X : [xX] ;
"""

MARKUP_LEXER = """
lexer grammar MarkupLexer;
OPEN : '<' -> pushMode(INSIDE) ;
STRING_START : '"' -> more, pushMode(QUOTED) ;
TEXT : ~[<"]+ ;
ODD : '!' -> type(TEXT) ;
mode INSIDE;
CLOSE : '>' -> popMode ;
SLASH : '/' ;
EQUALS : '=' ;
NAME : [a-z]+ ;
BLANK : [ ] -> skip ;
mode QUOTED;
STRING : '"' -> popMode ;
INNER : ~'"' -> more ;
"""

MARKUP = """
parser grammar Markup;
options { tokenVocab = MarkupLexer; }
document : node* EOF ;
node : TEXT | STRING | OPEN NAME attribute* (CLOSE node* OPEN SLASH NAME CLOSE | SLASH CLOSE) ;
attribute : NAME EQUALS NAME ;
"""


def names(system: AntlrRecognizer, limit: int) -> dict[str, list[str]]:
    return {s.name: system.samples(s.index, limit) for s in system.grammar.terminals}


def judged(
    system: AntlrRecognizer, spacing: Spacing = Spacing.BLANK, seed: int | None = None
) -> Counter[tuple[Expectation, bool]]:
    """How many generated tests the parser accepts or not, by what is expected."""
    end = [s.index for s in system.grammar.terminals if s.name == "EOF"]
    grammar, texts = sample_texts(system.grammar, system, silent=end, spacing=spacing, seed=seed)
    plan = Plan(("cdrc",), negative=("tokens", "rules"), per_sentence=10, seed=seed)
    generation = Generation(grammar, plan, texts)
    tests = [
        TestCase(f"{n}", test.expectation, texts.text(test.tokens))
        for n, test in enumerate(generation)
    ]
    observed = system.traces(tests)
    return Counter(
        (test.expectation, isinstance(trace, LLTrace))
        for test, trace in zip(tests, observed, strict=True)
    )


def test_samples(load: Load) -> None:
    found = names(load(Sql=SQL), 3)
    assert found["K_SELECT"] == ["select"]
    assert found["K_DELETE"] == ["delete"]
    assert found["';'"] == [";"]
    assert found["ID"] == ["a", "b", "c"]
    assert found["NUMBER"] == ["1", "2", "3"]
    assert found["TEXT"] == ["''", "'a'", "'b'"]
    assert found["BLOB"] == ["x''", "x'a'", "x'b'"]
    assert found["PARAMETER"] == ["?", "$a", "$b"]
    assert found["COMMENT"] == found["SPACE"] == []


def test_samples_of_modes(load: Load) -> None:
    """Each is read in its mode; a string begins in another mode than it ends in."""
    found = names(load(Markup=MARKUP, MarkupLexer=MARKUP_LEXER), 2)
    assert found["NAME"] == ["a", "b"]
    assert found["OPEN"] == ["<"]
    assert found["CLOSE"] == [">"]
    assert found["STRING"] == ['""']
    assert found["TEXT"] == ["a", "b"]


def test_case_changing_streams(load: Load) -> None:
    text = "grammar G; s : A B EOF ; A : 'BEGIN' ; B : [a-z]+ | [A-Z]+ ; W : ' ' -> skip ;"
    found = names(load(None, {"case": "upper"}, G=text), 2)
    assert [text.upper() for text in found["A"]] == ["BEGIN"]
    assert {text.upper() for text in found["B"]} <= {"A", "B"}


def test_other_characters_are_tried_if_the_nicest_make_another_token(load: Load) -> None:
    found = names(load(G="grammar G; s : A B ; A : [a-z]+ ; B : . ; W : ' ' -> skip ;"), 2)
    assert found["A"] == ["a", "b"]
    assert found["B"] == ["1", "2"] or not found["B"][0].islower()


@pytest.mark.parametrize("spacing", sampled(map(pytest.param, Spacing), 2))
@pytest.mark.parametrize("seed", [pytest.param(None, marks=pytest.mark.slow), 3])
def test_the_parser_judges_the_texts_as_expected(
    load: Load, spacing: Spacing, seed: int | None
) -> None:
    found = judged(load(Sql=SQL), spacing, seed)
    assert found.keys() == {
        (Expectation.ACCEPT, True),
        (Expectation.REJECT, False),
    }
    assert found[Expectation.ACCEPT, True] > 20
    assert found[Expectation.REJECT, False] > 200


def test_texts_with_modes(load: Load) -> None:
    """A blank is text outside of tags, so where there is none, nothing stands between tokens."""
    system = load(Markup=MARKUP, MarkupLexer=MARKUP_LEXER)
    grammar, texts = sample_texts(system.grammar, system, silent=[system.grammar.symbol("EOF")])
    written = {texts.text(test.tokens) for test in Generation(grammar, Plan(("cdrc",)), texts)}
    assert "< a a = a / >" in written
    assert "< a >< / a >" in written
    found = judged(system)
    assert found[Expectation.ACCEPT, True] > 8
    assert found[Expectation.REJECT, False] > 20
    assert len(found) == 2


def test_tokens_that_no_rule_makes(load: Load, command: Command, tmp_path: Path) -> None:
    load(G="grammar G; tokens { INDENT } s : INDENT? A EOF ; A : 'a' ; W : ' ' -> skip ;")
    source = tmp_path / "G.g4"
    assert "no text is known for INDENT; write a file with lines such as INDENT" in command.fails(
        "generate", source
    )
    samples = tmp_path / "samples.toml"
    samples.write_text("INDENT = []\n")
    answer = command("generate", source, "--samples", samples)
    assert answer.out == "a\n"
    assert "INDENT has no known text; tests with it are left out" in answer.err


def test_a_model_on_the_command_line(load: Load, command: Command, tmp_path: Path) -> None:
    load(Sql=SQL)
    model = tmp_path / "model.toml"
    model.write_text(
        "start = [\"stmt ';' stmt\"]\nprefix = 'select 1; '\n[values]\nname = ['main.t', 'u']\n"
    )
    answer = command("generate", tmp_path / "Sql.g4", "--model", model, "--spacing", "least")
    assert answer.status == 0
    lines = answer.out.splitlines()
    assert "select 1; delete from u;delete from u" in lines or len(lines) > 5
    assert all(line.startswith("select 1; ") and ";" in line[10:] for line in lines)
    assert any("main.t" in line for line in lines)
    assert answer.err == ""
    model.write_text("start = 'statement'\n")
    message = command.fails("generate", tmp_path / "Sql.g4", "--model", model)
    assert f"{model}:1:1: the grammar has no symbol 'statement'" in message
