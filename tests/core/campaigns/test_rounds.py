"""Several faults, one after the other: the same as with whole matrices and whole rankings."""

from pathlib import Path

import numpy as np
from small import config, written

from command import Command
from gramspect.builtin.native import adapter
from gramspect.campaigns.faults import Faulty
from gramspect.campaigns.plan import make_plan
from gramspect.campaigns.rounds import mend, ranks_by, rounds_table
from gramspect.scoring.metrics import METRICS
from gramspect.scoring.ranking import rank_spectra, rule_ranking

FAULTS = "sample = 6\ntogether = 3\nseed = 5"
FEW = {
    'spectra = ["rule", "item", "shift"]\nties = ["mid", "worst", "kmax"]': (
        'spectra = ["rule", "item"]\nties = ["mid"]\nmetrics = ["ochiai"]'
    )
}


def test_each_round_finds_the_fault_with_the_best_rank(tmp_path: Path) -> None:
    plan = make_plan(config(tmp_path, FAULTS, FEW))
    subject = plan.subject("sums")
    cases = [subject.tests.case(n) for n in np.flatnonzero(subject.tests.of_suite(1))]
    several = 0
    for method in plan.methods:
        for faulty in subject.faulty:
            found = mend(subject, faulty, 1, "native", method, ranks_by(method, 200))
            left = list(faulty.faults)
            for one in found.rounds:
                now = Faulty(tuple(left))
                parser = adapter.build(now.grammar)
                matrix = parser.record(cases, method.extraction, method.spectrum, compiled=False)
                assert one.failing == matrix.n_failing
                ranking = rule_ranking(
                    rank_spectra(matrix, parser.grammar, METRICS[method.metric], method.ties),
                    parser.grammar,
                )
                ranks = [min(map(ranking.rank_of, spot.rules)) for spot in now.spots]
                assert one.rank == min(ranks)
                assert one.fault == left.pop(ranks.index(min(ranks)))
            assert found.left == 0
            assert found.read == sum(one.rank for one in found.rounds)
            several += len(found.rounds) > 1
            # Faults that are left are those that no test shows.
            if left:
                parser = adapter.build(Faulty(tuple(left)).grammar)
                kept = parser.record(cases, method.extraction, method.spectrum, compiled=False)
                assert not kept.n_failing
    assert several > 6


def test_the_table(tmp_path: Path, command: Command) -> None:
    path = written(tmp_path, FAULTS, changes=FEW)
    rows = list(rounds_table(make_plan(config(tmp_path, FAULTS, FEW))))
    assert [(row.suite, str(row.method.spectrum)) for row in rows] == [
        ("rule", "rule"), ("rule", "item"), ("mixed", "rule"), ("mixed", "item"),
    ]  # fmt: skip
    assert all(row.mended == row.mutants for row in rows)
    shown = command("campaign", path, "rounds").out
    assert f"| native | mixed | item exact spectrum ochiai mid | {rows[3].mutants} |" in shown
