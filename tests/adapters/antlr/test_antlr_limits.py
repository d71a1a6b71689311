"""What the JVM cannot do costs one test: in processes with little stack and memory."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest

import command
from gramspect.errors import MissingDependency
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.trace import LLTrace
from gramspect.running.alarm import TimeIsUp, until
from gramspect.running.loading import LoadSpec
from gramspect.suites.suite import TestSuite
from gramspect_antlr import adapter
from gramspect_jvm import locating

GRAMMAR = "grammar G;\ns : e EOF ;\ne : '(' e '!'? | 'x' ;\n"


def localized(folder: Path, option: str, test: str) -> command.Answer:
    """A run over a test between ordinary ones; the last one fails."""
    (folder / "G.g4").write_text(GRAMMAR)
    (folder / "tests.txt").write_text("\n".join(["x", "(x", test, "((x!", "(!"]))
    return command.run(
        *("localize", folder / "G.g4", "--accept", folder / "tests.txt", "--lines"),
        env={"JAVA_TOOL_OPTIONS": option},
    )


@pytest.mark.parametrize(
    ("option", "test", "reason"),
    [
        # Whether a '!' follows is ambiguous, so prediction looks at all the callers, recursively.
        pytest.param(
            "-Dgramspect.stack=300000",
            "(" * 3_000 + "x!",
            "the input is nested too deeply for the stack of ANTLR's parser",
            id="stack",
        ),
        pytest.param(
            "-Xmx40m",
            "(" * 4_000_000 + "x",
            "the parse needs more memory than the JVM has",
            id="memory",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_what_runs_out_costs_one_test(tmp_path: Path, option: str, test: str, reason: str) -> None:
    answer = localized(tmp_path, option, test)
    assert answer.status == 1, answer.err
    assert "1 of 5 tests fails, 1 is undecided:" in answer.out
    assert "1 test undecided, not counted:" in answer.out
    assert f"tests.txt:3: {reason}" in answer.out
    assert "Traceback" not in answer.err


def test_no_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence that says what to do, before anything of the grammar is looked at."""
    (tmp_path / "G.g4").write_text(GRAMMAR)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nowhere"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(locating, "find_spec", lambda _: None)
    with pytest.raises(MissingDependency, match=r"no Java 17 or newer was found; set JAVA_HOME"):
        LoadSpec(adapter.name, str(tmp_path / "G.g4"), LoadOptions())()


def test_a_parse_without_end_is_cancelled(tmp_path: Path) -> None:
    """The time is up while ANTLR predicts; afterwards the parser works as before."""
    path = tmp_path / "G.g4"
    path.write_text("grammar G;\ns : e EOF ;\ne : 'x' e 'y' | 'x' e 'z' | 'x' e | 'x' ;\n")
    recognizer = adapter.load(str(path), LoadOptions())
    short, long = TestSuite.from_texts(accept=["xx", "x" * 3_000 + "!"]).tests
    expected = adapter.load(str(path), LoadOptions()).trace(short)
    with pytest.raises(TimeIsUp), until(monotonic() + 0.5):
        recognizer.trace(long)
    found = recognizer.trace(short)
    assert isinstance(found, LLTrace)
    assert isinstance(expected, LLTrace)
    assert (found.rules, found.current) == (expected.rules, expected.current)
