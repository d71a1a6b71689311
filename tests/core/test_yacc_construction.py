"""What a yacc grammar says of how its parser is made: LALR, canonical LR or GLR."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import Command
from gramspect import LoadOptions, TestSuite
from gramspect.recognition.registry import adapter, adapter_for

GLR = "%glr-parser\n%token ID X Y Z\n%%\ns : a X Y | b X Z ; a : ID ; b : ID ;"
IELR = """%define lr.type ielr
%token a b c d e
%%
s : a x d | b y d | a y e | b x e ; x : c ; y : c ;
"""
"""Canonical LR(1), but not LALR(1)."""


def accepted(source: Path, *texts: str, name: str | None = None, **extra: str) -> list[bool]:
    chosen = adapter_for(str(source)) if name is None else adapter(name)
    parser = chosen.load(str(source), LoadOptions(extra=extra))
    tests = TestSuite.from_texts(texts).tests
    return [parser.trace(test).error is None for test in tests]  # type: ignore[union-attr]


def test_grammars_of_glr_parsers_have_all_their_sentences(tmp_path: Path) -> None:
    """Bison's parser follows both reductions of ID; an LR parser takes the first."""
    source = tmp_path / "glr.y"
    source.write_text(GLR)
    assert adapter_for(str(source)).name == "chart"
    assert accepted(source, "ID X Y", "ID X Z") == [True, True]
    assert accepted(source, "ID X Y", "ID X Z", name="native") == [True, False]
    parser = adapter("native").load(str(source), LoadOptions())
    assert [note.code for note in parser.grammar.diagnostics] == ["glr"]
    assert "--adapter chart" in parser.grammar.diagnostics[0].message


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("%define lr.type ielr", [True, True]),
        ("%define lr.type canonical-lr", [True, True]),
        ('%define lr.type "canonical-lr"', [True, True]),
        ("%define lr.type {ielr}", [True, True]),
        ("%define lr.type lalr", [True, False]),
        ("%define lr.default-reduction accepting", [True, False]),
        ("// %define lr.type ielr", [True, False]),
    ],
)
def test_the_type_of_the_tables(tmp_path: Path, declared: str, expected: list[bool]) -> None:
    source = tmp_path / "tables.y"
    source.write_text(IELR.replace("%define lr.type ielr", declared))
    assert accepted(source, "a c d", "b c d") == expected
    assert accepted(source, "a c d", "b c d", method="lalr") == [True, False]


def test_a_type_does_not_make_tables_larger_without_need(tmp_path: Path) -> None:
    """Without a conflict between reductions the merged states do as well."""
    source = tmp_path / "sums.y"
    source.write_text("%define lr.type ielr\n%%\ns: s '+' t | t; t: 'x' | '(' s ')';")
    parser = adapter("native").load(str(source), LoadOptions())
    assert parser.table.method == "lalr"  # type: ignore[attr-defined]


MERGED = """%define lr.type ielr
%left 'a'
%%
S : 'a' A 'a' | 'b' A 'b' ;
A : 'a' | 'a' 'a' ;
"""
"""The precedence decides in a state that LALR merges of two, where one of them has no conflict."""


def test_precedence_in_merged_states(tmp_path: Path) -> None:
    source = tmp_path / "merged.y"
    source.write_text(MERGED)
    assert accepted(source, "a a a", "b a b", "b a a b") == [True, True, True]
    assert accepted(source, "b a a b", method="lalr") == [False]


def test_a_glr_grammar_with_nonassoc_has_a_note(tmp_path: Path) -> None:
    source = tmp_path / "glr.y"
    source.write_text("%glr-parser\n%nonassoc '<'\n%%\ne : e '<' e | 'n' ;\n")
    parser = adapter_for(str(source)).load(str(source), LoadOptions())
    assert [note.code for note in parser.grammar.diagnostics] == ["nonassoc"]


@pytest.mark.parametrize("text", [GLR, IELR])
def test_no_sentence_is_left_out_that_the_parser_accepts(
    command: Command, tmp_path: Path, text: str
) -> None:
    """LALR(1) tables would reject some; those of the grammar accept all."""
    source = tmp_path / "tables.y"
    source.write_text(text)
    said = command("generate", source, "--limit", "50")
    assert said.status == 0
    assert "left out" not in said.out + said.err
    written = said.out.splitlines()
    lalr = accepted(source, *written, name="native", method="lalr")
    assert False in lalr
