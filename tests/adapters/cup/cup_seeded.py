"""Faults seeded into the SIMPL grammar, each built by CUP, and where they are ranked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from cup_tools import SIMPL, SIMPL_SUITE, classpath, load, runtime, simpl_jar

from gramspect import RankedElement, TestSuite, localize
from gramspect.grammars.seeding import Mutant, Mutation, sample
from gramspect.recognition.recognizer import Recognizer
from gramspect_cup import adapter
from gramspect_cup.texts import TextRecognizer
from ranks import Replayed, rank_of

RECORD = SIMPL / "ranks.json"
OF_EACH_KIND, SEED = 9, 2
SETTINGS = [(evidence, level) for evidence in ("spectrum", "both") for level in ("rule", "item")]


@cache
def correct() -> TextRecognizer:
    """The parser of the correct grammar, with its scanner."""
    found = load(
        SIMPL / "simpl.cup",
        classpath=classpath(simpl_jar(), runtime()),
        scanner="simpl.SimplScanner",
    )
    assert isinstance(found, TextRecognizer)
    return found


@cache
def suite() -> TestSuite:
    """The programs as the scanner reads them: sequences of token names."""
    names = [symbol.name for symbol in correct().grammar.symbols]
    tests = []
    for test in SIMPL_SUITE:
        tokens = correct().tokens(test)
        assert tokens is not None, test.text
        tests.append(replace(test, tokens=tuple(names[t] for t in tokens)))
    return TestSuite(tuple(tests))


@cache
def faults() -> dict[str, Mutant]:
    """As many mutants of each kind, by what was done."""
    grammar = correct().grammar
    kinds = (sample(grammar, OF_EACH_KIND, SEED, [operator]) for operator in Mutation)
    return {mutant.description: mutant for mutants in kinds for mutant in mutants}


def ranks(mutant: Mutant) -> dict[str, dict[str, float | None]] | None:
    """The ranks of the faulty rule and of the faulty item by the kind of evidence.

    Members of a tie share its middle. None for what has no score; of an alternative that is
    deleted, the best rule or item of its non-terminal counts. None if no test shows the fault.
    """
    live: Recognizer = adapter.build(mutant.grammar)
    traces = live.traces(suite().tests)  # type: ignore[attr-defined]
    replayed = Replayed(
        live, {test.name: trace for test, trace in zip(suite(), traces, strict=True)}
    )
    found: dict[str, dict[str, float | None]] = {"spectrum": {}, "both": {}}
    for evidence, level in SETTINGS:
        result = localize(replayed, suite(), spectrum=level, evidence=evidence)
        assert not result.undecided, result.undecided
        if not result.failing:
            return None
        found[evidence][level] = rank_of(result, *_wanted(mutant, level))
    return found


def _wanted(mutant: Mutant, level: str) -> tuple[str, Callable[[RankedElement], str]]:
    """The name of what is faulty, and how elements of the ranking are called."""
    if mutant.rule is None:
        return mutant.label, _nonterminal
    if level == "rule" or mutant.item is None:
        return mutant.grammar.rules[mutant.rule].label, _rule
    return mutant.grammar.item_label(mutant.item), _label


def _nonterminal(element: RankedElement) -> str:
    return element.nonterminal


def _rule(element: RankedElement) -> str:
    return element.grammar.rules[element.rule].label


def _label(element: RankedElement) -> str:
    return element.label
