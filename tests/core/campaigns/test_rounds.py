"""Several faults, one after the other: the same as with whole matrices and whole rankings."""

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from small import config, written

from command import Command
from gramspect.builtin.native import adapter
from gramspect.campaigns.campaign import mending
from gramspect.campaigns.faults import Faulty
from gramspect.campaigns.plan import Plan, UnitName, make_plan
from gramspect.campaigns.rounds import Summary, mend, ranks_by, rounds_table, summaries
from gramspect.campaigns.store import Store
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
    plan = make_plan(config(tmp_path, FAULTS, FEW))
    rows = list(rounds_table(plan, {unit: summaries(plan, unit) for unit in plan.units()}))
    assert [(row.suite, str(row.method.spectrum)) for row in rows] == [
        ("rule", "rule"), ("rule", "item"), ("mixed", "rule"), ("mixed", "item"),
    ]  # fmt: skip
    assert all(row.mended == row.mutants for row in rows)
    shown = command("campaign", path, "rounds").out
    assert f"| native | mixed | item exact spectrum ochiai mid | {rows[3].mutants} |" in shown


def test_what_was_mended_is_kept(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted after every second mutant, the table is the same, and none is mended twice."""
    read = config(tmp_path, FAULTS, FEW)
    mended: list[UnitName] = []

    def stopping(plan: Plan, unit: UnitName) -> list[Summary]:
        if len(mended) % 2:
            mended.append(unit)
            raise KeyboardInterrupt
        mended.append(unit)
        return summaries(plan, unit)

    rows = None
    with monkeypatch.context() as patch:
        patch.setattr("gramspect.campaigns.campaign.summaries", stopping)
        while rows is None:
            with suppress(KeyboardInterrupt):
                rows = mending(read)
    plan = make_plan(read)
    assert rows == list(rounds_table(plan, {unit: summaries(plan, unit) for unit in plan.units()}))
    assert [*dict.fromkeys(mended)] == list(plan.units())
    with Store.reading(read.store) as store:
        assert set(store.rounds()) == set(plan.units())
        assert not store.done()
    other = written(tmp_path, FAULTS.replace("seed = 5", "seed = 6"), changes=FEW)
    assert "(6 results)" in command.fails("campaign", other, "rounds")
