"""Faults from the history of grammars (`benchmarks/history_cases.py`): each is one, and shows."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from zipfile import ZipFile

import pytest

from fault_cases import kept_cases
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import parse_chart
from gramspect.yacc.reader import parse_yacc
from history_cases import SHORTEST, project_faults, search
from history_grammars import faults, grammar_of, read_written, written
from history_sentences import Growing
from history_sources import Project

OLDER = """
%%
file: %empty | file line ;
line: NAME '=' value ';' | 'use' NAME ';' | old ;
value: NUMBER | list ;
list: '[' ']' ;
old: 'old' ';' ;
same: 'x' ;
"""
NEWER = """
%%
file: %empty | file line ;
line: NAME '=' value ';' | 'use' NAME alias ';' | old ;
alias: %empty | 'as' NAME ;
value: text | NUMBER | list ;
text: TEXT | text TEXT ;
list: '[' ']' | '[' value ']' ;
old: 'old' ';' ;
same: 'x' ;
"""


def grammar(text: str) -> Grammar:
    return parse_yacc(text, "grammar.y")


def test_every_changed_rule_is_a_fault_by_itself() -> None:
    found = {f.rule: f for f in faults(written(grammar(OLDER)), written(grammar(NEWER)))}
    assert {rule: fault.kind for rule, fault in found.items()} == {
        "line": "other",
        "value": "alternative",
        "list": "alternative",
    }
    for rule, fault in found.items():
        before, after = written(fault.before).rules, written(fault.after).rules
        assert {name for name in before if before[name] != after[name]} == {rule}
        assert before[rule] == written(grammar(OLDER)).rules[rule]
    assert "text" not in written(found["value"].before).rules  # nothing reaches it any more
    assert "text" in written(found["line"].before).rules


def test_rules_that_were_only_renamed_are_no_faults() -> None:
    renamed = OLDER.replace("list", "sequence")
    assert list(faults(written(grammar(OLDER)), written(grammar(renamed)))) == []


def test_a_rule_that_was_written_anew_is_no_fault() -> None:
    other = OLDER.replace("NUMBER | list", "A B C | D E F").replace("list: '[' ']' ;", "")
    assert list(faults(written(grammar(OLDER)), written(grammar(other)))) == []


@pytest.mark.parametrize("size", [1, 10, 60])
def test_what_is_grown_is_a_sentence_with_the_part_in_it(size: int) -> None:
    found = grammar(NEWER)
    growing = Growing(found, Random(size))
    target = found.symbol("text")
    part = (found.symbol("TEXT"),) * 3
    for _ in range(50):
        tokens = growing.around(growing.distances(target), part, size)
        assert parse_chart(found, tokens).accepted
        assert any(tokens[at : at + 3] == part for at in range(len(tokens)))


def test_from_releases_to_searched_cases(tmp_path: Path) -> None:
    """Two wheels of a PLY parser, as a download leaves them."""
    for version, rules in ("1.0", ["NUMBER", "TEXT"]), ("1.1", ["NUMBER", "TEXT", "list"]):
        wheel = tmp_path / "pypi" / "some" / version / f"some-{version}-py3-none-any.whl"
        wheel.parent.mkdir(parents=True)
        with ZipFile(wheel, "w") as archive:
            archive.writestr("some/parser.py", ply_module(rules))
    project = Project("some", "ply", "some", "some/parser.py", ["1.0", "1.1"])
    (path,) = project_faults(project, tmp_path, "1")
    note = json.loads(path.read_text())
    assert (note["rule"], note["older"], note["newer"]) == ("value", "1.0", "1.1")
    faulty = grammar_of(read_written(note["grammar"]))
    for tests, expected in (note["failing"], False), (note["passing"], True):
        for words in tests:
            tokens = [faulty.symbol(word) for word in words]
            assert parse_chart(faulty, tokens).accepted is expected
            assert len(words) >= (1 if expected else SHORTEST)
    search(path, tmp_path / "cases")
    (case,) = kept_cases(tmp_path / "cases")
    assert case.family == "some"
    assert case.grammar is not None
    assert {case.grammar.symbols[symbol].name for symbol in case.blamed} == {"value"}
    assert any(outcome.accepted for one in case.searched for outcome in one.outcomes)


def ply_module(alternatives: list[str]) -> str:
    rules = {
        "file": ["file entry", "entry"],
        "entry": ["NAME '=' value ';'", "error ';'"],
        "value": alternatives,
        "list": ["'(' value ')'", "'[' value ']'"],
    }
    functions = (
        f"def p_{name}(p):\n    '''{name} : " + "\n    | ".join(found) + " '''\n"
        for name, found in rules.items()
    )
    return "import never_imported\n" + "\n".join(functions)
