"""Edits of .cup grammars: what is written means what was meant, and CUP agrees."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edited import assert_written_edit, text_with
from examples import fewer
from gramspect import Grammar, LoadOptions, TestSuite, adapter, suggest
from gramspect.edits import EditKind
from gramspect.edits.confirmation import Agreement

FIXTURES = Path(__file__).parents[3] / "fixtures" / "cup"
GRAMMARS = [FIXTURES / "toy-faulty.cup", FIXTURES / "simpl" / "simpl.cup"]


@cache
def load(path: Path) -> Grammar:
    return adapter("cup").load(str(path), LoadOptions()).grammar


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.stem)
@fewer(0.15)
@given(data=st.data())
def test_what_is_written_is_the_edited_grammar(
    path: Path, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy = tmp_path_factory.mktemp("edited") / path.name
    assert_written_edit(data, load(path), load, copy, apart=False)


HEAD = "terminal a, b, c;\nnon terminal s, t;\nprecedence left c;\n"
TAIL = "t ::= a;\n"


@pytest.mark.parametrize(
    ("before", "label", "kind", "symbols", "after"),
    [
        ("s ::= a b;", "s:1:1", EditKind.INSERT, "c", "s ::= a b | a c b;"),
        ("s ::= a:x b:y\n    ;", "s:1:2", EditKind.INSERT, "c",
         "s ::= a:x b:y\n    | a b c\n    ;"),
        ("s ::= a:x {: f(\"|;\", ':'); :} | b;", "s:1:0", EditKind.DROP, "", "s ::= b;"),
        ("s ::= a:x b:y;", "s:1:0", EditKind.SWAP, "", "s ::= b:y a:x;"),
        ("s ::= a:x b:y;", "s:1:0", EditKind.NARROW, "c", "s ::= c:x b:y;"),
        ("s ::= a:x b : y;", "s:1:1", EditKind.NARROW, "", "s ::= a:x ;"),
        ("s ::= a /* | */ b %prec c | b;", "s:1:2", EditKind.END, "b",
         "s ::= a /* | */ b %prec c | a b b %prec c | b;"),
        ("s ::= | a;", "s:1:0", EditKind.INSERT, "t", "s ::= | t | a;"),
    ],
)  # fmt: skip
def test_edits_in_cups_notation(
    before: str, label: str, kind: EditKind, symbols: str, after: str, tmp_path: Path
) -> None:
    path = tmp_path / "g.cup"
    path.write_text(f"{HEAD}{before}\n{TAIL}")
    grammar = adapter("cup").load(str(path), LoadOptions()).grammar
    assert text_with(grammar, label, kind, symbols) == f"{HEAD}{after}\n{TAIL}"


def test_cup_confirms_what_is_written(tmp_path: Path) -> None:
    path = tmp_path / "g.cup"
    path.write_text(
        "terminal ID, COMMA, LPAR, RPAR;\nnon terminal call, args;\nstart with call;\n"
        "call ::= ID:f LPAR args:a RPAR {: RESULT = a; :} ;\n"
        "args ::= ID:x {: RESULT = x; :}\n       | ID COMMA ID\n       ;\n"
    )
    suite = TestSuite.from_texts(
        ["ID LPAR ID RPAR", "ID LPAR ID COMMA ID RPAR", "ID LPAR RPAR"], ["ID LPAR ID ID RPAR"]
    )
    best = suggest(str(path), suite).suggestions[0]
    assert best.confirmation is not None
    assert best.confirmation.agreement is Agreement.CONFIRMED
    assert best.confirmation.tool == "CUP 0.11b"
    assert best.change is not None
    ((_, line, _),) = best.change.new_lines()
    assert line == "call ::= ID:f LPAR args:a RPAR {: RESULT = a; :} | ID LPAR RPAR ;"
