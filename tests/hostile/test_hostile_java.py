"""Java code that does not let itself be loaded: one clear error that names the file, in time."""

from __future__ import annotations

from pathlib import Path

import pytest
from hostile_runs import Case, faults, run

GRAMMAR = """options {{ STATIC = false; }}
PARSER_BEGIN(P) public class P {{ static {{ {code} }} }} PARSER_END(P)
TOKEN : {{ < NUM: (["0"-"9"])+ > }}
void s() : {{}} {{ <NUM> <EOF> }}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "seconds", "said"),
    [
        ("System.exit(0);", "60", "P.jj: P called System.exit(0)"),
        ("int i = 0; while (i != 1 || P.class != null) i++;", "15", "P.jj: loading it takes"),
    ],
)
def test_a_static_block_of_javacc(code: str, seconds: str, said: str, tmp_path: Path) -> None:
    arguments = ("localize", "P.jj", "--accept", "t.txt", "--load-timeout", seconds)
    files = {"P.jj": GRAMMAR.format(code=code), "t.txt": "1"}
    case = Case("", arguments, files, statuses=frozenset([2]), jvm=True, seconds=float(seconds))
    outcome = run(case, tmp_path)
    assert list(faults(case, outcome)) == []
    assert said in outcome.errors
