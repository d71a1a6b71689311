"""What failing tests have in common, against the tests themselves."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from command import Command
from gramspect import Expectation, Grammar, Localization, TestCase, TestSuite, adapter, localize
from gramspect.localization.common import BEFORE, FEWEST, Trait
from gramspect.report.html import html_report
from gramspect.report.json import json_value
from gramspect.report.markdown import markdown_report
from gramspect.report.text import text_report

RULES = [
    ("expr", ["expr", "+", "term"]),
    ("expr", ["term"]),
    ("term", ["term", "*", "factor"]),
    ("term", ["factor"]),
    ("factor", ["(", "expr", ")"]),
    ("factor", ["n"]),
]
"""Without the rule ``factor: - factor`` that the language has."""


def sentence(random: Random, depth: int, minus: bool) -> str:
    if depth == 0:
        return "n"
    inner = sentence(random, depth - 1, minus)
    forms = [f"( {inner} )", f"n + {inner}", f"n * {inner}", *([f"- {inner}"] if minus else [])]
    return random.choice(forms)


def suite(n: int) -> TestSuite:
    """As many sentences, about half of them with a minus, and some that should be rejected."""
    random = Random(7)
    texts = dict.fromkeys(sentence(random, 5, minus=i % 2 == 0) for i in range(4 * n))
    accept = list(texts)[:n]
    reject = ["n n", "( n", "n + ) n", "* n"]
    return TestSuite(
        tuple(
            TestCase(text, expectation, text, tuple(text.split()))
            for expectation, some in ((Expectation.ACCEPT, accept), (Expectation.REJECT, reject))
            for text in some
        )
    )


@pytest.fixture(scope="module")
def found() -> Localization:
    return localized(60)


def localized(n: int) -> Localization:
    parser = adapter("native").build(Grammar.from_rules([*RULES, ("other", ["-"])], start="expr"))
    return localize(parser, suite(n), evidence="spectrum", all_spectra=True)


def has(result: Localization, number: int, trait: Trait) -> bool:
    """Whether a test has a trait, from its text and its spectrum alone."""
    if trait.element is not None:
        return number in result.basis.matrices[result.method.spectrum].executed(trait.element)
    names = [symbol.name for symbol in result.grammar.symbols]
    wanted = tuple("begin" if t == BEFORE else names[t] for t in trait.tokens)
    words = result.suite.tests[number].text.split()
    if len(wanted) == 1:
        return wanted[0] in words
    return wanted in pairwise(["begin", *words, names[0]])


def test_it_is_true_of_just_the_tests_that_are_named(found: Localization) -> None:
    matrix = found.basis.matrices[found.method.spectrum]
    assert found.common
    for one in found.common:
        true_of = [
            number
            for number in range(len(found.suite))
            if all(has(found, number, trait) for trait in one.present)
            and not any(has(found, number, trait) for trait in one.absent)
        ]
        assert one.failing == tuple(n for n in true_of if matrix.failing[n])
        assert one.passing == tuple(n for n in true_of if matrix.passing[n])
        assert len(one.failing) > max(1, len(one.passing))


def test_the_forgotten_minus_is_found(found: Localization) -> None:
    first = found.common[0]
    assert [found.grammar.symbols[t].name for t in first.present[0].tokens] == ["-"]
    assert len(first.failing) == found.n_failing
    assert first.passing == ()


def test_every_report_shows_it(found: Localization) -> None:
    said = f"{found.n_failing} failing, no passing: -"
    assert f"What failing tests have in common:\n  {said}\n" in text_report(found)
    assert f"- {found.n_failing} failing, no passing: `-`\n" in markdown_report(found)
    assert f"<li>{found.n_failing} failing, no passing: <code>-</code></li>" in html_report(found)
    (first, *_) = json_value(found)["common"]  # type: ignore[misc]
    assert first["present"] == [{"text": "-", "tokens": ["-"], "label": None}]


def test_small_suites_are_reported_as_before() -> None:
    small = localized(FEWEST - 5)  # and four that should be rejected
    assert small.n_failing > 2
    assert small.common == ()
    assert "in common" not in text_report(small)
    assert localized(FEWEST - 4).common


def test_wrongly_accepted_tests_have_something_in_common() -> None:
    parser = adapter("native").build(Grammar.from_rules([*RULES, ("factor", [])], start="expr"))
    accept = [test for test in suite(40).tests if "-" not in test.text]
    reject = ["( )", "n + ( )", "n * ( )", "n + n * ( )"]
    suite_of_all = TestSuite.from_texts(
        [one.text for one in accept if one.expectation is Expectation.ACCEPT], reject
    )
    result = localize(parser, suite_of_all)
    assert result.n_failing == len(reject)
    (first, *_) = json_value(result)["common"]  # type: ignore[misc]
    assert [trait["text"] for trait in first["present"]] == ["( right before )"]
    assert first["failing"] == [one.test.name for one in result.failing]


def test_tokens_that_the_grammar_does_not_know_are_told(command: Command, tmp_path: Path) -> None:
    grammar, accept = tmp_path / "sums.lark", tmp_path / "accept.txt"
    grammar.write_text('start: N ("+" N)*\nN: /[0-9]+/\n%ignore " "\n')
    inputs = [*(f"{n} + 1" for n in range(18)), "1 - 1", "2 - 1", "3 - 1", "1 + + 1", "2 + + 2"]
    accept.write_text("\n".join(inputs) + "\n")
    answer = command("localize", grammar, "--lines", "--accept", accept)
    assert (
        "What failing tests have in common:\n"
        "  3 failing, no passing: an unknown token\n"
        '  2 failing, no passing: "+" right before "+"\n'
    ) in answer.out
