"""How much rankings agree: Kendall's tau-b, and what the tops of two rankings have in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Agreement", "agreement_of", "kendall_tau_b", "top_overlap"]

Floats = NDArray[np.float64]


def kendall_tau_b(x: Floats, y: Floats) -> float | None:
    """Kendall's rank correlation with ties (Kendall 1945), from -1 to 1.

    Of all pairs of elements, P are ranked in the same order by both and Q in opposite orders;
    tau-b is ``(P - Q) / sqrt((pairs - ties in x) * (pairs - ties in y))``. None where that is
    undefined: fewer than two elements, or a ranking that ties all of them.

    Args:
        x, y: the ranks of the same elements, shape (n,); every order-preserving map gives the same
            result.

    Takes O(n log n + a * b) time for a and b different ranks, and O(n + b) memory.

    Raises:
        ValueError: the shapes differ.
    """
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"ranks of {x.shape} and {y.shape} elements cannot be compared")
    n = len(x)
    _, level_x, size_x = np.unique(x, return_inverse=True, return_counts=True)
    _, level_y, size_y = np.unique(y, return_inverse=True, return_counts=True)
    pairs = n * (n - 1) // 2
    untied_x, untied_y = pairs - _pairs_within(size_x), pairs - _pairs_within(size_y)
    if not untied_x or not untied_y:
        return None
    order = np.argsort(level_x, kind="stable")
    balance = 0  # P - Q
    seen = np.zeros(len(size_y), np.int64)  # per level of y, among the elements with a smaller x
    first = 0
    for size in size_x.tolist():
        levels = level_y[order[first : first + size]]
        below = np.cumsum(seen)
        above = first - below  # with a greater y
        balance += int((below[levels] - seen[levels] - above[levels]).sum())
        seen += np.bincount(levels, minlength=len(seen))
        first += size
    return float(balance / np.sqrt(float(untied_x) * float(untied_y)))


def _pairs_within(sizes: NDArray[np.int64]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes.tolist())


def top_overlap(x: Floats, y: Floats, k: int) -> float | None:
    """What the elements of rank k or better have in common: the Jaccard index of the two sets.

    None if no element of either ranking has such a rank, as happens with large ties at the top.
    """
    top_x, top_y = x <= k, y <= k
    either = int(np.count_nonzero(top_x | top_y))
    return int(np.count_nonzero(top_x & top_y)) / either if either else None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two rankings side by side: `tau` and `overlap` over what both of them rank (`n_units`).

    `first` and `second` are numbers of techniques. `same_spectra` counts the tests for which both
    have the same verdict and execute the same elements; None if they have different elements.
    """

    first: int
    second: int
    n_units: int
    tau: float | None
    overlap: float | None
    same_spectra: int | None


def agreement_of(
    first: int, second: int, x: Floats, y: Floats, top: int, same_spectra: int | None
) -> Agreement:
    """The agreement of two columns of ranks; NaN stands for what a technique does not have."""
    both = ~(np.isnan(x) | np.isnan(y))
    x, y = x[both], y[both]
    tau, overlap = kendall_tau_b(x, y), top_overlap(x, y, top)
    return Agreement(first, second, len(x), tau, overlap, same_spectra)
