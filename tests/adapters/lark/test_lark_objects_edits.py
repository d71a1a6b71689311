"""Repairs of live Lark objects whose grammar is in a file of its own."""

from pathlib import Path
from typing import Any

import pytest

from gramspect import TestSuite, localize
from gramspect.edits.confirmation import Agreement
from gramspect.edits.validation import Status

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


def best_said(source: str, file: str = "calls.lark") -> Any:
    suite = TestSuite.from_texts(accept=["f(a)", "f(a, b)", "f()"], reject=["f(a,"])
    result = localize(source, suite)
    assert len(result.failing) == 1
    (best, *_) = (one for one in result.suggestions if one.confirmation is not None)
    assert best.change is not None
    assert best.change.file.path.endswith(file)
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


def test_a_string_in_another_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "package_with_text"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "texts.py").write_text(f"TEXT = r'''\n{GRAMMAR}'''\n")
    code = "import lark\nfrom .texts import TEXT\n\nmade = lark.Lark(TEXT, parser='lalr')\n"
    (package / "calls.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    said = best_said("package_with_text.calls:made", "texts.py")
    assert said.agreement is Agreement.CONFIRMED


PACKAGED = """
import lark
from .rest import OPTIONS

made = lark.Lark.open_from_package(__package__, "calls.lark", **OPTIONS)
"""


def test_a_module_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its package is copied, with modules that it imports; the user's files stay as they are."""
    package = tmp_path / "package_with_lark"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "rest.py").write_text("OPTIONS = {'parser': 'lalr'}\n")
    (package / "calls.py").write_text(PACKAGED)
    (package / "calls.lark").write_text(GRAMMAR)
    monkeypatch.syspath_prepend(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    said = best_said("package_with_lark.calls:made")
    assert (said.agreement, said.built) == (Agreement.CONFIRMED, False)
    assert said.n_tests == 4
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert {path: text for path, text in after.items() if path.suffix != ".pyc"} == before


INLINED = """
import lark

made = lark.Lark(
    '''
start: ["a"] NAME list ";" | ["b"] NAME list "."
list: "(" NAME ("," NAME)? ")"
NAME: LETTERS
%ignore " "
'''.replace("LETTERS", "/[a-z]+/"),
    parser="lalr",
)
"""
"""Lark leaves out an option, or puts it in; as rules with empty alternatives, two options before
the same token would collide. The text that Lark reads is in no file."""


def test_a_grammar_that_lark_builds_from_its_text_only(tmp_path: Path) -> None:
    """A parser of the rules alone is refused, with an edit or without: that says nothing of it."""
    (tmp_path / "lists.py").write_text(INLINED)
    suite = TestSuite.from_texts(
        accept=["x (y) ;", "x (y, z) .", "x (y, z, u) ;"], reject=["x ;", "x (y"]
    )
    result = localize(f"{tmp_path}/lists.py:made", suite)
    assert len(result.failing) == 1
    best = result.suggestions[0]
    assert best.nonterminal == "list"
    assert best.describe() == 'allow ( "," NAME ) several times'
    assert best.status is Status.VALIDATED
    assert best.confirmation is not None
    assert best.confirmation.agreement is Agreement.UNTRIED
    assert "makes another parser" in best.confirmation.message
