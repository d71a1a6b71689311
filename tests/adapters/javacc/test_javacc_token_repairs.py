"""Repairs of the token rules of JavaCC grammars, each tried in a parser of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramspect import LoadOptions, TestSuite, localize, suggest
from gramspect.lexical.parts import Quoted
from gramspect.lexical.patterns import automaton_of
from gramspect.lexical.rewriting import optional
from gramspect.recognition.recognizer import TokenRuleKnowing, TokenRuleWriting
from gramspect.recognition.registry import adapter
from gramspect.source import SourceText
from gramspect.suites.suite import Expectation, TestCase
from gramspect_javacc.patterns import read_body
from token_repairs import mended

CALC = r"""
options { STATIC = false; }
PARSER_BEGIN(Calc)
public class Calc {}
PARSER_END(Calc)

SKIP : { " " | "\n" | <"#" (~["\n", ";"])*> }
TOKEN : {
  <FUNCTION: "SIN" | "COS" | "EXP">
| <NAME: ["a"-"z"] (["a"-"z", "0"-"9"])*>
| <NUMBER: (<DIGIT>)+ (<EXPONENT>)?>
| <#EXPONENT: ["e", "E"] (<DIGIT>)+> // of ten
| <#DIGIT: ["0"-"9"]>
| <TEXT: "\"" (~["\"", "\n"])* "\"">
| <PARTS: "<<" <PART> ("/" <PART>)* ">>">
| <#PART: (<LETTER> | ["0"-"9", "."])+>
| <#LETTER: ["a"-"z"]>
}

void start() : {} { ( assign() ";" )* <EOF> }
void assign() : {} { <NAME> "=" sum() }
void sum() : {} { term() ( "+" term() )* }
void term() : {} { <NUMBER> | <FUNCTION> "(" sum() ")" | <NAME> | <TEXT> | <PARTS> }
"""
GOOD = (
    "x = 1;",
    "y = <<a/b.2>>;",
    "x = SIN(1) + COS(y);  # so it is",
    'x = "a" + 2e5;',
)


@pytest.mark.parametrize(
    ("failing", "expected"),
    [
        (("x = TAN(1);", "x = 1 + TAN(y);"), '<FUNCTION: "SIN" | "COS" | "EXP" | "TAN">'),
        (
            ("x = 1e-5;", "x = 2 + 1E-7;"),
            '| <#EXPONENT: ["e", "E"] ("-")? (<DIGIT>)+> // of ten',
        ),
        (("x = 1.25;",), '| <NUMBER: (<DIGIT>)+ ("." (<DIGIT>)+)? (<EXPONENT>)?>'),
        (
            ("total_1 = 1;", "z = total_2 + y;"),
            '| <NAME: ["a"-"z"] (["a"-"z", "0"-"9","_"])*>',
        ),
        (("x = <<a~b~c>>;",), '| <#PART: (<LETTER> | ["0"-"9", "."] | "~")+>'),
        (
            (r'x = "say \"no\"";',),
            r'| <TEXT: "\"" (("\\" ~[] | ~["\"", "\n","\\"]))* "\"">',
        ),
        (('x = "say ""no""";',), r'| <TEXT: "\"" (("\"\"" | ~["\"", "\n"]))* "\"">'),
        (("x = sin(1) + Cos(2);",), "TOKEN [IGNORE_CASE] : {"),
    ],
)
def test_a_repair_that_makes_the_tests_pass(
    tmp_path: Path, failing: tuple[str, ...], expected: str
) -> None:
    file = tmp_path / "Calc.jj"
    file.write_text(CALC)
    assert mended(file, (*GOOD, *failing), adapter="javacc") == expected


def test_a_name_in_another_section_is_not_moved(tmp_path: Path) -> None:
    """There it would be read in letters of either case."""
    file = tmp_path / "Late.jj"
    file.write_text(
        LATE % 'TOKEN : { <ID: (["a"-"z"])+> | <NUM: (["0"-"9"])+> }\n'
        'TOKEN [IGNORE_CASE] : { <IF: "if"> | <DO: "do"> }'
    )
    suite = TestSuite.from_texts(("a = b;", "a = 1;", "if x y = 2;"))
    words = [one.describe() for one in suggest(str(file), suite).suggestions]
    assert words
    assert not any("precedence" in one for one in words)


def test_a_remark_in_a_set_stays_one(tmp_path: Path) -> None:
    file = tmp_path / "T.jj"
    file.write_text(
        "options { STATIC = false; }\nPARSER_BEGIN(T) /* PARSER_END(T) */\npublic class T {}\n"
        'PARSER_END(T)\nSKIP : { " " }\nTOKEN : { <C: "a" (["b"  // letters\n])*> | <N: "1"> }\n'
        'void s() : {} { <C> ( ";" <C> <N> )* <EOF> }\n'
    )
    changed = mended(file, ("abb", "abb; abb 1", "abcb", "abb; abcb 1"), adapter="javacc")
    assert '<C: "a" (["c","b"  // letters' in changed


def test_a_letter_of_a_string_that_may_be_left_out() -> None:
    body = read_body(SourceText("T.jj", '"colour"'), 0, in_brackets=False, ignore_case=False)
    assert isinstance(body, Quoted)
    ((_, written),) = optional((body, body.parts[4]), body.parts[4]) or ()
    assert written == '("colo" ("u")? "r")'


LATE = """
options { STATIC = false; }
PARSER_BEGIN(Late)
public class Late {}
PARSER_END(Late)
SKIP : { " " | "\\n" }
%s
void prog() : {} { ( stat() )* <EOF> }
void stat() : {} { <ID> "=" expr() ";" | <IF> expr() stat() | <DO> stat() }
void expr() : {} { <ID> | <NUM> }
"""
SECTIONS = {
    "lines": """\
TOKEN : {
  <NUM: (["0"-"9"])+>
| <ID: (["a"-"z"])+>
| <IF: "if"> // read as a name
| <DO: "do"> { /* read as a name */ }
}""",
    "the name first": """\
TOKEN : { <ID: (["a"-"z"])+> | <NUM: (["0"-"9"])+> }
TOKEN : {
  <IF: "if">
| <DO: "do">
}""",
    "one line": 'TOKEN : { <ID: (["a"-"z"])+> | <IF: "if"> | <DO: "do"> | <NUM: (["0"-"9"])+> }',
}


@pytest.mark.parametrize(
    ("section", "failing"),
    [
        pytest.param("lines", "if x y = 2;", marks=pytest.mark.slow),
        *((section, "if x do y = 2;") for section in SECTIONS),
    ],
)
def test_a_keyword_that_is_read_as_a_name(tmp_path: Path, section: str, failing: str) -> None:
    """JavaCC takes the first of two rules that read the same."""
    file = tmp_path / "Late.jj"
    file.write_text(LATE % SECTIONS[section])
    mended(file, ("a = b;", "a = 1;", failing), adapter="javacc")
    text = (tmp_path / "mended" / "Late.jj").read_text()
    assert '<ID: (["a"-"z"])+>' in text
    assert "<IF" not in text.partition("<ID:")[2].partition("void")[0]


def test_the_first_line_of_a_report(tmp_path: Path) -> None:
    file = tmp_path / "Calc.jj"
    file.write_text(CALC)
    suite = TestSuite.from_texts([*GOOD, "x = 1e-5;"])
    found = localize(str(file), suite, load=LoadOptions())
    assert found.first_is_token
    assert found.ranking[0].label == "token EXPONENT"


def test_patterns_read_what_the_lexer_reads(tmp_path: Path) -> None:
    """The automata of the definitions, against the tokens that JavaCC makes of texts."""
    file = tmp_path / "P.jj"
    file.write_text(r"""
options { STATIC = false; UNICODE_INPUT = true; }
PARSER_BEGIN(P)
public class P {}
PARSER_END(P)
TOKEN : {
  <A: "a" ("b" | "c"){2,3}>
| <B: ~["\u0000"-"z", "{"]>
| <C: ("1" | "2"){2} >
| <D: "\\" "\101" (["x", "y"-"z"])? >
| <E: ~[] "!">
}
TOKEN [IGNORE_CASE] : { <F: "let" (["m"])*> }
void p() : {} { ( <A> | <B> | <C> | <D> | <E> | <F> )* <EOF> }
""")
    parser = adapter("javacc").load(str(file), LoadOptions())
    assert isinstance(parser, TokenRuleKnowing)
    assert isinstance(parser, TokenRuleWriting)
    texts = ("abc", "abcb", "ab", "|", "{", "12", "1", "\\A", "\\Ay", "z!", "LETm", "leTMm", "let!")
    for name in "ABCDEF":
        automaton = automaton_of(name, parser.token_pattern)
        assert automaton is not None
        for text in texts:
            tokens = parser.tokens(TestCase("t", Expectation.ACCEPT, text))  # type: ignore[attr-defined]
            whole = tokens is not None and tokens[0] == parser.grammar.symbol(name)
            if whole and len(tokens) == 2:
                assert _reads(automaton, text), (name, text)
            elif tokens is None or len(tokens) > 2:
                assert not _reads(automaton, text), (name, text)


def _reads(automaton: object, text: str) -> bool:
    from gramspect.lexical.nearness import End, alignment

    return End(len(text), 0) in alignment(automaton, text, 0, 0, len(text)).ends()  # type: ignore[arg-type]
