"""Faults seeded into the live grammars of C and JSONPath: where the ranking has them.

`ranks.json` beside each suite records the ranks (see `record_ranks`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest
from faults import Fault
from seeded import JSONPATH, LANGUAGES, C, Language

from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import Verdict
from gramspect.running.runner import run
from gramspect.suites.suite import Expectation
from ranks import sampled

pytestmark = pytest.mark.filterwarnings("ignore:The `.` :DeprecationWarning")  # of jsonpath-ng

CASES = [
    pytest.param(language, fault, id=f"{language.parser_class.__name__}-{fault.name}")
    for language in LANGUAGES
    for fault in language.faults
]


def recorded(language: Language) -> dict[str, dict[str, dict[str, float | None]]]:
    ranks: dict[str, dict[str, dict[str, float | None]]] = json.loads(language.record.read_text())
    return ranks


@pytest.mark.parametrize(("language", "fault"), sampled(CASES, 12))
def test_ranks(language: Language, fault: Fault) -> None:
    assert language.ranks(fault) == recorded(language)[fault.name]


@pytest.mark.parametrize("language", LANGUAGES, ids=["C", "JSONPath"])
def test_the_correct_parser_passes(language: Language) -> None:
    parser_class = language.parser_class
    source = f"{parser_class.__module__}:{parser_class.__name__}"
    recognizer = adapter("ply").load(source, LoadOptions())
    for test, found in zip(language.suite, run(recognizer, language.suite.tests), strict=True):
        expected = test.expectation is Expectation.ACCEPT
        assert found.verdict is (Verdict.ACCEPTED if expected else Verdict.REJECTED), test.name


def share(ranks: Iterable[float | None], limit: int) -> float:
    """The share of ranks within the limit."""
    within = [rank is not None and rank <= limit for rank in ranks]
    return sum(within) / len(within)


def test_size_and_success() -> None:
    """At least 12 faults in C; three quarters of the faulty definitions are in the top five."""
    ranks = recorded(C)
    assert set(ranks) == {fault.name for fault in C.faults}
    assert len(ranks) >= 12
    assert share((r["both"]["nonterminal"] for r in ranks.values()), 5) >= 0.75
    ranks = recorded(JSONPATH)
    assert set(ranks) == {fault.name for fault in JSONPATH.faults}
    assert share((r["both"]["nonterminal"] for r in ranks.values()), 5) >= 0.75


def test_size_of_the_suites() -> None:
    accepted = sum(test.expectation is Expectation.ACCEPT for test in C.suite)
    assert accepted >= 80
    assert len(C.suite) - accepted >= 30
