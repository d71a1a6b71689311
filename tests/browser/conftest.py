"""A headless Chromium for the tests of HTML reports, and pages that must stay quiet.

The browser is one of the machine, else the one that Playwright keeps, which is fetched if need be.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=_executable(playwright))
        yield launched
        launched.close()


def _executable(playwright: Playwright) -> str:
    """The path of a Chromium."""
    for command in COMMANDS:
        if found := shutil.which(command):
            return found
    own = playwright.chromium.executable_path
    if not Path(own).exists():
        install = [sys.executable, "-m", "playwright", "install", "chromium"]
        done = subprocess.run(install, capture_output=True, text=True, check=False)
        if done.returncode or not Path(own).exists():
            pytest.fail(
                "the tests of HTML reports need Chromium: install the package chromium of your"
                " system, or run `playwright install --with-deps chromium`"
            )
    return own


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[OpenPage]:
    """Opens the text of a page offline; at the end it must have been quiet.

    No message on the console, no exception, no dialog, and no request but for the page itself.
    """
    noise: list[str] = []
    contexts = []

    def open_text(text: str, **settings: Any) -> Page:
        file = tmp_path / f"page{len(contexts)}.html"
        file.write_bytes(text.encode("utf-8", "backslashreplace"))
        context = browser.new_context(offline=True, **settings)
        contexts.append(context)
        context.set_default_timeout(10_000)
        page = context.new_page()
        page.on("console", lambda message: noise.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: noise.append(f"exception: {error}"))
        page.on("dialog", lambda dialog: noise.append(f"dialog: {dialog.message}"))
        page.on(
            "request",
            lambda request: request.url == file.as_uri() or noise.append(f"request: {request.url}"),
        )
        page.goto(file.as_uri())
        return page

    yield open_text
    for context in contexts:
        context.close()
    assert noise == []
