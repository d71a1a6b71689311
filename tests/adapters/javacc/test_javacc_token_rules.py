"""Faults in the token rules of JavaCC grammars: found by what the lexer makes of the text."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramspect.lexical.rules import Lexeme, Splice
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.recognition.registry import adapter
from gramspect.suites.suite import Expectation, TestCase
from token_faults import knowing, localized, named

CALC = r"""
options { STATIC = %s; }
PARSER_BEGIN(Calc)
public class Calc {}
PARSER_END(Calc)

SKIP : { " " | "\t" | "\r" | "\n" | <COMMENT: "#" (~["\n", ";"])*> }
MORE : { "{" : NESTED }
<NESTED> SPECIAL_TOKEN : { <NOTE: "}"> : DEFAULT }
<NESTED> MORE : { <~[]> }
TOKEN [IGNORE_CASE] : { <FUNCTION: "sin" | "cos" | "exp"> }
TOKEN : {
  <NAME: (<LETTER>)+>
| <NUMBER: <INT> ("." <INT>)? (<EXPONENT>)?>
| <#EXPONENT: ["e", "E"] <INT>> // of ten
| <#INT: (["0"-"9"]){1,} >
| <#LETTER: ["a"-"z", "A"-"Z"]>
}

void start() : {} { ( assign() ";" )* <EOF> }
void assign() : {} { <NAME> "=" sum() }
void sum() : {} { term() ( "+" term() )* }
void term() : {} { <NUMBER> | <FUNCTION> "(" sum() ")" | <NAME> | <HEX: "0x" (["0"-"9"])+> }
"""
GOOD = ("x = 1;", "x = 1.5 + y;", "x = SIN(1) + Cos(y);  # so it is", "x = {a b} 2e5 + 0x1;")


def loaded(folder: Path, *, static: bool = False) -> Recognizer:
    file = folder / "Calc.jj"
    file.write_text(CALC % str(static).lower())
    return adapter("javacc").load(str(file), LoadOptions())


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Recognizer:
    return loaded(tmp_path_factory.mktemp("calc"))


def case(text: str) -> TestCase:
    return TestCase("test", Expectation.ACCEPT, text)


@pytest.mark.parametrize(
    ("token", "failing"),
    [
        ("FUNCTION", ("x = TAN(1);", "x = 1 + TAN(y);")),
        ("EXPONENT", ("x = 1e+5;", "x = 2 + 1E+7;")),
        ("COMMENT", ("x = 1; ~ one\ny = 2; ~ two",)),
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
    assert found.ranking[0].nonterminal == "start"


@pytest.mark.parametrize("static", [False, True])
def test_texts_are_read_as_told(tmp_path: Path, static: bool) -> None:
    """The parser of a static class is the same one in all tests."""
    parser = loaded(tmp_path, static=static)
    terminals = {symbol.name: symbol.index for symbol in parser.grammar.terminals}
    text = "\tx =\r\n\t TAN(1) + !!2; # c"
    start = text.index("TAN")
    plain = knowing(parser).lexing(case(text))
    assert plain is not None
    assert plain.failed == start + 9
    splices = [
        Splice(start, start + 3, terminals["FUNCTION"]),
        Splice(start + 9, start + 11, None),
    ]
    told = knowing(parser).lexing(case(text), splices)
    assert told is not None
    assert told.failed is None
    assert named(parser, text, told) == [
        *(("NAME", "x"), ('"="', "="), ("FUNCTION", "TAN"), ('"("', "("), ("NUMBER", "1")),
        *(('")"', ")"), ('"+"', "+"), ("NUMBER", "2"), ('";"', ";"), ("EOF", "")),
    ]


def test_the_lexical_state_goes_on_after_a_stretch(parser: Recognizer) -> None:
    """What is told may stand inside of a comment with a state of its own."""
    text = "x = {a !} 1;"
    told = knowing(parser).lexing(case(text), [Splice(7, 8, None)])
    assert told is not None
    assert told.failed is not None  # MORE has to end before a stretch does


def test_definitions_and_their_parts(parser: Recognizer) -> None:
    rules = {rule.name: rule for rule in knowing(parser).token_rules()}
    assert list(rules) == [
        *('" "', r'"\t"', r'"\r"', r'"\n"', "COMMENT", '"{"', "NOTE", "<~[]>", "FUNCTION", "NAME"),
        *("NUMBER", "EXPONENT", "INT", "LETTER", "HEX"),
    ]
    assert {name for name, rule in rules.items() if rule.skipped} == {
        '" "', r'"\t"', r'"\r"', r'"\n"', "COMMENT",
    }  # fmt: skip
    assert {name for name, rule in rules.items() if rule.automaton is None} == {'"{"', "<~[]>"}
    terminals = {symbol.name: symbol.index for symbol in parser.grammar.terminals}
    for name in ("FUNCTION", "NAME", "NUMBER", "HEX"):
        assert rules[name].terminals == {terminals[name]}
    assert rules["EXPONENT"].terminals == frozenset()
    assert rules["EXPONENT"].text == '<#EXPONENT: ["e", "E"] <INT>>'
    span = rules["EXPONENT"].span
    assert span is not None
    assert (span.line, span.column) == (15, 3)


def test_a_parser_that_changes_the_state_of_the_lexer_is_not_asked(tmp_path: Path) -> None:
    """Without the parser the lexer would make other tokens."""
    file = tmp_path / "S.jj"
    file.write_text("""
options { STATIC = false; }
PARSER_BEGIN(S)
public class S {}
PARSER_END(S)
SKIP : { " " }
TOKEN : { <WORD: (["a"-"z"])+> | <TEXT: "text"> }
<IN> TOKEN : { <LINE: (~["\\n"])+> }
void s() : {} { "!" { token_source.SwitchTo(IN); } <LINE> <EOF> | ( <WORD> )+ <EOF> }
""")
    parser = knowing(adapter("javacc").load(str(file), LoadOptions()))
    assert parser.lexing(case("! a b")) is None
    lexed = parser.lexing(case("a b"))
    assert lexed is not None
    assert [(x.start, x.end) for x in lexed.lexemes] == [(0, 1), (2, 3), (3, 3)]


def test_a_parser_in_a_jar_has_no_rules_but_its_lexer_can_be_asked(parser: Recognizer) -> None:
    """The rules of a lexer are in its grammar file only."""
    known = knowing(parser).lexing(case("x = 1;"))
    assert known is not None
    assert known.lexemes[0] == Lexeme(parser.grammar.symbol("NAME"), 0, 1)
