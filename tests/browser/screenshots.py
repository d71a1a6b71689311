"""Takes the pictures of the documentation anew: ``python tests/browser/screenshots.py``."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from chromium import find
from playwright.sync_api import sync_playwright

from gramspect import TestSuite, coverage, html_report, localize
from gramspect.report.coverage_html import coverage_html

ROOT = Path(__file__).parents[2]
SIZE = {"width": 1180, "height": 820}


def pages() -> dict[str, tuple[str, str]]:
    """The text and colour scheme of each page by the name of its picture."""
    parser = "fixtures/demo/faulty_c.py:FaultyCParser"
    suite = TestSuite.load(accept=["fixtures/c/accept"], reject=["fixtures/c/reject"])
    faulty = localize(parser, suite, evidence="edits", all_spectra=True)
    few = TestSuite.from_texts(["1;", "1 + 2 * 3;", "let x = 4;", "def f(a) = a;"], ["x = ;"])
    covered = coverage("fixtures/antlr/calc/Calc.g4", few)
    return {
        "localize": (html_report(faulty), "light"),
        "coverage": (coverage_html(covered), "dark"),
    }


def main() -> None:
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(playwright))
        for name, (text, scheme) in pages().items():
            file = Path(folder) / f"{name}.html"
            file.write_text(text)
            page = browser.new_page(viewport=SIZE, color_scheme=scheme)
            page.goto(file.as_uri())
            page.screenshot(path=ROOT / "docs" / "images" / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
