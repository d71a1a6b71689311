"""The rules that are read out of a generated parser, and where they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from python_parsers import Load

from gramspect.errors import GrammarError
from gramspect.grammars.grammar import Grammar
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase
from gramspect_antlr_python.g4 import read_rules
from gramspect_antlr_python.vocabulary import Vocabulary

LEXER = """
    ID : [a-z]+ ;
    INT : [0-9]+ ;
    WS : [ \\n]+ -> skip ;
"""

EXPRESSIONS = f"""
    grammar G;
    start : e EOF ;
    e : <assoc=right> e '^' e   # power
      | '-' e                   # negation
      | l=e op=('*' | '/') r=e  # product
      | e ('+' | '-') e         # sum
      | '(' e ')'               # group
      | e '?' e ':' e           # choice
      | e '[' (e (',' e)*)? ']' # index
      | e '!'                   # factorial
      | ID                      # name
      | (INT)                   # number
      ;
    {LEXER}
"""

BLOCKS = f"""
    grammar G;
    s : a* b+ c? EOF ;
    a : 'x' ('y' | 'z' ID)* ;
    b : ('u' | 'v')+ ( 'w' s? )?? ;
    c : ~'x' . ~('y' | ID)*? ('p' 'q')+ ;
    d : ('m' | 'n' | EOF) | ;
    f : 'k' | 'j' ;
    g : (a | (b c?)) ;
    {LEXER}
"""


def texts(grammar: Grammar) -> dict[str, list[str]]:
    """The alternatives of every rule that the user wrote."""
    return {
        symbol.name: [
            grammar.rule_text(rule).partition("->")[2].strip()
            for rule in grammar.rules_of[symbol.index]
        ]
        for symbol in grammar.nonterminals
        if symbol.owner is None
    }


def test_left_recursive_rules_get_their_alternatives_back(load: Load) -> None:
    assert texts(load(EXPRESSIONS).grammar)["e"] == [
        "e '^' e",
        "'-' e",
        "e ( '*' | '/' ) e",
        "e ( '-' | '+' ) e",  # '-' is the older token
        "'(' e ')'",
        "e '?' e ':' e",
        "e '[' ( e ( ',' e )* )? ']'",
        "e '!'",
        "ID",
        "INT",
    ]


def test_blocks(load: Load) -> None:
    assert texts(load(BLOCKS).grammar) == {
        "s": ["a* b+ c? EOF"],
        "a": ["'x' ( 'y' | 'z' ID )*"],
        "b": ["( 'u' | 'v' )+ ( 'w' s? )?"],
        "c": ["~'x' . ~( 'y' | ID )* ( 'p' 'q' )+"],
        "d": ["( 'm' | 'n' | EOF )", ""],
        "f": ["'k'", "'j'"],
        "g": ["a", "b c?"],
    }


def test_a_set_holds_every_other_token(load: Load) -> None:
    grammar = load(BLOCKS).grammar
    sets = {s.display: grammar.rules_of[s.index] for s in grammar.nonterminals if s.operator == "~"}
    members = {
        text: {grammar.symbols[grammar.rules[rule].rhs[0]].name for rule in rules}
        for text, rules in sets.items()
    }
    everything = {symbol.name for symbol in grammar.terminals} - {"EOF"}
    assert members == {
        "~'x'": everything - {"'x'"},
        ".": everything,
        "~( 'y' | ID )": everything - {"'y'", "ID"},
    }


@pytest.mark.parametrize("text", [EXPRESSIONS, BLOCKS])
def test_with_the_grammar_beside_it_every_rule_is_as_written(load: Load, text: str) -> None:
    grammar = load(text, beside=text).grammar
    assert [Path(file).name for file in grammar.files] == ["G.g4"]
    lines = Path(grammar.files[0]).read_text().splitlines()
    checked = 0
    for rule in grammar.rules:
        for symbol, span in zip(rule.rhs, rule.rhs_spans, strict=True):
            assert span is not None
            assert span.line == span.end_line
            found = lines[span.line - 1][span.column - 1 : span.end_column - 1]
            if (
                grammar.symbols[symbol].operator is None
                and grammar.symbols[rule.lhs].operator != "~"
            ):
                assert found == grammar.symbols[symbol].display
                checked += 1
    assert checked > 20


def test_parentheses_and_the_order_of_tokens_come_from_the_text(load: Load) -> None:
    text = f"grammar G; s : (ID) ('b' | 'a') ~('a'|'c') | t ; t : ('a' 'b' | ('c')) ; {LEXER}"
    assert texts(load(text).grammar) == {
        "s": ["ID ( 'b' | 'a' ) ~( 'a' | 'c' )", "t"],
        "t": ["'a' 'b'", "'c'"],
    }
    assert texts(load(text, beside=text).grammar) == {
        "s": ["( ID ) ( 'b' | 'a' ) ~('a'|'c')", "t"],
        "t": ["( 'a' 'b' | ( 'c' ) )"],
    }


def test_a_token_that_is_twice_in_a_set_is_read_at_its_first_place(load: Load) -> None:
    text = f"grammar G; s : ('b' | 'a' | 'b') 'c' | t ; t : ID | 'x' | ID ; {LEXER}"
    parser = load(text, beside=text)
    grammar = parser.grammar
    assert texts(grammar) == {"s": ["( 'b' | 'a' | 'b' ) 'c'", "t"], "t": ["ID", "'x'", "ID"]}
    for test, rules in (
        ("b c", {"s:1", "s:1.1:1"}),
        ("a c", {"s:1", "s:1.1:2"}),
        ("q", {"s:2", "t:1"}),
    ):
        observation = observe(parser.trace(TestCase("test", Expectation.ACCEPT, test)))
        assert {grammar.rules[rule].label for rule in observation.rules} == rules


def test_tokens_are_shown_as_they_are_written_first(load: Load) -> None:
    text = f"grammar G; s : ~END 'end' BEGIN 'begin' ; BEGIN : 'begin' ; END : 'end' ; {LEXER}"
    assert texts(load(text).grammar) == {"s": ["~'end' 'end' 'begin' 'begin'"]}
    assert texts(load(text, beside=text).grammar) == {"s": ["~END 'end' BEGIN BEGIN"]}


def test_a_rule_that_was_changed_since_keeps_what_the_parser_says(load: Load) -> None:
    text = f"grammar G; s : ID t ; t : 'a' 'b' ; u : 'c' ; {LEXER}"
    edited = text.replace("'a' 'b'", "'a' 'b'?").replace("u :", "v :")
    grammar = load(text, beside=edited.replace("'a' 'b'", "'b' 'a'")).grammar
    assert texts(grammar) == {"s": ["ID t"], "t": ["'a' 'b'"], "u": ["'c'"]}
    files = {grammar.rule_text(rule.index): rule.span and rule.span.file for rule in grammar.rules}
    assert {text: Path(file or "").name for text, file in files.items()} == {
        "s -> ID t": "G.g4",
        "t -> 'a' 'b'": "GParser.py",
        "u -> 'c'": "GParser.py",
    }


def test_without_a_grammar_file_positions_are_those_of_the_generated_code(load: Load) -> None:
    grammar = load(EXPRESSIONS).grammar
    code = Path(grammar.files[0])
    lines = code.read_text().splitlines()
    assert code.name == "GParser.py"
    shown = {}
    for rule in grammar.rules:
        for symbol, span in zip(rule.rhs, rule.rhs_spans, strict=True):
            if span is not None and span.line == span.end_line:
                text = lines[span.line - 1][span.column - 1 : span.end_column - 1]
                shown.setdefault(grammar.symbols[symbol].display, text)
    assert shown["'?'"].startswith("self.match(GParser.")
    assert shown["EOF"] == "self.match(GParser.EOF)"
    assert shown["ID"] == "self.match(GParser.ID)"


def test_the_start_rule(load: Load) -> None:
    text = f"grammar G; a : b ; b : b ID | ID ; c : ID b EOF ; {LEXER}"
    assert texts(load(text).grammar).keys() == {"a", "b", "c"}
    assert load(text).grammar.symbols[load(text).grammar.start].name == "c"
    assert load(text, "b").grammar.symbols[load(text, "b").grammar.start].name == "b"
    with pytest.raises(GrammarError, match="the start symbol 'cc' has no rule; did you mean c"):
        load(text, "cc")


READ = """
    /* A grammar with everything that is passed over: s : 'wrong' ; */
    parser grammar G;
    options { tokenVocab = L; }
    import H, X = I;
    tokens { A, B }
    @header {
        import os  // not } the end '
    }
    @parser::members {
        def r(self): return "}{"
    }
    s[int i] returns [int v] locals [x] options { k = 1; } @init { pass } @after { pass }
        : x=A ys+=b[3] {print('}')} ( options { greedy = true; } : A | b )* # first
        | {True}? <assoc=right> B+ .
        |   // empty
        ;
        catch [Exception e] { raise }
        finally { pass }
    b : ~A 'x'?? ~( A | 'x' ) | <fail='no'> ( A ) ;
    broken : A ) ;
    unknown : C ;
    LEX : 'x' [;'\\]] -> type(A), mode(M) ;
    mode M;
    fragment F : ';' ;
    last : b EOF ;
"""


def test_what_the_reader_of_grammar_files_passes_over(tmp_path: Path) -> None:
    (tmp_path / "G.g4").write_text(READ)
    (tmp_path / "H.g4").write_text("grammar H; import G; imported : A ; last : A ;")
    vocabulary = Vocabulary(
        3, ["<INVALID>", "<INVALID>", "<INVALID>", "'x'"], ["<INVALID>", "A", "B"]
    )
    rules = read_rules(tmp_path / "G.g4", vocabulary)
    assert list(rules) == ["s", "b", "last", "imported"]
    assert [len(a.elements) for a in rules["s"].alternatives] == [3, 2, 0]
    assert [len(a.elements) for a in rules["b"].alternatives] == [3, 1]
    assert rules["last"].span is not None
    assert rules["last"].span.file.endswith("G.g4")


@pytest.mark.parametrize(
    "text", ["", "s", "s : ", "s : 'x", "s : (", "s : ~", "s : A {", "@", "/*", "s[", "s : A #"]
)
def test_the_reader_survives_half_a_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "G.g4").write_text(text)
    assert read_rules(tmp_path / "G.g4", Vocabulary(1, [], ["<INVALID>", "A"])) == {}
