"""The ranking metrics: the worked example's scores, conventions, ties, and the registry."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from gramspect.errors import GramspectError
from gramspect.scoring.metrics import METRICS, dstar, metric, register

Four = tuple[int, int, int, int]

# ef, ep, nf, np and the scores by Tarantula, Ochiai, Jaccard and DStar of every rule of the toy
# grammar that a failing test executes (Raselimo and Fischer 2024, Table 2; test 8 counted for
# block:3 and stmts:2, which the printed table misses).
TOY = {
    "prog:1": ((2, 14, 0, 0), (0.5, 0.3536, 0.125, 0.2857)),
    "block:1": ((1, 1, 1, 13), (0.875, 0.5, 0.3333, 0.5)),
    "block:2": ((1, 3, 1, 11), (0.7, 0.3536, 0.2, 0.25)),
    "block:3": ((2, 9, 0, 5), (0.6087, 0.4264, 0.1818, 0.4444)),
    "block:4": ((1, 2, 1, 12), (0.7778, 0.4082, 0.25, 0.3333)),
    "stmts:2": ((2, 10, 0, 4), (0.5833, 0.4082, 0.1667, 0.4)),
    "stmt:1": ((1, 4, 1, 10), (0.6364, 0.3162, 0.1667, 0.2)),
    "stmt:2": ((1, 1, 1, 13), (0.875, 0.5, 0.3333, 0.5)),
    "stmt:3": ((1, 0, 1, 14), (1.0, 0.7071, 0.5, 1.0)),
    "stmt:4": ((0, 5, 2, 9), (0.0, 0.0, 0.0, 0.0)),
    "expr:4": ((2, 5, 0, 9), (0.7368, 0.5345, 0.2857, 0.8)),
}
OF_THE_PAPER = ("tarantula", "ochiai", "jaccard", "dstar")
BUILT_IN = (*OF_THE_PAPER, "op2", "zoltar")


def scores(name: str, rows: list[Four]) -> np.ndarray:
    return metric(name)(*np.array(rows, np.int64).reshape(-1, 4).T)


@pytest.mark.parametrize("name", OF_THE_PAPER)
def test_scores_of_the_worked_example(name: str) -> None:
    found = scores(name, [counts for counts, _ in TOY.values()])
    expected = [row[OF_THE_PAPER.index(name)] for _, row in TOY.values()]
    assert dict(zip(TOY, found.round(4).tolist(), strict=True)) == dict(
        zip(TOY, expected, strict=True)
    )


def exact(name: str, counts: Four) -> Fraction:
    """The score as a fraction, 0/0 being 0; Ochiai's is squared, which keeps the order."""
    ef, ep, nf, np_ = counts

    def ratio(above: Fraction | int, below: Fraction | int) -> Fraction:
        return Fraction(above) / below if below else Fraction(0)

    failed, passed = ratio(ef, ef + nf), ratio(ep, ep + np_)
    match name:
        case "tarantula":
            return ratio(failed, failed + passed)
        case "ochiai":
            return ratio(ef * ef, (ef + nf) * (ef + ep))
        case "jaccard":
            return ratio(ef, ef + nf + ep)
        case "op2":
            return max(Fraction(0), ef - ratio(ep, ep + np_ + 1))
        case "zoltar":
            return ratio(ef, ef + nf + ep + 10_000 * ratio(nf * ep, ef))
        case _:
            top = Fraction((ef + nf) ** 2 + 1)
            return top if ef and not nf + ep else ratio(ef * ef, nf + ep)


@st.composite
def elements(draw: DrawFn) -> list[Four]:
    """Counts of some elements under one suite, which may lack failing or passing tests."""
    failing, passing = draw(st.integers(0, 8)), draw(st.integers(0, 12))
    executing = st.tuples(st.integers(0, failing), st.integers(0, passing))
    return [(ef, ep, failing - ef, passing - ep) for ef, ep in draw(st.lists(executing))]


@pytest.mark.parametrize("name", BUILT_IN)
@given(rows=elements())
def test_scores_agree_with_fractions(name: str, rows: list[Four]) -> None:
    found = scores(name, rows)
    wanted = [float(exact(name, row)) for row in rows]
    if name == "ochiai":
        wanted = [math.sqrt(score) for score in wanted]
    assert found.dtype == np.float64
    assert found.tolist() == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("name", BUILT_IN)
@given(rows=elements())
def test_equal_scores_are_equal_to_the_last_bit(name: str, rows: list[Four]) -> None:
    found = scores(name, rows)
    fractions = [exact(name, row) for row in rows]
    for i, score in enumerate(fractions):
        ties = [other == score for other in fractions]
        assert (found == found[i]).tolist() == ties


A = 30_000_000


@pytest.mark.parametrize(
    ("name", "one", "other", "score"),
    [
        ("tarantula", (A, 2 * A, 0, 0), (A // 2, A, A // 2, A), 0.5),
        ("ochiai", (A, A, 0, A), (A // 2, 0, A // 2, 2 * A), math.sqrt(0.5)),
        ("jaccard", (A, A, 0, A), (A // 2, 0, A // 2, 2 * A), 0.5),
        ("dstar", (A, 2 * A, 0, 0), (A // 2, 0, A // 2, 2 * A), A / 2),
        ("op2", (A, 0, 0, 2 * A), (A, 0, 0, 2 * A), A),
    ],
)
def test_elements_tie_in_suites_of_90_million_tests(
    name: str, one: Four, other: Four, score: float
) -> None:
    """And a single test more or less breaks the tie."""
    ef, ep, nf, np_ = one
    found = scores(name, [one, other, (ef - 1, ep, nf + 1, np_)])
    assert found[0] == found[1] == score
    assert found[0] > found[2]


@pytest.mark.parametrize("name", BUILT_IN)
def test_nothing_known_scores_zero(name: str) -> None:
    assert (
        scores(name, [(0, 0, 0, 0), (0, 0, 3, 5), (0, 5, 3, 0), (0, 5, 0, 0)]).tolist() == [0] * 4
    )


def test_tarantula_without_passing_tests() -> None:
    """The passing share is 0/0, so 0, and every element of a failing test has the full score."""
    assert scores("tarantula", [(1, 0, 2, 0), (3, 0, 0, 0), (0, 0, 3, 0)]).tolist() == [1, 1, 0]


@pytest.mark.parametrize("failing", [1, 2, 1000, 10_000_000])
@pytest.mark.parametrize("exponent", [1, 2, 2.5, 3])
def test_dstar_is_highest_where_all_and_only_failing_tests_execute(
    failing: int, exponent: float
) -> None:
    ef = np.array([failing, failing, failing - 1])
    ep = np.array([0, 1, 0])
    only, all_and_one, all_but_one = dstar(ef, ep, failing - ef, 5 - ep, exponent).tolist()
    assert all_and_one == failing**exponent
    assert only >= all_and_one + 1
    assert only / all_and_one > 1 + 1e-10, "apart by more than floating-point noise"
    assert all_but_one < all_and_one
    largest = failing**exponent
    assert only == pytest.approx(largest + max(1, largest / 1e9), rel=1e-15)


def test_dstar_takes_an_exponent() -> None:
    rows = [(3, 1, 1, 5)]
    assert scores("dstar", rows).tolist() == scores("dstar:2", rows).tolist() == [4.5]
    assert scores("dstar:3", rows).tolist() == [13.5]
    assert scores("dstar:1.5", rows).tolist() == pytest.approx([3**1.5 / 2])


def test_dstar_with_an_exponent_that_overflows() -> None:
    with np.errstate(all="raise"), pytest.raises(GramspectError, match="exponent 99 is too large"):
        scores("dstar:99", [(100_000, 0, 0, 1)])


@pytest.mark.parametrize("name", ["", "Ochiai", "dstar:", "dstar:0", "dstar:x", "dstar:-1", "wong"])
def test_an_unknown_metric_is_answered_with_the_known_ones(name: str) -> None:
    with pytest.raises(GramspectError, match="dstar, jaccard, ochiai, op2, tarantula, zoltar"):
        metric(name)


def test_others_register_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gramspect.scoring.metrics.METRICS", dict(METRICS))

    @register("failures")
    def failures(ef: np.ndarray, *_: np.ndarray) -> np.ndarray:
        return ef.astype(np.float64)

    assert metric("failures") is failures
    assert "failures" not in METRICS, "the table itself is left alone"
    assert register("failures")(failures) is failures
    with pytest.raises(ValueError, match="'ochiai' already"):
        register("ochiai")(failures)
