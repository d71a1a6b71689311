"""Depth scores against their definition, and the three kinds of evidence."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from gramspect.grammars.grammar import Grammar
from gramspect.recognition.trace import Observation, Verdict
from gramspect.scoring.evidence import (
    DEPTH_FLOOR,
    PREDICTED_WEIGHT,
    SPECTRUM_FLOOR,
    Caveat,
    Evidence,
    caveats_of,
    depth_scores,
    scores,
)
from gramspect.scoring.metrics import ochiai
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import Expectation

ACCEPT, REJECT = Expectation.ACCEPT, Expectation.REJECT
GRAMMAR = Grammar.from_rules([("s", ["a", "t"]), ("t", []), ("t", ["b"])])
"""Items 0-2, 3 and 4-5."""

depths = st.dictionaries(st.integers(0, GRAMMAR.n_items - 1), st.integers(0, 6))
observations = st.builds(Observation, st.sampled_from(Verdict), active=depths, predicted=depths)


Counted = NDArray[np.int64]
Scored = NDArray[np.float64]


def rejected(active: dict[int, int], predicted: dict[int, int] | None = None) -> Observation:
    return Observation(Verdict.REJECTED, active=active, predicted=predicted or {})


def by_definition(
    tests: list[tuple[Observation, Expectation]], weight: Fraction
) -> list[Fraction] | None:
    """The depth score of each item in exact fractions."""
    located = [
        seen
        for seen, expected in tests
        if seen.verdict is Verdict.REJECTED
        and expected is ACCEPT
        and (seen.active or seen.predicted)
    ]
    if not located:
        return None

    def worth(seen: Observation, item: int) -> Fraction:
        found = [Fraction(0)]
        if item in seen.active:
            found.append(Fraction(1, 1 + seen.active[item]))
        if item in seen.predicted:
            found.append(weight / (1 + seen.predicted[item]))
        return max(found)

    return [
        sum((worth(seen, item) for seen in located), Fraction(0)) / len(located)
        for item in range(GRAMMAR.n_items)
    ]


@given(
    st.lists(st.tuples(observations, st.sampled_from(Expectation)), max_size=12),
    st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)]),
)
def test_depth_scores_agree_with_their_definition(
    tests: list[tuple[Observation, Expectation]], weight: Fraction
) -> None:
    seen, expected = [test[0] for test in tests], [test[1] for test in tests]
    wanted = by_definition(tests, weight)
    for kind in SpectrumKind:
        found = depth_scores(kind, GRAMMAR, seen, expected, float(weight))
        if wanted is None:
            assert found is None
            continue
        rules = [max(wanted[a:b]) for a, b in pairwise(GRAMMAR.item_start)]
        elements = rules if kind is SpectrumKind.RULE else wanted
        assert found is not None
        assert found.tolist() == pytest.approx([float(score) for score in elements])


@given(st.permutations([0, 1, 2, 2, 4, 5, 6, 6, 9, 11, 12, 14]))
def test_the_same_depths_in_any_order_score_the_same_to_the_last_bit(order: list[int]) -> None:
    seen = [
        rejected({0: depth, 4: other}) for depth, other in zip(sorted(order), order, strict=True)
    ]
    found = depth_scores(SpectrumKind.ITEM, GRAMMAR, seen, [ACCEPT] * len(seen))
    assert found is not None
    assert found[0] == found[4]


def test_tests_without_an_error_position_are_left_out_of_the_mean() -> None:
    seen = [
        rejected({0: 0, 1: 1}),
        Observation(Verdict.ACCEPTED, active={2: 0}),  # wrongly accepted
        rejected({2: 0}),  # rightly rejected
        Observation(Verdict.UNDECIDED, active={2: 0}),
        rejected({}),  # the parser does not tell where
        rejected({1: 1}),
    ]
    expected = [ACCEPT, REJECT, REJECT, ACCEPT, ACCEPT, ACCEPT]
    found = depth_scores(SpectrumKind.ITEM, GRAMMAR, seen, expected)
    assert found is not None
    assert found.tolist() == [0.5, 0.5, 0, 0, 0, 0]
    assert depth_scores(SpectrumKind.ITEM, GRAMMAR, seen[1:5], expected[1:5]) is None
    assert depth_scores(SpectrumKind.ITEM, GRAMMAR, [], []) is None


def test_predicted_items_count_by_their_weight() -> None:
    seen, expected = [rejected({1: 0}, {3: 1, 4: 1, 1: 3})], [ACCEPT]
    found = depth_scores(SpectrumKind.ITEM, GRAMMAR, seen, expected, predicted_weight=0.5)
    assert found is not None
    assert found.tolist() == [0, 1, 0, 0.25, 0.25, 0]
    default = depth_scores(SpectrumKind.ITEM, GRAMMAR, seen, expected)
    assert default is not None
    assert default[3] == PREDICTED_WEIGHT / 2


def test_observations_and_expectations_go_together() -> None:
    with pytest.raises(ValueError, match="argument"):
        depth_scores(SpectrumKind.ITEM, GRAMMAR, [rejected({0: 0})], [])


def matrix() -> SpectrumMatrix:
    """A failing and a passing test; the rules are executed by both, the failing one, the other."""
    tests = [
        Observation(Verdict.REJECTED, rules=frozenset({0, 1})),
        Observation(Verdict.ACCEPTED, rules=frozenset({0, 2})),
    ]
    return SpectrumMatrix.from_observations(SpectrumKind.RULE, 3, tests, [ACCEPT, ACCEPT])


def test_each_kind_of_evidence_has_its_formula() -> None:
    counts = matrix().counts()
    spectrum = ochiai(counts.ef, counts.ep, counts.nf, counts.np_)
    depth = np.array([0.5, 0.25, 1.0])
    assert spectrum.tolist() == pytest.approx([0.5**0.5, 1, 0])
    assert scores(matrix(), ochiai).tolist() == spectrum.tolist()
    assert scores(matrix(), ochiai, Evidence.SPECTRUM, depth).tolist() == spectrum.tolist()
    assert scores(matrix(), ochiai, Evidence.ERROR, depth).tolist() == depth.tolist()
    both = scores(matrix(), ochiai, Evidence.BOTH, depth)
    assert both.tolist() == pytest.approx([0.5**0.5 * 0.7 + 0.05, 0.45 + 0.025, 0.1])
    assert (SPECTRUM_FLOOR, DEPTH_FLOOR) == (0.2, 0.1)


def test_both_does_not_depend_on_the_scale_of_the_metric() -> None:
    def tenfold(ef: Counted, ep: Counted, nf: Counted, np_: Counted) -> Scored:
        return 10 * ochiai(ef, ep, nf, np_)

    depth = np.array([0.5, 0.25, 1.0])
    once, more = (scores(matrix(), m, Evidence.BOTH, depth) for m in (ochiai, tenfold))
    assert more.tolist() == pytest.approx((10 * once).tolist())


@pytest.mark.parametrize("evidence", Evidence)
def test_without_depths_the_spectrum_decides(evidence: Evidence) -> None:
    assert scores(matrix(), ochiai, evidence).tolist() == scores(matrix(), ochiai).tolist()
    expected = () if evidence is Evidence.SPECTRUM else (Caveat.NO_ERROR_POSITION,)
    assert caveats_of(matrix(), evidence, None) == expected
    assert caveats_of(matrix(), evidence, np.zeros(3)) == ()


def test_depth_scores_of_other_elements() -> None:
    with pytest.raises(ValueError, match="depth scores for 3 elements"):
        scores(matrix(), ochiai, Evidence.BOTH, np.zeros(4))
