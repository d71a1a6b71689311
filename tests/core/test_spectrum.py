"""SpectrumMatrix against sets of (test, element) pairs, and its bit tricks against naive ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from gramspect.grammars.grammar import Grammar
from gramspect.recognition.trace import Observation, Verdict
from gramspect.spectrum import matrix as spectrum
from gramspect.spectrum.matrix import (
    SpectrumKind,
    SpectrumMatrix,
    bits_of,
    expectation_codes,
    spectrum_of,
    verdict_codes,
)
from gramspect.suites.suite import Expectation

ITEM = SpectrumKind.ITEM
AS_EXPECTED = {Expectation.ACCEPT: Verdict.ACCEPTED, Expectation.REJECT: Verdict.REJECTED}


@dataclass(frozen=True)
class Facts:
    """What a matrix is to hold: for each test its elements, verdict and expectation."""

    n_elements: int
    spectra: list[set[int]]
    verdicts: list[Verdict]
    expectations: list[Expectation]

    def observations(self) -> list[Observation]:
        return [
            Observation(verdict, items=frozenset(spectrum))
            for verdict, spectrum in zip(self.verdicts, self.spectra, strict=True)
        ]

    def words(self, junk: int = 0) -> np.ndarray:
        """Test-wise words; `junk` sets the bits after the last element as its own bits are."""
        n_words = -(-self.n_elements // 32)
        words = np.zeros((len(self.spectra), n_words), np.uint32)
        for test, elements in enumerate(self.spectra):
            bits = sum(1 << element for element in elements) | junk << self.n_elements
            for word in range(n_words):
                words[test, word] = bits >> 32 * word & 0xFFFFFFFF
        return words

    def from_observations(self) -> SpectrumMatrix:
        return SpectrumMatrix.from_observations(
            ITEM, self.n_elements, iter(self.observations()), self.expectations
        )

    def from_test_words(self, junk: int = 0) -> SpectrumMatrix:
        return SpectrumMatrix.from_test_words(
            ITEM, self.n_elements, self.words(junk), verdict_codes(self.verdicts), self.expectations
        )


@st.composite
def facts(draw: DrawFn) -> Facts:
    """Sizes around those of a word, and any mixture of verdicts and expectations."""
    n_elements, n_tests = draw(st.integers(0, 140)), draw(st.integers(0, 140))
    one_test = st.integers(0, (1 << n_elements) - 1)
    spectra = draw(st.lists(one_test, min_size=n_tests, max_size=n_tests))
    return Facts(
        n_elements,
        [{e for e in range(n_elements) if bits >> e & 1} for bits in spectra],
        [draw(st.sampled_from(Verdict)) for _ in range(n_tests)],
        [draw(st.sampled_from(Expectation)) for _ in range(n_tests)],
    )


@given(facts())
def test_matrix_holds_what_the_tests_executed(known: Facts) -> None:
    matrix = known.from_observations()
    tests = range(len(known.spectra))
    assert (matrix.n_elements, matrix.n_tests) == (known.n_elements, len(tests))
    for element in range(known.n_elements):
        executed = [test for test in tests if element in known.spectra[test]]
        assert matrix.executed(element).tolist() == executed
        assert np.flatnonzero(matrix.dense()[element]).tolist() == executed
    for test in tests:
        assert matrix.elements_of(test).tolist() == sorted(known.spectra[test])


@given(facts())
def test_counts_agree_with_counting_one_by_one(known: Facts) -> None:
    matrix = known.from_observations()
    tests = range(len(known.spectra))
    decided = [test for test in tests if known.verdicts[test] is not Verdict.UNDECIDED]
    passing = {t for t in decided if known.verdicts[t] is AS_EXPECTED[known.expectations[t]]}
    failing = {*decided} - passing
    assert set(np.flatnonzero(matrix.failing)) == failing
    assert set(np.flatnonzero(matrix.passing)) == passing
    assert set(np.flatnonzero(matrix.undecided)) == {*tests} - failing - passing
    assert (matrix.n_failing, matrix.n_passing) == (len(failing), len(passing))
    executing = [
        {test for test in tests if element in known.spectra[test]}
        for element in range(known.n_elements)
    ]
    counts = matrix.counts()
    assert counts.ef.tolist() == [len(failing & executed) for executed in executing]
    assert counts.ep.tolist() == [len(passing & executed) for executed in executing]
    assert counts.nf.tolist() == [len(failing - executed) for executed in executing]
    assert counts.np_.tolist() == [len(passing - executed) for executed in executing]


@given(facts(), st.integers(0, 2**32))
def test_words_of_tests_make_the_same_matrix(known: Facts, junk: int) -> None:
    by_observation, by_words = known.from_observations(), known.from_test_words(junk)
    assert np.array_equal(by_observation.bits, by_words.bits)
    assert np.array_equal(by_observation.verdicts, by_words.verdicts)
    assert np.array_equal(by_observation.expectations, by_words.expectations)


@pytest.mark.parametrize(("n_tests", "n_elements"), [(1000, 70), (641, 200), (63, 2100), (64, 64)])
def test_blocks_are_put_together(
    monkeypatch: pytest.MonkeyPatch, n_tests: int, n_elements: int
) -> None:
    """Blocks of a single word or row give the same as one block for everything."""
    random = np.random.default_rng(n_tests)
    dense = random.random((n_tests, n_elements)) < 0.3
    packed = np.packbits(dense, axis=1, bitorder="little")
    words = np.zeros((n_tests, -(-n_elements // 32) * 4), np.uint8)
    words[:, : packed.shape[1]] = packed
    verdicts = random.integers(0, 3, n_tests).astype(np.uint8)
    expectations = random.integers(0, 2, n_tests).astype(np.uint8)

    def made() -> SpectrumMatrix:
        return SpectrumMatrix.from_test_words(
            ITEM, n_elements, words.view("<u4").astype(np.uint32), verdicts, expectations
        )

    whole = made()
    assert np.array_equal(whole.dense(), dense.T)
    monkeypatch.setattr(spectrum, "_BLOCK_BYTES", 1)
    assert np.array_equal(made().bits, whole.bits)
    failing = verdicts == 1 - expectations
    assert made().counts().ef.tolist() == dense[failing].sum(axis=0).tolist()


def test_words_may_be_wider_than_the_elements_need() -> None:
    words = np.full((1, 5), 0xFFFFFFFF, np.uint32)
    codes = np.zeros(1, np.uint8)
    matrix = SpectrumMatrix.from_test_words(ITEM, 3, words, codes, codes)
    assert matrix.elements_of(0).tolist() == [0, 1, 2]


def test_a_matrix_takes_the_spectrum_of_its_kind() -> None:
    observation = Observation(
        Verdict.ACCEPTED,
        rules=frozenset({0}),
        items=frozenset({0, 1}),
        shift_items=frozenset({0, 1, 2}),
    )
    for kind, elements in (
        (SpectrumKind.RULE, [0]),
        (SpectrumKind.ITEM, [0, 1]),
        (SpectrumKind.SHIFT, [0, 1, 2]),
    ):
        assert sorted(spectrum_of(observation, kind)) == elements
        matrix = SpectrumMatrix.from_observations(kind, 3, [observation], [Expectation.ACCEPT])
        assert matrix.kind is kind
        assert matrix.elements_of(0).tolist() == elements


def test_kinds_know_their_size() -> None:
    grammar = Grammar.from_rules([("s", ["a", "s"]), ("s", [])])
    assert SpectrumKind.RULE.n_elements(grammar) == 2
    assert SpectrumKind.ITEM.n_elements(grammar) == SpectrumKind.SHIFT.n_elements(grammar) == 4


def test_every_verdict_and_expectation_has_a_code() -> None:
    assert verdict_codes(Verdict).tolist() == [
        spectrum.ACCEPTED,
        spectrum.REJECTED,
        spectrum.UNDECIDED,
    ]
    assert expectation_codes(Expectation).tolist() == [spectrum.ACCEPTED, spectrum.REJECTED]


def test_a_matrix_cannot_be_changed() -> None:
    matrix = Facts(1, [{0}], [Verdict.ACCEPTED], [Expectation.ACCEPT]).from_observations()
    for array in (matrix.bits, matrix.verdicts, matrix.expectations):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize("n_elements", [0, 1, 64])
@pytest.mark.parametrize("n_tests", [0, 1, 64])
def test_degenerate_sizes(n_elements: int, n_tests: int) -> None:
    known = Facts(
        n_elements,
        [set()] * n_tests,
        [Verdict.UNDECIDED] * n_tests,
        [Expectation.ACCEPT] * n_tests,
    )
    for matrix in (known.from_observations(), known.from_test_words()):
        assert matrix.dense().shape == (n_elements, n_tests)
        assert (matrix.n_failing, matrix.n_passing) == (0, 0)
        for count in matrix.counts():
            assert count.dtype == np.int64
            assert count.tolist() == [0] * n_elements


@pytest.mark.parametrize("n_observations", [1, 3])
def test_observations_and_expectations_go_together(n_observations: int) -> None:
    observations = [Observation(Verdict.ACCEPTED)] * n_observations
    with pytest.raises(ValueError, match="argument"):
        SpectrumMatrix.from_observations(ITEM, 1, observations, [Expectation.ACCEPT] * 2)


@pytest.mark.parametrize("number", [-1, 1])
def test_numbers_that_are_no_test_or_element(number: int) -> None:
    matrix = Facts(1, [{0}], [Verdict.ACCEPTED], [Expectation.ACCEPT]).from_observations()
    with pytest.raises(IndexError, match=f"no test {number} among 1"):
        matrix.elements_of(number)
    with pytest.raises(IndexError, match=f"no element {number} among 1"):
        matrix.executed(number)


@pytest.mark.parametrize(
    ("bits", "verdicts", "expectations", "message"),
    [
        (np.zeros((1, 1), np.int64), [0], [0], "uint64"),
        (np.zeros(1, np.uint64), [0], [0], "two-dimensional"),
        (np.zeros((1, 2), np.uint64), [0], [0], "do not take 2 words"),
        (np.full((1, 1), 2, np.uint64), [0], [0], "after the last test"),
        (np.zeros((1, 1), np.uint64), [0, 0], [0], "verdicts must be 1 numbers"),
        (np.zeros((1, 1), np.uint64), [0], [], "expectations must be 1 numbers"),
        (np.zeros((1, 1), np.uint64), [3], [0], "verdicts must be codes"),
        (np.zeros((1, 1), np.uint64), [0], [2], "expectations must be codes"),
    ],
)
def test_arrays_that_are_no_matrix(
    bits: np.ndarray, verdicts: list[int], expectations: list[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        SpectrumMatrix(
            ITEM, bits, 1, np.array(verdicts, np.uint8), np.array(expectations, np.uint8)
        )


@pytest.mark.parametrize(
    "words", [np.zeros((1, 1), np.uint64), np.zeros(1, np.uint32), np.zeros((1, 1), np.uint32)]
)
def test_words_that_are_no_spectra(words: np.ndarray) -> None:
    codes = np.zeros(1, np.uint8)
    with pytest.raises(ValueError, match="of uint32 for 33 elements"):
        SpectrumMatrix.from_test_words(ITEM, 33, words, codes, codes)


@pytest.mark.parametrize("n_elements", [3, 6000])
def test_bits_of_lists_of_elements(n_elements: int) -> None:
    """Across the blocks that are worked on at once, with repetitions."""
    random = np.random.default_rng(1)
    executed = [random.integers(0, n_elements, size).tolist() for size in range(400)]
    facts = Facts(
        n_elements,
        [set(elements) for elements in executed],
        [Verdict.ACCEPTED] * len(executed),
        [Expectation.ACCEPT] * len(executed),
    )
    assert np.array_equal(bits_of(n_elements, executed), facts.from_test_words().bits)
    assert bits_of(n_elements, []).shape == (n_elements, 0)
    with pytest.raises(IndexError):
        bits_of(n_elements, [[n_elements]])
