"""What the hooks of Lark's parsers cost: time against plain parsing, and memory.

    python benchmarks/lark_overhead.py [--runs N] [--kilobytes N]

Time: both ways take turns in one process, a run over all tests each, and which comes first changes.
Times are processor time; the ratio is the median of those of the pairs. *Hooked* is recording
alone: a trace is made of every test, as the other adapters' benchmarks have it. *With spectra* are
extraction and the making of charts as well. The goal is 1.3 for recording. Plain Lark builds a
tree, which the hooks leave out; so a ratio may be below 1.

Memory: a text of that size through each of the Earley parsers, each in a process of its own; the
peak of the process without what importing and loading take. The goal is 1.5, spectra included.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import hcl2
import lark
from lark import Lark

from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.registry import adapter
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase, TestSuite
from ranking import machine

FIXTURES = Path(__file__).parents[1] / "fixtures"
GRAMMARS = Path(lark.__file__).parent / "grammars"
JSON = r"""
start: value
?value: object | array | STRING | NUMBER | "true" | "false" | "null"
array: "[" [value ("," value)*] "]"
object: "{" [pair ("," pair)*] "}"
pair: STRING ":" value
STRING: /"[^"]*"/
NUMBER: /-?[0-9]+(\.[0-9]+)?/
%ignore /[ \n\t]+/
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures what the hooks of Lark's parsers cost.")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--kilobytes", type=int, default=100)
    parser.add_argument("--memory", nargs=2, metavar=("LEXER", "WAY"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "json.lark"
        path.write_text(JSON)
        if arguments.memory:
            print(peak_of_one(path, 1000 * arguments.kilobytes, *arguments.memory))
            return
        times(path, arguments.runs)
    memory(arguments.kilobytes)
    print(f"\n{machine()}; Lark {lark.__version__}; median of {arguments.runs} runs")


def times(path: Path, runs: int) -> None:
    python = {"postlex": "lark.indenter:PythonIndenter"}
    hcl = {"postlex": "hcl2.postlexer:PostLexer"}
    hcl_grammar = Path(hcl2.__file__).with_name("hcl2.lark")
    json_tests = [TestCase("json", Expectation.ACCEPT, json_text(10_000))]
    broken = [TestCase("broken", Expectation.ACCEPT, json_text(10_000)[:-1] + ",")]
    print(f"{'tests':52}  {'Lark, ms':>8}  {'hooked':>6}  {'ratio':>5}  {'with spectra':>12}")
    for name, grammar, parser, start, extra, tests in (
        ("Python snippets, lalr", GRAMMARS / "python.lark", "lalr", "file_input", python,
         suite("lark_python")),
        ("one Python file, lalr", GRAMMARS / "python.lark", "lalr", "file_input", python,
         [long_python_file()]),
        ("HCL snippets, lalr", hcl_grammar, "lalr", None, hcl, suite("lark_hcl")),
        ("Lark grammars, earley with the dynamic lexer", GRAMMARS / "lark.lark", "earley", None,
         {}, suite("lark_lark")),
        *(
            (f"JSON of 10 kB{what}, {parser} with the {lexer} lexer", path, parser, None,
             {"lexer": lexer}, tests)
            for parser, lexer in (
                ("lalr", "basic"), ("lalr", "contextual"), ("earley", "basic"),
                ("earley", "dynamic"), ("earley", "dynamic_complete"),
            )
            for what, tests in (("", json_tests), (", rejected", broken))
        ),
    ):  # fmt: skip
        options = LoadOptions(start, extra=extra)
        recognizer: Any = adapter(f"lark-{parser}").load(str(grammar), options)
        report(name, recognizer, tests, runs)


def suite(folder: str) -> Sequence[TestCase]:
    return TestSuite.load([FIXTURES / folder / "accept"], [FIXTURES / folder / "reject"]).tests


def long_python_file(copies: int = 40) -> TestCase:
    """The accepted snippets, over and over."""
    texts = [path.read_text() for path in sorted((FIXTURES / "lark_python" / "accept").iterdir())]
    return TestCase("long", Expectation.ACCEPT, "".join(texts) * copies)


def json_text(size: int) -> str:
    """A list of about that many characters."""
    entry = '{"name": "item %d", "list": [1, 2.5, -3, true, null, {"x": []}], "more": {"a": "b"}}'
    entries: list[str] = []
    length = 0
    while length < size:
        entries.append(entry % len(entries))
        length += len(entries[-1]) + 2
    return "[" + ",\n".join(entries) + "]"


def report(name: str, recognizer: Any, tests: Sequence[TestCase], runs: int) -> None:
    parser: Lark = recognizer._subject.lark

    def plain(test: TestCase) -> None:
        with suppress(Exception):  # a rejected text
            parser.parse(test.text, recognizer._subject.start)

    ways: tuple[Callable[[TestCase], object], ...] = (
        plain,
        recognizer.trace,
        lambda test: observe(recognizer.trace(test)),
    )
    rounds = []
    for number in range(runs + 1):
        spent = [0.0] * len(ways)
        for way in range(len(ways)):
            chosen = (way + number) % len(ways)
            spent[chosen] = seconds(ways[chosen], tests)
        rounds.append(spent)
    rounds = rounds[1:]  # the first is warming up
    without, hooked, _ = (median(column) for column in zip(*rounds, strict=True))
    ratio = median(b / a for a, b, _ in rounds)
    with_spectra = median(c / a for a, _, c in rounds)
    label = f"{name} ({len(tests)})" if len(tests) > 1 else name
    print(
        f"{label:52}  {without * 1000:8.1f}  {hooked * 1000:6.1f}  {ratio:5.2f}"
        f"  {with_spectra:12.2f}",
        flush=True,
    )


def seconds(task: Callable[[TestCase], object], tests: Sequence[TestCase]) -> float:
    begin = time.process_time()
    for test in tests:
        task(test)
    return time.process_time() - begin


# --- memory -----------------------------------------------------------------------------------


def memory(kilobytes: int) -> None:
    print(f"\n{f'peak for {kilobytes} kB of JSON':52}  {'Lark, MB':>8}  {'hooked':>6}  {'ratio':>5}"
          f"  {'with spectra':>12}")  # fmt: skip
    for lexer in ("basic", "dynamic", "dynamic_complete"):
        plain, hooked, spectra = (
            int(
                subprocess.run(
                    [sys.executable, __file__, f"--kilobytes={kilobytes}", "--memory", lexer, way],
                    check=True,
                    capture_output=True,
                    text=True,
                ).stdout
            )
            for way in ("plain", "hooked", "spectra")
        )
        print(
            f"{f'earley with the {lexer} lexer':52}  {plain / 1024:8.0f}  {hooked / 1024:6.0f}"
            f"  {hooked / plain:5.2f}  {spectra / plain:12.2f}",
            flush=True,
        )


def peak_of_one(grammar: Path, size: int, lexer: str, way: str) -> int:
    """The kilobytes that one parse takes at its peak, in this process."""
    recognizer: Any = adapter("lark-earley").load(str(grammar), LoadOptions(extra={"lexer": lexer}))
    test = TestCase("long", Expectation.ACCEPT, json_text(size))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if way == "plain":
        recognizer._subject.lark.parse(test.text)
    elif way == "hooked":
        recognizer.trace(test)
    else:
        observe(recognizer.trace(test))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before


if __name__ == "__main__":
    main()
