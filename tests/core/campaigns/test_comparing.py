"""The statistics of comparisons, against scipy's and against the definition."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from gramspect.campaigns.comparing import a12, wilcoxon

halves = st.integers(0, 40).map(lambda n: n / 2)


@given(st.lists(st.tuples(halves, halves), min_size=1, max_size=11))
def test_small_samples_are_exact(pairs: list[tuple[float, float]]) -> None:
    """Every choice of signs, counted."""
    x, y = np.array(pairs).T
    difference = (x - y)[x != y]
    n = len(difference)
    assume(n)
    ranks = stats.rankdata(np.abs(difference))
    signs = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    sums = signs @ ranks
    distance = abs(ranks[difference > 0].sum() - ranks.sum() / 2)
    expected = np.count_nonzero(np.abs(sums - ranks.sum() / 2) >= distance - 1e-9) / 2**n
    assert wilcoxon(x - y) == pytest.approx(expected)


def test_equal_samples_do_not_differ() -> None:
    assert wilcoxon(np.zeros(7)) == 1


@pytest.mark.parametrize("seed", range(5))
def test_large_samples_are_those_of_scipy(seed: int) -> None:
    random = np.random.default_rng(seed)
    x, y = random.integers(0, 30, (2, 400)) / 2
    expected = stats.wilcoxon(x, y, method="approx", correction=False)
    assert wilcoxon(x - y) == pytest.approx(expected.pvalue)


@given(st.lists(halves, min_size=1, max_size=20), st.lists(halves, min_size=1, max_size=20))
def test_a12_is_a_share_of_pairs(first: list[float], second: list[float]) -> None:
    wins = sum((x < y) + (x == y) / 2 for x in first for y in second)
    assert a12(np.array(first), np.array(second)) == pytest.approx(
        wins / (len(first) * len(second))
    )
