"""A headless Chromium for the tests of HTML reports, and pages that must stay quiet.

Without a Chromium these tests are skipped, or fail if the environment says that there must be one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from chromium import find
from playwright.sync_api import Browser, Page, Request, ViewportSize, sync_playwright

MANDATORY = "GRAMSPECT_PAGE_TESTS"
"""The variable of the environment whose value ``mandatory`` makes a missing browser a failure."""

SIZE: ViewportSize = {"width": 1280, "height": 720}

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


class Tab:
    """A page in a context of its own, and what was heard of it: it shows one file after the other.

    Another file in the same page costs a third of the work of a new context.
    """

    def __init__(self, browser: Browser, **settings: Any) -> None:
        self.noise: list[str] = []
        self._context = browser.new_context(offline=True, **settings)
        self._context.set_default_timeout(10_000)
        self._wanted = ""
        self._page = page = self._context.new_page()
        page.on("console", lambda message: self.noise.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.noise.append(f"exception: {error}"))
        page.on("dialog", lambda dialog: self.noise.append(f"dialog: {dialog.message}"))
        page.on("request", self._asked)

    def _asked(self, request: Request) -> None:
        if request.url != self._wanted:
            self.noise.append(f"request: {request.url}")

    def show(self, file: Path) -> Page:
        self._wanted = file.as_uri()
        self._page.goto(self._wanted)
        return self._page

    def show_anew(self, file: Path, viewport: Any = None, color_scheme: Any = "light") -> Page:
        """Show a file as a new context would: nothing is kept, and the pointer is in a corner."""
        self.forget()
        self._page.set_viewport_size(viewport or SIZE)
        self._page.emulate_media(media="null", color_scheme=color_scheme, reduced_motion="null")
        self._page.mouse.move(0, 0)
        return self.show(file)

    def forget(self) -> None:
        """Drop what the page has kept; when this returns, all that it has said is in `noise`."""
        if self._wanted:
            self._page.evaluate("localStorage.clear()")

    def close(self) -> None:
        self._context.close()


@pytest.fixture(scope="session")
def common_tab(browser: Browser) -> Iterator[Tab]:
    tab = Tab(browser)
    yield tab
    tab.close()


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, common_tab: Tab, tmp_path: Path) -> Iterator[OpenPage]:
    """Opens the text of a page offline; at the end it must have been quiet.

    No message on the console, no exception, no dialog, and no request but for the page itself.
    A test has one page at a time, but for those whose settings only a new context can have.
    """
    numbers = count()
    tabs: list[Tab] = []
    common_tab.noise.clear()

    def open_text(text: str, **settings: Any) -> Page:
        file = tmp_path / f"page{next(numbers)}.html"
        file.write_bytes(text.encode("utf-8", "backslashreplace"))
        if settings.keys() <= {"viewport", "color_scheme"}:
            return common_tab.show_anew(file, **settings)
        tabs.append(Tab(browser, **settings))
        return tabs[-1].show(file)

    yield open_text
    common_tab.forget()
    for tab in tabs:
        tab.close()
    assert [common_tab.noise, *(tab.noise for tab in tabs)] == [[]] * (1 + len(tabs))
