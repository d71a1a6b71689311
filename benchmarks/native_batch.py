"""The native batch, spectra included, against plain PLY on the same grammar and tests.

    python benchmarks/native_batch.py [--accepted N] [--rejected N] [--runs N] [--no-hook]

PLY's parser comes from the same grammar, has actions that do nothing and a `p_error` that gives
up, and its token objects are made beforehand: it is parsing alone that is measured, without any
code of ours. The native batch starts from arrays of token numbers and ends with a bit-packed
matrix of elements x tests. The suites have the size of the suite `large` of Raselimo and Fischer
(2024, Section 7): 2,964 sentences and 32,157 others made by changing a token.

Both sides take turns in one process; figures are medians. CPU time counts all threads, so its
ratio is core for core; the native batch runs on all cores, so wall-clock time is less. The goal is
a ratio of 100 with compiled code.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from ply import yacc

from gramspect.builtin.native import NativeRecognizer, adapter
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.trace import Extraction
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import Expectation, TestCase
from gramspect.yacc import read_yacc
from gramspect_ply import adapter as ply_adapter
from ranking import machine
from sentences import Packed, Sentence, mutations, pack, random_sentences

FIXTURES = Path(__file__).parents[1] / "fixtures"
GRAMMARS = {"toy": FIXTURES / "toy" / "toy.y", "SIMPL": FIXTURES / "simpl" / "simpl.y"}
DEPTH, LONGEST = 14, 60
"""Bounds of the random sentences: levels of the derivation and tokens."""


class Suite(NamedTuple):
    """Tests with the verdicts of the grammar they were made from (0 accepted, 1 rejected)."""

    sentences: list[Sentence]
    packed: Packed
    expected: NDArray[np.uint8]


def main() -> None:
    arguments = argparse.ArgumentParser(description="Measures the native batch against PLY.")
    arguments.add_argument("--accepted", type=int, default=2_964)
    arguments.add_argument("--rejected", type=int, default=32_157)
    arguments.add_argument("--runs", type=int, default=5, help="of PLY; the batch runs thrice each")
    arguments.add_argument("--no-hook", action="store_true", help="leave PLY with our hook out")
    options = arguments.parse_args()
    for name, path in GRAMMARS.items():
        grammar = read_yacc(path)
        suite = make_suite(grammar, options.accepted, options.rejected)
        measure(name, grammar, suite, options.runs, hook=not options.no_hook)
    print(f"{machine()}; medians of {options.runs} runs of PLY and three times as many batches")


def make_suite(grammar: Grammar, accepted: int, rejected: int, seed: int = 1) -> Suite:
    """So many sentences, shuffled among so many non-sentences that are one token away from one."""
    random = Random(seed)
    sentences = list(islice(random_sentences(grammar, random, DEPTH, LONGEST), accepted))
    recognizer = adapter.build(grammar)
    others: dict[Sentence, None] = {}
    while len(others) < rejected:
        drawn = list(islice(mutations(grammar, sentences, random), 1 + rejected))
        for sentence, verdict in zip(drawn, verdicts_of(recognizer, drawn), strict=True):
            if verdict and len(others) < rejected:
                others[sentence] = None
    mixed = [(sentence, 0) for sentence in sentences] + [(sentence, 1) for sentence in others]
    random.shuffle(mixed)
    found = [sentence for sentence, _ in mixed]
    return Suite(found, pack(found), np.array([code for _, code in mixed], np.uint8))


def verdicts_of(recognizer: NativeRecognizer, sentences: Sequence[Sentence]) -> NDArray[np.uint8]:
    """The verdict of each sequence as a code."""
    kinds = Extraction.STACK, SpectrumKind.RULE
    return recognizer.record_tokens(*pack(sentences), *kinds, compiled=True)[1]


# --- the two sides -------------------------------------------------------------------------


def ply_parser(grammar: Grammar) -> tuple[Any, list[str]]:
    """PLY's own LALR(1) parser, and its names of the terminals."""
    names = [f"t{s.index}" if s.terminal else f"n{s.index}" for s in grammar.symbols]
    rules = yacc.Grammar(names[1 : grammar.n_terminals])
    for rule in grammar.rules:
        rules.add_production(names[rule.lhs], [names[s] for s in rule.rhs], line=rule.index)
    rules.set_start(names[grammar.start])
    parser = yacc.LRParser(yacc.LRGeneratedTable(rules), give_up)
    for production in parser.productions:
        production.callable = do_nothing
    return parser, names


class Rejected(Exception):
    """How a parser that does not recover reports an error."""


def give_up(token: object) -> None:
    raise Rejected(token)


def do_nothing(values: object) -> None:
    """The shortest semantic action."""


class PreparedLexer:
    """A lexer over tokens that are there already."""

    def __init__(self, tokens: Sequence[object]) -> None:
        self.token = partial(next, iter(tokens), None)

    def input(self, text: str) -> None:
        """Nothing to read."""


class Token:
    """What PLY needs of a token."""

    __slots__ = ("lexer", "lexpos", "lineno", "type", "value")

    def __init__(self, kind: str) -> None:
        self.type, self.value, self.lineno, self.lexpos = kind, kind, 1, 0


def run_ply(parser: Any, lexers: Sequence[PreparedLexer]) -> NDArray[np.uint8]:
    """The verdicts of PLY."""
    verdicts = np.zeros(len(lexers), np.uint8)
    for index, lexer in enumerate(lexers):
        try:
            parser.parse(lexer=lexer)
        except Rejected:
            verdicts[index] = 1
    return verdicts


def run_native(
    recognizer: NativeRecognizer,
    suite: Suite,
    extraction: Extraction,
    kind: SpectrumKind,
    compiled: bool = True,
) -> SpectrumMatrix:
    """The matrix of a suite."""
    words, verdicts = recognizer.record_tokens(*suite.packed, extraction, kind, compiled=compiled)
    n_elements = kind.n_elements(recognizer.grammar)
    return SpectrumMatrix.from_test_words(kind, n_elements, words, verdicts, suite.expected)


# --- measuring -----------------------------------------------------------------------------


class Seconds(NamedTuple):
    """Of one run: CPU time of all threads, and wall-clock time."""

    cpu: float
    wall: float


def timed(task: Callable[[], object]) -> Seconds:
    gc.collect()
    cpu, wall = time.process_time(), time.perf_counter()
    task()
    return Seconds(time.process_time() - cpu, time.perf_counter() - wall)


def medians(runs: Sequence[Seconds]) -> Seconds:
    return Seconds(median(run.cpu for run in runs), median(run.wall for run in runs))


def measure(name: str, grammar: Grammar, suite: Suite, runs: int, *, hook: bool) -> None:
    """Print the table of one grammar."""
    recognizer = adapter.build(grammar)
    parser, names = ply_parser(grammar)
    tokens = [[Token(names[t]) for t in sentence] for sentence in suite.sentences]
    methods = [(e, k) for e in Extraction for k in SpectrumKind]
    for method in methods:  # loads the compiled code
        matrix = run_native(recognizer, suite, *method)
        assert (matrix.verdicts == suite.expected).all()

    gc.collect()
    gc.freeze()  # a collection during a run does not look at the tokens
    by_ply: list[Seconds] = []
    by_us: dict[tuple[Extraction, SpectrumKind], list[Seconds]] = {m: [] for m in methods}
    for _ in range(runs):
        lexers = [PreparedLexer(each) for each in tokens]
        by_ply.append(timed(lambda lexers=lexers: run_ply(parser, lexers)))  # type: ignore[misc]
        for method in methods * 3:
            by_us[method].append(timed(lambda m=method: run_native(recognizer, suite, *m)))  # type: ignore[misc]

    n_tests, n_tokens = len(suite.sentences), len(suite.packed.tokens)
    print(
        f"{name}: {grammar.n_rules} rules, {grammar.n_items} items; {n_tests:,} tests "
        f"({n_tests - suite.expected.sum():,} accepted), {n_tokens:,} tokens"
    )
    print(
        f"{'':24}  {'CPU ms':>9}  {'wall ms':>9}  {'tests/s':>10}  {'tokens/s':>11}"
        f"  {'ratio':>6}  {'on all cores':>12}"
    )
    plain = medians(by_ply)

    def row(label: str, seconds: Seconds) -> None:
        print(
            f"{label:24}  {seconds.cpu * 1000:9.1f}  {seconds.wall * 1000:9.1f}"
            f"  {n_tests / seconds.cpu:10,.0f}  {n_tokens / seconds.cpu:11,.0f}"
            f"  {plain.cpu / seconds.cpu:6.1f}  {plain.wall / seconds.wall:12.1f}"
        )

    row("PLY alone", plain)
    if hook:
        row("PLY with our hook", timed(partial(run_hooked, grammar, suite)))
        plainly = partial(run_native, recognizer, suite, Extraction.EXACT, SpectrumKind.ITEM, False)
        row("native, plain Python", timed(plainly))
    for (extraction, kind), found in by_us.items():
        row(f"native, {extraction} {kind}", medians(found))
    print()


def run_hooked(grammar: Grammar, suite: Suite) -> None:
    """Traces of all tests by the PLY adapter."""
    recognizer = ply_adapter.build(grammar)
    names = [symbol.name for symbol in grammar.symbols]
    for sentence in suite.sentences:
        tokens = tuple(names[t] for t in sentence)
        recognizer.trace(TestCase("test", Expectation.ACCEPT, "", tokens=tokens))


if __name__ == "__main__":
    main()
