"""Repairs of the rules of JFlex specifications, each tried in a scanner of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from flex import CALC_CUP, CALC_FLEX, specification, written

from gramspect import LoadOptions, TestSuite, localize, suggest
from gramspect.edits.confirmation import Agreement
from token_repairs import mended

GOOD = (
    "x = 1;",
    "y = <<a/b.2>>;",
    "x = SIN(1) + COS(y);  # so it is",
    'x = "a" + 2e5;',
)


@pytest.mark.parametrize(
    ("failing", "expected"),
    [
        (
            ("x = TAN(1);", "x = 1 + TAN(y);"),
            '"SIN" | "COS" | "EXP" | "TAN"        { return symbol(sym.FUNCTION, yytext()); }',
        ),
        (("x = 1e-5;", "x = 2 + 1E-7;"), 'Exponent = [eE] "-"? {Digit}+ // of ten'),
        (
            ("x = 1.25;",),
            '{Digit}+ ("." {Digit}+)? {Exponent}?         { return symbol(sym.NUMBER, yytext()); }',
        ),
        (
            ("total_1 = 1;", "z = total_2 + y;"),
            "{Letter} [a-z0-9_]*           { return symbol(sym.NAME, yytext()); }",
        ),
        (("x = <<a~b~c>>;",), 'Part     = ({Letter} | [0-9.] | "~")+'),
        (
            (r'x = "say \"no\"";',),
            r'\" ("\\" . | [^\"\n\\])* \"               { return symbol(sym.TEXT, yytext()); }',
        ),
        (
            ('x = "say ""no""";',),
            r'\" ("\"\"" | [^\"\n])* \"               { return symbol(sym.TEXT, yytext()); }',
        ),
        (("x = sin(1) + Cos(2);",), "%ignorecase"),
    ],
)
def test_a_repair_that_makes_the_tests_pass(
    tmp_path: Path, failing: tuple[str, ...], expected: str
) -> None:
    grammar, scanner = written(tmp_path, CALC_CUP, CALC_FLEX)
    assert mended(grammar, (*GOOD, *failing), adapter="cup", scanner=scanner) == expected


def test_a_string_that_several_rules_read(tmp_path: Path) -> None:
    """The change is written into the rule that reads what is between the quotes."""
    rules = CALC_FLEX.replace(
        r"""\" [^\"\n]* \"               { return symbol(sym.TEXT, yytext()); }""",
        r"""\"     { yybegin(STRING); }
<STRING> {
  \"   { yybegin(YYINITIAL); return symbol(sym.TEXT); }
  [^\"\n]  { }
}""",
    )
    flex = rules.replace('%%\n\n"+"', '%xstate STRING\n%%\n\n"+"')
    grammar, scanner = written(tmp_path, CALC_CUP, flex)
    texts = (*GOOD, r'x = "say \"no\"";', r'y = "\"" + x;')
    changed = mended(grammar, texts, adapter="cup", scanner=scanner)
    assert changed == r"""("\\" . | [^\"\n\\])  { }"""


LATE_CUP = """
terminal IF, DO, ID, NUM, EQ, SEMI;
non terminal prog, stat, expr;
prog ::= prog stat | ;
stat ::= ID EQ expr SEMI | IF expr stat | DO stat ;
expr ::= ID | NUM ;
"""
NAMES = {
    "lines": """[0-9]+  { return symbol(sym.NUM); }
[a-z]+  { return symbol(sym.ID); } // names
"if"    { return symbol(sym.IF); }
"do"    {
          return symbol(sym.DO);
        }
""",
    "in a state": """<YYINITIAL> {
  [a-z]+  { return symbol(sym.ID); }
  [0-9]+  { return symbol(sym.NUM); }
  "if"    { return symbol(sym.IF); }
  "do"    { return symbol(sym.DO); }
}
""",
}
SIGNS = '"="  { return symbol(sym.EQ); }\n";"  { return symbol(sym.SEMI); }\n[ \\n]  { }\n'


@pytest.mark.parametrize("rules", NAMES)
@pytest.mark.parametrize(
    "failing", ["if x do y = 2;", pytest.param("if x y = 2;", marks=pytest.mark.slow)]
)
def test_a_keyword_that_is_read_as_a_name(tmp_path: Path, rules: str, failing: str) -> None:
    """JFlex takes the first of two rules that read the same."""
    grammar, scanner = written(tmp_path, LATE_CUP, specification(NAMES[rules] + SIGNS))
    texts = ("a = b;", "a = 1;", failing)
    mended(grammar, texts, adapter="cup", scanner=scanner)
    text = (tmp_path / "mended" / "Lang.flex").read_text()
    assert text.index('"if"') < text.index("[a-z]+")


def test_a_rule_stays_in_its_state(tmp_path: Path) -> None:
    """In another one it would not be read, or where it should not be."""
    rules = (
        "[a-z]+  { return symbol(sym.ID); }\n[0-9]+  { return symbol(sym.NUM); }\n"
        '<YYINITIAL> {\n  "if"  { return symbol(sym.IF); }\n  "do"  { return symbol(sym.DO); }\n}\n'
    )
    grammar, scanner = written(tmp_path, LATE_CUP, specification(rules + SIGNS))
    suite = TestSuite.from_texts(("a = b;", "a = 1;", "if x y = 2;"))
    found = suggest(grammar, suite, load=LoadOptions(extra={"scanner": str(scanner)}))
    assert not any("precedence" in one.describe() for one in found.suggestions)


def test_a_repair_in_an_included_file(tmp_path: Path) -> None:
    part = "Exponent = [eE] {Digit}+ // of ten\n"
    (tmp_path / "numbers.inc").write_text(part)
    flex = CALC_FLEX.replace(part, "%include numbers.inc\n")
    grammar, scanner = written(tmp_path, CALC_CUP, flex)
    suite = TestSuite.from_texts([*GOOD, "x = 1e-5;"])
    best, *_ = suggest(
        grammar, suite, load=LoadOptions(extra={"scanner": str(scanner)})
    ).suggestions
    assert best.change is not None
    assert best.change.changed.path.endswith("numbers.inc")
    assert best.change.changed.text == 'Exponent = [eE] "-"? {Digit}+ // of ten\n'
    assert best.confirmation is not None
    assert best.confirmation.agreement is Agreement.CONFIRMED


def test_a_source_tree(tmp_path: Path) -> None:
    """Grammar, specification and Java sources are in folders of their own."""
    main = tmp_path / "src" / "main"
    home = main / "java" / "org" / "lang"
    home.mkdir(parents=True)
    (home / "Kinds.java").write_text(
        "package org.lang;\nclass Kinds { static int plus() { return sym.PLUS; } }\n"
    )
    flex = "package org.lang;\n" + CALC_FLEX.replace("sym.PLUS", "Kinds.plus()")
    _, scanner = written(main / "jflex", "", flex)
    grammar, _ = written(main / "cup", "package org.lang;\n" + CALC_CUP, "")
    load = LoadOptions(extra={"scanner": str(scanner), "home": str(home)})
    best, *_ = suggest(grammar, TestSuite.from_texts([*GOOD, "x = 1e-5;"]), load=load).suggestions
    assert best.change is not None
    assert Path(best.change.file.path).samefile(scanner)
    assert best.confirmation is not None
    assert best.confirmation.agreement is Agreement.CONFIRMED


def test_the_first_line_of_a_report(tmp_path: Path) -> None:
    grammar, scanner = written(tmp_path, CALC_CUP, CALC_FLEX)
    suite = TestSuite.from_texts([*GOOD, "x = 1e-5;"])
    found = localize(str(grammar), suite, load=LoadOptions(extra={"scanner": str(scanner)}))
    assert found.first_is_token
    assert found.ranking[0].label == "token Exponent"


@pytest.mark.parametrize(
    ("failing", "terminal", "rule"),
    [
        (("x = 1 - 2;", "y = x - 1 + 2;"), "MINUS", '"-"  { return symbol(sym.MINUS); }'),
        (("let x = 1;", "let y = x;"), "LET", '"let" { return symbol(sym.LET); }'),
    ],
)
def test_a_token_that_neither_file_has(
    tmp_path: Path, failing: tuple[str, ...], terminal: str, rule: str
) -> None:
    """The terminal is declared in the grammar, and the specification gets a rule."""
    grammar, scanner = written(tmp_path, CALC_CUP, CALC_FLEX)
    suite = TestSuite.from_texts([*GOOD, *failing])
    found = suggest(grammar, suite, load=LoadOptions(extra={"scanner": str(scanner)}))
    best = next(one for one in found.suggestions if one.change is not None and one.change.others)
    assert best.confirmation is not None
    assert best.confirmation.agreement is Agreement.CONFIRMED
    assert best.change is not None
    changed, other = best.change.results
    assert f"terminal PLUS, LPAREN, RPAREN, SEMI, EQ, {terminal};" in changed.text
    assert f"%%\n\n{rule}\n" in other.text
    assert Path(other.path).samefile(scanner)
