"""The worked example (Raselimo and Fischer 2024, Figure 1), left-factored for JavaCC."""

from __future__ import annotations

from pathlib import Path

import pytest
from jj import as_cfg

from command import Command
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.trace import Extraction, Observation, Verdict
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import TestCase, TestSuite
from gramspect_javacc import adapter
from gramspect_javacc.recognizer import JavaccRecognizer
from oracle import Spectra, exact_spectra, spectra

FIXTURES = Path(__file__).parents[3] / "fixtures"
TOY = FIXTURES / "javacc" / "Toy.jj"
SUITE = TestSuite.load(accept=[FIXTURES / "toy" / "accept.txt"], lines=True)
FAILING = (6, 14)


@pytest.fixture(scope="module")
def toy() -> JavaccRecognizer:
    return adapter.load(str(TOY), LoadOptions())


def word(toy: JavaccRecognizer, test: TestCase) -> tuple[str, ...]:
    """The names of a test's tokens, that of the end of the input last."""
    tokens = toy.tokens(test)
    assert tokens is not None
    return tuple(toy.grammar.symbols[token].name for token in tokens)


def items(grammar: Grammar, found: Observation) -> frozenset[tuple[int, int]]:
    return frozenset(grammar.split_item(item) for item in found.items)


def test_verdicts(toy: JavaccRecognizer) -> None:
    observations = [observe(trace) for trace in toy.traces(SUITE.tests)]
    rejected = [i for i, o in enumerate(observations, 1) if o.verdict is Verdict.REJECTED]
    assert rejected == list(FAILING)


def test_spectra_are_those_of_the_definitions(toy: JavaccRecognizer) -> None:
    cfg = as_cfg(toy.grammar)
    for test in SUITE:
        found = observe(toy.trace(test))
        assert exact_spectra(cfg, word(toy, test)) == {(found.rules, items(toy.grammar, found))}
        everything: Spectra = spectra(cfg, word(toy, test))
        found = observe(toy.trace(test), Extraction.ALL)
        assert (found.rules, items(toy.grammar, found)) == (everything.rules, everything.items)
        assert (found.error and found.error.token) == everything.error
        split = {toy.grammar.split_item(i): depth for i, depth in found.active.items()}
        assert split == everything.active


def test_the_frontier_of_a_failing_choice(toy: JavaccRecognizer) -> None:
    """After ``do`` the parser calls block, which it never enters; its rule is in the spectrum."""
    found = observe(toy.trace(SUITE.tests[13]))
    assert found.error is not None
    assert found.error.message == "unexpected 'sleep', expecting \"{\""
    labels = {toy.grammar.rules[rule].label for rule in found.rules}
    assert {"stmt:3", "block:1"} <= labels
    assert "stmt:1" not in labels


def test_the_faults_come_first(command: Command) -> None:
    answer = command(
        *(
            "localize",
            TOY,
            "--accept",
            FIXTURES / "toy" / "accept.txt",
            "--lines",
            "--top",
            "4",
            "--evidence",
            "both",
        )
    )
    assert answer.status == 1
    assert 'stmt -> "while" expr "do" • block' in answer.out
    assert 'stmt -> "if" expr "then" stmt • "else" stmt' in answer.out
