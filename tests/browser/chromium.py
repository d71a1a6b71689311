"""Which Chromium the page tests run in: one of the machine, else one that Playwright has kept.

    python tests/browser/chromium.py

prints its path, or ends with status 1 where there is none. Nothing is ever fetched.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Playwright, sync_playwright

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find(playwright: Playwright) -> str | None:
    """The path of a Chromium that starts, or None."""
    for command in (*COMMANDS, playwright.chromium.executable_path):
        if (found := shutil.which(command)) and _starts(found):
            return str(Path(found))
    return None


def _starts(executable: str) -> bool:
    """Whether it is a browser, and not the notice of a package manager how to get one."""
    return (
        subprocess.run([executable, "--version"], capture_output=True, check=False).returncode == 0
    )


if __name__ == "__main__":
    with sync_playwright() as started:
        path = find(started)
    if path is None:
        sys.exit(1)
    print(path)
