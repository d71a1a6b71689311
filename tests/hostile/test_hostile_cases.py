"""Hostile grammars, tests, options and files: a clear answer or one clear error, every time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from hostile_code import code_cases
from hostile_files import file_cases
from hostile_grammars import NOTATIONS, grammar_cases
from hostile_options import option_cases
from hostile_runs import Case, faults, run

TOY = {"g.y": NOTATIONS["y"][0], "t.txt": NOTATIONS["y"][1]}
GROUPS = 'start: "a" | '


def check(cases: Iterator[Case], number: int, folder: Path) -> None:
    for n, case in enumerate(islice(cases, number)):
        here = folder / str(n)
        here.mkdir(parents=True)
        outcome = run(case, here)
        assert list(faults(case, outcome)) == [], (n, case, outcome)


@pytest.mark.parametrize("notation", ["y", "lark", "py"])
def test_grammars(notation: str, tmp_path: Path) -> None:
    check(grammar_cases(1, (notation,)), 12, tmp_path)


def test_options(tmp_path: Path) -> None:
    check(option_cases(1), 30, tmp_path)


def test_files(tmp_path: Path) -> None:
    check(file_cases(1), 25, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("notation", ["g4", "jj", "cup"])
def test_grammars_of_java_tools(notation: str, tmp_path: Path) -> None:
    check(grammar_cases(1, (notation,)), 25, tmp_path)


@pytest.mark.slow
def test_more_of_all(tmp_path: Path) -> None:
    for name, cases in (
        ("grammars", grammar_cases(2, ("y", "lark", "py"))),
        ("options", option_cases(2)),
        ("files", file_cases(2)),
        ("code", code_cases(2)),
    ):
        check(cases, 50, tmp_path / name)


@pytest.mark.parametrize(
    ("arguments", "files", "said"),
    [
        (
            ("localize", "g.lark", "--accept", "t.txt"),
            {"g.lark": GROUPS + "(" * 200 + '"b"' + ")" * 200 + "\n"},
            "g.lark:1:114: groups are nested more than 100 deep",
        ),
        (
            ("localize", "g.y", "--accept", "t.txt"),
            {"g.y": "%token a\n%%\ns : " + "a " * 10_001 + ";"},
            "g.y:3:5: an alternative of s has 10,001 symbols",
        ),
        (
            ("localize", "g.y", "--adapter", "chart", "--accept", "t.txt", "--evidence", "both"),
            {"g.y": "%token a\n%%\ns : a | s a ;", "t.txt": "a " * 1_100_000},
            "the only test could not be decided: the chart would have more than",
        ),
        (("generate", "g.y", "--format", "files", "-o", "/"), {}, "/: is there already"),
        (("generate", "g.y", "--criterion", "bfs:" + "9" * 5000), {}, "a number from 1 to 100"),
        (("generate", "g.y", "--model", "/dev/full"), {}, "/dev/full: is a device"),
        (("localize", "g.y", "--accept", "/dev/zero"), {}, "/dev/zero: is a device"),
        (("localize", "/dev/zero", "--adapter", "native", "--accept", "t.txt"), {}, "is a device"),
        (("localize", "g.y", "--accept", ""), {}, "an empty name is no test"),
        (("localize", "g.y", "--suite", "s"), {"s": ""}, "s: there is no test in this suite"),
        (("localize", "g.y", "--accept", "t.txt", "--budget", "1e26"), {}, "not in the range"),
        (("localize", "g.y", "--accept", "t.txt", "--timeout", "1e26"), {}, "not in the range"),
        (("generate", "g.y", "--limit", "1" * 30), {}, "more than 1,000,000,000"),
        (("localize", "g.y", "--accept", "t.txt", "-o", "a" * 5000), {}, ": File name too long"),
        (("localize", "g.y", "--accept", "t.txt", "--metric", "m" * 5000), {}, "mmm...mmm"),
        (
            ("--file-limit", "1", "localize", "g.y", "--accept", "big"),
            {"big": b" " * 1_100_000},
            "big: has more than 1 megabytes; gramspect --file-limit MEGABYTES",
        ),
        (
            ("blackbox", "g.y", "--command", "cat", "--position", "a{99999999999}"),
            {},
            "is no regular expression: the repetition number is too large",
        ),
    ],
)
def test_one_clear_line(
    arguments: tuple[str, ...], files: dict[str, str], said: str, tmp_path: Path
) -> None:
    case = Case("", arguments, {**TOY, **files}, statuses=frozenset([2]))
    outcome = run(case, tmp_path)
    assert list(faults(case, outcome)) == []
    assert said in outcome.errors


def test_a_lone_surrogate_in_a_literal_is_escaped(tmp_path: Path) -> None:
    case = Case("", ("generate", "g.lark"), {"g.lark": 'start: "\\ud800" "b"\n'})
    outcome = run(case, tmp_path)
    assert (outcome.status, outcome.output) == (0, b"\\ud800b\n")


def test_the_second_of_two_changes_is_tried_after_the_first(tmp_path: Path) -> None:
    """Its place is one of the grammar in which the first change has been made."""
    cut = TOY["g.y"].partition("ID '='")[0]
    arguments = ("suggest", "g.y", "--lines", "--accept", "t.txt")
    case = Case("", arguments, {**TOY, "g.y": cut}, statuses=frozenset([1]), seconds=60)
    outcome = run(case, tmp_path)
    assert list(faults(case, outcome)) == []
    assert b"; then, in list" in outcome.output


def test_a_dangling_link_costs_one_test(tmp_path: Path) -> None:
    case = Case(
        "",
        ("localize", "g.y", "--accept", "tests", "--evidence", "both"),
        {**TOY, "tests/bad": "ID ID", "tests/good": "ID = ID ;"},
        lambda folder: (folder / "tests" / "link").symlink_to("nowhere"),
    )
    outcome = run(case, tmp_path)
    assert outcome.status == 1
    note = b"note: 1 file cannot be read and was left out (tests/link: No such file or directory)"
    assert note in outcome.output


def test_drafts_of_processes_that_are_gone_are_removed(tmp_path: Path) -> None:
    arguments = ("localize", "g.y", "--lines", "--accept", "t.txt", "-o", "out")
    left = ".out.999999999"
    outcome = run(Case("", arguments, {**TOY, left: "", ".out.txt": "", ".out.1": ""}), tmp_path)
    assert outcome.status == 1
    assert {file.name for file in tmp_path.iterdir()} == {*TOY, "out", ".out.txt", ".out.1"}
