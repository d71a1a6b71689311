"""The worked example (Raselimo and Fischer 2024, Figures 1 and 3, Tables 2 to 4) through CUP."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cup_tools import FIXTURES, SIGNS, load

from gramspect.lr.automaton import LRAutomaton
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.trace import Extraction, LRTrace
from gramspect.scoring.metrics import metric
from gramspect.scoring.ranking import Ties, rank_spectra
from gramspect.spectrum.extraction import observe
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import TestCase, TestSuite

TOY = FIXTURES / "toy"
SUITE = TestSuite.load(accept=[TOY / "accept.txt"], lines=True)


def suite() -> list[TestCase]:
    named = (" ".join(SIGNS.get(word, word) for word in test.text.split()) for test in SUITE)
    return [replace(test, text=text) for test, text in zip(SUITE, named, strict=True)]


def recognizer() -> Recognizer:
    return load(FIXTURES / "cup" / "toy-faulty.cup")


def test_ranks_of_the_faults() -> None:
    """Table 3: the missing alternatives are where the items with the best scores are."""
    system = recognizer()
    spectrum = SpectrumMatrix.from_observations(
        SpectrumKind.ITEM,
        system.grammar.n_items,
        [observe(system.trace(test)) for test in suite()],
        [test.expectation for test in SUITE],
    )
    ranking = rank_spectra(spectrum, system.grammar, metric("ochiai"), Ties.KMAX)
    items = [system.grammar.item_label(item) for item in ranking.elements.tolist()]
    scores = dict(zip(items, ranking.scores.tolist(), strict=True))
    assert items[0] == "stmt:3:3"
    before = {item for item, score in scores.items() if score > scores["stmt:2:4"]}
    assert {item.rpartition(":")[0] for item in before} == {"stmt:3", "expr:4"}


def test_states_are_those_of_a_walk() -> None:
    """The item sets that CUP gives are those that its transitions lead to."""
    trace = recognizer().trace(suite()[0])
    assert isinstance(trace, LRTrace)
    automaton = trace.automaton
    walked = LRAutomaton.from_transitions(automaton.grammar, automaton.transitions, automaton.start)
    assert walked.kernels == automaton.kernels
    assert sum(map(bool, automaton.kernels)) == automaton.n_states - 1  # and the end of the input


@pytest.fixture(scope="module")
def figure_3() -> LRTrace:
    """Test 14: ``program a = { while a do sleep; }.``, which fails at ``sleep``."""
    trace = recognizer().trace(suite()[13])
    assert isinstance(trace, LRTrace)
    return trace


def test_stack_of_figure_3(figure_3: LRTrace) -> None:
    """Kernel items of each state on the stack, as the figure draws them."""
    automaton, grammar = figure_3.automaton, figure_3.automaton.grammar
    shown = [
        [grammar.item_label(item) for item in automaton.kernels[state] if item < grammar.n_items]
        for state in figure_3.error_stack
    ]
    assert shown == [
        [],
        ["prog:1:1"],
        ["prog:1:2"],
        ["prog:1:3"],
        ["block:1:1", "block:2:1", "block:3:1", "block:4:1"],
        ["stmt:3:1"],
        ["stmt:3:2", "expr:1:1", "expr:2:1"],
        ["stmt:3:3"],
    ]
    top = automaton.closure(figure_3.error_stack[-1])
    assert [grammar.item_label(item) for item in top] == [
        *("block:1:0", "block:2:0", "block:3:0", "block:4:0", "stmt:3:3")
    ]
    assert [grammar.rules[rule].label for rule in figure_3.reduced] == ["expr:4"]
    assert figure_3.late_reduced == ()


def test_stack_extraction_of_figure_3(figure_3: LRTrace) -> None:
    """Section 5.2: what is reduced, kernel items of the stack, frontier rules of its top."""
    grammar = figure_3.automaton.grammar
    found = observe(figure_3, Extraction.STACK)
    kernel_rules = {
        *("prog:1", "block:1", "block:2", "block:3", "block:4", "stmt:3", "expr:1", "expr:2")
    }
    assert {grammar.rules[rule].label for rule in found.rules} == kernel_rules | {"expr:4"}
    assert {grammar.item_label(item) for item in found.items} == {
        *("prog:1:0", "prog:1:1", "prog:1:2", "prog:1:3"),
        *("block:1:0", "block:1:1", "block:2:0", "block:2:1"),
        *("block:3:0", "block:3:1", "block:4:0", "block:4:1"),
        *("stmt:3:1", "stmt:3:2", "stmt:3:3"),
        *("expr:1:1", "expr:2:1", "expr:4:0", "expr:4:1"),
    }


def test_exact_extraction_of_figure_3(figure_3: LRTrace) -> None:
    """One derivation with the shortest completion: the two operators of expr are not in it."""
    grammar = figure_3.automaton.grammar
    found = {grammar.rules[rule].label for rule in observe(figure_3).rules}
    blocks = {"block:1", "block:2", "block:3", "block:4"}
    assert found == blocks | {"prog:1", "stmts:2", "stmt:3", "expr:4"}
