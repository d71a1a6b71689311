"""A project to be opened in editors."""

from __future__ import annotations

from pathlib import Path

import pytest
from editor import CALC


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a grammar that lacks brackets, and one test that shows it."""
    (tmp_path / "good").mkdir()
    (tmp_path / "bad").mkdir()
    (tmp_path / "calc.lark").write_text(CALC)
    for name, text in {"sum": "1+2*3", "rest": "7*2+1", "two": "5*5"}.items():
        (tmp_path / "good" / name).write_text(text)
    (tmp_path / "good" / "minus").write_text("1+2*\n-3")
    (tmp_path / "bad" / "twice").write_text("1++2")
    (tmp_path / "gramspect.toml").write_text(
        'grammar = "calc.lark"\naccept = ["good"]\nreject = ["bad"]\neffort = "low"\n'
    )
    return tmp_path
