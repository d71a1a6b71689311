"""Fixtures of the Lark tests."""

from pathlib import Path

import pytest
from lark_cases import Load


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Loads grammars from texts."""
    return Load(tmp_path)
