"""The results of a unit are those of the whole matrix and the whole ranking."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from small import config, written

from gramspect.builtin.native import NativeRecognizer, adapter
from gramspect.campaigns import counting
from gramspect.campaigns.config import FaultConfig
from gramspect.campaigns.faults import Faulty, faulty_grammars
from gramspect.campaigns.plan import Plan, UnitName, make_plan
from gramspect.campaigns.units import Outcome, Result, compute
from gramspect.edits.failing import search_failing
from gramspect.edits.scores import rank_edits
from gramspect.effort import Effort
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.seeding import Mutation
from gramspect.recognition.trace import Extraction, Trace
from gramspect.running.runner import run
from gramspect.scoring.evidence import depth_scores
from gramspect.scoring.metrics import METRICS
from gramspect.scoring.ranking import Ties, rank_spectra, rule_ranking
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import Expectation, TestCase, TestSuite
from gramspect.yacc import read_yacc


def ranked_in_full(plan: Plan, result: Result, faulty: Faulty) -> np.ndarray:
    """The same ranks by way of matrices and complete rankings."""
    subject = plan.subject("sums")
    recognizer = adapter.build(faulty.grammar)
    grammar = recognizer.grammar
    found = np.full(result.ranks.shape, np.nan)
    for suite, totals in enumerate(result.totals):
        cases = [subject.tests.case(n) for n in np.flatnonzero(subject.tests.of_suite(suite))]
        for number, method in enumerate(plan.methods):
            matrix = recognizer.record(cases, method.extraction, method.spectrum, compiled=False)
            assert (matrix.n_failing, matrix.n_passing) == totals[:2]
            if not totals.killed:
                continue
            wrong = [
                case
                for case, fails in zip(cases, matrix.failing, strict=True)
                if fails and case.expectation is Expectation.ACCEPT
            ]
            depths = None
            if method.evidence != "spectrum":
                seen = list(run(recognizer, wrong))
                wanted = [Expectation.ACCEPT] * len(wrong)
                depths = depth_scores(method.spectrum, grammar, seen, wanted)
            metric = METRICS["ochiai" if method.metric == "-" else method.metric]
            ranking = rank_spectra(
                matrix, grammar, metric, method.ties, evidence=method.evidence, depths=depths
            )
            rules = rule_ranking(ranking, grammar)
            found[suite, number, 0] = min(
                rules.rank_of(rule) for spot in faulty.spots for rule in spot.rules
            )
            items = [spot.item for spot in faulty.spots if spot.item is not None]
            if items and method.spectrum is not SpectrumKind.RULE:
                found[suite, number, 1] = min(map(ranking.rank_of, items))
            elif items:
                bits = np.repeat(matrix.bits, np.diff(grammar.item_start), axis=0)
                codes = matrix.n_tests, matrix.verdicts, matrix.expectations
                extended = SpectrumMatrix(SpectrumKind.ITEM, bits, *codes)
                ties = Ties.WORST if method.ties is Ties.WORST else Ties.MID
                again = rank_spectra(extended, grammar, metric, ties)
                found[suite, number, 1] = min(map(again.rank_of, items))
    return found


@pytest.mark.parametrize("faults", ["sample = 8\nseed = 3", "sample = 5\ntogether = 3"])
def test_ranks_are_those_of_complete_rankings(tmp_path: Path, faults: str) -> None:
    plan = make_plan(config(tmp_path, faults))
    n_killed = 0
    for number, faulty in enumerate(plan.subject("sums").faulty):
        result = compute(plan, UnitName("sums", "native", number))
        assert result.outcome is Outcome.RANKED
        n_killed += sum(totals.killed for totals in result.totals)
        expected = ranked_in_full(plan, result, faulty)
        np.testing.assert_array_equal(result.ranks, expected.astype(np.float32), faulty.key)
    assert n_killed > 6


def test_evidence_of_errors_is_that_of_complete_rankings(tmp_path: Path) -> None:
    evidence = 'spectra = ["item"]\nevidence = ["error", "both"]\nlocated = 10000'
    plan = make_plan(
        config(tmp_path, "sample = 6", {'spectra = ["rule", "item", "shift"]': evidence})
    )
    for number, faulty in enumerate(plan.subject("sums").faulty):
        result = compute(plan, UnitName("sums", "native", number))
        expected = ranked_in_full(plan, result, faulty)
        np.testing.assert_array_equal(result.ranks, expected.astype(np.float32), faulty.key)


def test_evidence_of_edits_is_that_of_localize(tmp_path: Path) -> None:
    edits = 'spectra = ["item"]\nevidence = ["edits", "both"]\nmetrics = ["ochiai"]'
    plan = make_plan(config(tmp_path, "sample = 4", {'spectra = ["rule", "item", "shift"]': edits}))
    subject = plan.subject("sums")
    differ = 0
    for number, faulty in enumerate(subject.faulty):
        result = compute(plan, UnitName("sums", "native", number))
        ranks = {method[2:]: result.ranks[1, at] for at, method in enumerate(plan.methods)}
        parser = adapter.build(faulty.grammar)
        if not result.totals[1].killed:
            continue
        chosen = np.flatnonzero(subject.tests.of_suite(1))
        suite = TestSuite(tuple(subject.tests.case(n) for n in chosen))
        matrix = parser.record(suite.tests, Extraction.EXACT, SpectrumKind.ITEM, compiled=False)
        seen = list(run(parser, suite.tests))
        wrong = np.flatnonzero(matrix.failing).tolist()
        rejected = [n for n in wrong if suite.tests[n].expectation is Expectation.ACCEPT]
        depths = depth_scores(
            SpectrumKind.ITEM, parser.grammar, [seen[n] for n in rejected],
            [Expectation.ACCEPT] * len(rejected),
        )  # fmt: skip
        searched = search_failing(
            parser, [(n, suite.tests[n]) for n in wrong], Effort.NORMAL.steps,
            [suite.tests[n] for n in np.flatnonzero(matrix.passing).tolist()],
        )  # fmt: skip
        for ties in Ties:
            ranking = rank_edits(matrix, parser.grammar, METRICS["ochiai"], ties, depths, searched)
            expected = min(
                rule_ranking(ranking, parser.grammar).rank_of(rule)
                for spot in faulty.spots
                for rule in spot.rules
            )
            assert ranks["edits", "ochiai", ties][0] == np.float32(expected), faulty.key
            differ += ranks["both", "ochiai", ties][0] != np.float32(expected)
    assert differ


@dataclass(frozen=True)
class Observed:
    """A recognizer of which nothing is known but that it parses."""

    inner: NativeRecognizer

    @property
    def grammar(self) -> Grammar:
        return self.inner.grammar

    def trace(self, test: TestCase) -> Trace:
        return self.inner.trace(test)


@pytest.mark.parametrize("compiled", [False, True])
def test_the_kernel_counts_what_observations_count(
    tmp_path: Path, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gramspect.builtin.native.is_compiled", lambda: compiled)
    plan = make_plan(config(tmp_path, "sample = 6\nseed = 7"))
    subject = plan.subject("sums")
    for faulty in subject.faulty:
        recognizer = adapter.build(faulty.grammar)
        fast = counting.count(recognizer, subject.tests, tuple(Extraction))
        slow = counting.count(Observed(recognizer), subject.tests, tuple(Extraction))
        np.testing.assert_array_equal(fast.verdicts, slow.verdicts)
        for extraction in Extraction:
            for kind in SpectrumKind:
                np.testing.assert_array_equal(
                    fast.groups[extraction][kind], slow.groups[extraction][kind], f"{faulty.key}"
                )


def test_other_recognizers_rank_as_the_native_one_where_there_are_no_conflicts(
    tmp_path: Path,
) -> None:
    changes = {'"item", "shift"]': '"item"]', '["native"]': '["native", "chart"]'}
    plan = make_plan(config(tmp_path, "sample = 20", changes))
    compared = 0
    for number, faulty in enumerate(plan.subject("sums").faulty):
        if not adapter.build(faulty.grammar).table.conflicts:
            compared += 1
            native, chart = (
                compute(plan, UnitName("sums", name, number)) for name in ("native", "chart")
            )
            assert native.totals == chart.totals
            np.testing.assert_array_equal(native.ranks, chart.ranks, faulty.key)
    assert compared > 5


def test_an_extraction_that_a_parser_does_not_supply_has_no_ranks(tmp_path: Path) -> None:
    """A chart parser has no stack: the other extraction has the ranks that it has by itself."""
    changes = {'ties = ["mid", "worst", "kmax"]': 'extractions = ["stack", "exact"]'}
    changes |= {'["native"]': '["chart"]'}
    both = make_plan(config(tmp_path, "sample = 5", changes))
    exact = {**changes, 'ties = ["mid", "worst", "kmax"]': 'extractions = ["exact"]'}
    alone = make_plan(config(tmp_path, "sample = 5", exact))
    is_stack = np.array([method.extraction is Extraction.STACK for method in both.methods])
    for number in range(5):
        unit = UnitName("sums", "chart", number)
        found, expected = compute(both, unit), compute(alone, unit)
        assert found.totals == expected.totals
        assert np.isnan(found.ranks[:, is_stack]).all()
        np.testing.assert_array_equal(found.ranks[:, ~is_stack], expected.ranks)


def test_mutants_with_conflicts_can_be_refused(tmp_path: Path) -> None:
    plan = make_plan(config(tmp_path, 'sample = 40\nconflicts = "refuse"'))
    outcomes = {}
    for number, faulty in enumerate(plan.subject("sums").faulty):
        result = compute(plan, UnitName("sums", "native", number))
        outcomes[result.outcome] = result.reason
        assert (result.outcome is Outcome.NO_PARSER) == bool(
            adapter.build(faulty.grammar).conflicts
        )
    assert set(outcomes) == {Outcome.RANKED, Outcome.NO_PARSER}


def test_several_faults_are_where_they_are_said_to_be(tmp_path: Path) -> None:
    written(tmp_path)
    grammar = read_yacc(str(tmp_path / "sums.y"))
    for faulty in faulty_grammars(grammar, FaultConfig(sample=60, together=3, seed=2)):
        mutated = faulty.grammar
        assert len({fault.nonterminal for fault in faulty.faults}) == 3
        for fault, spot in zip(faulty.faults, faulty.spots, strict=True):
            one = fault.grammar
            here = {mutated.rules[rule].rhs for rule in spot.rules}
            if fault.rule is None:
                assert fault.operator is Mutation.DELETED_ALTERNATIVE
                assert here == {one.rules[rule].rhs for rule in one.rules_of[fault.nonterminal]}
            else:
                assert here == {one.rules[fault.rule].rhs}
                assert spot.item == mutated.item(spot.rules[0], fault.dot or 0)
        untouched = {rule.lhs for rule in grammar.rules} - {f.nonterminal for f in faulty.faults}
        for lhs in untouched:
            assert [mutated.rules[r].rhs for r in mutated.rules_of[lhs]] == [
                grammar.rules[r].rhs for r in grammar.rules_of[lhs]
            ]


@pytest.mark.slow
def test_tests_that_are_not_run_count_as_if_they_were(tmp_path: Path) -> None:
    """Single faults and several, with conflicts and without."""
    left_out = 0
    for faults in ("sample = 150", "sample = 30\ntogether = 2"):
        subject = make_plan(config(tmp_path, faults)).subject("sums")
        for faulty in subject.faulty:
            recognizer = adapter.build(faulty.grammar)
            extractions = (Extraction.EXACT, Extraction.STACK)
            every = counting.count(recognizer, subject.tests, extractions)
            some = counting.count(
                recognizer, subject.tests, extractions, (subject.baseline, faulty)
            )
            np.testing.assert_array_equal(every.verdicts, some.verdicts)
            for extraction in extractions:
                for kind in (SpectrumKind.RULE, SpectrumKind.ITEM):
                    np.testing.assert_array_equal(
                        every.groups[extraction][kind], some.groups[extraction][kind], faulty.key
                    )
            if SpectrumKind.SHIFT not in some.groups[Extraction.EXACT]:
                left_out += int(subject.baseline.unchanged(faulty.lost).sum())
    assert left_out > 500
