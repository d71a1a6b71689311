"""Fixtures of the CUP tests."""

import pytest

from command import Command


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command line, in this process."""
    monkeypatch.delenv("GRAMSPECT_DEBUG", raising=False)
    return Command(capsys, monkeypatch)
