"""The user's modules: what their code sees while it runs, and what is said if it fails."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gramspect.errors import AdapterError, GrammarError
from gramspect.recognition.surroundings import (
    Surroundings,
    import_file,
    import_name,
    named_object,
)

PROGRAM = """
import argparse

def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--depth", type=int, default=3)
    return parser.parse_args()

found = options()
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module that parses arguments when it is imported, while gramspect has some."""
    path = tmp_path / "module_with_arguments.py"
    path.write_text(PROGRAM)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, path.stem, raising=False)
    monkeypatch.setattr(sys, "argv", ["gramspect", "localize", path.stem, "--accept", "tests"])
    return path


def test_modules_see_no_arguments(program: Path) -> None:
    before = list(sys.argv)
    assert import_file(str(program), {})[0].found.depth == 3
    assert import_name(program.stem, {}).found.depth == 3
    assert sys.argv == before


def test_functions_see_no_arguments(program: Path) -> None:
    before = list(sys.argv)
    for source in (str(program), program.stem):
        assert named_object(f"{source}:options", {}).depth == 3
    assert sys.argv == before


class OfTool(Exception):
    """An exception of a tool whose adapter knows what it says."""

    __module__ = "tool_with_words.errors"


def test_an_adapter_says_what_its_tools_exceptions_mean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever adapter has the code run, while it is imported, called or asked for a name."""
    monkeypatch.setattr(Surroundings, "_explaining", {})
    monkeypatch.setattr(sys, "tool_problem", OfTool("at length"), raising=False)
    wholly, partly = tmp_path / "wholly.py", tmp_path / "partly.py"
    wholly.write_text("import sys\nraise sys.tool_problem\n")
    partly.write_text(
        "import sys\n"
        "def made():\n    raise sys.tool_problem\n"
        "def __getattr__(name):\n    raise sys.tool_problem\n"
    )
    for source in (f"{wholly}:x", f"{partly}:made", f"{partly}:x"):
        with pytest.raises(AdapterError, match="OfTool: at length"):
            named_object(source, {})
    Surroundings.explain("tool_with_words", lambda problem: GrammarError(f"short, not {problem}"))
    for source in (f"{wholly}:x", f"{partly}:made", f"{partly}:x"):
        with pytest.raises(GrammarError, match=r"^short, not at length$"):
            named_object(source, {})
