"""Faults seeded into grammars of other people: of Python, of HCL, of Lark's own notation.

Python's has an indenter, that of HCL something that comes after its lexer, Lark's own is parsed by
Earley's algorithm with the dynamic lexer. `ranks.json` beside each suite records the ranks (see
`record_lark_ranks`).
"""

from __future__ import annotations

import pytest
from lark_faults import Fault
from lark_seeded import LANGUAGES, Language

from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import Verdict
from gramspect.running.runner import run
from gramspect.suites.suite import Expectation
from ranks import sampled

CASES = [
    case
    for language in LANGUAGES
    for case in sampled(
        [pytest.param(language, fault, id=fault.name) for fault in language.faults], 20
    )
]
each_language = pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.folder)


@pytest.mark.parametrize(("language", "fault"), CASES)
def test_ranks(language: Language, fault: Fault) -> None:
    assert language.ranks(fault) == language.recorded()[fault.name]


@each_language
def test_the_correct_grammar(language: Language) -> None:
    """It passes its suite."""
    recognizer = adapter(language.adapter).load(str(language.path), language.options)
    assert recognizer.grammar.diagnostics == ()
    for test, found in zip(language.suite, run(recognizer, language.suite.tests), strict=True):
        expected = test.expectation is Expectation.ACCEPT
        assert found.verdict is (Verdict.ACCEPTED if expected else Verdict.REJECTED), test.name


@each_language
def test_success(language: Language) -> None:
    """Every faulty rule is among the first five; most of them come first."""
    recorded = language.recorded()
    assert set(recorded) == {fault.name for fault in language.faults}
    ranks = [kinds["both"]["nonterminal"] or 1000 for kinds in recorded.values()]
    assert max(ranks) <= 5
    assert 3 * sum(rank == 1 for rank in ranks) >= 2 * len(ranks)
