"""The HTML report of `gramspect localize` in a browser: its numbers, its controls, its manners."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import combinations, cycle, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from command import FAULTY
from gramspect import Localization, TestCase, TestSuite, adapter, html_report, localize
from gramspect.edits.validation import Status
from gramspect.localization.settling import rescored
from gramspect.recognition.trace import Trace, Undecided
from gramspect.scoring.evidence import Evidence, of_elements, scores
from gramspect.scoring.metrics import metric
from gramspect.scoring.ranking import Ties, group_by_nonterminal, rank
from gramspect.spectrum.matrix import SpectrumKind
from page_results import c_parser, calculator, tokens, toy

METRICS = ("tarantula", "ochiai", "jaccard", "dstar")


# --- the numbers ---------------------------------------------------------------------------

READ = """
(method) => {
  const controls = document.getElementById("controls");
  for (const [name, value] of Object.entries(method)) {
    const field = controls.elements.namedItem(name);
    if (field.type === "checkbox") field.checked = value; else field.value = value;
  }
  const changed = controls.elements.namedItem("spectrum");
  changed.dispatchEvent(new Event("input", { bubbles: true }));
  const more = document.getElementById("more");
  if (!more.hidden) more.click();
  return [...document.querySelectorAll("#rows tr")].map((row) => {
    const cells = [...row.cells].map((cell) => cell.textContent);
    const label = row.querySelector(".element").textContent;
    return [label, cells[0], row.dataset.score, row.dataset.ties, ...cells.slice(3)];
  });
}
"""


def shown(page: Page, **method: Any) -> list[Any]:
    """What the table says: label, rank, score, size of the tie, ef, ep, nf, np."""
    rows = page.evaluate(READ, method)
    return [
        (label, float(rank_text.rstrip("=")), float(score), int(ties), *map(int, counts))
        for label, rank_text, score, ties, *counts in rows
    ]


def expected(result: Localization) -> list[Any]:
    return [
        (e.label, round(e.rank, 1), e.score, e.ties, e.ef, e.ep, e.nf, e.np) for e in result.ranking
    ]


def same(found: list[Any], wanted: list[Any]) -> bool:
    """Scores may differ by what floating-point arithmetic does to them, all else not at all."""
    return [row[:2] + row[3:] for row in found] == [row[:2] + row[3:] for row in wanted] and bool(
        np.allclose([row[2] for row in found], [row[2] for row in wanted], rtol=1e-12, atol=0)
    )


Method = tuple[SpectrumKind, str, str, Ties, bool]
"""Spectrum, evidence, metric, ties, and whether alternatives are grouped."""

WAYS = (tuple(SpectrumKind), ("spectrum", "error", "both"), METRICS, tuple(Ties), (False, True))


def methods() -> Iterator[Method]:
    return product(*WAYS)


def pairs() -> list[Method]:
    """Methods in which any two ways of two kinds meet."""
    numbers = product(*(range(len(ways)) for ways in WAYS))
    chosen = [each for each in numbers if sum(each) % max(map(len, WAYS)) == 0]
    found = [tuple(w[i] for w, i in zip(WAYS, each, strict=True)) for each in chosen]
    for (i, first), (j, second) in combinations(enumerate(WAYS), 2):
        assert {(each[i], each[j]) for each in found} == set(product(first, second))
    return found


class TestNumbers:
    @pytest.mark.parametrize("methods_of", [pytest.param(methods, marks=pytest.mark.slow), pairs])
    def test_every_method(self, open_page: Any, methods_of: Callable[[], Iterable[Method]]) -> None:
        """What the page computes is what another run of gramspect prints."""
        page = open_page(html_report(toy()))
        for spectrum, evidence, name, ties, grouped in methods_of():
            how = {"spectrum": spectrum, "evidence": evidence, "metric": name, "ties": ties}
            wanted = expected(toy(**how, group=grouped))
            assert wanted
            assert same(shown(page, **how, grouped=grouped), wanted), how

    def test_an_order_that_the_tool_has_settled(self, open_page: Any) -> None:
        """It is that of the report's own settings; with others the tool was not asked."""
        result = toy(evidence="edits")
        first = result.ranking[0].definition
        factors = {first: 0.01, result.ranking[-1].definition: 0.25}
        ranking = rescored(result.ranking, factors, result.method.ties)
        assert ranking[0].definition != first
        told = replace(result, ranking=ranking, basis=replace(result.basis, settled=factors))
        page = open_page(html_report(told))
        assert same(shown(page, metric="ochiai"), expected(told))
        jaccard = toy(evidence="edits", metric="jaccard")
        assert same(shown(page, metric="jaccard"), expected(jaccard))

    def test_edits(self, open_page: Any) -> None:
        page = open_page(html_report(toy(evidence="edits")))
        for spectrum, name in product(SpectrumKind, METRICS):
            how = {"spectrum": spectrum, "evidence": "edits", "metric": name}
            wanted = expected(toy(**how))
            assert same(shown(page, **how, ties="kmax", grouped=False), wanted), how

    def test_token_rules(self, open_page: Any, tmp_path: Path) -> None:
        result = tokens(tmp_path)
        assert result.first_is_token
        page = open_page(html_report(result))
        assert same(shown(page), expected(result))
        for kind, name in product(SpectrumKind, ("jaccard", "dstar")):
            how = {"spectrum": kind, "metric": name}
            wanted = expected(tokens(tmp_path, **how, confirm=None))
            assert same(shown(page, **how), wanted), how
        others = shown(page, evidence="both")
        assert others
        assert not any(label.startswith("token") for label, *_ in others)

    @pytest.mark.parametrize(
        "result_of", [pytest.param(c_parser, marks=pytest.mark.slow), calculator]
    )
    def test_larger_grammars(self, open_page: Any, result_of: Callable[[], Localization]) -> None:
        """One in plain BNF, one with EBNF operators."""
        result = result_of()
        page = open_page(html_report(result))
        ways = cycle(product(("both", "spectrum"), (True, False)))
        for spectrum, name, ties in product(SpectrumKind, METRICS, Ties):
            evidence, grouped = next(ways)
            how = {"spectrum": spectrum, "evidence": evidence, "metric": name, "ties": ties}
            found = shown(page, **how, grouped=grouped)
            assert same(found, ranked(result, spectrum, evidence, name, ties, grouped)), how

    def test_a_metric_that_the_page_does_not_know(self, open_page: Any) -> None:
        how = {"metric": "dstar:3.5", "spectrum": "rule", "ties": "mid", "evidence": "spectrum"}
        page = open_page(html_report(toy(**how)))
        assert same(shown(page, **how, grouped=False), expected(toy(**how)))
        how["spectrum"] = "shift"
        assert same(shown(page, **how, grouped=False), expected(toy(**how)))

    def test_it_opens_with_the_method_of_the_result(self, open_page: Any) -> None:
        how = {"metric": "jaccard", "spectrum": "shift", "ties": "worst", "evidence": "error"}
        page = open_page(html_report(toy(**how)))
        assert same(shown(page), expected(toy(**how)))


def test_a_token_rule_is_marked_and_selected(open_page: Any, tmp_path: Path) -> None:
    page = open_page(html_report(tokens(tmp_path)))
    expect(page.locator("#rows .chosen .element")).to_have_text("token EXPONENT")
    definition = page.locator(".s.chosen")
    expect(definition).to_have_text('EXPONENT: "e" INT')
    expect(definition).to_have_class(re.compile(r"\bh8\b"))
    selected = page.locator("#selected")
    expect(selected.locator("h3")).to_have_text("token EXPONENT")
    expect(selected.locator(".diff").first).to_contain_text('+EXPONENT: "e" "-"? INT')
    for names_file in ("--- ", "+++ "):
        line = selected.locator(".diff span", has_text=names_file).first
        expect(line).to_have_attribute("class", "")
    expect(selected.locator(".diff .good")).to_have_text('+EXPONENT: "e" "-"? INT\n')
    page.locator("#text [data-i]", has_text="NUMBER: INT").click()
    expect(selected.locator("h3")).to_have_text("token NUMBER")


def ranked(
    result: Localization, spectrum: SpectrumKind, evidence: str, name: str, ties: Ties, group: bool
) -> list[Any]:
    """The ranking by another method, from the spectra of a result."""
    matrix = result.basis.matrices[spectrum]
    assert result.basis.depths is not None
    depths = of_elements(spectrum, result.grammar, result.basis.depths)
    values = scores(matrix, metric(name), Evidence(evidence), depths)
    ranking = rank(values, result.grammar, spectrum, ties)
    grouped = group_by_nonterminal(ranking, result.grammar) if group else ranking
    best = grouped.best if group else ranking.elements  # type: ignore[union-attr]
    counts = np.stack(matrix.counts(), axis=1)
    rows = zip(best.tolist(), grouped.ranks, grouped.scores, grouped.tie_sizes, strict=True)
    grammar = result.grammar
    label = [rule.label for rule in grammar.rules]
    if spectrum is not SpectrumKind.RULE:
        label = [grammar.item_label(item) for item in range(grammar.n_items)]
    return [
        (label[element], round(float(place), 1), float(score), int(size), *counts[element].tolist())
        for element, place, score, size in rows
        if score > 0
    ]


# --- what one does with it -----------------------------------------------------------------


class TestControls:
    def test_the_ranking_leads_to_the_text(self, open_page: Any) -> None:
        page = open_page(html_report(c_parser()))
        page.get_by_role("button", name="iteration_statement:1:2", exact=True).first.click()
        chosen = page.locator("#text .s.chosen")
        expect(chosen).to_have_count(1)
        expect(chosen).to_be_in_viewport()
        selected = page.locator("#selected")
        expect(selected.locator("h3")).to_have_text("iteration_statement:1:2")
        expect(selected).to_contain_text("faulty_c.py:26:")

    def test_the_text_leads_to_what_is_known(self, open_page: Any) -> None:
        page = open_page(html_report(toy()))
        page.locator("#text .line").nth(33).get_by_text("do", exact=True).click()
        selected = page.locator("#selected")
        expect(selected.locator("h3")).to_have_text("stmt:3:2")
        expect(selected).to_contain_text("stmt -> while expr • do block")
        expect(selected).to_contain_text("1 failing test executes it")
        expect(selected).to_contain_text("0 passing tests execute it")
        expect(selected).to_contain_text("accept.txt:14:28")

    @pytest.mark.slow
    def test_tests_of_an_element(self, open_page: Any) -> None:
        """Each element lists the tests that execute it, and no others."""
        result = c_parser()
        matrix = result.basis.matrices[SpectrumKind.ITEM]
        page = open_page(html_report(result))
        for element in (result.ranking[0], result.ranking[40]):
            page.get_by_label("Filter").fill(f"{element.label} ")
            page.get_by_role("button", name=element.label, exact=True).click()
            tests = [t for t in matrix.executed(element.element).tolist() if matrix.passing[t]]
            assert len(tests) == element.ep
            verb = "executes" if len(tests) == 1 else "execute"
            plural = "test" if len(tests) == 1 else "tests"
            summary = page.get_by_text(f"{len(tests)} passing {plural} {verb} it")
            summary.click()
            listed = page.locator("#selected details", has=summary)
            while (more := listed.get_by_text("Show more")).is_visible():
                more.click()
            names = listed.locator("li .mono")
            assert names.all_text_contents() == [result.suite.tests[t].name for t in tests]

    def test_filter(self, open_page: Any) -> None:
        page = open_page(html_report(toy()))
        page.get_by_label("Filter").fill("WHILE do")
        labels = page.locator("#rows .element").all_text_contents()
        assert labels == [e.label for e in toy().ranking if e.label.startswith("stmt:3:")]
        expect(page.get_by_role("status")).to_contain_text(f"{len(labels)} of")
        page.get_by_label("Filter").fill("no such thing")
        expect(page.locator("#rows tr")).to_have_count(0)

    def test_colours(self, open_page: Any) -> None:
        """The best of the ranking is the darkest, at both levels; what has no score has none."""
        page = open_page(html_report(toy()))
        line = page.locator("#text .line").nth(32)
        expect(line.get_by_text("else", exact=True)).to_have_class(r"s h8 chosen")
        expect(line.locator(".no")).to_have_class("no h8")
        expect(page.locator("#text .line").nth(17).locator(".s").first).to_have_class("s")
        page.get_by_label("Colour", exact=True).select_option("rules")
        classes = {s.get_attribute("class") for s in line.locator(".s[data-r]").all()}
        assert all(name and "h8" in name.split() for name in classes)

    def test_the_spectrum_of_rules_is_shown_on_rules(self, open_page: Any) -> None:
        page = open_page(html_report(toy()))
        page.get_by_text("Advanced").click()
        page.get_by_label("Spectrum", exact=True).select_option("rule")
        expect(page.get_by_label("Colour", exact=True)).to_be_disabled()
        page.locator("#text .line").nth(33).get_by_text("do", exact=True).click()
        expect(page.locator("#selected h3")).to_have_text("stmt:3")
        page.get_by_label("Spectrum", exact=True).select_option("shift")
        expect(page.locator("#selected")).to_have_text("Nothing is selected yet.")

    def test_failing_tests_mark_their_errors(self, open_page: Any) -> None:
        page = open_page(html_report(toy()))
        failing = page.locator("#failing > div > ul > li")
        expect(failing).to_have_count(2)
        failing.nth(1).locator("summary").click()
        expect(failing.nth(1).locator("mark")).to_have_text("sleep")
        expect(failing.nth(1).locator("pre")).to_have_text(toy().failing[1].test.text)
        expect(failing.nth(0).locator("mark")).to_have_text(";")

    def test_what_a_test_executes(self, open_page: Any) -> None:
        page = open_page(html_report(toy()))
        button = page.locator("#failing button").first
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        assert page.locator("#text .executed").count() > 10
        line = page.locator("#text .line").nth(32)
        expect(line.get_by_text("then")).to_have_class(re.compile(r"^s h\d executed$"))
        button.click()
        expect(page.locator("#text .executed")).to_have_count(0)

    def test_edits_are_with_their_elements(self, open_page: Any) -> None:
        result = toy(evidence="edits")
        page = open_page(html_report(result))
        best = result.ranking[0]
        page.get_by_role("button", name=best.label, exact=True).click()
        wanted = result.suggestions_for(best)
        assert wanted
        edits = page.locator("#selected .edit")
        assert sorted(edits.locator("b").all_text_contents()) == sorted(
            s.describe() for s in wanted
        )
        (shown,) = [one for one in wanted if one.status is Status.VALIDATED and one.change][:1]
        first = edits.first
        expect(first.locator("b")).to_have_text(shown.describe())
        assert first.locator("pre").inner_text().rstrip("\n") == shown.change.diff().rstrip("\n")
        first.locator("summary").click()
        names = [result.suite.tests[test].name for test in shown.effect.fixed]
        assert first.locator("li").all_text_contents() == names

    def test_edits_that_were_not_checked(self, open_page: Any) -> None:
        result = replace(toy(evidence="edits"), suggestions=())
        page = open_page(html_report(result))
        best = result.ranking[0]
        page.get_by_role("button", name=best.label, exact=True).click()
        found = page.locator("#selected .edit b").all_text_contents()
        assert found
        assert found == [p.edit.describe(result.grammar) for p in result.proposals_for(best)]

    def test_nothing_fails(self, open_page: Any) -> None:
        suite = TestSuite.from_texts(accept=["program id = { } ."])
        page = open_page(html_report(localize(FAULTY, suite, all_spectra=True)))
        expect(page.get_by_role("status")).to_contain_text("there is nothing to rank")
        expect(page.locator("#rows tr")).to_have_count(0)

    def test_undecided_tests(self, open_page: Any) -> None:
        class Moody:
            """Gives up on one test."""

            grammar = toy().grammar

            def trace(self, test: TestCase) -> Trace:
                return Undecided("<b>tired</b>") if "sleep" in test.text else inner.trace(test)

        inner = adapter("native").build(toy().grammar)
        suite = TestSuite.from_texts(["program id = { } .", "program id = { sleep ; } .", "id"])
        page = open_page(html_report(localize(Moody(), suite, all_spectra=True)))
        expect(page.locator("header")).to_contain_text("1 of 3 tests fail.")
        expect(page.locator("header")).to_contain_text("1 are undecided and not counted.")
        expect(page.locator("#failing")).to_contain_text("undecided: <b>tired</b>")
