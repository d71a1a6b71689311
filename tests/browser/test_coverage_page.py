"""The HTML report of `gramspect coverage` in a browser."""

from __future__ import annotations

from functools import cache
from typing import Any

from playwright.sync_api import expect

from command import ACCEPT, FAULTY, ROOT
from gramspect import Coverage, TestSuite, coverage
from gramspect.grammar_coverage.elements import Level, State
from gramspect.report.coverage_html import coverage_html
from hostile import RIGHT_TO_LEFT, hostile_coverage


@cache
def toy() -> Coverage:
    return coverage(FAULTY, TestSuite.load(accept=[ACCEPT], lines=True))


@cache
def c_parser() -> Coverage:
    parser = ROOT / "fixtures" / "demo" / "faulty_c.py"
    return coverage(f"{parser}:FaultyCParser", TestSuite.load([ROOT / "fixtures" / "c" / "accept"]))


class TestNumbers:
    def test_the_table(self, open_page: Any) -> None:
        for result in (toy(), c_parser()):
            page = open_page(coverage_html(result))
            found = {
                row.locator("th").inner_text(): [int(c) for c in row.locator("td").all_inner_texts()
                                                 if c.isdigit()]
                for row in page.locator("#levels tbody tr").all()
            }  # fmt: skip
            names = ("non-terminals", Level.NONTERMINALS), ("rules", Level.RULES)
            for name, level in (*names, ("positions", Level.ITEMS)):
                tally = result.levels[level]
                assert found[name] == [tally.covered, tally.total, tally.touched]

    def test_colours_are_states(self, open_page: Any) -> None:
        """Every rule of the grammar that lies in a place of its own has the colour of its state."""
        result = c_parser()
        page = open_page(coverage_html(result))
        classes = page.evaluate(
            """() => data.elements.rulePlaces.map((place) =>
              [...document.querySelectorAll(`.s[data-r="${place}"]`)].map((s) => s.className))"""
        )
        places = page.evaluate("() => data.elements.rulePlaces")
        seen = set()
        for rule, (place, found) in enumerate(zip(places, classes, strict=True)):
            if places.count(place) == 1:
                state = result.rule_state(rule)
                seen.add(state)
                assert found
                assert all(state in name.split() for name in found), rule
        assert seen == {State.COVERED, State.TOUCHED, State.MISSED}

    def test_tests_of_an_element(self, open_page: Any) -> None:
        page = open_page(coverage_html(toy()))
        page.locator("#text .line").nth(32).get_by_text("else", exact=True).click()
        selected = page.locator("#selected")
        expect(selected.locator("h3")).to_have_text("stmt:2")
        expect(selected.locator(".swatch")).to_have_text("covered")
        expect(selected).to_contain_text("1 accepted test uses it")
        expect(selected).to_contain_text("1 rejected test uses it")
        selected.get_by_text("accepted test uses it").click()
        names = selected.locator("li .mono").all_text_contents()
        both = {test.name for test in toy().tests_of_rule(13)}
        assert len(both) == 2
        assert set(names) < both


class TestControls:
    def test_gaps_lead_to_the_text(self, open_page: Any) -> None:
        page = open_page(coverage_html(c_parser()))
        expect(page.locator("#rows li")).to_have_count(len(c_parser().gaps))
        for gap in (c_parser().gaps[0], c_parser().gaps[-1]):
            page.locator("#rows").get_by_role("button", name=gap.label, exact=True).click()
            expect(page.locator("#text .chosen").first).to_be_in_viewport()
            expect(page.locator("#selected h3")).to_have_text(
                c_parser().grammar.rules[gap.rule].label
            )

    def test_filter(self, open_page: Any) -> None:
        page = open_page(coverage_html(c_parser()))
        page.get_by_label("Filter").fill("pragma")
        shown = page.locator("#rows li:visible")
        wanted = [gap for gap in c_parser().gaps if "pragma" in f"{gap.label} {gap.what}".lower()]
        expect(shown).to_have_count(len(wanted))
        expect(page.get_by_role("status")).to_have_text(f"{len(wanted)} of 18 gaps match")

    def test_states_can_be_hidden(self, open_page: Any) -> None:
        page = open_page(coverage_html(toy()))
        assert page.locator("#text .covered").count() > 100
        page.get_by_label("covered", exact=True).uncheck()
        expect(page.locator("#text .covered")).to_have_count(0)
        expect(page.locator("#text .touched").first).to_be_visible()

    def test_positions(self, open_page: Any) -> None:
        """Of a rule that only a rejected test touches, positions after the error are missed."""
        page = open_page(coverage_html(toy()))
        page.get_by_label("Colour", exact=True).select_option("positions")
        line = page.locator("#text .line").nth(33)
        expect(line.get_by_text("do", exact=True)).to_have_class("s touched")
        expect(line.locator(".e")).to_have_class("s e missed")

    def test_keyboard(self, open_page: Any) -> None:
        page = open_page(coverage_html(c_parser()))
        page.locator("#rows .element").first.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        label = c_parser().grammar.rules[c_parser().gaps[1].rule].label
        expect(page.locator("#selected h3")).to_have_text(label)


def test_nothing_breaks_out(open_page: Any) -> None:
    page = open_page(coverage_html(hostile_coverage()))
    for button in page.locator("#rows .element").all():
        button.click()
    for details in page.locator("#all summary").all():
        details.click()
    assert page.evaluate("window.broken_out") is None
    assert page.evaluate("document.scripts.length") == 2
    assert page.locator("img, svg, iframe").count() == 0
    assert RIGHT_TO_LEFT not in page.evaluate("document.documentElement.textContent")
