"""The page of a comparison in a browser: filters, keyboard, both themes, hostile names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from command import FAULTY
from gramspect import TestSuite, compare
from gramspect.report.comparison_html import comparison_html
from hostile import hostile_comparison


@pytest.fixture(scope="module")
def page() -> str:
    suite = TestSuite.from_texts(
        accept=["program id = { while id do sleep ; } .", "program id = { } ."]
    )
    return comparison_html(compare(FAULTY, suite, adapters=["chart", "native", "ply"], top=3))


def test_filters(page: str, open_page: Callable[..., Page]) -> None:
    view = open_page(page)
    rows = view.locator("#rows tr:visible")
    assert rows.count() == 3
    view.get_by_label("only the top 3 of some technique").uncheck()
    assert rows.count() == 81
    view.get_by_label("Filter").fill("while block")
    assert rows.count() == 5
    assert view.locator("#count").inner_text() == "5 of 81 shown"
    view.get_by_label("only where ranks differ").check()
    assert rows.count() == 0


def test_by_keyboard(page: str, open_page: Callable[..., Page]) -> None:
    view = open_page(page)
    view.keyboard.press("Tab")
    view.keyboard.press("Enter")  # the link after the title skips to the ranks
    assert view.evaluate("location.hash") == "#ranks"
    view.get_by_label("Filter").focus()
    for _ in range(2):
        view.keyboard.press("Tab")
    view.keyboard.press("Space")
    assert view.locator("#rows tr:visible").count() == 81


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_themes(page: str, open_page: Callable[..., Page], theme: str) -> None:
    view = open_page(page, color_scheme=theme)
    background = view.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 28)"}[theme]


def test_without_scripts_all_is_there(page: str, open_page: Callable[..., Page]) -> None:
    view = open_page(page, java_script_enabled=False)
    assert view.locator("#rows tr").count() == 81


def test_nothing_hostile_runs(open_page: Callable[..., Page], tmp_path: Path) -> None:
    view = open_page(comparison_html(hostile_comparison(tmp_path)))
    assert view.evaluate("window.broken_out") is None
    assert view.locator("img, iframe, svg, style:not(head style)").count() == 0
