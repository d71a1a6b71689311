"""Seeded faults of two languages: every technique ranks them as recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from compared_faults import LANGUAGES, Fault, Language, ranks_of

from gramspect import compare
from ranks import sampled

LALR = ("cup", "native", "ply")
"""Techniques with the same tables, which resolve conflicts alike."""

FAULTS = [
    pytest.param(language, fault, id=f"{language.name}: {fault.name}")
    for language in LANGUAGES
    for fault in language.faults
]


@pytest.mark.parametrize(("language", "fault"), sampled(FAULTS, 16))
def test_ranks(language: Language, fault: Fault, tmp_path: Path) -> None:
    """All techniques on every fourth fault; Lark's Earley parser takes most of the time."""
    recorded = json.loads(language.record.read_text())[fault.name]
    names = list(recorded)
    if language.faults.index(fault) % 4:
        names.remove("lark-earley")
    found = ranks_of(language.compared(fault, tmp_path, names), fault)
    assert found == {name: recorded[name] for name in names}
    assert len({found[name] for name in LALR}) == 1
    assert recorded["lark-earley"] == found["chart"]


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_size_and_suite(language: Language) -> None:
    """The grammars are of a real size, and LALR techniques pass the suites."""
    found = compare(str(language.grammar), language.suite, adapters=LALR)
    assert found.grammar is not None
    assert found.grammar.n_rules >= 70
    assert [technique.result.n_failing for technique in found.techniques] == [0, 0, 0]
    assert all(t.n_executed == t.matrix.n_elements for t in found.techniques)
    assert len(language.faults) >= 8
