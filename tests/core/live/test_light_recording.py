"""What records a parser in a program loads little into it: no numpy."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gramspect.grammar_coverage.coverage import coverage
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recordings.reading import read_run
from gramspect.recordings.suites import RecordedGrammar, recorded_suite
from gramspect.report.coverage_text import coverage_text
from gramspect.running.options import RunOptions

PLY = '''
import ply.lex, ply.yacc

tokens = ("A", "B")
t_A, t_B = "a", "b"

def t_error(token):
    raise SyntaxError

def p_start(p):
    """start : many B"""

def p_many(p):
    """many : many A
            | A"""

def p_error(p):
    raise SyntaxError

lexer = ply.lex.lex()
yacc = ply.yacc.yacc(write_tables=False, debug=False)

class Own:
    def parse(self, text):
        return yacc.parse(text, lexer=lexer)

parser = yacc
parse = Own().parse
'''
LARK = """
import lark

parser = lark.Lark('start: "a"+ "b"', parser="lalr")
parse = parser.parse
"""
PROGRAM = """
import json, sys
import own
from gramspect.recordings.recorder import Recorder

lines = []
recorder = Recorder(own.parser if sys.argv[1] == "object" else "own:parser", lines.append)
for text in ("aab", "aabb"):
    try:
        own.parse(text)
    except Exception:
        pass
recorder.close()
heavy = [name for name in ("numpy",) if name in sys.modules]
print(json.dumps([[line.observation.verdict for line in lines], heavy]))
"""


@pytest.mark.parametrize("parser", [PLY, LARK], ids=["ply", "lark"])
@pytest.mark.parametrize("by", ["object", "name"])
def test_recording_imports_no_numpy(parser: str, by: str, tmp_path: Path) -> None:
    """Accepted and rejected parses are recorded by what the standard library has."""
    (tmp_path / "own.py").write_text(parser)
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "program.py", by],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == [["accepted", "rejected"], []]


SUITE = """
import own, pytest

def test_accepted():
    own.parse("aab")

def test_rejected():
    with pytest.raises(Exception):
        own.parse("aabb")
"""
CONFTEST = """
import sys
from pathlib import Path

def pytest_unconfigure():
    Path("imported").write_text(str("numpy" in sys.modules))
"""


def test_the_report_of_a_passing_suite_imports_no_numpy(tmp_path: Path) -> None:
    """And it says what the coverage of the recorded run says, which is read from matrices."""
    files = {"own.py": PLY, "test_own.py": SUITE, "conftest.py": CONFTEST}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--gramspect", "own:parser",
         "--gramspect-fail-under", "50"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "imported").read_text() == "False"
    run = read_run(tmp_path / "run.gsp")
    found = recorded_suite([run], judged=False)
    expected = coverage_text(
        coverage(
            RecordedGrammar(found.grammar), found.suite,
            load=LoadOptions(adapter=run.header.adapter),
            run=RunOptions(recorded=found.observations),
        ), 5
    )  # fmt: skip
    assert "1 accepted, 1 rejected" in expected
    assert expected in done.stdout
