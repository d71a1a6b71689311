"""Faults in the rules of JFlex specifications: found by what the scanner makes of the text."""

from __future__ import annotations

from pathlib import Path

import pytest
from flex import CALC_CUP, CALC_FLEX, flex_parser, specification

from gramspect import LoadOptions, TestSuite, localize, suggest
from gramspect.edits.confirmation import Agreement
from gramspect.lexical.rules import Lexeme, Splice
from gramspect.recognition.recognizer import Lexing, Recognizer
from gramspect.suites.suite import Expectation, TestCase
from token_faults import knowing, localized, named

GOOD = ("x = 1;", "x = 1 + y;", "x = SIN(1) + COS(y);  # so it is", 'x = "a b" + 2e5 + 0x1;')


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Recognizer:
    return flex_parser(tmp_path_factory.mktemp("calc"), CALC_CUP, CALC_FLEX)


def case(text: str) -> TestCase:
    return TestCase("test", Expectation.ACCEPT, text)


@pytest.mark.parametrize(
    ("token", "failing"),
    [
        ("FUNCTION", ("x = TAN(1);", "x = 1 + TAN(y);")),
        ("Exponent", ("x = 1e+5;", "x = 2 + 1E+7;")),
        ('"#" [^\\n;]*', ("x = 1; ~ one\ny = 2; ~ two",)),
    ],
)
def test_a_token_rule_that_lacks_something(
    parser: Recognizer, token: str, failing: tuple[str, ...]
) -> None:
    found = localized(parser, GOOD, *failing)
    assert found.first_is_token
    assert found.ranking[0].label == f"token {token}"


def test_a_fault_of_the_parser_is_not_blamed_on_tokens(parser: Recognizer) -> None:
    found = localized(parser, GOOD, "x = 1; ;", "; y = 2;")
    assert not found.first_is_token
    assert found.ranking[0].nonterminal == "prog"


def test_texts_are_read_as_told(parser: Recognizer) -> None:
    terminals = {symbol.name: symbol.index for symbol in parser.grammar.terminals}
    text = "\tx =\r\n\t TAN(1) + !!2; # c\U0001d4b3"
    start = text.index("TAN")
    plain = knowing(parser).lexing(case(text))
    assert plain is not None
    assert plain.failed == start
    splices = [
        Splice(start, start + 3, terminals["FUNCTION"]),
        Splice(start + 9, start + 11, None),
    ]
    told = knowing(parser).lexing(case(text), splices)
    assert told is not None
    assert told.failed is None
    assert named(parser, text, told) == [
        *(("NAME", "x"), ("EQ", "="), ("FUNCTION", "TAN"), ("LPAREN", "("), ("NUMBER", "1")),
        *(("RPAREN", ")"), ("PLUS", "+"), ("NUMBER", "2"), ("SEMI", ";")),
    ]


STATES_CUP = """
terminal WORD, TEXT, OPEN, CLOSE, IF, NEVER;
non terminal s, e;
s ::= s e | ; e ::= WORD | TEXT | OPEN e CLOSE | IF | NEVER ;
"""
STATES = specification(
    r"""
"$"        { return symbol(depth % 2 == 0 ? sym.OPEN : sym.CLOSE); }
"("        { depth++; yybegin(INNER); return symbol(sym.OPEN); }
<INNER> {
  ")"      { if (--depth == 0) yybegin(YYINITIAL); return symbol(sym.CLOSE); }
  [A-Z]+   { return symbol(sym.WORD); }
}
"'"        { yybegin(TEXT); }
<TEXT> {
  "'"      { yybegin(back); return symbol(sym.TEXT); }
  [^']     { }
}
"if"       |
"IF"       { return lookup(yytext()); }
[a-z]+     { return lookup(yytext()); }
[ \n]      { }
""",
    """%state INNER
%xstate TEXT
%{
  int depth = 0, back = 0;
  Symbol lookup(String word) { return symbol(word.equalsIgnoreCase("if") ? sym.IF : sym.WORD); }
%}""",
)


def test_the_lexical_state_goes_on_after_a_stretch(tmp_path: Path) -> None:
    """So does what the user's code has counted."""
    parser = flex_parser(tmp_path, STATES_CUP, STATES)
    terminals = {symbol.name: symbol.index for symbol in parser.grammar.terminals}
    text = "( ? AB ) a"
    told = knowing(parser).lexing(case(text), [Splice(2, 3, terminals["TEXT"])])
    assert told is not None
    assert named(parser, text, told) == [
        *(("OPEN", "("), ("TEXT", "?"), ("WORD", "AB"), ("CLOSE", ")"), ("WORD", "a")),
    ]
    again = knowing(parser).lexing(case("AB"))
    assert again is not None
    assert again.failed == 0


def test_rules_and_what_they_return(tmp_path: Path) -> None:
    parser = flex_parser(tmp_path, STATES_CUP, STATES)
    symbols = parser.grammar.symbols
    rules = {
        rule.name: (
            {symbols[terminal].name for terminal in rule.terminals},
            rule.skipped,
            rule.automaton is not None,
        )
        for rule in knowing(parser).token_rules()
    }
    assert rules == {
        '"$"': ({"OPEN", "CLOSE"}, False, True),
        '"("': ({"OPEN"}, False, True),
        '<INNER> ")"': ({"CLOSE"}, False, True),
        "WORD": ({"WORD"}, False, True),
        '"\'"': (set(), False, True),  # a part of a text
        "TEXT": ({"TEXT"}, False, True),
        "<TEXT> [^']": (set(), False, True),
        '"if"': ({"IF"}, False, True),  # as the scanner says, which is run
        '"IF"': ({"IF"}, False, True),
        "[a-z]+": ({"WORD"}, False, True),
        "[ \\n]": (set(), True, True),
    }


STRINGS = CALC_FLEX.replace(
    r"""\" [^\"\n]* \"               { return symbol(sym.TEXT, yytext()); }
""",
    r"""\"                  { yybegin(STRING); }
<STRING> {
  \"                { yybegin(YYINITIAL); return symbol(sym.TEXT); }
  [^\"\n\\%]+       { }
  "\\n"             { }
}
""",
).replace('%%\n\n"+"', '%xstate STRING\n%%\n\n"+"')


def test_a_token_that_several_rules_read(tmp_path: Path) -> None:
    """It is one token, whose parts may lack something."""
    parser = flex_parser(tmp_path, CALC_CUP, STRINGS)
    good = (*GOOD, r'x = "a\nb" + "";')
    found = localized(parser, good, r'x = "say \"no\"";', r'x = "\"" + y;')
    assert found.first_is_token
    assert found.ranking[0].label in ("token TEXT", r"token <STRING> [^\"\n\\%]+")
    lexed = knowing(parser).lexing(case('x = "a%b";'))
    assert lexed is not None
    assert lexed.failed == 4  # where the token begins, not where it fails
    trace = parser.trace(case('x = "a%b";'))
    assert trace.error.column == 7  # type: ignore[union-attr]


def test_a_state_with_tokens_of_its_own(tmp_path: Path) -> None:
    """It is entered without a token, but its rules make whole ones."""
    flex = specification(
        """"#"  { yybegin(LINE); }
<LINE> {
  "if"    { return symbol(sym.IF); }
  [a-z]+  { return symbol(sym.WORD); }
  "("     { return symbol(sym.OPEN); }
  \\n      { yybegin(YYINITIAL); }
}
""",
        "%xstate LINE",
    )
    parser = flex_parser(tmp_path, STATES_CUP, flex)
    rules = {rule.name: rule for rule in knowing(parser).token_rules()}
    for name in ("IF", "WORD", "OPEN"):
        automaton = rules[name].automaton
        assert automaton is not None
        assert {edge.chain for edge in automaton.edges} == {(name,)}


def test_a_comment_that_several_rules_read(tmp_path: Path) -> None:
    flex = CALC_FLEX + '"/*" { yybegin(REMARK); }\n<REMARK> {\n  [^*]+  { }\n  "*"  { }\n'
    flex += '  "*"+ "/"  { yybegin(YYINITIAL); }\n}\n'
    flex = flex.replace('%%\n\n"+"', '%xstate REMARK\n%%\n\n"+"')
    parser = flex_parser(tmp_path, CALC_CUP, flex)
    rules = {rule.name: rule for rule in knowing(parser).token_rules()}
    assert {name for name, rule in rules.items() if rule.skipped} == {
        "{Blank}", '"#" [^\\n;]*', '<REMARK> "*"+ "/"',
    }  # fmt: skip
    chains = {edge.chain[1:] for edge in rules['<REMARK> "*"+ "/"'].automaton.edges}  # type: ignore[union-attr]
    assert chains == {('"/*"',), ("<REMARK> [^*]+",), ('<REMARK> "*"',), ()}


def test_macros_are_parts(parser: Recognizer) -> None:
    rules = {rule.name: rule for rule in knowing(parser).token_rules()}
    assert not rules["Exponent"].terminals
    assert not rules["Exponent"].skipped
    assert rules["Exponent"].text == "Exponent = [eE] {Digit}+"
    assert rules["NUMBER"].text == "{Digit}+ {Exponent}? { return symbol(sym.NUMBER, yytext()); }"
    span = rules["NUMBER"].span
    assert span is not None
    assert (span.line, span.column) == (29, 1)
    chains = {edge.chain for edge in rules["NUMBER"].automaton.edges}  # type: ignore[union-attr]
    assert ("NUMBER", "Exponent", "Digit") in chains


def test_a_scanner_of_classes_has_no_rules_but_this_one_can_be_asked(parser: Recognizer) -> None:
    known = knowing(parser).lexing(case("x = 1;"))
    assert known is not None
    assert known.lexemes[0] == Lexeme(parser.grammar.symbol("NAME"), 0, 1)


def test_repairs_of_the_grammar_are_tried_with_the_scanner(tmp_path: Path) -> None:
    """Java files beside the specification are where they were."""
    (tmp_path / "Helper.java").write_text("class Helper { static int plus() { return sym.PLUS; } }")
    flex_parser(tmp_path, CALC_CUP, CALC_FLEX.replace("(sym.PLUS)", "(Helper.plus())"))
    options = LoadOptions(extra={"scanner": str(tmp_path / "Lang.flex")})
    suite = TestSuite.from_texts([*GOOD, "x = (1) + 2;", "x = 1 + (y + 1);"])
    best, *_ = suggest(str(tmp_path / "Lang.cup"), suite, load=options).suggestions
    assert best.change is not None
    assert best.change.file.path.endswith("Lang.cup")
    assert best.confirmation is not None
    assert best.confirmation.agreement is Agreement.CONFIRMED
    found = localize(str(tmp_path / "Lang.cup"), suite, load=options)
    assert not found.first_is_token


def test_texts_for_terminals(parser: Recognizer, tmp_path: Path) -> None:
    """Each is read as that terminal alone; a text in quotes takes several rules."""
    for one in (parser, flex_parser(tmp_path, STATES_CUP, STATES)):
        assert isinstance(one, Lexing)
        for symbol in one.grammar.terminals:
            texts = one.samples(symbol.index, 3)
            assert one.lexed(texts) == [[symbol.index]] * len(texts)
            assert bool(texts) == (symbol.name not in ("$end", "NEVER", "CLOSE", "error")), symbol
    assert isinstance(parser, Lexing)
    assert parser.samples(parser.grammar.symbol("FUNCTION"), 2) == ["SIN", "COS"]
    assert parser.lexed(["x = 1;", "?"])[1] is None
