"""New tokens: what they are called, and how grammars of yacc get them."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import Command
from gramspect.edits.writing.new_names import IS_WORD, new_name
from gramspect.yacc import read_yacc

GRAMMAR = """%token ID NUM
%%
s : e ';' | s e ';' ;
e : e '+' e | ID | NUM | ID '(' args ')' ;
args : | e ;
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if", "IF"),
        ("<=", "LESS_EQUALS"),
        ("= =", "EQUALS_EQUALS"),
        ("!@rx", "NOT_AT_RX"),
        ("1a", "TOKEN_1A"),
        ("1.5", "TOKEN_1_DOT_5"),
        ("a-b_c", "A_MINUS_B_C"),
        ("§", "SIGN"),
        ("-é", "MINUS_SIGN"),
        ('"a b"', "QUOTED"),
        ("a.b.c.d.e.f.g", "A_DOT_B_DOT_C_DOT_D_DOT"),
    ],
)
def test_names(text: str, expected: str) -> None:
    """Words stay words, signs are called as people call them."""
    assert new_name(text, ()) == expected
    assert IS_WORD.fullmatch(expected)
    assert new_name(text, {expected}) == f"{expected}_2"


@pytest.mark.parametrize(
    ("word", "declared", "used"),
    [
        (",", None, "','"),
        ("'", None, "'\\''"),
        ("\\", None, "'\\\\'"),
        ("IN", "%token IN", "IN"),
        ("<=", '%token LESS_EQUALS "<="', "LESS_EQUALS"),
    ],
)
def test_yacc(command: Command, tmp_path: Path, word: str, declared: str | None, used: str) -> None:
    """Characters in quotes are tokens as they are; the others are declared before the rules."""
    source = tmp_path / "calls.y"
    source.write_text(GRAMMAR)
    (tmp_path / "good.txt").write_text("ID ( ID ) ;")
    (tmp_path / "bad.txt").write_text(f"ID ( ID {word} NUM ) ;")
    arguments = ("suggest", source, "--accept", tmp_path / "good.txt", tmp_path / "bad.txt")
    said = command(*arguments, "--most", "1").out
    assert "confirmed with gramspect's LR parser" in said
    assert (declared is None) == ("+%token" not in said)
    assert declared is None or f"+{declared}\n" in said
    added = [line for line in said.splitlines() if line.startswith("+") and used in line]
    assert added
    mended = tmp_path / "mended.y"
    command(*arguments, "--apply", "1", "-o", mended)
    assert read_yacc(mended).diagnostics == ()


def test_yacc_without_declarations(command: Command, tmp_path: Path) -> None:
    """A file of rules alone has no place to declare a token, and needs none."""
    source = tmp_path / "calls.y"
    source.write_text("s : 'x' | s 'x' ;\n")
    (tmp_path / "bad.txt").write_text("x <= x")
    said = command("suggest", source, "--accept", tmp_path / "bad.txt", "--most", "1").out
    assert '"<="' in said
    assert "%token" not in said


@pytest.mark.parametrize(
    "before",
    [
        "%{\n/* a comment\n%%\n*/\n%}\n%token NUM\n%%\n",
        "%token NUM\n  %%\n",
        "%token NUM %%\n",
        "%token NUM\n/* two\nlines */ %% ",
        '%{\nchar *s = "\\\n%%\\\n";\n%}\n%token NUM\n%%\n',
    ],
)
@pytest.mark.parametrize("word", ["MOD", "while", "error", "e", "é", "**"])
def test_where_and_how_yacc_declares(
    command: Command, tmp_path: Path, before: str, word: str
) -> None:
    """In the section of declarations, under a name that is none of a rule, of yacc's or of C's."""
    source, mended = tmp_path / "sums.y", tmp_path / "mended.y"
    source.write_text(f"{before}s : e ; e : NUM | e '+' NUM ; STAR_STAR : NUM ;\n%%\nint x;\n")
    (tmp_path / "good.txt").write_text("NUM + NUM")
    (tmp_path / "bad.txt").write_text(f"NUM {word} NUM")
    tests = ("--accept", tmp_path / "good.txt", tmp_path / "bad.txt")
    if word == "error":  # it names a token in tests, too
        assert "%token error" not in command("suggest", source, *tests).out
        return
    command("suggest", source, *tests, "--apply", "1", "-o", mended)
    assert command("localize", mended, *tests).status == 0
    grammar = read_yacc(mended)
    assert [one.code for one in grammar.diagnostics] == [
        one.code for one in read_yacc(source).diagnostics
    ]
    (new,) = {one.name for one in grammar.terminals} - {
        one.name for one in read_yacc(source).terminals
    }
    assert new == {"MOD": "MOD", "while": "WHILE", "e": "E", "é": "TOKEN"}.get(word, "STAR_STAR_2")
