"""Whatever the user's Python code does costs one test, or is one clear error: never the run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hostile_code import DEEDS, PLACES, code_case, many_deeds_case
from hostile_runs import Case, faults, run

_SOME = ("exit", "interrupt", "odd exception", "thread", "fork", "write everywhere", "close output")


def check(case: Case, folder: Path) -> str:
    """Runs a case; its output."""
    folder.mkdir()
    outcome = run(case, folder)
    assert list(faults(case, outcome)) == [], (case.name, outcome)
    return outcome.output.decode()


@pytest.mark.parametrize("place", ["lexer", "action"])
@pytest.mark.parametrize("kind", ["ply", "lark"])
def test_a_deed_costs_the_test_that_makes_the_parser_do_it(
    kind: str, place: str, tmp_path: Path
) -> None:
    case = many_deeds_case(kind, place)
    tests = json.loads(check(case, tmp_path / "run"))["tests"]
    n_deeds = str(case.files["t.txt"]).count("bad")
    assert tests["total"] == 2 * n_deeds > 50
    # What a lexer raises is a rejection.
    others = (*tests["undecided_tests"], *tests["failing"])
    lost = {int(one["name"].partition(":")[2]) for one in others}
    assert len(lost) > 12
    assert all(number % 2 for number in lost), "a harmless test is lost"


def test_a_deed_at_import_is_one_clear_error_or_harmless(tmp_path: Path) -> None:
    for deed in _SOME:
        check(code_case("ply", "import", deed, ("--evidence", "both")), tmp_path / deed)


def test_endless_loading_is_stopped(tmp_path: Path) -> None:
    case = code_case("ply", "import", "endless", ("--load-timeout", "0.5"))
    folder = tmp_path / "run"
    folder.mkdir()
    outcome = run(case, folder)
    assert outcome.status == 2
    assert "p.py: loading it takes longer than 0.5 s; --load-timeout" in outcome.errors


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", ["ply", "lark"])
def test_every_deed_alone(kind: str, place: str, tmp_path: Path) -> None:
    for deed in DEEDS:
        check(code_case(kind, place, deed), tmp_path / deed)
