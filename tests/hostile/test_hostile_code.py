"""Whatever the user's Python code does costs one test, or is one clear error: never the run."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hostile_code import DEEDS, PLACES, code_case, many_deeds_case
from hostile_runs import Case, faults, run

from gramspect.grammars.grammar import Grammar
from gramspect.recognition import recognizer as recognizers
from gramspect.recognition.trace import Extraction, Trace, Undecided
from gramspect.running.hosts import Host
from gramspect.running.isolated import isolated
from gramspect.suites.suite import Expectation, TestCase

_SOME = (
    "exit", "interrupt", "kill parent", "odd exception", "thread", "fork", "write everywhere",
    "close output",
)  # fmt: skip


def saying(name: str) -> Callable[..., str]:
    return lambda *_: name


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
    assert len(lost) > 10
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


def test_a_loss_that_shows_only_when_the_next_process_is_wanted_costs_one_test(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where two run at once, one test may end the host that the other's next copy is asked of."""

    class Murderer:
        """A parser that ends the process that it is a copy of, and itself, in its first test."""

        grammar = Grammar.from_rules([("s", ["a"])])

        def trace(self, test: TestCase) -> Trace:
            if test.name == "kill":
                os.kill(os.getppid(), signal.SIGKILL)
                os.kill(os.getpid(), signal.SIGKILL)
            return Undecided("harmless")

    found = isolated("p.py", lambda: ("murderer", Murderer()), 60)
    monkeypatch.setattr(Host, "is_lost", False)
    tests = [TestCase(name, Expectation.ACCEPT, "") for name in ("kill", "next")]
    observations = found.run(tests, Extraction.EXACT, None, 1)
    assert [one.reason for one in observations] == [
        "the parser's process died (SIGKILL)",
        "harmless",
    ]


def test_every_ability_of_a_recognizer_is_there_from_another_process() -> None:
    """A protocol of recognizers that is new has to be said to `IsolatedRecognizer`, too."""

    class Able:
        """A parser that has all abilities."""

        grammar = Grammar.from_rules([("s", ["a"])])
        conflicts = ()

        def trace(self, test: TestCase) -> Trace:
            return Undecided("")

    abilities = [
        protocol
        for protocol in vars(recognizers).values()
        if getattr(protocol, "_is_runtime_protocol", False)
        and protocol not in (recognizers.Recognizer, recognizers.Batching, recognizers.Deciding)
        and protocol not in (recognizers.BatchRecording, recognizers.OutcomeReading)
        and not protocol.__doc__.startswith("An adapter")
    ]
    names = {name for one in abilities for name in vars(one) if not name.startswith("_")}
    for name in names - {"conflicts"}:
        setattr(Able, name, saying(name))
    found = isolated("able", lambda: ("able", Able()), 60)
    assert len(abilities) >= 6
    for protocol in abilities:
        assert isinstance(found, protocol), protocol
    for name in names - {"conflicts"}:
        assert getattr(found, name)([]) == name
