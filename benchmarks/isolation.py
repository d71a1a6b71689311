"""What it costs that user code runs in a process of its own: with that against without.

    python benchmarks/isolation.py [--runs N]

Both ways take turns. Loading is until the recognizer is there; then all tests of a suite run, one
after the other, spectra included. Times are processor time of all processes together: they do not
depend on what else the machine does. The ratio is the median of those of the pairs.
"""

from __future__ import annotations

import argparse
import os
import resource
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import Extraction
from gramspect.running.loading import LoadSpec
from gramspect.running.runner import run
from gramspect.suites.suite import TestCase, TestSuite
from ply_overhead import long_c_file
from ranking import machine

FIXTURES = Path(__file__).parents[1] / "fixtures"


def main() -> None:
    arguments = argparse.ArgumentParser(description="Measures what isolation costs.")
    arguments.add_argument("--runs", type=int, default=15)
    runs = arguments.parse_args().runs
    os.chdir(FIXTURES)
    c = TestSuite.load([Path("c", "accept")], [Path("c", "reject")]).tests
    jsonpath = TestSuite.load(["jsonpath/accept.txt"], ["jsonpath/reject.txt"], lines=True).tests
    print(f"{'':44}  {'here, ms':>9}  {'isolated':>9}  {'ratio':>5}")
    for name, source, tests in (
        ("JSONPath, jsonpath-ng", "jsonpath_ng.parser:JsonPathParser", jsonpath),
        ("C snippets, pycparser", "pycparser.c_parser:CParser", c),
        ("one C file of 9,000 lines", "pycparser.c_parser:CParser", [long_c_file()]),
    ):
        isolated = LoadSpec("ply", source)
        here = partial(adapter("ply").load, source, isolated.options)
        report(f"{name}: loading", here, isolated, runs)
        ways = [partial(all_tests, load, tests) for load in (here, isolated)]
        n_tests = f"{len(tests):,} tests" if len(tests) > 1 else "one test"
        report(f"{name}: loading and {n_tests}", *ways, runs)
    print(f"\n{machine()}; median of {runs} runs")


def all_tests(load: Callable[[], Recognizer], tests: Sequence[TestCase]) -> None:
    for _ in run(load(), tests, Extraction.EXACT):
        pass


def seconds() -> float:
    """Processor time of this process and of those that it has started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def report(
    name: str, here: Callable[[], object], isolated: Callable[[], object], runs: int
) -> None:
    ways = (here, isolated)
    pairs = []
    for number in range(runs + 1):
        spent = [0.0, 0.0]
        for way in (number % 2, 1 - number % 2):
            begin = seconds()
            ways[way]()
            spent[way] = (seconds() - begin) * 1000
        pairs.append(spent)
    pairs = pairs[1:]  # the first is warming up
    without, with_it = (median(column) for column in zip(*pairs, strict=True))
    ratio = median(b / a for a, b in pairs)
    print(f"{name:44}  {without:9.1f}  {with_it:9.1f}  {ratio:5.2f}", flush=True)


if __name__ == "__main__":
    main()
