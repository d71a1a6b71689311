"""A grammar of a whole language: its suite, and where faults seeded into it are ranked.

``ranks.json`` beside the grammar records the ranks (see `record_simpl_ranks`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest
from simpl import RECORD, SUITE, Ranks, correct, ranks
from simpl_faults import FAULTS, Fault

from gramspect.recognition.trace import Verdict
from gramspect.running.runner import run
from gramspect.suites.suite import Expectation
from ranks import sampled

RECORDED: dict[str, Ranks] = json.loads(RECORD.read_text())
CASES = [pytest.param(fault, id=fault.name) for fault in FAULTS]


@pytest.mark.parametrize("fault", sampled(CASES, 16))
def test_ranks(fault: Fault) -> None:
    assert ranks(fault) == RECORDED[fault.name]


def test_the_correct_grammar_passes() -> None:
    recognizer = correct()
    assert not recognizer.grammar.diagnostics
    assert recognizer.grammar.n_rules >= 70
    for test, found in zip(SUITE, run(recognizer, SUITE.tests), strict=True):
        accepts = test.expectation is Expectation.ACCEPT
        assert found.verdict is (Verdict.ACCEPTED if accepts else Verdict.REJECTED), test.name


def share(ranks: Iterable[float | None], limit: int) -> float:
    """The share of ranks within the limit."""
    within = [rank is not None and rank <= limit for rank in ranks]
    return sum(within) / len(within)


def test_success() -> None:
    """Of at least 40 faults, four fifths of the faulty productions are in the top five."""
    assert set(RECORDED) == {fault.name for fault in FAULTS}
    assert len(FAULTS) >= 40
    for setting in ("rule-both", "item-both"):
        found = [fault[setting]["production"] for fault in RECORDED.values()]
        assert share(found, 5) >= 0.8
        assert share(found, 1) >= 0.5
