"""Repairs in imported files: there a rule has the name that the file gives it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gramspect import LoadOptions, TestSuite, suggest
from gramspect.edits.confirmation import Agreement

MAIN = """start: shape | pair
pair: "<" shape shape ">"
%import .geo.shape
%ignore " "
"""
GEO = """shape: "LINE" "(" points ")"
     | "AREA" "(" lists ")"
     | "MULTI" "(" points ")"
lists: "[" points "]" ("," "[" points "]")*
points: "1" ("," "1")*
"""
TESTS = ["LINE(1,1)", "AREA([1,1],[1])", "MULTI(1)", "<LINE(1) AREA([1])>", "MULTI([1],[1,1])"]


@pytest.mark.parametrize("folder", ["main", "lib"])
def test_a_call_of_a_rule_of_the_imported_file(folder: str, tmp_path: Path) -> None:
    """Lark calls `lists` ``geo__lists``; the file may be where `imports` says."""
    for name in ("main", "lib"):
        (tmp_path / name).mkdir()
    grammar, imported = tmp_path / "main" / "g.lark", tmp_path / folder / "geo.lark"
    grammar.write_text(MAIN)
    imported.write_text(GEO)
    extra = {} if folder == "main" else {"imports": str(tmp_path / "lib")}
    load = LoadOptions(adapter="lark-lalr", extra=extra)
    found = suggest(grammar, TestSuite.from_texts(TESTS), load=load)
    best = found.suggestions[0]
    assert best.change is not None
    assert '| "MULTI" "(" ( points | lists ) ")"' in best.change.changed.text
    assert best.confirmation is not None
    assert best.confirmation.agreement is Agreement.CONFIRMED


def test_a_rule_that_the_file_does_not_know(tmp_path: Path) -> None:
    """The repair in `shape` would call a rule of the main file: it is in words alone."""
    (tmp_path / "g.lark").write_text(
        '%import .geo.shape\nstart: shape "!" | names\nnames: "n" "o"\n'
    )
    (tmp_path / "geo.lark").write_text('shape: "LINE" | "(" "LINE" ")"\n')
    suite = TestSuite.from_texts(["LINE!", "(LINE)!", "no", "(no)!"])
    found = suggest(tmp_path / "g.lark", suite, load=LoadOptions(adapter="lark-lalr"))
    calls = [one for one in found.suggestions if "names" in one.describe()]
    in_geo = [one for one in calls if one.nonterminal == "shape"]
    assert in_geo
    assert all(one.change is None for one in in_geo)
    assert all("has no name for names" in one.unwritable for one in in_geo)


def test_a_terminal_that_a_template_calls_otherwise(tmp_path: Path) -> None:
    """In the template NUMBER is written `item`; elsewhere it has its name."""
    path = tmp_path / "lists.lark"
    path.write_text(
        'list{item}: "(" item ("," item)* ")"\n'
        'start: list{NUMBER} | "<" NAME ">"\nNUMBER: /[0-9]+/\nNAME: /[a-z]+/\n'
    )
    suite = TestSuite.from_texts(["(1,2)", "<a>", "<1>"])
    found = suggest(path, suite, load=LoadOptions(adapter="lark-lalr"))
    changed = [one.change.changed.text for one in found.suggestions if one.change is not None]
    assert changed
    assert all('"<" item' not in text and "| item" not in text for text in changed)


YEARS = '%import common.INT{alias}\n%ignore " "\nstart: year ("," year)*\nyear: {name}\n'


@pytest.mark.parametrize(
    ("alias", "name", "texts", "line"),
    [
        ("", "INT", ["12", "13,14", "-12,13"], "%import common.SIGNED_INT -> INT"),
        (" -> YEAR", "YEAR", ["12", "-1", "+1,13"], "%import common.SIGNED_INT -> YEAR"),
        ("", "INT", ["12", "13,14", "1.5", "2.75,3"], "%import common.NUMBER -> INT"),
    ],
)
def test_another_terminal_of_lark_instead(
    alias: str, name: str, texts: list[str], line: str, tmp_path: Path
) -> None:
    path = tmp_path / "years.lark"
    path.write_text(YEARS.format(alias=alias, name=name))
    found = suggest(path, TestSuite.from_texts(texts), load=LoadOptions(adapter="lark-lalr"))
    assert found.suggestions[0].change is not None
    assert found.suggestions[0].change.changed.text.splitlines()[0] == line
    changed = {one.change.changed.path for one in found.suggestions if one.change}
    assert {Path(file) for file in changed} == {path}
    said = [one.confirmation.agreement for one in found.suggestions if one.confirmation]
    assert said[0] is Agreement.CONFIRMED
    assert Agreement.REFUSED not in said


def test_in_a_list_of_imports_nothing_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "years.lark"
    path.write_text(YEARS.format(alias="", name="INT").replace(".INT", " (INT, WS)"))
    suite = TestSuite.from_texts(["12", "13,14", "-12,13"])
    found = suggest(path, suite, load=LoadOptions(adapter="lark-lalr"))
    assert not any("import" in one.describe() for one in found.suggestions)


def test_rules_that_come_with_lark_are_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "tests.lark"
    path.write_text('%import python.test\n%ignore " "\nstart: (test ";")+\n')
    suite = TestSuite.from_texts(["1;", "a + b; d;", "a ?? b;"])
    found = suggest(path, suite, load=LoadOptions(adapter="lark-lalr"))
    in_lark = [one for one in found.suggestions if one.span and "python.lark" in one.span.file]
    assert in_lark
    assert all(one.change is None and "comes with the tool" in one.unwritable for one in in_lark)
