"""Tokens of a failing input that can have any text of their kind, and those whose text matters."""

from pathlib import Path

import pytest

from gramspect import LoadOptions, abstract, reduce

GRAMMAR = r"""
start: stmt*
stmt: NAME "=" expr ";" | "print"i expr ";"
expr: expr "/" atom | atom
atom: NUM | NAME
NAME: /[a-z]+/
NUM: /[0-9]+/
%ignore /[ \n]+/
"""


@pytest.mark.parametrize(
    ("wanted", "shown", "exact"),
    [("/ 0", "<stmt*> <NAME> = <expr> / 0 ;", ("0",)),
     ("PRINT", "<stmt*> PRINT <expr> ;", ()),
     ("b =", "<stmt*> b = <expr> ;", ("b",))],
)  # fmt: skip
def test_texts_that_matter_are_told(
    tmp_path: Path, wanted: str, shown: str, exact: tuple[str, ...]
) -> None:
    path = tmp_path / "division.lark"
    path.write_text(GRAMMAR)
    small = reduce(
        str(path), "aa = 1 ; b = cc / 0 ; PRINT 2 / 3 ;", lambda text: wanted in text,
        load=LoadOptions(adapter="lark-lalr"),
    )  # fmt: skip
    found = abstract(small)
    assert found.text == shown
    assert tuple(word.text for word in found.exact) == exact
