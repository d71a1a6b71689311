"""What records a parser in a program loads little into it: no numpy, no numba."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

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
heavy = [name for name in ("numpy", "numba") if name in sys.modules]
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
