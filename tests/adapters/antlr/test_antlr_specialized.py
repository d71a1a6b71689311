"""Specialized ANTLR grammars, which take their tokens from the user's file, run by ANTLR."""

from pathlib import Path

from command import Command

CALC = """grammar Calc;
prog : expr EOF ;
expr : expr ('*' | '/') expr | expr ('+' | '-') expr | '(' expr ')' | NUM
     | ID '(' ( expr (',' expr)* )? ')' ;
NUM : [0-9]+ ;
ID : [a-z]+ ;
WS : [ \\t\\n]+ -> skip ;
"""


def test_antlr_runs_what_was_written(command: Command, tmp_path: Path) -> None:
    (tmp_path / "Calc.g4").write_text(CALC)
    where = "'((<expr>))' and at most one <expr> in 'f(<expr>)'"
    written, yes, no = (tmp_path / name for name in ("Spec.g4", "yes.txt", "no.txt"))
    answer = command("specialize", tmp_path / "Calc.g4", "--where", where, "-o", written)
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.endswith("the smallest input is: ((1))\n")
    yes.write_text("1 + ((2))\ng(7, 8) * ((3)) - f()\n")
    no.write_text("1 + (2)\nf(1 + 2) + ((3))\n")
    answer = command("localize", written, "--lines", "--accept", yes, "--reject", no)
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("No test fails, so there is nothing to rank: 4 tests passed.")
