"""Specialized ANTLR grammars, which take their tokens from the user's file, run by ANTLR."""

from pathlib import Path

import pytest

from command import Command

CALC = """grammar Calc;
prog : expr EOF ;
expr : expr ('*' | '/') expr | expr ('+' | '-') expr | '(' expr ')' | NUM
     | ID '(' ( expr (',' expr)* )? ')' ;
NUM : [0-9]+ ;
ID : [a-z]+ ;
WS : [ \\t\\n]+ -> skip ;
"""


def test_antlr_runs_what_was_written(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("Calc.g4").write_text(CALC)
    where = "'((<expr>))' and at most one <expr> in 'f(<expr>)'"
    answer = command("specialize", "Calc.g4", "--where", where, "-o", "Spec.g4")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.endswith("the smallest input is: ((1))\n")
    Path("yes.txt").write_text("1 + ((2))\ng(7, 8) * ((3)) - f()\n")
    Path("no.txt").write_text("1 + (2)\nf(1 + 2) + ((3))\n")
    answer = command("localize", "Spec.g4", "--lines", "--accept", "yes.txt", "--reject", "no.txt")
    assert (answer.status, answer.out.split(":")[0]) == (
        0,
        "No test fails, so there is nothing to rank",
    )
