"""Branches and exceptions of k-path suites (Havrikov, Kampmann and Zeller 2024, Section 4.3).

    pip install grammarinator
    python benchmarks/kpath_suites.py [SUBJECT...] [--runs N]

For k from 1 to 3, and once more with 5, a suite that covers all k-paths of
``association_subjects/Json.g4`` is set against as many inputs of Grammarinator, both in trees of
depth 30 at most: the share of a Java subject's branches that they cover (JaCoCo), the mean of all
runs with the p of a two-sided Mann-Whitney U test, and in which share of the runs an exception
comes from which place. The runs have different seeds.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from scipy.stats import mannwhitneyu

from associations import JAVA, JavaProgram, Language, branches, grammarinator, raised
from gramspect.generation.generate import Plan, generate

LENGTHS = (1, 2, 3, 5)
DEPTH = 30
SUBJECTS = ("argo", "gson", "json-java", "json-simple", "minimal-json")

Suites = dict[tuple[int, str], list[list[str]]]
"""By k and who made them: the suites of all runs."""


def suites(language: Language, runs: int) -> Suites:
    found: Suites = {}
    with tempfile.TemporaryDirectory() as folder:
        for k in LENGTHS:
            for seed in range(1, runs + 1):
                made = generate(language.grammar, Plan((f"k-paths:{k}:{DEPTH}",), seed=seed))
                ours = [language.text(test.tokens) for test in made]
                theirs = grammarinator(Path(folder), len(ours), 100 * k + seed)
                found.setdefault((k, "ours"), []).append(ours)
                found.setdefault((k, "theirs"), []).append(theirs)
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
    chosen = parser.parse_args()
    found = suites(Language(1), chosen.runs)
    for (k, whose), sets in found.items():
        print(f"{k}-paths, {whose}: {mean(map(len, sets)):.1f} inputs")
    for name in chosen.subjects:
        cells = []
        for k in LENGTHS:
            ours, our_exceptions = measured(JavaProgram(JAVA[name]), found[k, "ours"])
            theirs, their_exceptions = measured(JavaProgram(JAVA[name]), found[k, "theirs"])
            p = mannwhitneyu(ours, theirs).pvalue
            cells.append(f"{mean(ours):.4f} / {mean(theirs):.4f} (p {p:.4f})")
            for place in sorted({*our_exceptions, *their_exceptions}):
                rates = [each[place] / chosen.runs for each in (our_exceptions, their_exceptions)]
                print(f"  {name}, k = {k}: {place}: {rates[0]:.0%} / {rates[1]:.0%}")
        print(" | ".join([name, *cells]), flush=True)


if __name__ == "__main__":
    main()
