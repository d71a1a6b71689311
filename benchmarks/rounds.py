"""Several faults at once: rounds and rules read until all are mended, by gramspect and by FLITSR.

    python benchmarks/rounds.py GRAMMAR.y [--sample N] [--faults K...] [--debug N] [--seed SEED]

Mutants of the grammar with K faults, through `native`, on the suite by the criterion ``cdrc`` with
token mutations. In each round the rules are ranked, read up to the first that has a fault, and it
is mended (`gramspect.campaigns.rounds`). The rows are the spectra of gramspect by two metrics, and
FLITSR 3 on our TCM files of the same rule spectra, with ties as mean ranks. For the first N mutants
of each kind, `debug --auto` mends them without anybody: how often all tests pass in the end, in how
many rounds, and the sum of the ranks of the rules that it changed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import numpy as np

from gramspect import LoadOptions, TestSuite, debug
from gramspect.algebra.writing import Form, grammar_text
from gramspect.builtin.native import NativeRecognizer
from gramspect.campaigns.config import (
    CampaignConfig,
    EngineConfig,
    FaultConfig,
    GrammarConfig,
    MethodConfig,
    SuiteConfig,
)
from gramspect.campaigns.counting import Counted
from gramspect.campaigns.faults import Faulty, Spot
from gramspect.campaigns.placing import Method
from gramspect.campaigns.plan import Subject, make_plan
from gramspect.campaigns.rounds import Mended, mend, ranks_by
from gramspect.errors import GramspectError
from gramspect.recognition.trace import Extraction
from gramspect.report.matrices import write_spectra
from gramspect.running.spectra import spectra_of_matrix
from gramspect.scoring.evidence import Evidence
from gramspect.scoring.ranking import Ties
from gramspect.spectrum.matrix import SpectrumKind

RULES = Method(SpectrumKind.RULE, Extraction.EXACT, Evidence.SPECTRUM, "ochiai", Ties.MID)
ITEMS = RULES._replace(spectrum=SpectrumKind.ITEM)


def flitsr_groups(counted: Counted, suite: int) -> list[list[str]]:
    """FLITSR's ranking: labels of rules, those with one score together, best first."""
    recognizer = counted.recognizer
    assert isinstance(recognizer, NativeRecognizer)
    tests = TestSuite(
        tuple(counted.tests.case(n) for n in np.flatnonzero(counted.tests.of_suite(suite)))
    )
    matrix = recognizer.record(tests.tests, Extraction.EXACT, SpectrumKind.RULE)
    spectra = spectra_of_matrix(recognizer.grammar, tests, matrix, Extraction.EXACT, "native")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "all.tcm")
        write_spectra(spectra, str(path), "tcm")
        command = [Path(sys.executable).with_name("flitsr"), "--flitsr", "-m", "ochiai", path]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    groups: list[list[str]] = []
    for line in said.splitlines():
        if line.startswith("Faulty grouping:"):
            groups.append([])
        elif line.strip() not in ("", "]"):
            groups[-1].append(line.strip().replace("|", ":"))
    return groups


def ranks_by_flitsr(counted: Counted, suite: int, spots: Sequence[Spot]) -> list[float]:
    """The rank of the rule of each fault, ties as their mean."""
    rank_of: dict[str, float] = {}
    before = 0
    for group in flitsr_groups(counted, suite):
        rank_of |= dict.fromkeys(group, before + (len(group) + 1) / 2)
        before += len(group)
    rules = counted.recognizer.grammar.rules
    last = (before + 1 + len(rules)) / 2  # of those that it does not rank
    return [min(rank_of.get(rules[r].label, last) for r in spot.rules) for spot in spots]


def mutants(path: Path, faults: int, sample: int, seed: int) -> Subject:
    """Mutants with so many faults, and their suite."""
    config = CampaignConfig(
        file="", store="", grammars={"it": GrammarConfig(str(path))}, recognizers=("native",),
        suites={"cdrc": SuiteConfig(criteria=("cdrc",), negative=("tokens",), per_sentence=2)},
        faults=FaultConfig(sample=sample, seed=seed, together=faults),
        methods=MethodConfig(), engine=EngineConfig(),
    )  # fmt: skip
    return make_plan(config).subject("it")


def show(name: str, found: Sequence[Mended], seconds: float) -> None:
    """A row."""
    shown = [one for one in found if one.rounds]
    mended = sum(not one.left for one in shown)
    rounds, read = (fmean(x) for x in zip(*((len(m.rounds), m.read) for m in shown), strict=True))
    print(
        f"{name:32}{len(shown):>8}{mended:>8}{rounds:>8.2f}{read:>8.1f}{seconds:>8.0f}", flush=True
    )


def by_debug(subject: Subject, chosen: Sequence[Faulty]) -> None:
    """`debug --auto`, on the grammars as files."""
    rows = []
    begin = time.process_time()
    cases = [subject.tests.case(n) for n in np.flatnonzero(subject.tests.of_suite(0))]
    for faulty in chosen:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "faulty.y")
            path.write_text(grammar_text(faulty.grammar, Form.YACC))
            try:
                found = debug(
                    str(path), TestSuite(tuple(cases)), load=LoadOptions(adapter="native")
                )
            except GramspectError as problem:
                print(f"{faulty.key}: {problem}")
                continue
        read = sum(one.rank or 0 for one in found.rounds)
        rows.append((found.left == 0, len(found.rounds), read, found.left))
    rows = [row for row in rows if row[1] or row[3]]
    mended = [row for row in rows if row[0]]
    means = [fmean(row[i] for row in mended) if mended else 0.0 for i in (1, 2)]
    seconds = time.process_time() - begin
    print(
        f"{'debug --auto, those it mends':32}{len(rows):>8}{len(mended):>8}"
        f"{means[0]:>8.2f}{means[1]:>8.1f}{seconds:>8.0f}", flush=True
    )  # fmt: skip


def main() -> None:
    arguments = argparse.ArgumentParser(description="Mends several faults, one after the other.")
    arguments.add_argument("grammar", type=Path)
    arguments.add_argument("--sample", type=int, default=30)
    arguments.add_argument("--faults", type=int, nargs="+", default=[2, 3, 5])
    arguments.add_argument("--debug", type=int, default=0)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    heads = "".join(f"{head:>8}" for head in ("mutants", "mended", "rounds", "read", "CPU s"))
    for faults in options.faults:
        subject = mutants(options.grammar, faults, options.sample, options.seed)
        n_tests = int(subject.tests.of_suite(0).sum())
        print(
            f"\n{faults} faults, {subject.grammar.n_rules} rules, {n_tests} tests\n{'':32}{heads}"
        )
        ways = [
            (f"{method.spectrum} spectra, {name}", method._replace(metric=name), None)
            for method in (RULES, ITEMS)
            for name in ("tarantula", "ochiai")
        ]
        for name, method, ranks in [*ways, ("FLITSR, ochiai", RULES, ranks_by_flitsr)]:
            begin = time.process_time()
            by = ranks or ranks_by(method, 200)
            found = [mend(subject, one, 0, "native", method, by) for one in subject.faulty]
            show(name, found, time.process_time() - begin)
        if options.debug:
            by_debug(subject, subject.faulty[: options.debug])


if __name__ == "__main__":
    main()
