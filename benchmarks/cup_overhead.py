"""What recording costs on parsers that CUP generated: against the same parsers as they are.

    PYTHONPATH=tests:tests/adapters/cup python benchmarks/cup_overhead.py [--runs N]

Parsers and inputs are those of tests/adapters/cup: programs of a teaching language, and jars from
Maven Central. The plain way makes scanner and parser and calls ``parse``, in Java, in a class
loader of its own: nothing of gramspect is in it. *Recorded* is all that happens in Java with
recording, *traces* all that a recognizer does, with the traces made in Python. The ways take turns,
a run over all inputs each. Times are processor time of the whole process; a ratio is the median of
those of the rounds. The goal is 1.5.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import legacy
from cup_tools import (
    SIMPL_SUITE,
    classpath,
    compile_java,
    load,
    pack,
    runtime,
    scratch,
    simpl_jar,
    texts,
)

from gramspect.recognition.recognizer import Recognizer
from gramspect_jvm import java_class
from ranking import machine

LOOP = """
public class Plain {
    public static void run(String[] inputs) {
        for (String input : inputs) {
            try {
                java.io.Reader reader = new java.io.StringReader(input);
                PARSE;
            } catch (Throwable rejected) {
            }
        }
    }
}
"""


FEWER = 30
"""JFlex makes automata while it parses, which takes milliseconds."""
WARMING = 10
"""Rounds before those that count, for Java's compiler."""


@dataclass(frozen=True)
class Subject:
    """A parser: how it is loaded, the plain way to call it, its jars, its inputs."""

    name: str
    recognizer: Recognizer
    parse: str
    jars: tuple[Path, ...]
    inputs: Sequence[str]


def main() -> None:
    arguments = argparse.ArgumentParser(description="Measures what recording costs in Java.")
    arguments.add_argument("--runs", type=int, default=15)
    runs = arguments.parse_args().runs
    columns = f"{'plain':>7}  {'recorded':>8}  {'ratio':>5}  {'traces':>7}  {'ratio':>5}"
    print(f"{'us per input':22}  {'inputs':>6}  {columns}")
    for subject in subjects():
        report(subject, runs)
    print(f"\n{machine()}; median of {runs} runs")


def subjects() -> list[Subject]:
    by_name = {parser.name: parser for parser in legacy.PARSERS}
    long = " ".join(["program p; begin", *["a[i] := f(x, y + 1) * 2;"] * 2000, "skip end."])
    simpl = load(simpl_jar(), classpath=str(runtime()))
    simpl_parse = "new simpl.SimplParser(new simpl.SimplScanner(reader)).parse()"
    return [
        Subject("SIMPL programs", simpl, simpl_parse, (simpl_jar(), runtime()),
                [test.text for test in SIMPL_SUITE]),
        Subject("SIMPL, 28,000 tokens", simpl, simpl_parse, (simpl_jar(), runtime()), [long]),
        Subject("JFlex 1.4.3", by_name["JFlex 1.4.3"].recognizer(),
                "JFlex.Out.resetCounters();"
                " new JFlex.LexParse(new JFlex.LexScan(reader)).parse()",
                (legacy.jflex_old(),), by_name["JFlex 1.4.3"].inputs()[:FEWER]),
        Subject("JFlex 1.9.1", by_name["JFlex 1.9.1"].recognizer(),
                "jflex.logging.Out.resetCounters();"
                " new jflex.core.LexParse(new jflex.core.LexScan(reader)).parse()",
                (legacy.jflex_new(), runtime()), by_name["JFlex 1.9.1"].inputs()[:FEWER]),
        Subject("Xalan 2.7.3", by_name["Xalan 2.7.3"].recognizer(),
                "org.apache.xalan.xsltc.compiler.Glue.accepts(reader)",
                legacy.xalan(), by_name["Xalan 2.7.3"].inputs()),
    ]  # fmt: skip


def plain(subject: Subject) -> Callable[[], object]:
    """A run over all inputs in one crossing into Java."""
    folder = scratch("plain")
    source = folder / "Plain.java"
    source.write_text(LOOP.replace("PARSE", subject.parse))
    classes = compile_java([source], folder / "classes", "-cp", classpath(*subject.jars))
    java = legacy.Plain(*subject.jars, pack(classes, folder / "plain.jar"))
    strings = java_class("java.lang.String[]")
    method = java.type("Plain").getMethod("run", strings)
    inputs = java_class("java.lang.Object[]")([strings(list(subject.inputs))])
    return lambda: method.invoke(None, inputs)


def report(subject: Subject, runs: int) -> None:
    recognizer: Any = subject.recognizer
    tests, inputs = texts(*subject.inputs), list(subject.inputs)
    ways: list[Callable[[], object]] = [
        plain(subject),
        lambda: recognizer._java.run(inputs),
        lambda: recognizer.traces(tests),
    ]
    quiet = java_class("java.io.PrintStream")(java_class("java.io.OutputStream").nullOutputStream())
    system = java_class("java.lang.System")
    out, err = system.out, system.err
    system.setOut(quiet)
    system.setErr(quiet)
    times: list[list[float]] = [[] for _ in ways]
    for round_ in range(WARMING + runs):
        for place in range(len(ways)):
            which = (place + round_) % len(ways)
            start = time.process_time()
            ways[which]()
            times[which].append((time.process_time() - start) / len(inputs) * 1e6)
    system.setOut(out)
    system.setErr(err)
    alone, recorded, traced = (taken[WARMING:] for taken in times)
    ratios = [median(b / a for a, b in zip(alone, way, strict=True)) for way in (recorded, traced)]
    print(
        f"{subject.name:22}  {len(inputs):6}  {median(alone):7.1f}  {median(recorded):8.1f}"
        f"  {ratios[0]:5.2f}  {median(traced):7.1f}  {ratios[1]:5.2f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
