"""The pytest plugin, in real test runs of a small project."""

from __future__ import annotations

import re
from pathlib import Path

import numpy  # noqa: F401  # pytester forgets what its runs import, and NumPy loads only once
import pytest

from command import Command
from gramspect.recordings.format import ParseLine, TestLine
from gramspect.recordings.reading import read_run
from gramspect.recordings.suites import recorded_suite

pytest_plugins = ["pytester"]

PARSER = '''
from lark import Lark

notes = Lark(
    """
    start: (line ";")*
    line: "note" WORD+ | "at" WORD WORD | "off"
    WORD: /[a-z]+/
    %ignore " "
    """,
    parser="lalr",
)
'''

TESTS = """
import pytest
from lark import LarkError
from my_notes import notes

notes.parse("note outside of tests;")

@pytest.fixture
def parsed():
    return notes.parse("note fixture;")

def test_note(parsed):
    notes.parse("note a b;")
def test_at():
    notes.parse("note before;")
    notes.parse("at b;")
def test_expected():
    with pytest.raises(LarkError):
        notes.parse("note;")
@pytest.mark.gramspect(expect="reject")
def test_marked():
    notes.parse("note wrong;")
@pytest.mark.parametrize("n", range(4))
def test_more(n):
    notes.parse("note a;" * n)
@pytest.mark.xfail
def test_xfail():
    notes.parse("x")
def test_skipped():
    notes.parse("off;")
    pytest.skip()
def test_without_a_parse():
    pass
"""

PASSED = {
    "test_note": True, "test_note#2": True, "test_at": True, "test_at#2": False,
    "test_expected": True, "test_marked": False, "test_more[0]": True, "test_more[1]": True,
    "test_more[2]": True, "test_more[3]": True,
}  # fmt: skip
"""Of each parse whether it did what was expected of it."""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    pytester.syspathinsert()
    pytester.makepyfile(my_notes=PARSER, test_notes=TESTS)
    return pytester


def passed(path: Path) -> dict[str, bool]:
    found = recorded_suite([read_run(path)])
    return {
        test.name.partition("::")[2]: (found.observations[test.name].error is None)
        == (test.expectation.value == "accept")
        for test in found.suite
    }


def test_a_run_is_recorded_and_concluded(
    project: pytest.Pytester, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = project.runpytest("-p", "no:cacheprovider", "--strict-markers")
    assert "gramspect:" not in plain.stdout.str()
    assert not (project.path / "run.gsp").exists()
    result = project.runpytest("--gramspect", "my_notes:notes", "-p", "no:cacheprovider")
    for run in (plain, result):
        run.assert_outcomes(passed=8, failed=1, xfailed=1, skipped=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    said = result.stdout.str()
    # Rules 1 and 3 of line, and both ways of the star and the plus, are used; rule 2 is not.
    assert re.search(r"rules +3 +4 ", said)
    assert re.search(r"choices +2 +2 ", said)
    assert re.search(r"1 +\d\.\d+ +line:2:2 +1 +0 .*my_notes.py:6:36", said)
    assert "gramspect suggest --spectra run.gsp looks for repairs" in said
    assert passed(project.path / "run.gsp") == PASSED
    # The other commands read it; the parser is where the run began.
    monkeypatch.chdir(project.path)
    suggested = command("suggest", "--spectra", "run.gsp", "--most", "20")
    assert suggested.status == 1
    assert re.search(r"my_notes.py:6:36: .*make WORD optional .*confirmed", suggested.out)
    covered = command("coverage", "--spectra", "run.gsp", "--format", "json").json
    assert covered["levels"]["rules"]["covered"] == 3
    ranked = command("localize", "my_notes:notes", "--spectra", "run.gsp", "--format", "json")
    assert ranked.json["evidence"] == "edits"
    assert ranked.json["tests"]["failed"] == 2
    whole = command("spectra", "run.gsp", "--format", "csv").out
    assert command("spectra", "run.gsp", "--grammar", "my_notes:notes", "--format", "csv").out == (
        whole
    )
    assert whole.count("\n") == 1 + 12
    with_tests = command.fails("localize", "--spectra", "run.gsp", "--accept", "x")
    assert "leave out --accept" in with_tests
    assert "name a grammar" in command.fails("localize")
    over = command.fails("coverage", "--spectra", "run.gsp", "-o", "run.gsp")
    assert "is the recorded run" in over


def test_workers_record_what_one_process_records(project: pytest.Pytester) -> None:
    options = ["--gramspect", "my_notes:notes", "--gramspect-out", "out/x.gsp"]
    (project.path / "out").mkdir()
    (project.path / "out" / "x.gsp.gw7").write_text("of a run that was killed")
    result = project.runpytest(*options, "-n", "2", "--gramspect-fail-under", "80")
    result.assert_outcomes(passed=8, failed=1, xfailed=1, skipped=1)
    assert [path.name for path in (project.path / "out").iterdir()] == ["x.gsp"]
    run = read_run(project.path / "out" / "x.gsp")
    assert passed(project.path / "out" / "x.gsp") == PASSED
    tests = [line.name for line in run.lines if isinstance(line, TestLine)]
    assert len(tests) == len(set(tests)) == 11
    assert {line.test for line in run.lines if isinstance(line, ParseLine)} <= set(tests)
    assert re.search(r"rules +3 +4 ", result.stdout.str())


def test_a_limit_and_what_cannot_be_used(project: pytest.Pytester) -> None:
    options = ["--gramspect", "my_notes:notes", "--deselect", "test_notes.py::test_at"]
    assert project.runpytest(*options, "--gramspect-fail-under", "80").ret == 0
    below = project.runpytest(*options, "--gramspect-fail-under", "90", "--gramspect-no-texts")
    assert below.ret == pytest.ExitCode.TESTS_FAILED
    below.stdout.fnmatch_lines(["*FAILED --gramspect-fail-under: 83.3 % *, less than 90 %"])
    assert '"text"' not in (project.path / "run.gsp").read_text()
    none = project.runpytest("--gramspect", "my_notes:nothing")
    assert none.ret == pytest.ExitCode.USAGE_ERROR
    none.stderr.fnmatch_lines(["ERROR: --gramspect: *my_notes:nothing*"])
    project.makepyfile(test_notes="import pytest\n@pytest.mark.gramspect('x')\ndef test(): pass\n")
    wrong = project.runpytest("--gramspect", "my_notes:notes")
    assert wrong.ret == pytest.ExitCode.USAGE_ERROR
    wrong.stderr.fnmatch_lines(['*test_notes.py::test: the mark is gramspect(expect="accept") or*'])
