"""Branches and exceptions of k-path suites (Havrikov, Kampmann and Zeller 2024, Section 4.3).

    pip install grammarinator
    python benchmarks/kpath_suites.py [SUBJECT...] [--runs N] [--grammar NAME]

For k from 1 to 3, and once more with 5, a suite that covers all k-paths of a grammar in
``association_subjects`` is set against as many inputs of Grammarinator, both in trees of depth 30
at most: the share of a Java subject's branches that they cover (JaCoCo), the mean of all runs with
the p of a two-sided Mann-Whitney U test, and in which share of the runs an exception comes from
which place. The runs have different seeds. In ``Json.g4`` every character is a symbol of its own,
in ``JsonClasses.g4`` only every class of characters; one of the class is drawn afterwards, as
Grammarinator does.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import mean

from scipy.stats import mannwhitneyu

from associations import HERE, JAVA, JavaProgram, Language, branches, grammarinator, raised
from gramspect.generation.generate import Plan, generate

LENGTHS = (1, 2, 3, 5)
DEPTH = 30
PROGRAMS = {
    **JAVA,
    "json-unflattener": replace(
        JAVA["json-flattener"],
        call="new com.github.wnameless.json.unflattener.JsonUnflattener(text).unflatten();",
    ),
}
SUBJECTS = ("argo", "gson", "json-java", "json-simple", "minimal-json")

Suites = dict[tuple[int, str], list[list[str]]]
"""By k and who made them: the suites of all runs."""


def suites(grammar: str, runs: int) -> Suites:
    language, drawn = Language(1, grammar), classes(grammar)
    names = {symbol.index: symbol.display for symbol in language.grammar.terminals}
    found: Suites = {}
    with tempfile.TemporaryDirectory() as folder:
        for k in LENGTHS:
            for seed in range(1, runs + 1):
                made = generate(language.grammar, Plan((f"k-paths:{k}:{DEPTH}",), seed=seed))
                random = Random(seed)
                ours = [
                    "".join(
                        random.choice(drawn.get(names[token]) or [language.text([token])])
                        for token in test.tokens
                    )
                    for test in made
                ]
                theirs = grammarinator(Path(folder), len(ours), 100 * k + seed, grammar)
                found.setdefault((k, "ours"), []).append(ours)
                found.setdefault((k, "theirs"), []).append(theirs)
    return found


def classes(grammar: str) -> dict[str, list[str]]:
    """The characters of each class that is a token."""
    source = (HERE / f"{grammar}.g4").read_text()
    found = re.findall(r"^([A-Z]+) : \[(.*)\] ;$", source, re.MULTILINE)
    return {name: characters(inside) for name, inside in found}


def characters(inside: str) -> list[str]:
    """The characters of a class, such as ``a-z\\n``."""
    found: list[str] = []
    units = re.findall(r"\\.|.", inside)
    while units:
        first = units.pop(0)
        last = first
        if len(units) > 1 and units[0] == "-":
            last = units[1]
            del units[:2]
        begin, end = ({"\\n": "\n", "\\t": "\t"}.get(each, each[-1]) for each in (first, last))
        found += map(chr, range(ord(begin), ord(end) + 1))
    return found


def measured(
    program: JavaProgram, sets: Sequence[Sequence[str]]
) -> tuple[list[float], Counter[str]]:
    """Of each set of inputs the share of branches; of each exception in how many sets it is."""
    shares: list[float] = []
    exceptions: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, program.started(Path(folder)) as process:
        for texts in sets:
            exceptions.update({found for text in texts if (found := raised(process, text))})
            covered, total = branches(process)
            shares.append(covered / total)
        assert process.stdin is not None
        process.stdin.close()
    return shares, exceptions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("subjects", nargs="*", default=SUBJECTS)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--grammar", default="Json", help="Json or JsonClasses")
    chosen = parser.parse_args()
    found = suites(chosen.grammar, chosen.runs)
    for (k, whose), sets in found.items():
        print(f"{k}-paths, {whose}: {mean(map(len, sets)):.1f} inputs")
    for name in chosen.subjects:
        cells = []
        for k in LENGTHS:
            ours, our_exceptions = measured(JavaProgram(PROGRAMS[name]), found[k, "ours"])
            theirs, their_exceptions = measured(JavaProgram(PROGRAMS[name]), found[k, "theirs"])
            p = mannwhitneyu(ours, theirs).pvalue
            cells.append(f"{mean(ours):.4f} / {mean(theirs):.4f} (p {p:.4f})")
            for place in sorted({*our_exceptions, *their_exceptions}):
                rates = [each[place] / chosen.runs for each in (our_exceptions, their_exceptions)]
                print(f"  {name}, k = {k}: {place}: {rates[0]:.0%} / {rates[1]:.0%}")
        print(" | ".join([name, *cells]), flush=True)


if __name__ == "__main__":
    main()
