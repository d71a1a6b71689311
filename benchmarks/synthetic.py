"""What synthetic spectra are worth: the ranks of seeded faults, by kind of spectrum and suite.

    python benchmarks/synthetic.py [--mutants N]

A SIMPL-like grammar with one seeded symbol fault is the model, a general parser for the grammar
without it the system under test, which says only yes or no and, for the rows with positions, where
the first offending token is. The suite is generated from the faulty model. Shown are the share of
models some test of whose suite fails, and of these the share whose faulty rule (with item spectra,
its very position) is first, in the first three and in the first five, and its median rank (Ochiai;
mean ranks for tied rules, the largest dot first among tied items of a rule).

Raselimo and Fischer (2024, Table 5) have the faulty rule of their SIMPL mutants first, in the first
three and in the first five in 55, 97 and 98 % with `rule` suites, and in 53, 94 and 97 % with
`cdrc` suites (Ochiai, rule spectra).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from statistics import median

from gramspect.generation.generate import Plan, generate
from gramspect.generation.generated import GeneratedTest
from gramspect.generation.synthetic import Outcome, synthetic_matrix
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.seeding import Mutant, Mutation, sample
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.trace import Verdict
from gramspect.scoring.metrics import metric
from gramspect.scoring.ranking import Ties, rank_spectra
from gramspect.spectrum.matrix import SpectrumKind
from gramspect.yacc import read_yacc
from ranking import machine

SIMPL = Path(__file__).parents[1] / "fixtures" / "simpl" / "simpl.y"
SYMBOLS = (
    Mutation.DELETION,
    Mutation.INSERTION,
    Mutation.SUBSTITUTION,
    Mutation.TRANSPOSITION,
)
SUITES = {
    "rule": (Plan(("rule",)), 0),
    "cdrc": (Plan(("cdrc",)), 0),
    "cdrc, rule mutations": (Plan(("cdrc",)), 300),
}
"""The positive tests, and how many negative ones, evenly from all rule mutations."""


def main() -> None:
    arguments = argparse.ArgumentParser(description="Measures synthetic spectra.")
    arguments.add_argument("--mutants", type=int, default=50, help="of each operator")
    options = arguments.parse_args()
    language = read_yacc(SIMPL)
    mutants = [m for each in SYMBOLS for m in sample(language, options.mutants, 1, [each])]
    print(f"{len(mutants)} models")
    print(f"{'suite':22}  {'spectra':22}  {'fail':>5}  {'1':>4}  {'3':>4}  {'5':>4}  {'median':>6}")
    for name, (plan, n_negative) in SUITES.items():
        found: dict[tuple[SpectrumKind, bool], list[float]] = {}
        for mutant in mutants:
            outcomes = list(judged(mutant.grammar, language, plan, n_negative))
            for kind in (SpectrumKind.RULE, SpectrumKind.ITEM):
                for positions in (False, True):
                    rank = rank_of(mutant, outcomes, kind, positions)
                    if rank is not None:
                        found.setdefault((kind, positions), []).append(rank)
        for (kind, positions), ranks in found.items():
            spectra = f"{kind}, positions" if positions else str(kind)
            top = "  ".join(f"{sum(r <= n for r in ranks) / len(ranks):4.0%}" for n in (1, 3, 5))
            failing = len(ranks) / len(mutants)
            print(f"{name:22}  {spectra:22}  {failing:5.0%}  {top}  {median(ranks):6.1f}")
    print(machine())


def judged(model: Grammar, language: Grammar, plan: Plan, n_negative: int) -> Iterator[Outcome]:
    """The suite with what a parser for the language says."""
    for test in (*generate(model, plan), *_negative(model, n_negative)):
        chart = parse_chart(language, test.tokens)
        if chart.accepted:
            yield Outcome(test, Verdict.ACCEPTED)
        else:
            yield Outcome(test, Verdict.REJECTED, chart.end)


def _negative(model: Grammar, number: int) -> Iterable[GeneratedTest]:
    if not number:
        return ()
    plan = Plan((), negative=("rules",))
    step = max(1, sum(1 for _ in generate(model, plan)) // number)
    return islice(generate(model, plan), 0, None, step)


def rank_of(
    mutant: Mutant, outcomes: list[Outcome], kind: SpectrumKind, positions: bool
) -> float | None:
    """The rank of the faulty element; None if no test fails, infinite if it scores nothing."""
    model = mutant.grammar
    matrix = synthetic_matrix(kind, model, outcomes, positions=positions)
    if not matrix.n_failing:
        return None
    if kind is SpectrumKind.RULE:
        ties, faulty = Ties.MID, mutant.rule
    else:
        ties, faulty = Ties.KMAX, mutant.item
    ranking = rank_spectra(matrix, model, metric("ochiai"), ties)
    shown = ranking.elements[: ranking.n_significant].tolist()
    return float(ranking.ranks[shown.index(faulty)]) if faulty in shown else float("inf")


if __name__ == "__main__":
    main()
