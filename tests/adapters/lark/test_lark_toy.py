"""Every figure of the worked example (Raselimo and Fischer 2024, Figure 1, Tables 2 to 4).

Once with a Lark parser made from the core grammar, once with one for a ``.lark`` file.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from command import Command
from core.test_golden import FAULTY, RESOLVED, SUITE, UNRANKED_BEFORE
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.registry import adapter
from gramspect.scoring.metrics import metric
from gramspect.scoring.ranking import Ties, rank_spectra
from gramspect.spectrum.extraction import observe
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.yacc import read_yacc

LARK_FILE = Path(__file__).parents[3] / "fixtures" / "lark_toy" / "toy-faulty.lark"
PARSERS = ["lark-lalr", "lark-earley"]


def matrix_of(system: Recognizer, kind: SpectrumKind) -> SpectrumMatrix:
    observations = [observe(system.trace(test)) for test in SUITE]
    expectations = [test.expectation for test in SUITE]
    n_elements = kind.n_elements(system.grammar)
    return SpectrumMatrix.from_observations(kind, n_elements, observations, expectations)


@pytest.mark.parametrize("setting", RESOLVED)
@pytest.mark.parametrize("name", PARSERS)
def test_resolved_ranks(name: str, setting: tuple[str, str]) -> None:
    """Section 4, as for the other techniques."""
    kind, measure = SpectrumKind(setting[0]), metric(setting[1])
    grammar = read_yacc(FAULTY)
    matrix = matrix_of(adapter(name).build(grammar), kind)
    ranking = rank_spectra(matrix, grammar, measure, Ties.KMAX)
    scores = dict(zip(ranking.elements.tolist(), ranking.scores.tolist(), strict=True))
    best: dict[tuple[float, int], int] = {}
    for item, score in scores.items():
        key = (score, grammar.split_item(item)[0])
        best[key] = max(item, best.get(key, item))
    kept = [scores[item] for item in best.values()]
    for label, rank in RESOLVED[setting].items():
        item = next(i for i in range(grammar.n_items) if grammar.item_label(i) == label)
        assert item in best.values()
        found = 1 + sum(score > scores[item] for score in kept)
        assert found == rank + (UNRANKED_BEFORE.get(setting, 0) if rank > 1 else 0)


@pytest.mark.parametrize("name", PARSERS)
def test_edits(command: Command, name: str) -> None:
    tests = LARK_FILE.parents[1] / "toy" / "accept.txt"
    answer = command(
        *("localize", LARK_FILE, "--start", "prog", "--accept", tests, "--lines"),
        *("--adapter", name, "--evidence", "edits"),
    )
    assert answer.status == 1
    assert "try: also allow the rule to end here (fixes 1 of 2, breaks none" in answer.out
    assert 'try: also allow "sleep" instead of block (fixes 1 of 2, breaks none' in answer.out
