"""How HTML reports behave in a browser: by keyboard, in both schemes, with hostile texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from command import ACCEPT, FAULTY, ROOT
from gramspect import TestSuite, html_report, suggest
from gramspect.generation.minimal import Minimal
from gramspect.lrgraph.parts import edges_around
from gramspect.report.campaign_html import campaign_html
from gramspect.report.comparison_html import comparison_html
from gramspect.report.coverage_html import coverage_html
from gramspect.report.lr_page import lr_graph_html
from gramspect.report.suggestions_html import suggestions_html
from hostile import RIGHT_TO_LEFT, hostile_localization
from page_results import campaign_records, compared, covered, drawn_graph, toy


def localize_page() -> str:
    return html_report(toy())


def coverage_page() -> str:
    return coverage_html(covered())


def comparison_page() -> str:
    return comparison_html(compared())


def suggestions_page() -> str:
    return suggestions_html(suggest(FAULTY, TestSuite.load(accept=[ACCEPT], lines=True)))


def lr_graph_page() -> str:
    graph = drawn_graph()
    return lr_graph_html(graph, Minimal(graph.grammar), edges_around(graph, "line"))


def campaign_page() -> str:
    return campaign_html(campaign_records())


PAGES = [localize_page, coverage_page, comparison_page, suggestions_page]
ALL_PAGES = [*PAGES, lr_graph_page, campaign_page]


class TestKeyboard:
    def test_ranking(self, open_page: Any) -> None:
        page = open_page(html_report(toy()))
        page.locator("#rows .element").first.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.locator("#selected h3")).to_have_text(toy().ranking[1].label)
        page.keyboard.press("End")
        page.keyboard.press("Enter")
        expect(page.locator("#selected h3")).to_have_text(toy().ranking[-1].label)

    def test_text(self, open_page: Any) -> None:
        page = open_page(html_report(toy()))
        first = page.locator("#text [tabindex='0']")
        expect(first).to_have_count(1)
        first.focus()
        for key in ("ArrowRight", "ArrowRight", "Enter"):
            page.keyboard.press(key)
        expect(page.locator("#selected h3")).to_have_text("prog:1:2")
        for key in ("ArrowDown", "Home", "ArrowDown", "Enter"):
            page.keyboard.press(key)
        expect(page.locator("#selected h3")).to_have_text("block:1:0")
        expect(page.locator("#text [tabindex='0']")).to_have_count(1)

    def test_everything_can_be_reached(self, open_page: Any) -> None:
        """From the top of the page, by tab alone: the skip link, theme, controls, text, ranking."""
        page = open_page(html_report(toy()))
        page.get_by_text("Advanced").click()
        page.evaluate("document.activeElement.blur(); window.getSelection().removeAllRanges()")
        page.locator(".skip").focus()
        reached = ["skip"]
        for _ in range(15):
            page.keyboard.press("Tab")
            reached.append(
                page.evaluate(
                    "(document.activeElement.name || document.activeElement.id"
                    " || document.activeElement.className).split(' ')[0]"
                )
            )
        names = ["spectrum", "evidence", "metric", "ties", "grouped", "level", "filter"]
        for name in ("skip", "theme", *names, "s", "element"):
            assert name in reached, reached

    def test_everything_has_a_name(self, open_page: Any) -> None:
        """What assistive technology is told of the controls, the text and the ranking."""
        page = open_page(html_report(toy()))
        lines = page.locator("body").aria_snapshot().splitlines()
        roles = ("button", "combobox", "checkbox", "searchbox", "columnheader", "heading")
        controls = [
            line.strip()
            for line in lines
            if line.strip().startswith(tuple(f"- {r}" for r in roles))
        ]
        assert len(controls) > 80
        assert not [line for line in controls if '"' not in line]
        landmarks = [line.strip() for line in lines]
        for name in ("Grammar", "Ranking", "Selected", "Failing tests"):
            assert f'- region "{name}":' in landmarks


MARKS = """
() => {
  const names = ["h8", "dot", "e", "executed", "chosen", "covered", "touched", "missed", "edit",
    "good", "bad"];
  const marks = (inside) => names.filter((name) =>
    [...document.querySelectorAll(`.${name}`)].some((one) =>
      Boolean(one.closest("#legend")) === inside && !one.closest("header")));
  const explained = marks(true);
  if (document.querySelector("#legend").textContent.includes("▪")) explained.push("e");
  const coloured = ["good", "bad"];  // of words that say what they mean themselves
  return { shown: marks(false).filter((name) => !coloured.includes(name)), explained };
}
"""
LUMINANCE = """
() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const luminance = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
      const value = byte / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paperOf = (node) => {
    for (; node; node = node.parentElement) {
      const colour = getComputedStyle(node).backgroundColor;
      if (colour !== "rgba(0, 0, 0, 0)") return colour;
    }
  };
  const texts = Object.fromEntries([...document.querySelectorAll("body :not(script)")]
    .filter((node) => [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
    .map((node) => [`${node.tagName} ${node.className}`,
      [luminance(getComputedStyle(node).color), luminance(paperOf(node))]]));
  const probe = document.querySelector(".line .s");
  if (probe === null) return [texts, {}];
  const names = ["", "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8",
    "covered", "touched", "missed", "useless"];
  const places = Object.fromEntries(names.map((name) => {
    probe.className = `s ${name}`;
    const style = getComputedStyle(probe);
    const behind = style.backgroundColor === "rgba(0, 0, 0, 0)"
      ? getComputedStyle(document.body).backgroundColor : style.backgroundColor;
    return [name, [luminance(style.color), luminance(behind)]];
  }));
  return [texts, places];
}
"""


SIDEWAYS = """
() => {
  const kinds = "body, .scroll, pre, .line, table, header, form, main";
  const wide = [...document.querySelectorAll(kinds)]
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth)
    .map((one) => `${one.tagName} ${one.className} ${one.id}`);
  const root = document.documentElement;
  return root.scrollWidth > root.clientWidth ? ["page", ...wide] : wide;
}
"""


SQUEEZED = """
() => [...document.querySelectorAll("td, tbody th")]
  .filter((one) => one.textContent.trim().length > 20 && one.clientWidth
    && one.clientWidth < 100 && one.clientHeight > 2 * one.clientWidth)
  .map((one) => `${one.textContent.trim()}: ${one.clientWidth} x ${one.clientHeight}`)
"""


class TestWidths:
    @pytest.mark.parametrize("make", ALL_PAGES)
    def test_nothing_scrolls_sideways(self, open_page: Any, make: Any) -> None:
        """Neither the page nor a box in it: on a telephone, on half a screen, on a whole one."""
        page = open_page(make(), viewport={"width": 400, "height": 800})
        for details in page.locator("details").all():
            details.evaluate("one => { one.open = true; }")
        for width in (400, 800, 1400):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(SIDEWAYS) == [], width

    @pytest.mark.parametrize("make", ALL_PAGES)
    def test_no_text_is_squeezed(self, open_page: Any, make: Any) -> None:
        """No column of a table is so narrow that its words are broken into pieces."""
        page = open_page(make(), viewport={"width": 800, "height": 800})
        assert page.evaluate(SQUEEZED) == []

    def test_the_ranking_comes_before_the_grammar(self, open_page: Any) -> None:
        page = open_page(localize_page(), viewport={"width": 400, "height": 800})
        tops = [page.locator(f"#{name}").bounding_box()["y"] for name in ("ranking", "text")]
        assert tops == sorted(tops)
        expect(page.locator(".conclusion")).to_contain_text("stmt, line 33")


class TestLegends:
    @pytest.mark.parametrize("make", PAGES)
    def test_every_mark_of_a_page_is_in_its_legend(self, open_page: Any, make: Any) -> None:
        page = open_page(make())
        marks = page.evaluate(MARKS)
        assert marks["shown"]
        assert set(marks["shown"]) <= set(marks["explained"])

    def test_every_line_of_a_graph_is_in_its_legend(self, open_page: Any) -> None:
        page = open_page(lr_graph_page())
        assert page.locator("svg [stroke-dasharray]").count()
        for name in ("circle", "solid line", "dashed line"):
            expect(page.locator("#legend")).to_contain_text(name)

    def test_every_head_of_a_campaign_is_in_its_legend(self, open_page: Any) -> None:
        page = open_page(campaign_page())
        legend = page.locator("#legend")
        for head in {*page.locator(".tables th.number").all_inner_texts()}:
            expect(legend).to_contain_text(head.removesuffix(" %"))

    @pytest.mark.parametrize("make", ALL_PAGES)
    def test_every_page_has_the_same_theme_button(self, open_page: Any, make: Any) -> None:
        page = open_page(make())
        button = page.get_by_role("button", name="Theme: system")
        button.click()
        expect(page.locator(":root")).to_have_attribute("data-theme", "light")


def unreadable(luminances: dict[str, tuple[float, float]]) -> list[str]:
    """What has a contrast below 4.5 (WCAG 2.2, 1.4.3)."""
    return [
        name
        for name, (ink, paper) in luminances.items()
        if (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05) < 4.5
    ]


class TestThemes:
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_everything_can_be_read(self, open_page: Any, scheme: str) -> None:
        """Contrast of at least 4.5 (WCAG 2.2, 1.4.3), and scores that differ look different."""
        texts, found = open_page(html_report(toy()), color_scheme=scheme).evaluate(LUMINANCE)
        assert {"BUTTON element", "SUMMARY ", "MARK ", "P quiet", "P bad"} <= set(texts)
        assert unreadable({**texts, **found}) == []
        heat = [found[name][1] for name in ("", *(f"h{step}" for step in range(1, 9)))]
        assert sorted(heat, reverse=scheme == "light") == heat
        assert len(set(heat)) == len(heat)

    @pytest.mark.parametrize("make", ALL_PAGES)
    def test_all_pages_can_be_read(self, open_page: Any, make: Any) -> None:
        page = open_page(make())
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert unreadable(page.evaluate(LUMINANCE)[0]) == []

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_the_scheme_of_the_system_and_the_button(self, open_page: Any, scheme: str) -> None:
        page = open_page(html_report(toy()), color_scheme=scheme)

        def is_dark() -> bool:
            paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
            return bool(paper != "rgb(255, 255, 255)")

        assert is_dark() is (scheme == "dark")
        button = page.locator("#theme")
        expect(button).to_have_text("Theme: system")
        button.click()
        expect(button).to_have_text("Theme: light")
        assert not is_dark()
        button.click()
        assert is_dark()
        for _ in range(5):  # another process of Chromium may show the page, and keeps things late
            page.reload()
            if button.text_content() == "Theme: dark":
                break
        expect(button).to_have_text("Theme: dark")
        assert is_dark()

    @pytest.mark.parametrize("text", ALL_PAGES)
    def test_a_narrow_screen_does_not_scroll_sideways(
        self, open_page: Any, text: Callable[[], str]
    ) -> None:
        """However deep the folder lies that has the files."""
        deep = text().replace(str(ROOT), f"{ROOT}/a_folder_in_a_folder_that_is_in_a_folder")
        page = open_page(deep, viewport={"width": 360, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


class TestHostile:
    def test_nothing_breaks_out(self, open_page: Any, tmp_path: Path) -> None:
        for result in hostile_localization(tmp_path):
            assert result.ranking
            page = open_page(html_report(result))
            for row in page.locator("#rows .element").all()[:20]:
                row.click()
            for details in page.locator("#failing summary:visible").all():
                details.click()
            page.get_by_label("Filter").fill("<script>")
            assert page.evaluate("window.broken_out") is None
            assert page.evaluate("document.scripts.length") == 2
            assert page.locator("img, svg, iframe, style:not(head style)").count() == 0
            text = page.evaluate("document.documentElement.textContent")
            assert RIGHT_TO_LEFT not in text
            assert "\\u202e" in text
            assert "</script><script>" in page.locator("main").text_content()

    def test_the_policy_holds(self, browser: Any, tmp_path: Path) -> None:
        """Even markup that got into the page would neither run nor load anything."""
        file = tmp_path / "report.html"
        file.write_text(html_report(toy()))
        page = browser.new_page()
        loaded: list[str] = []
        page.on("requestfinished", lambda request: loaded.append(request.url))
        page.goto(file.as_uri())
        page.evaluate(
            """() => {
              const script = document.createElement("script");
              try { script.text = "window.broken_out = true"; } catch {}
              document.body.append(script);
              const image = document.createElement("img");
              image.src = "https://example.org/spy.png";
              document.body.append(image);
              try {
                document.body.setAttribute("onclick", "window.broken_out = true");
              } catch {}
            }"""
        )
        page.locator("h1").click()
        assert page.evaluate("window.broken_out") is None
        assert loaded == [file.as_uri()]
        assert (
            page.evaluate("fetch('https://example.org').then(() => 'got', () => 'blocked')")
            == "blocked"
        )
        page.close()
