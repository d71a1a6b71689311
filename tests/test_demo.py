"""``make demo`` and the other targets of the Makefile."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def make(target: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a target in this environment, which is not made anew."""
    venv = Path(sys.prefix)
    settings = [f"{name}={value}" for name, value in {"VENV": str(venv), **variables}.items()]
    return subprocess.run(
        ["make", "--old-file", str(venv / "demo"), target, *settings],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_the_demo_names_the_faulty_rule_first() -> None:
    done = make("demo")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("rank "))
    assert lines[head + 1].split()[0] == "1"
    assert lines[head + 1].split()[2] == "iteration_statement:1:2"
    assert "FOR LPAREN • expression SEMI" in lines[head + 2]


@pytest.mark.slow
def test_the_demo_fails_if_another_rule_comes_first() -> None:
    """On a small grammar: the rules of the Makefile are the same."""
    toy = "fixtures/toy/toy-faulty.y --lines --accept fixtures/toy/accept.txt"
    assert make("demo", DEMO=toy, FAULTY_RULE="stmt:2").returncode == 0
    done = make("demo", DEMO=toy, FAULTY_RULE="stmt:3")
    assert done.returncode != 0
    assert "the faulty rule, stmt:3, is not ranked first" in done.stderr


def test_the_demo_fails_if_no_test_does() -> None:
    done = make("demo", DEMO="fixtures/toy/toy.y --lines --accept fixtures/toy/accept.txt")
    assert done.returncode != 0


def test_the_demo_fails_if_gramspect_does() -> None:
    done = make("demo", DEMO="nowhere.y --accept fixtures/toy/accept.txt")
    assert done.returncode != 0
    assert "nowhere.y" in done.stderr
