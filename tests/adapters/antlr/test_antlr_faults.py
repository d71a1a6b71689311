"""Faults seeded into the texts of .g4 grammars: where the ranking has them.

`ranks.json` beside each suite records the ranks (see `record_g4_ranks`).
"""

from __future__ import annotations

import json
from collections import Counter

import pytest
from g4_faults import Fault, FaultKind
from g4_seeded import LANGUAGES, Language, Ranks

from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.trace import Verdict
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation
from gramspect_antlr import adapter
from ranks import sampled

CASES = [
    pytest.param(language, fault, id=f"{language.grammar.stem}-{fault.name}")
    for language in LANGUAGES
    for fault in language.faults
]


def recorded(language: Language) -> dict[str, Ranks]:
    ranks: dict[str, Ranks] = json.loads(language.record.read_text())
    return ranks


@pytest.mark.parametrize(("language", "fault"), sampled(CASES, 16))
def test_ranks(language: Language, fault: Fault) -> None:
    assert language.ranks(fault) == recorded(language)[fault.name]


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.grammar.stem)
def test_the_correct_grammar(language: Language) -> None:
    """It passes its suite, and the accepted tests take every alternative, option and repetition."""
    recognizer = adapter.load(str(language.grammar), LoadOptions())
    taken: set[int] = set()
    for test, trace in zip(language.suite, recognizer.traces(language.suite.tests), strict=True):
        found = observe(trace)
        expected = test.expectation is Expectation.ACCEPT
        assert found.verdict is (Verdict.ACCEPTED if expected else Verdict.REJECTED), test.name
        if expected:
            taken |= found.rules
    assert taken == set(range(recognizer.grammar.n_rules))
    assert recognizer.grammar.diagnostics == ()


def test_sizes() -> None:
    query = LANGUAGES[2]
    grammar = adapter.load(str(query.grammar), LoadOptions()).grammar
    assert sum(symbol.owner is None for symbol in grammar.nonterminals) >= 80
    assert len(query.suite) >= 100
    kinds = Counter(fault.kind for language in LANGUAGES for fault in language.faults)
    assert kinds.total() >= 40
    assert set(kinds) == set(FaultKind)


@pytest.mark.parametrize(("kind", "share"), [("item", 0.6), ("nonterminal", 0.85)])
def test_success(kind: str, share: float) -> None:
    """How many faulty positions, and faulty rules, are among the first five."""
    ranks = [ranks["both"][kind] for lang in LANGUAGES for ranks in recorded(lang).values()]
    assert len(ranks) == len(CASES)
    assert sum(rank is not None and rank <= 5 for rank in ranks) >= share * len(ranks)
