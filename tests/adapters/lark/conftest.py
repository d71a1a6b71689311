"""Fixtures of the Lark tests."""

from pathlib import Path

import pytest
from lark_cases import Load

from command import Command


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Loads grammars from texts."""
    return Load(tmp_path)


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command line, in this process."""
    monkeypatch.delenv("GRAMSPECT_DEBUG", raising=False)
    return Command(capsys, monkeypatch)
