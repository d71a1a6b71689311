"""Ranking metrics: how suspicious an element is, from four counts.

Each metric is a pure function of four integer arrays of one shape: for every element the failing
and the passing tests that execute it (`ef`, `ep`) and that do not (`nf`, `np_`). It returns
finite, non-negative float64 scores of that shape; a higher score is more suspicious and 0 means
that nothing speaks against the element. The definitions are those of Raselimo and Fischer 2024,
Table 1, and two more; a fraction 0/0 counts as 0.

Every score is computed from whole numbers with one division (and one root), both correctly
rounded, so that counts with equal scores get the same float and tie. This holds while products of
two counts stay below 2**53, that is, for suites of up to 90 million tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from gramspect.errors import GramspectError

__all__ = [
    "METRICS",
    "Metric",
    "dstar",
    "jaccard",
    "metric",
    "ochiai",
    "op2",
    "register",
    "tarantula",
    "zoltar",
]

Count: TypeAlias = NDArray[np.int64]
Scores: TypeAlias = NDArray[np.float64]


class Metric(Protocol):
    """The signature of every ranking metric."""

    def __call__(self, ef: Count, ep: Count, nf: Count, np_: Count, /) -> Scores: ...


AnyMetric = TypeVar("AnyMetric", bound=Metric)

METRICS: dict[str, Metric] = {}
"""The known metrics by name; `register` adds to it."""


def register(name: str) -> Callable[[AnyMetric], AnyMetric]:
    """A decorator that makes a metric known under `name`.

    Raises:
        ValueError: the name is taken.
    """

    def add(function: AnyMetric) -> AnyMetric:
        if METRICS.setdefault(name, function) is not function:
            raise ValueError(f"there is a ranking metric {name!r} already")
        return function

    return add


def metric(name: str) -> Metric:
    """The metric of that name; ``dstar:3`` is DStar with the exponent 3.

    Raises:
        GramspectError: there is none.
    """
    if name in METRICS:
        return METRICS[name]
    if match := re.fullmatch(r"dstar:([1-9]\d?(?:\.\d+)?)", name):
        return partial(dstar, exponent=float(match[1]))
    raise GramspectError(
        f"there is no ranking metric {name!r}; there are: {', '.join(sorted(METRICS))}"
    )


@register("tarantula")
def tarantula(ef: Count, ep: Count, nf: Count, np_: Count) -> Scores:
    """The share of failing tests that execute the element, over that share plus the passing one's.

    Jones and Harrold, "Empirical evaluation of the Tarantula automatic fault-localization
    technique", ASE 2005.
    """
    # Both shares are multiplied by all failing and all passing tests, which leaves one division.
    # Without passing tests their share is 0/0 = 0.
    failed = ef * np.maximum(ep + np_, 1)
    passed = ep * (ef + nf)
    return _ratio(failed, failed + passed)


@register("ochiai")
def ochiai(ef: Count, ep: Count, nf: Count, np_: Count) -> Scores:  # noqa: ARG001
    """The geometric mean of ef's shares of all failing tests and of all that execute the element.

    Ochiai, "Zoogeographical studies on the soleoid fishes found in Japan and its neighbouring
    regions", 1957; for fault localization Abreu, Zoeteweij and van Gemund, PRDC 2006.
    """
    return np.sqrt(_ratio(ef * ef, (ef + nf) * (ef + ep)))


@register("jaccard")
def jaccard(ef: Count, ep: Count, nf: Count, np_: Count) -> Scores:  # noqa: ARG001
    """The tests that fail and execute the element, over those that do either.

    Chen, Kiciman, Fratkin, Fox and Brewer, "Pinpoint: problem determination in large, dynamic
    Internet services", DSN 2002.
    """
    return _ratio(ef, ef + nf + ep)


@register("op2")
def op2(ef: Count, ep: Count, nf: Count, np_: Count) -> Scores:  # noqa: ARG001
    """``ef - ep / (ep + np + 1)``: among elements with equal ef, ep decides; 0 where ef is 0.

    Naish, Lee and Ramamohanarao, "A model for spectra-based software diagnosis", ACM TOSEM 20(3),
    2011; they prove it optimal for a single fault that every failing test executes.
    """
    passing = ep + np_ + 1
    return np.where(ef > 0, _ratio(ef * passing - ep, passing), 0.0)


@register("zoltar")
def zoltar(ef: Count, ep: Count, nf: Count, np_: Count) -> Scores:  # noqa: ARG001
    """``ef / (ef + nf + ep + 10000 nf ep / ef)``: nearly Jaccard's score if all failing tests, or
    no passing ones, execute the element, and next to nothing otherwise.

    Janssen, Abreu and van Gemund, "Zoltar: a toolset for automatic fault localization", ASE 2009.
    Its products are whole numbers below 2**53 for suites of up to a million tests.
    """
    missed = 1e4 * np.asarray(nf, np.float64) * ep
    return _ratio(ef * ef, ef * (ef + nf + ep) + missed)


@register("dstar")
def dstar(ef: Count, ep: Count, nf: Count, np_: Count, exponent: float = 2) -> Scores:  # noqa: ARG001
    """``ef ** exponent / (nf + ep)``.

    Wong, Debroy, Gao and Li, "The DStar method for effective software fault localization", IEEE
    Transactions on Reliability 63(1), 2014. Where all failing tests and no passing one execute the
    element, the denominator is 0 and the element maximally suspicious (Raselimo and Fischer,
    Section 2). Its score is then one more than the largest that is defined, (all failing tests) **
    exponent; above a billion a billionth part more, so that the two differ clearly as floats.

    Raises:
        GramspectError: the scores are too large for a float.
    """
    with np.errstate(over="ignore"):
        largest = np.asarray(ef + nf, np.float64) ** exponent
        power = np.asarray(ef, np.float64) ** exponent
    if not np.isfinite(largest).all():
        raise GramspectError(f"DStar's exponent {exponent:g} is too large for this many tests")
    only_failing = (ef > 0) & (nf + ep == 0)
    return np.where(only_failing, largest + np.maximum(1, largest * 1e-9), _ratio(power, nf + ep))


def _ratio(numerator: Count | Scores, denominator: Count | Scores) -> Scores:
    """The quotient, 0 where the denominator is 0."""
    above, below = np.broadcast_arrays(
        np.asarray(numerator, np.float64), np.asarray(denominator, np.float64)
    )
    quotient = np.zeros(above.shape)
    np.divide(above, below, out=quotient, where=below != 0)
    return quotient
