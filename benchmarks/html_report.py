"""The HTML report of a large grammar: its size, the time to write it, and how fluent it is.

    python benchmarks/html_report.py [--tests N] [--keep FILE]

A grammar of 611 rules (`sql_like`) with a fault in one of them runs random sentences of the correct
one. The page is opened in headless Chromium; without one only its size and the time to write it are
printed. Else the median times of five rounds follow: to open the page, to compute and show the
ranking by another metric, to show all of it, to filter it, and to select an element by a click in
the text.
"""

from __future__ import annotations

import argparse
import random
import shutil
import time
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

import sql_like
from gramspect import LoadOptions, Localization, TestSuite, html_report, localize
from ranking import machine
from sentences import random_sentences

ROUNDS = 5
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
FAULTY = "where_part"
"""Its second alternative, ``WHERE expr``, lacks its expression."""

ACTIONS = {
    "another metric": "set('metric', 'jaccard')",
    "all of the ranking": "document.getElementById('more').click()",
    "filter": "set('filter', 'select')",
    "colour rules": "set('level', 'rules')",
    "select in the text": "document.querySelectorAll('#text [data-i]')[700].click()",
    "what a test executes": "document.querySelector('#failing button').click()",
}
SET = """
window.set = (name, value) => {
  const field = document.getElementById('controls').elements.namedItem(name);
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
};
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tests", type=int, default=1000)
    parser.add_argument("--keep", type=Path, help="where to leave the page")
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        result = localized(Path(folder), arguments.tests)
        begin = time.perf_counter()
        text = html_report(result)
        written = time.perf_counter() - begin
        page = arguments.keep or Path(folder) / "report.html"
        page.write_text(text)
        print(machine())
        grammar = result.grammar
        print(
            f"{grammar.n_rules} rules, {grammar.n_items} items, {len(result.suite)} tests, of which"
            f" {result.n_failing} fail"
        )
        print(f"{len(text.encode()) / 1e6:.2f} MB, written in {written:.2f} s")
        if CHROMIUM is None:
            print(
                "the times in a browser are left out: install the package chromium of your system"
            )
            return
        for name, seconds in measured(page, CHROMIUM).items():
            print(f"{name:22} {1000 * seconds:6.0f} ms")


def localized(folder: Path, n_tests: int) -> Localization:
    """The result for a grammar with a fault."""
    correct = sql_like.grammar()
    sentences = islice(random_sentences(correct, random.Random(1), 18, 120), n_tests)
    tests = folder / "tests.txt"
    tests.write_text(
        "\n".join(" ".join(correct.symbols[t].name.strip("'") for t in s) or " " for s in sentences)
    )
    grammar = folder / "sql_like.y"
    by_name: dict[str, list[str]] = {}
    for lhs, rhs in sql_like.rules():
        fault = lhs == FAULTY and rhs
        by_name.setdefault(lhs, []).append(" ".join(rhs[:1] if fault else rhs))
    rules = (f"{lhs}\n    : " + "\n    | ".join(alts) + "\n    ;" for lhs, alts in by_name.items())
    grammar.write_text("%%\n" + "\n\n".join(rules) + "\n")
    suite = TestSuite.load(accept=[tests], lines=True)
    return localize(grammar, suite, load=LoadOptions(adapter="native"), all_spectra=True)


def measured(page: Path, executable: str) -> dict[str, float]:
    """Median seconds of each action, until the page is laid out again."""
    times: dict[str, list[float]] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable)
        for _ in range(ROUNDS):
            opened = browser.new_page()
            opened.goto(page.as_uri())
            timing = "performance.getEntriesByType('navigation')[0].loadEventEnd"
            times.setdefault("open", []).append(opened.evaluate(timing) / 1000)
            opened.evaluate(f"() => {{ {SET} }}")
            for name, action in ACTIONS.items():
                times.setdefault(name, []).append(_time_of(opened, action))
            opened.close()
        browser.close()
    return {name: median(values) for name, values in times.items()}


def _time_of(page: Page, action: str) -> float:
    milliseconds: float = page.evaluate(
        f"""() => {{
          const begin = performance.now();
          {action};
          document.body.offsetHeight;
          return performance.now() - begin;
        }}"""
    )
    return milliseconds / 1000


if __name__ == "__main__":
    main()
