"""What the PLY hook costs: parsing with it against parsing without, on unmodified parsers.

    python benchmarks/ply_overhead.py [--runs N]

Both ways take turns in one process, a run over all tests each, and which comes first changes. Times
are processor time; the ratio is the median of those of the pairs. With the hook an `LRTrace` is
made of every test; reading the grammar and extracting spectra are not part of it. The goal is
1.25 on the suite of C snippets.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median

from jsonpath_ng.parser import JsonPathParser
from pycparser.c_parser import CParser

from gramspect.suites.suite import Expectation, TestCase, TestSuite
from gramspect_ply import PlyRecognizer
from ranking import machine

FIXTURES = Path(__file__).parents[1] / "fixtures"


def main() -> None:
    arguments = argparse.ArgumentParser(description="Measures what the PLY hook costs.")
    arguments.add_argument("--runs", type=int, default=31)
    runs = arguments.parse_args().runs
    warnings.simplefilter("ignore")  # jsonpath-ng has some operators that it will drop

    c = CParser()
    c_suite = TestSuite.load([FIXTURES / "c" / "accept"], [FIXTURES / "c" / "reject"])
    jsonpath = JsonPathParser()
    jsonpath_suite = TestSuite.load(
        [FIXTURES / "jsonpath" / "accept.txt"], [FIXTURES / "jsonpath" / "reject.txt"], lines=True
    )
    in_c = PlyRecognizer.from_parser(c.cparser, parse=c.parse)
    in_jsonpath = PlyRecognizer.from_parser(jsonpath.parser, parse=jsonpath.parse)
    print(f"{'tests':36}  {'PLY, ms':>9}  {'hooked, ms':>10}  {'ratio':>5}")
    report("C snippets", c.parse, in_c, c_suite.tests, runs)
    report("one C file of 9,000 lines", c.parse, in_c, [long_c_file()], runs)
    report("JSONPath expressions", jsonpath.parse, in_jsonpath, jsonpath_suite.tests, runs)
    print(f"\n{machine()}; median of {runs} runs")


def report(
    name: str,
    parse: Callable[[str], object],
    recognizer: PlyRecognizer,
    tests: Sequence[TestCase],
    runs: int,
) -> None:
    def plain(test: TestCase) -> None:
        with suppress(Exception):  # how these parsers report errors
            parse(test.text)

    ways = (plain, recognizer.trace)
    pairs = []
    for number in range(runs + 1):
        spent = [0.0, 0.0]
        for way in (number % 2, 1 - number % 2):
            spent[way] = seconds(ways[way], tests)
        pairs.append(spent)
    pairs = pairs[1:]  # the first is warming up
    without, with_hook = (median(column) for column in zip(*pairs, strict=True))
    ratio = median(b / a for a, b in pairs)
    label = f"{name} ({len(tests)})" if len(tests) > 1 else name
    print(f"{label:36}  {without * 1000:9.1f}  {with_hook * 1000:10.1f}  {ratio:5.2f}")


def seconds(task: Callable[[TestCase], object], tests: Sequence[TestCase]) -> float:
    begin = time.process_time()
    for test in tests:
        task(test)
    return time.process_time() - begin


def long_c_file(copies: int = 200) -> TestCase:
    """The programs of the suite, over and over, each time under other names."""
    texts = [path.read_text() for path in sorted((FIXTURES / "c" / "accept").glob("program-*.c"))]
    names = ("node", "push", "sum", "swap", "sort", "state", "words", "START", "WORD", "END")
    copied = []
    for number in range(copies):
        text = "".join(texts)
        for name in names:
            text = text.replace(name, f"{name}{number}")
        copied.append(text)
    return TestCase("long", Expectation.ACCEPT, "".join(copied))


if __name__ == "__main__":
    main()
