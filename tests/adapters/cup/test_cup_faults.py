"""Faults seeded into a grammar of 83 rules: where the ranking has them.

`ranks.json` beside the suite records the ranks (see `record_cup_ranks`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest
from cup_seeded import RECORD, correct, faults, ranks, suite

from gramspect.recognition.trace import Verdict
from gramspect.running.runner import run
from gramspect.suites.suite import Expectation
from gramspect_cup import adapter
from ranks import sampled

Ranks = dict[str, dict[str, float | None]]


def recorded() -> dict[str, Ranks]:
    found: dict[str, Ranks] = json.loads(RECORD.read_text())
    return found


PARTS = 8


@pytest.mark.parametrize("part", sampled([pytest.param(n) for n in range(PARTS)], PARTS))
def test_ranks(part: int) -> None:
    """Those recorded, and no test shows the other faults."""
    for name in list(faults())[part::PARTS]:
        assert ranks(faults()[name]) == recorded().get(name)


def test_no_other_faults_are_recorded() -> None:
    assert set(recorded()) <= set(faults())


def test_the_correct_grammar_passes() -> None:
    """As sequences of tokens too, which is how the faulty ones are run."""
    assert correct().grammar.n_rules >= 70
    found_all = run(adapter.build(correct().grammar), suite().tests)
    for test, found in zip(suite(), found_all, strict=True):
        expected = test.expectation is Expectation.ACCEPT
        assert found.verdict is (Verdict.ACCEPTED if expected else Verdict.REJECTED), test.text


def share(ranks: Iterable[float | None], limit: int) -> float:
    """The share of ranks within the limit."""
    within = [rank is not None and rank <= limit for rank in ranks]
    return sum(within) / len(within)


def test_size_and_success() -> None:
    found = recorded()
    assert len(found) >= 40
    assert share((r["both"]["rule"] for r in found.values()), 5) >= 0.6
    assert share((r["both"]["item"] for r in found.values()), 10) >= 0.6
