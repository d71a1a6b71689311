"""What the yacc reader says: diagnostics, spans, and the text of every error."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramspect.errors import GrammarError
from gramspect.grammars.grammar import Grammar
from gramspect.source import Span
from gramspect.yacc import parse_yacc, read_yacc


def codes(grammar: Grammar) -> list[str]:
    return [diagnostic.code for diagnostic in grammar.diagnostics]


def the_message(text: str) -> str:
    """The text of the one diagnostic."""
    (diagnostic,) = parse_yacc(text).diagnostics
    return str(diagnostic)


# --- diagnostics ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("exprs", "; did you mean 'expr'?"),
        ("EXPR", "; did you mean 'expr'?"),
        ("epxr", "; did you mean 'expr'?"),
        ("exor", "; did you mean 'expr'?"),
        ("NUMBR", "; did you mean 'NUMBER'?"),
        ("other", ""),
    ],
)
def test_undefined_symbols(name: str, hint: str) -> None:
    text = f"%token NUMBER\n%%\nexpr: NUMBER\n    | {name} {name};"
    assert the_message(text) == (
        f"<text>:4:7: {name!r} is neither declared as a token nor has it a rule; it is taken as a "
        f"token{hint}"
    )
    assert parse_yacc(text).diagnostics[0].span == Span("<text>", 4, 7, 4, 7 + len(name))


def test_a_declared_nonterminal_without_a_rule_is_undefined() -> None:
    assert codes(parse_yacc("%nterm a\n%% s: a B;")) == ["undefined"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "%left A\n%left B\n%right A\n%% s: A;",
            "<text>:3:8: A has a precedence already; this one counts",
        ),
        (
            "%left UMINUS\n%% s: A %prec UMINS;",
            "<text>:2:15: %prec names UMINS, which has no declared precedence, so the rule has "
            "none; declare it with %left, %right, %nonassoc or %precedence; did you mean 'UMINUS'?",
        ),
        (
            "s: A , B;",
            "<text>:1:6: a bare comma is white space in a rule; the token is written ','",
        ),
        ('%token A "x" B "x"\n%% s: A B;', "<text>:1:16: \"x\" names 'A' already, not 'B'"),
        (
            "s: 'if';",
            "<text>:1:4: 'if' is one token here, yet bison takes one character in ''; write such "
            'tokens in ""',
        ),
        (
            "%start s\n%start t\n%% s: t; t: A;",
            "<text>:2:8: 't' is a further start symbol; 's' is the one taken",
        ),
    ],
)
def test_other_diagnostics(text: str, message: str) -> None:
    assert the_message(text) == message


def test_diagnostics_come_in_the_order_of_the_source() -> None:
    grammar = parse_yacc("%token A\n%foo\n%% s: , b; s: c; %bar\n")
    assert codes(grammar) == [
        "unknown-directive",
        "comma",
        "undefined",
        "redefined-rule",
        "undefined",
        "unknown-directive",
    ]


# --- spans ------------------------------------------------------------------------------


def test_spans() -> None:
    grammar = parse_yacc(
        "%token IF \"if\"\n%%\nstmt : \"if\" '(' e[c] ')' { x\n}\n"
        "  stmt { y } %prec IF\n  | { z } ;",
        file="g.y",
    )

    def at(line: int, column: int, end_line: int, end_column: int) -> Span:
        return Span("g.y", line, column, end_line, end_column)

    action, first, second = grammar.rules
    assert action.span == at(3, 26, 3, 26)
    assert first.span == at(3, 8, 5, 7)
    assert first.rhs_spans == (
        at(3, 8, 3, 12),
        at(3, 13, 3, 16),
        at(3, 17, 3, 18),
        at(3, 22, 3, 25),
        at(3, 26, 4, 2),
        at(5, 3, 5, 7),
    )
    assert second.span == at(6, 4, 6, 4)
    assert grammar.symbols[grammar.symbol("stmt")].span == at(3, 1, 3, 5)
    assert grammar.symbols[grammar.symbol("IF")].span == at(1, 8, 1, 10)
    assert grammar.symbols[grammar.symbol("'('")].span == at(3, 13, 3, 16)
    assert grammar.symbols[grammar.symbol("stmt:1.1")].span == at(3, 26, 4, 2)


def test_spans_of_empty_alternatives() -> None:
    grammar = parse_yacc("s :\n  | %empty { x; }\n  |\t;")
    assert [rule.span for rule in grammar.rules] == [
        Span("<text>", 1, 4, 1, 4),
        Span("<text>", 2, 5, 2, 11),
        Span("<text>", 3, 4, 3, 4),
    ]


def test_names_of_texts() -> None:
    assert parse_yacc("s: A;").name == "grammar"
    assert parse_yacc("s: A;", file="dir/small.y").name == "small"
    assert parse_yacc("s: A;", file="dir/small.y", name="other").name == "other"
    assert parse_yacc("s: A;", file="dir/small.y").files == ("dir/small.y",)


# --- errors -----------------------------------------------------------------------------

NO_END = "that begins here does not end; close it with"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: the grammar has no rules; write them after %%, each as 'name: symbols ;'"),
        (
            "%token A\n%%\n%%\ns: A;",
            "3:1: the grammar has no rules; write them after %%, each as 'name: symbols ;'",
        ),
        ("s: A\n { if { x } ;\n", f"2:2: the action {NO_END} }}"),
        ("s: A { '}' /* } */ \"}\"", f"1:6: the action {NO_END} }}"),
        ("s: A %?{ x ;", f"1:6: the action {NO_END} }}"),
        ("%union\n{ int x;\n%%\ns: A;", f"2:1: the code in braces {NO_END} }}"),
        ("%foo { int x;", f"1:6: the code in braces {NO_END} }}"),
        ("%{ int x; }\n%%\ns: A;", f"1:1: the prologue {NO_END} %}}"),
        ("s: A; /* x\n ", f"1:7: the comment {NO_END} */"),
        ("s: A { /* } ;", f"1:8: the comment {NO_END} */"),
        ("%foo /* x\n s: A;", f"1:6: the comment {NO_END} */"),
        ('s: A { "x\n" } ;', f'1:8: the string {NO_END} " on the same line'),
        ('%{ "x\n" %} s: A;', f'1:4: the string {NO_END} " on the same line'),
        ('s: "A ;\n', f'1:4: the literal {NO_END} " on the same line'),
        ("s: A 'b\n ;", f"1:6: the literal {NO_END} ' on the same line"),
        ("%type <a s\n s: A;", f"1:7: the tag {NO_END} >; a literal is written '<'"),
        ("s A ;", "1:1: expected ':' after the rule's name 's', but 'A' follows; put it there"),
        (
            "s: A;\nt 'x' ;",
            "2:1: expected ':' after the rule's name 't', but \"'x'\" follows; put it there",
        ),
        (
            "s: A;\nt",
            "2:1: expected ':' after the rule's name 't', but the end follows; put it there",
        ),
        (
            "s: A;\nt {\n} ;",
            "2:1: expected ':' after the rule's name 't', but '{' follows; put it there",
        ),
        (
            "s: A;\nt %prec X;",
            "2:1: expected ':' after the rule's name 't', but '%prec' follows; put it there",
        ),
        (
            "s: A ( B ) ;",
            "1:6: unexpected '('; write rules as 'name: symbols ;' and quote a token that is a "
            "character",
        ),
        (
            "| s: A ;",
            "1:1: unexpected '|'; write rules as 'name: symbols ;' and quote a token that is a "
            "character",
        ),
        ("# comment\ns: A;", "1:1: '#' begins no comment in a yacc grammar; use // or /* */"),
        (
            "s: A { } } ;",
            "1:10: this '}' closes no action; remove it, or quote it if it is a token",
        ),
        ("s: A 2b;", "1:6: unexpected number '2'; begin a name with a letter, or quote the token"),
        ("{ x; } s: A;", "1:1: this action belongs to no rule; write it after 'name: symbols'"),
        ("s: A = B;", "1:6: '=' stands only before an action; the token is written '='"),
        ("s: A <t> B;", "1:6: '<' stands only before an action; the token is written '<'"),
        ("s: '';", "1:4: '' is empty and names no token; write what it stands for"),
        ("s: A %prec ;", "1:6: %prec needs the token after it whose precedence is meant"),
        ("s: A %prec\nt: B;", "1:6: %prec needs the token after it whose precedence is meant"),
        (
            "%left X\ns: A %prec X %prec X;",
            "2:14: %prec stands twice in this alternative; remove one",
        ),
        ("s: A %prec t; t: B;", "1:12: %prec names 't', which has rules; name a token"),
        ("s: A %empty;", "1:6: %empty stands in an alternative that has symbols; remove it"),
        ("s: %empty %empty;", "1:11: %empty stands twice in this alternative; remove one"),
        ("s: A %dprec;", "1:6: %dprec needs a number after it"),
        ("s: A %merge f;", "1:6: %merge needs a <function> after it"),
        (
            "%prec X\ns: A;",
            "1:1: %prec stands outside a rule; move it after the symbols it is for",
        ),
        ("%start\ns: A;", "1:1: %start needs the name of a non-terminal after it"),
        (
            "%start expres\nstmt: expr; expr: A;",
            "1:8: the start symbol 'expres' has no rule; the first rule is 'stmt'",
        ),
        (
            "%start exp\nstmt: expr; expr: A;",
            "1:8: the start symbol 'exp' has no rule; did you mean 'expr'?",
        ),
        (
            "%token A s\n%%\ns: A;",
            "1:10: 's' is declared as a token and also has a rule on line 3; rename one",
        ),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(GrammarError) as caught:
        parse_yacc(text, file="g.y")
    assert str(caught.value) == f"g.y:{message}"
    assert caught.value.span is not None


def test_the_first_error_is_the_one_reported() -> None:
    with pytest.raises(GrammarError, match=r"^g.y:1:6: unexpected '\('"):
        parse_yacc("s: A ( B ) { unterminated", file="g.y")


def test_an_unknown_start_symbol_that_the_caller_names() -> None:
    with pytest.raises(
        GrammarError, match="the start symbol 'stmts' has no rule; did you mean stmt"
    ):
        parse_yacc("stmt: A;", start="stmts")


# --- files ------------------------------------------------------------------------------


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "no.y"
    with pytest.raises(GrammarError) as caught:
        read_yacc(path)
    assert str(caught.value) == f"{path}: there is no such file; check the path"


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(GrammarError) as caught:
        read_yacc(tmp_path)
    assert str(caught.value) == f"{tmp_path}: is a directory; name a grammar file in it"


@pytest.mark.parametrize("path", ["x" * 5000, "a\0b"])
def test_a_path_that_cannot_be(path: str) -> None:
    with pytest.raises(GrammarError, match=r"cannot be read \(.+\); check the path"):
        read_yacc(path)


def test_a_binary_file(tmp_path: Path) -> None:
    path = tmp_path / "binary.y"
    path.write_bytes(b"s: A;\n\x7fELF\0\0")
    with pytest.raises(GrammarError) as caught:
        read_yacc(path)
    assert str(caught.value) == (
        f"{path}: is not a text file (a NUL byte on line 2); name the grammar's source, saved as "
        "UTF-8"
    )


def test_utf_8_with_a_byte_order_mark_and_dos_lines(tmp_path: Path) -> None:
    path = tmp_path / "dos.y"
    path.write_bytes("s: 'é'\r\n | A;\r\n".encode("utf-8-sig"))
    grammar = read_yacc(path)
    assert (grammar.diagnostics, grammar.name, grammar.files) == ((), "dos", (str(path),))
    assert [rule.span for rule in grammar.rules] == [
        Span(str(path), 1, 4, 1, 7),
        Span(str(path), 2, 4, 2, 5),
    ]


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "latin.y"
    path.write_bytes(b"/* \xa9 */\r\ns: '\xe9';")
    grammar = read_yacc(path)
    assert grammar.token("é") == 1
    assert [str(d) for d in grammar.diagnostics] == [
        f"{path}:1:4: the byte 0xa9 is not UTF-8; the file is read as Latin-1"
    ]


# --- size -------------------------------------------------------------------------------

DEEP = 10_000


@pytest.mark.parametrize(
    "text",
    [
        "s: A " + "{" * DEEP + "}" * DEEP + " ;",
        "%type " + "<" * DEEP + ">" * DEEP + "\ns: A ;",
        "%{" + "{" * DEEP + "%}\ns: A ;",
        "s: A { " + 'x = y; /* c */ f("s"); // d\n' * DEEP + "} ;",
        "s: A { " + "\\'" * DEEP + "\n} ;",
        "s: A { '" + "\\'" * DEEP + "\n} ;",
        "%foo " + '\\"' * DEEP + "\ns: A ;",
        "/* " + "* " * DEEP + "*/ s: A ;",
        "s: A ;" * DEEP,
        ";" * DEEP + "s: A ;",
        "s: A " + "| A " * DEEP,
        "s: " + "{}" * DEEP + " ;",
    ],
)
def test_size_and_depth_do_not_matter(text: str) -> None:
    assert parse_yacc(text).n_rules >= 1
