"""Fixtures of the JavaCC tests."""

from pathlib import Path

import pytest
from jj import Load


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Loads grammars from texts."""
    return Load(tmp_path)
