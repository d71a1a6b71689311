"""The worked example (Raselimo and Fischer 2024, Figure 1, Tables 2 and 3) in ANTLR's notation."""

from __future__ import annotations

from pathlib import Path

from command import Command

FIXTURES = Path(__file__).parents[3] / "fixtures"


def test_edits(command: Command) -> None:
    tests = FIXTURES / "toy" / "accept.txt"
    answer = command(
        *("localize", FIXTURES / "antlr" / "Toy.g4", "--accept", tests, "--lines"),
        *("--evidence", "edits"),
    )
    assert answer.status == 1
    assert "try: also allow the rule to end here (fixes 1 of 2, breaks none;" in answer.out
    assert "try: also allow 'sleep' instead of block (fixes 1 of 2, breaks none;" in answer.out
