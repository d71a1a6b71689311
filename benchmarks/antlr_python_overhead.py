"""What recording costs: generated Python parsers with gramspect's hook against the same without.

    python benchmarks/antlr_python_overhead.py [--runs N]

Plain is the parser of the package openqasm3 with the runtime's default error strategy; *bail out*
has the runtime's strategy that gives up at the first error, which spares the checks that recovery
needs, as the hook does. All take turns in one process on the accepted texts of fixtures/openqasm3,
one by one and as one long text; a ratio is the median of those of the runs. With the hook an
`LLTrace` is made of every text. Lexing is part of each. The goal is 1.5.
"""

from __future__ import annotations

import argparse
import gc
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from antlr4 import CommonTokenStream, InputStream
from antlr4.error.ErrorStrategy import BailErrorStrategy
from openqasm3._antlr.qasm3Lexer import qasm3Lexer
from openqasm3._antlr.qasm3Parser import qasm3Parser

from gramspect.recognition.trace import LLTrace
from gramspect.suites.suite import Expectation, TestCase, TestSuite
from gramspect_antlr_python.recognizer import AntlrPythonRecognizer
from ranking import machine

SUITE = TestSuite.load(
    [Path(__file__).parents[1] / "fixtures" / "openqasm3" / "accept.txt"], lines=True
)


def main() -> None:
    arguments = argparse.ArgumentParser(description="Measures what recording costs.")
    arguments.add_argument("--runs", type=int, default=15)
    runs = arguments.parse_args().runs
    begin = time.perf_counter()
    recognizer = AntlrPythonRecognizer.from_classes(qasm3Parser, qasm3Lexer)
    recognizer.trace(SUITE.tests[0])
    first = time.perf_counter() - begin
    print(f"grammar read and first test traced in {first * 1000:.0f} ms\n")
    header = f"{'texts':28}  {'tokens':>6}  {'plain/s':>8}  {'bail out/s':>10}  {'hooked/s':>8}"
    print(f"{header}  {'to plain':>8}  {'to bail out':>11}  {'peak, MB':>15}")
    report("snippets", recognizer, SUITE.tests, runs)
    report("one text of 60 copies", recognizer, [long_text(60)], runs)
    print(f"\n{machine()}; median of {runs} runs; tokens per second")


def report(
    name: str, recognizer: AntlrPythonRecognizer, tests: Sequence[TestCase], runs: int
) -> None:
    def plain() -> None:
        for test in tests:
            parser_of(test.text).program()

    def bail_out() -> None:
        for test in tests:
            parser = parser_of(test.text)
            parser._errHandler = BailErrorStrategy()
            parser.program()

    def hooked() -> None:
        for test in tests:
            assert isinstance(recognizer.trace(test), LLTrace)

    tokens = sum(n_tokens(test.text) for test in tests)
    ways = (plain, bail_out, hooked)
    rows = [[seconds(way) for way in ways] for _ in range(runs + 1)][1:]
    speeds = [tokens / median(column) for column in zip(*rows, strict=True)]
    to_plain, to_bail = (median(row[2] / row[i] for row in rows) for i in (0, 1))
    peaks = " to ".join(f"{peak(way):.1f}" for way in (plain, hooked))
    print(
        f"{name:28}  {tokens:6,}  {speeds[0]:8,.0f}  {speeds[1]:10,.0f}  {speeds[2]:8,.0f}"
        f"  {to_plain:8.2f}  {to_bail:11.2f}  {peaks:>15}"
    )


def parser_of(text: str) -> qasm3Parser:
    return qasm3Parser(CommonTokenStream(qasm3Lexer(InputStream(text))))


def n_tokens(text: str) -> int:
    stream = CommonTokenStream(qasm3Lexer(InputStream(text)))
    stream.fill()
    return len(stream.tokens)


def long_text(copies: int) -> TestCase:
    texts = [test.text for test in SUITE if "OPENQASM" not in test.text]
    return TestCase("long", Expectation.ACCEPT, "\n".join(texts * copies))


def seconds(task: Callable[[], object]) -> float:
    gc.collect()
    begin = time.perf_counter()
    task()
    return time.perf_counter() - begin


def peak(task: Callable[[], object]) -> float:
    """The most memory that Python objects of the task take at once, in megabytes."""
    gc.collect()
    tracemalloc.start()
    task()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 1e6


if __name__ == "__main__":
    main()
