"""Repairs of live Lark objects whose grammar is in a file of its own."""

from pathlib import Path
from typing import Any

import pytest

from gramspect import TestSuite, localize
from gramspect.edits.confirmation import Agreement

GRAMMAR = """\
start: call
call: NAME "(" names ")"
names: names "," NAME | NAME
NAME: /[a-z]+/
%ignore " "
"""
OPENED = 'import lark\nmade = lark.Lark.open("calls.lark", rel_to=__file__, parser="{}")\n'
READ = """
import lark
from pathlib import Path

made = lark.Lark((Path(__file__).parent / "calls.lark").read_text(), parser="{}")
"""
FIXED_PLACE = """
import lark

made = lark.Lark.open({path!r}, parser="{parser}")
"""


def best_said(source: str) -> Any:
    suite = TestSuite.from_texts(accept=["f(a)", "f(a, b)", "f()"], reject=["f(a,"])
    result = localize(source, suite)
    assert len(result.failing) == 1
    (best, *_) = (one for one in result.suggestions if one.confirmation is not None)
    assert best.change is not None
    assert best.change.file.path.endswith("calls.lark")
    return best.confirmation


@pytest.mark.parametrize("parser", ["earley", "lalr"])
@pytest.mark.parametrize("code", [OPENED, READ])
def test_the_file_beside_the_module(tmp_path: Path, code: str, parser: str) -> None:
    (tmp_path / "calls.lark").write_text(GRAMMAR)
    (tmp_path / "calls.py").write_text(code.format(parser))
    assert best_said(f"{tmp_path}/calls.py:made").agreement is Agreement.CONFIRMED


@pytest.mark.parametrize("parser", ["earley", "lalr"])
def test_a_file_that_is_always_read_from_the_same_place(tmp_path: Path, parser: str) -> None:
    path = tmp_path / "data" / "calls.lark"
    path.parent.mkdir()
    path.write_text(GRAMMAR)
    source = tmp_path / "code" / "calls.py"
    source.parent.mkdir()
    source.write_text(FIXED_PLACE.format(path=str(path), parser=parser))
    said = best_said(f"{source}:made")
    assert said.agreement is Agreement.UNTRIED
    assert said.message == f"{source}:made does not read a copy of {path}"
