"""What becomes of the page tests on a machine without a browser."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE_TESTS = "tests/browser/test_coverage_page.py"


def run_page_tests(folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Runs page tests where no command is found and Playwright has kept no browser."""
    known = {k: v for k, v in os.environ.items() if not k.startswith(("GRAMSPECT", "PYTEST"))}
    nothing = {"PATH": str(folder), "PLAYWRIGHT_BROWSERS_PATH": str(folder)}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", PAGE_TESTS],
        cwd=ROOT,
        env={**known, **nothing, **settings},
        capture_output=True,
        text=True,
        check=False,
    )


def test_they_are_skipped_in_one_line_and_nothing_is_fetched(tmp_path: Path) -> None:
    done = run_page_tests(tmp_path)
    assert done.returncode == 0, done.stdout
    (line,) = (line for line in done.stdout.splitlines() if "Chromium" in line)
    assert re.match(r"\d+ tests left out: the page tests need a Chromium: install the", line)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_they_fail_where_they_are_mandatory(tmp_path: Path) -> None:
    done = run_page_tests(tmp_path, GRAMSPECT_PAGE_TESTS="mandatory")
    assert done.returncode == 1
    assert "the page tests need a Chromium" in done.stdout
    assert "skipped" not in done.stdout
    assert not list(tmp_path.iterdir())
