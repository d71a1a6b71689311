"""A headless Chromium for the tests of HTML reports, and pages that must stay quiet.

Without a Chromium these tests are skipped, or fail if the environment says that there must be one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import find
from playwright.sync_api import Browser, Page, sync_playwright

MANDATORY = "GRAMSPECT_PAGE_TESTS"
"""The variable of the environment whose value ``mandatory`` makes a missing browser a failure."""

NONE = "the page tests need a Chromium: install the package chromium of your system"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        executable = find(playwright)
        if executable is None and os.environ.get(MANDATORY) == "mandatory":
            pytest.fail(NONE)
        if executable is None:
            pytest.skip(NONE)
        launched = playwright.chromium.launch(executable_path=executable)
        yield launched
        launched.close()


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
