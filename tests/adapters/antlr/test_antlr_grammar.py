"""What is read of a .g4: rules, positions, tokens, start rule."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from g4 import Load

from gramspect.errors import AdapterError, GrammarError, NoSuchFile
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions
from gramspect_antlr import adapter

EXPRESSIONS = """
    grammar G;
    start : e EOF ;
    e : <assoc=right> e '^' e   # power
      | '-' e                   # negation
      | l=e op=('*' | '/') r=e  # product
      | e ('+' | '-') e         # sum
      | e '?' e ':' e           # choice
      | e '!'                   # factorial
      | ID                      # name
      | (INT)                   # number
      ;
    ID : [a-z]+ ;
    INT : [0-9]+ ;
    WS : [ \\n]+ -> skip ;
"""


def texts(grammar: Grammar) -> list[str]:
    return [
        grammar.rule_text(r.index) for r in grammar.rules if grammar.symbols[r.lhs].owner is None
    ]


def test_left_recursive_rules_keep_their_alternatives(load: Load) -> None:
    grammar = load(G=EXPRESSIONS).grammar
    assert texts(grammar) == [
        "start -> e EOF",
        "e -> e '^' e",
        "e -> '-' e",
        "e -> e ( '*' | '/' ) e",
        "e -> e ( '+' | '-' ) e",
        "e -> e '?' e ':' e",
        "e -> e '!'",
        "e -> ID",
        "e -> ( INT )",
    ]
    assert grammar.rules[grammar.rules_of[grammar.symbol("e")][2]].label == "e:3"


def test_positions_are_those_of_the_text(load: Load, tmp_path: Path) -> None:
    grammar = load(G=EXPRESSIONS).grammar
    lines = (tmp_path / "G.g4").read_text().split("\n")
    seen = set()
    for rule in grammar.rules:
        for symbol, span in zip(rule.rhs, rule.rhs_spans, strict=True):
            assert span is not None
            assert span.file == str(tmp_path / "G.g4")
            written = lines[span.line - 1][span.column - 1 : span.end_column - 1]
            shown = grammar.symbols[symbol].display
            assert "".join(written.split()) == "".join(shown.split())
            seen.add(span)
    assert len(seen) == sum(len(rule.rhs) for rule in grammar.rules)
    power = grammar.rules[1]
    assert grammar.item_span(grammar.item(1, 1)) == power.rhs_spans[1]
    assert (power.span.line, power.span.column) == (4, 19)


def test_a_grammar_can_be_pickled(load: Load) -> None:
    grammar = load(G=EXPRESSIONS).grammar
    copy = pickle.loads(pickle.dumps(grammar))
    assert (copy.symbols, copy.rules) == (grammar.symbols, grammar.rules)


def test_blocks_become_helpers_at_their_places(load: Load) -> None:
    grammar = load(
        G="""
        grammar G;
        list : '[' (x (',' x)*)? ']' y+ ( | '!') EOF ;
        x : 'x'? ; y : 'y' ;
        """
    ).grammar
    list_rule = grammar.rules[0]
    assert grammar.rule_text(0) == "list -> '[' ( x ( ',' x )* )? ']' y+ ( | '!' ) EOF"
    names = [grammar.symbols[symbol].name for symbol in list_rule.rhs]
    assert names == ["'['", "list:1.1", "']'", "list:1.2", "list:1.3", "EOF"]
    option = grammar.symbols[list_rule.rhs[1]].span
    assert option is not None
    assert (option.line, option.column, option.end_column) == (3, 12, 25)
    empty = grammar.rules[grammar.rules_of[list_rule.rhs[4]][0]]
    assert empty.rhs == ()
    assert (empty.span.line, empty.span.column, empty.span.end_column) == (3, 35, 35)


def test_sets_are_shown_as_written(load: Load) -> None:
    grammar = load(
        G="""
        grammar G;
        a : ~B . ~( A | 'c' ) EOF ;
        A : 'a' ; B : 'b' ;
        """
    ).grammar
    assert grammar.rule_text(0) == "a -> ~B . ~( A | 'c' ) EOF"
    members = [
        [grammar.symbols[s].display for r in grammar.rules_of[symbol] for s in grammar.rules[r].rhs]
        for symbol in grammar.rules[0].rhs[:3]
    ]
    assert members == [["'c'", "A"], ["'c'", "A", "B"], ["B"]]
    first = grammar.rules_of[grammar.rules[0].rhs[0]][0]
    assert grammar.item_text(grammar.item(first, 0)) == "a -> • ~B . ~( A | 'c' ) EOF"
    assert grammar.item_text(grammar.item(first, 1)) == "a -> ~B • . ~( A | 'c' ) EOF"


def test_imported_rules_lie_in_their_own_file(load: Load, tmp_path: Path) -> None:
    grammar = load(
        G="grammar G; import Common; s : item+ EOF ; WS : ' ' -> skip ;",
        Common="grammar Common; import Tokens;\nitem : ID | INT ;",
        Tokens="lexer grammar Tokens; ID : [a-z]+ ;\nINT : [0-9]+ ;",
    ).grammar
    files = {rule.label: Path(rule.span.file).name for rule in grammar.rules}
    assert files["s:1"] == "G.g4"
    assert files["item:2"] == "Common.g4"
    assert grammar.symbols[grammar.symbol("INT")].span.file == str(tmp_path / "Tokens.g4")
    assert grammar.symbols[grammar.symbol("INT")].span.line == 2


LEXER = "lexer grammar PLexer; ID : [a-z]+ ; SEMI : ';' ; WS : ' ' -> channel(HIDDEN) ;"


def test_the_lexer_beside_a_parser_grammar_is_found(load: Load) -> None:
    declared = load(
        PParser="parser grammar PParser; options { tokenVocab = PLexer; } s : (ID ';')* EOF ;",
        PLexer=LEXER,
    ).grammar
    assert [symbol.display for symbol in declared.terminals] == ["ID", "';'", "WS", "EOF"]
    undeclared = load(PParser="parser grammar PParser; s : ID SEMI EOF ;", PLexer=LEXER).grammar
    assert any("PLexer" in str(diagnostic) for diagnostic in undeclared.diagnostics)
    other = load(
        Q="parser grammar Q; options { tokenVocab = PLexer; } s : ID EOF ;", PLexer=LEXER
    ).grammar
    assert other.symbols[other.symbol("ID")].span.file.endswith("PLexer.g4")


def test_start_rule(load: Load) -> None:
    text = "grammar G; helper : 'x' ; part : helper ; unused : 'u' ; whole : part* EOF ;"
    assert load(G=text).grammar.symbols[load(G=text).grammar.start].name == "whole"
    assert load("part", G=text).grammar.symbols[load("part", G=text).grammar.start].name == "part"
    first = load(G="grammar G; a : 'x' b? ; b : 'y' a? ;").grammar
    assert first.symbols[first.start].name == "a"
    with pytest.raises(GrammarError, match=r"'hole' has no rule; did you mean whole"):
        load("hole", G=text)


def test_code_of_the_target_language_is_counted_once(load: Load) -> None:
    grammar = load(
        G="""
        grammar G;
        options { superClass = Base; language = Python2; }
        @parser::members { int n; }
        s : { f(); } a { g(); } EOF ;
        a : {n > 0}? 'x' | 'y' ;
        W : {here()}? [ ]+ { count(); } ;
        """
    ).grammar
    found = [str(d) for d in grammar.diagnostics if d.code == "foreign-code"]
    assert len(found) == 6
    assert any("semantic predicates in parser rules, taken as true (1)" in text for text in found)
    assert any("actions in parser rules, not run (2)" in text for text in found)
    assert any(":6:5: " in text for text in found)


BROKEN = [
    ("grammar G;\ns : 'x'\nt : 'y' ;", r"G\.g4:\d+:\d+: ANTLR error \d+: "),
    ("grammar G;\ns : undefined EOF ;", r"G\.g4:2:5: ANTLR error 56: reference to undefined rule"),
    ("grammar G;\na : b ;\nb : a 'x' ;", r"ANTLR error 119: .*left-recursive"),
    ("grammar G;\na : 'x' ;\na : 'y' ;", r"G\.g4:3:1: ANTLR error 51: rule a redefinition"),
    ("nonsense", r"ANTLR error"),
    ("", r"ANTLR error"),
    ("lexer grammar G; A : 'a' ;", r"this is a lexer grammar"),
    ("parser grammar G; s : A ;", r"there is no lexer grammar GLexer\.g4 beside"),
    (
        "parser grammar G; options { tokenVocab = Words; } s : A ;",
        r"there is no lexer grammar Words\.g4 or GLexer\.g4 beside",
    ),
    (
        "grammar G; import Nowhere; s : nowhere 'x' ;",
        r"ANTLR error 110: can't find or load grammar Nowhere \(and 1 more\)",
    ),
]


@pytest.mark.parametrize(("text", "message"), BROKEN)
def test_broken_grammars(load: Load, text: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        load(G=text)


def test_a_broken_lexer_grammar(load: Load) -> None:
    with pytest.raises(GrammarError, match=r"GLexer\.g4:2:\d+: ANTLR error \d+: "):
        load(G="parser grammar G; s : A ;", GLexer="lexer grammar GLexer;\nA : 'a' B ;")


def test_unusable_sources(tmp_path: Path) -> None:
    with pytest.raises(NoSuchFile, match="there is no such file; check the path"):
        adapter.load(str(tmp_path / "absent.g4"), LoadOptions())
    (tmp_path / "G.g4").write_text("grammar G; s : 'x' ;")
    with pytest.raises(AdapterError, match="unknown case"):
        adapter.load(str(tmp_path / "G.g4"), LoadOptions(extra={"case": "Upper"}))


def test_odd_bytes(tmp_path: Path) -> None:
    (tmp_path / "B.g4").write_bytes(b"\xef\xbb\xbfgrammar G; s : 'x' EOF ;")
    (tmp_path / "L.g4").write_bytes("grammar G; /* é */ s : 'x' EOF ;".encode("latin-1"))
    (tmp_path / "A.g4").write_text("grammar G; /* 😀 */ s : 'x' EOF ;", encoding="utf-8")
    for name, column in (("B", 16), ("L", 24), ("A", 24)):
        grammar = adapter.load(str(tmp_path / f"{name}.g4"), LoadOptions()).grammar
        assert grammar.rules[0].span.column == column
