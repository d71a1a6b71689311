"""Fixtures of the ANTLR tests."""

from pathlib import Path

import pytest
from g4 import Load


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Loads grammars from texts."""
    return Load(tmp_path)
