"""How long counting, scoring and ranking take on a large matrix, and how much memory.

    python benchmarks/ranking.py [--tests N] [--elements N]

Counts, all four metrics and all tie modes of one random item matrix (1,000,000 tests x 2,000
elements unless said otherwise), then the transposition of a batch recognizer's output. The
goal is two seconds and 1 GB. The peak is that of the whole process: interpreter, numpy and matrix.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from gramspect.grammars.grammar import Grammar
from gramspect.scoring.metrics import METRICS
from gramspect.scoring.ranking import Ties, group_by_nonterminal, rank, rule_ranking
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix

FAILING_SHARE = 0.01
UNDECIDED_SHARE = 0.001
ITEMS_PER_RULE = 5


def main() -> None:
    arguments = argparse.ArgumentParser(description="Measures counting, scoring and ranking.")
    arguments.add_argument("--tests", type=int, default=1_000_000)
    arguments.add_argument("--elements", type=int, default=2_000)
    options = arguments.parse_args()

    table = Table()
    ranking(table, options.tests, options.elements)
    for tests, elements in ((35_000, 300), (35_000, 3_000)):
        transposition(table, tests, elements)
    table.print()


class Table:
    """Seconds of each task, and the process's peak memory when it was done."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, float, float]] = []

    def add(self, task: str, seconds: float) -> None:
        self.rows.append((task, seconds, peak_megabytes()))

    @contextmanager
    def timed(self, task: str) -> Iterator[None]:
        begin = time.perf_counter()
        yield
        self.add(task, time.perf_counter() - begin)

    def print(self) -> None:
        width = max(len(task) for task, _, _ in self.rows)
        print(f"{'task':{width}}  {'ms':>9}  {'peak MB':>8}")
        for task, seconds, megabytes in self.rows:
            print(f"{task:{width}}  {seconds * 1000:9.2f}  {megabytes:8.0f}")
        print(f"\n{machine()}")


def ranking(table: Table, n_tests: int, n_elements: int) -> None:
    """Everything between a matrix and its rankings, once, cold."""
    random = np.random.default_rng(1)
    grammar = grammar_with_items(n_elements)
    matrix = random_matrix(random, grammar.n_items, n_tests)
    table.add(f"(matrix of {n_tests:,} tests x {grammar.n_items:,} elements made)", 0.0)

    begin = time.perf_counter()
    with table.timed("counts"):
        counts = matrix.counts()
    for name, metric in METRICS.items():
        with table.timed(f"{name}: score, rank by every tie mode, group both ways"):
            scores = metric(counts.ef, counts.ep, counts.nf, counts.np_)
            for ties in Ties:
                ranked = rank(scores, grammar, matrix.kind, ties)
                rule_ranking(ranked, grammar)
                group_by_nonterminal(ranked, grammar)
    table.add("all of these together", time.perf_counter() - begin)


def transposition(table: Table, n_tests: int, n_elements: int) -> None:
    """Test-wise words into a matrix; the best of several runs."""
    random = np.random.default_rng(2)
    words = random.integers(0, 2**32, (n_tests, -(-n_elements // 32)), np.uint32)
    codes = np.zeros(n_tests, np.uint8)
    seconds = best_of(
        lambda: SpectrumMatrix.from_test_words(SpectrumKind.ITEM, n_elements, words, codes, codes)
    )
    table.add(f"from_test_words, {n_tests:,} tests x {n_elements:,} elements", seconds)


def random_matrix(random: np.random.Generator, n_elements: int, n_tests: int) -> SpectrumMatrix:
    """Each bit set with probability 1/2, made row by row to keep the peak at the matrix itself."""
    bits = np.empty((n_elements, -(-n_tests // 64)), np.uint64)
    for row in bits:
        row[:] = random.integers(0, 2**64, len(row), np.uint64)
    if n_tests % 64:
        bits[:, -1] &= np.uint64((1 << n_tests % 64) - 1)
    draw = random.random(n_tests)
    verdicts = (draw < FAILING_SHARE).astype(np.uint8)
    verdicts[draw > 1 - UNDECIDED_SHARE] = 2
    return SpectrumMatrix(SpectrumKind.ITEM, bits, n_tests, verdicts, np.zeros(n_tests, np.uint8))


def grammar_with_items(n_items: int) -> Grammar:
    """A grammar with that many items, rounded up to whole rules, two rules to a non-terminal."""
    n_rules = -(-n_items // ITEMS_PER_RULE)
    return Grammar.from_rules(
        (f"n{rule // 2}", [f"t{rule}"] * (ITEMS_PER_RULE - 1)) for rule in range(n_rules)
    )


def best_of(task: Callable[[], object], runs: int = 7) -> float:
    def seconds() -> float:
        begin = time.perf_counter()
        task()
        return time.perf_counter() - begin

    return min(seconds() for _ in range(runs))


def peak_megabytes() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def machine() -> str:
    cpu_info = Path("/proc/cpuinfo")
    lines = cpu_info.read_text().splitlines() if cpu_info.exists() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    processor = next(models, platform.processor() or platform.machine())
    return (
        f"{processor}, {os.cpu_count()} cores, {platform.system()}; "
        f"Python {platform.python_version()}, numpy {np.__version__}"
    )


if __name__ == "__main__":
    main()
