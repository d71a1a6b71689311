"""Kendall's tau-b and the overlap of tops, from their definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramspect.comparison import kendall_tau_b
from gramspect.comparison.agreement import top_overlap


def tau_b(x: Sequence[float], y: Sequence[float]) -> float | None:
    """From the definition (Kendall 1945), pair by pair."""
    concordant = discordant = only_x = only_y = 0
    for i, j in combinations(range(len(x)), 2):
        sign = (x[i] > x[j]) - (x[i] < x[j]), (y[i] > y[j]) - (y[i] < y[j])
        concordant += sign in ((1, 1), (-1, -1))
        discordant += sign in ((1, -1), (-1, 1))
        only_x += sign[1] == 0 and sign[0] != 0
        only_y += sign[0] == 0 and sign[1] != 0
    untied = (concordant + discordant + only_x) * (concordant + discordant + only_y)
    return (concordant - discordant) / math.sqrt(untied) if untied else None


@st.composite
def two_rankings(draw: st.DrawFn) -> tuple[list[float], list[float]]:
    n = draw(st.integers(0, 25))
    ranks = st.lists(st.integers(1, draw(st.integers(1, 12))), min_size=n, max_size=n)
    return [r / 2 for r in draw(ranks)], [r / 2 for r in draw(ranks)]


class TestAgreement:
    @given(two_rankings())
    def test_tau_b_is_its_definition(self, ranks: tuple[list[float], list[float]]) -> None:
        found = kendall_tau_b(*map(np.array, ranks))
        expected = tau_b(*ranks)
        assert (found is None) == (expected is None)
        if found is not None and expected is not None:
            assert found == pytest.approx(expected, abs=1e-12)

    def test_tau_b_of_kendall(self) -> None:
        """An example with ties in both rankings, counted by hand: P = 6, Q = 1."""
        found = kendall_tau_b(np.array([1.0, 2.5, 2.5, 4, 5]), np.array([1.0, 2, 4, 4, 4]))
        assert found == pytest.approx(6 / math.sqrt(9 * 7))

    @given(two_rankings())
    def test_tau_b_is_symmetric_and_invariant(self, ranks: tuple[list[float], list[float]]) -> None:
        x, y = map(np.array, ranks)
        assert kendall_tau_b(x, y) == kendall_tau_b(y, x)
        assert kendall_tau_b(x, y) == kendall_tau_b(np.exp(x / 10), y)
        if len(set(ranks[0])) > 1:
            assert kendall_tau_b(x, x) == pytest.approx(1)
            assert kendall_tau_b(x, -x) == pytest.approx(-1)

    def test_large_rankings(self) -> None:
        """20,000 elements without ties; one neighbouring pair is exchanged."""
        x = np.arange(20_000, dtype=np.float64)
        y = x.copy()
        y[[100, 101]] = y[[101, 100]]
        pairs = 20_000 * 19_999 // 2
        assert kendall_tau_b(x, y) == pytest.approx(1 - 2 / pairs, abs=1e-15)

    def test_shapes(self) -> None:
        with pytest.raises(ValueError, match="cannot be compared"):
            kendall_tau_b(np.zeros(2), np.zeros(3))

    def test_overlap_of_tops(self) -> None:
        x, y = np.array([1.0, 2, 3, 4]), np.array([4.0, 1, 2, 3])
        assert top_overlap(x, y, 2) == pytest.approx(1 / 3)
        assert top_overlap(x, x, 2) == 1
        assert top_overlap(np.full(4, 2.5), np.full(4, 2.5), 2) is None
