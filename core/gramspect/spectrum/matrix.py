"""Which elements each test executes: the spectrum of a whole suite, one bit per fact.

A *spectrum* relates the elements of a grammar (rules or items) to the tests that execute them
(Raselimo and Fischer 2024, Section 2). `SpectrumMatrix` keeps it as bits along the tests, so that
the counts that every ranking metric uses are a bitwise *and* and a population count per element.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gramspect.grammars.grammar import Grammar
from gramspect.recognition.trace import Observation, Verdict
from gramspect.spectrum.kinds import ACCEPTED, REJECTED, UNDECIDED, SpectrumKind
from gramspect.suites.suite import Expectation

__all__ = [
    "ACCEPTED",
    "REJECTED",
    "UNDECIDED",
    "Counts",
    "SpectrumKind",
    "SpectrumMatrix",
    "bits_of",
    "expectation_codes",
    "matrices_of",
    "spectrum_of",
    "verdict_codes",
]

_VERDICT_CODE = {
    Verdict.ACCEPTED: ACCEPTED,
    Verdict.REJECTED: REJECTED,
    Verdict.UNDECIDED: UNDECIDED,
}
_EXPECTATION_CODE = {Expectation.ACCEPT: ACCEPTED, Expectation.REJECT: REJECTED}

_WORD = 64
_BLOCK_BYTES = 1 << 20
"""The size of a block of work: about as much as a core's second-level cache holds."""

Words: TypeAlias = NDArray[np.uint64]
Codes: TypeAlias = NDArray[np.uint8]


class Counts(NamedTuple):
    """For each element: failing and passing tests that execute it (ef, ep) or do not (nf, np_)."""

    ef: NDArray[np.int64]
    ep: NDArray[np.int64]
    nf: NDArray[np.int64]
    np_: NDArray[np.int64]


def spectrum_of(observation: Observation, kind: SpectrumKind) -> frozenset[int]:
    """The elements of that kind which a test executes."""
    match kind:
        case SpectrumKind.RULE:
            return observation.rules
        case SpectrumKind.ITEM:
            return observation.items
        case SpectrumKind.SHIFT:
            return observation.shift_items


def verdict_codes(verdicts: Iterable[Verdict]) -> Codes:
    """Verdicts as the array that `SpectrumMatrix` keeps."""
    return np.fromiter((_VERDICT_CODE[verdict] for verdict in verdicts), np.uint8)


def expectation_codes(expectations: Iterable[Expectation]) -> Codes:
    """Expectations as the array that `SpectrumMatrix` keeps."""
    return np.fromiter((_EXPECTATION_CODE[expected] for expected in expectations), np.uint8)


@dataclass(frozen=True, eq=False)
class SpectrumMatrix:
    """Elements x tests, immutable.

    `bits` has shape (elements, ceil(n_tests / 64)) and type uint64: test ``t`` executes element
    ``e`` if bit ``t % 64`` of ``bits[e, t // 64]`` is set; bits after the last test are clear.
    `verdicts` and `expectations` have shape (n_tests,) and hold the codes above. The arrays are
    read-only views.

    Raises:
        ValueError: shapes, types or codes are not as described.
    """

    kind: SpectrumKind
    bits: Words
    n_tests: int
    verdicts: Codes
    expectations: Codes

    def __post_init__(self) -> None:
        if self.bits.dtype != np.uint64 or self.bits.ndim != 2:
            raise ValueError("the bits must be a two-dimensional array of uint64")
        if self.bits.shape[1] != _n_words(self.n_tests):
            raise ValueError(f"{self.n_tests} tests do not take {self.bits.shape[1]} words")
        spare = self.n_tests % _WORD
        if spare and (self.bits[:, -1] >> np.uint64(spare)).any():
            raise ValueError("bits after the last test are set")
        for name, codes, last in (
            ("verdicts", self.verdicts, UNDECIDED),
            ("expectations", self.expectations, REJECTED),
        ):
            if codes.dtype != np.uint8 or codes.shape != (self.n_tests,):
                raise ValueError(f"the {name} must be {self.n_tests} numbers of type uint8")
            if codes.max(initial=0) > last:
                raise ValueError(f"the {name} must be codes from 0 to {last}")
        for name in ("bits", "verdicts", "expectations"):
            view = getattr(self, name).view()
            view.flags.writeable = False
            object.__setattr__(self, name, view)

    # --- making one ----------------------------------------------------------------------

    @classmethod
    def from_observations(
        cls,
        kind: SpectrumKind,
        n_elements: int,
        observations: Iterable[Observation],
        expectations: Sequence[Expectation],
    ) -> SpectrumMatrix:
        """The spectra of single tests put together; observations are read one at a time.

        Raises:
            ValueError: there are not as many observations as expectations.
        """
        return _matrices({kind: n_elements}, observations, expectations)[kind]

    @classmethod
    def from_test_words(
        cls,
        kind: SpectrumKind,
        n_elements: int,
        words: NDArray[np.uint32],
        verdicts: Codes,
        expectations: Codes | Sequence[Expectation],
    ) -> SpectrumMatrix:
        """From tests x words, the form in which a recognizer writes one test after the other.

        Test ``t`` executes element ``e`` if bit ``e & 31`` of ``words[t, e >> 5]`` is set. `words`
        has at least ceil(n_elements / 32) columns and type uint32; bits after the last element
        are ignored. `verdicts` are codes, `expectations` codes or expectations.

        Raises:
            ValueError: the words have another type or are too few.
        """
        if words.dtype != np.uint32 or words.ndim != 2 or words.shape[1] * 32 < n_elements:
            raise ValueError(f"the words must be tests x words of uint32 for {n_elements} elements")
        codes = (
            expectations
            if isinstance(expectations, np.ndarray)
            else expectation_codes(expectations)
        )
        return cls(kind, _transpose(words, n_elements), len(words), verdicts, codes)

    # --- verdicts ------------------------------------------------------------------------

    @property
    def n_elements(self) -> int:
        """How many elements have a row, also those that no test executes."""
        return len(self.bits)

    @cached_property
    def failing(self) -> NDArray[np.bool_]:
        """Shape (n_tests,): decided, and not as expected."""
        failing: NDArray[np.bool_] = (self.verdicts != self.expectations) & ~self.undecided
        return failing

    @cached_property
    def passing(self) -> NDArray[np.bool_]:
        """Shape (n_tests,): decided as expected."""
        passing: NDArray[np.bool_] = self.verdicts == self.expectations
        return passing

    @cached_property
    def undecided(self) -> NDArray[np.bool_]:
        """Shape (n_tests,): neither failing nor passing."""
        undecided: NDArray[np.bool_] = self.verdicts == UNDECIDED
        return undecided

    @cached_property
    def n_failing(self) -> int:
        """How many tests fail."""
        return int(np.count_nonzero(self.failing))

    @cached_property
    def n_passing(self) -> int:
        """How many tests pass."""
        return int(np.count_nonzero(self.passing))

    def without(self, tests: Sequence[int]) -> SpectrumMatrix:
        """The same where these tests are undecided, so that they do not count."""
        verdicts = self.verdicts.copy()
        verdicts[list(tests)] = UNDECIDED
        return replace(self, verdicts=verdicts)

    # --- what was executed ---------------------------------------------------------------

    def counts(self) -> Counts:
        """How many failing and passing tests execute each element, and how many do not."""
        ef = self.executing(self.failing)
        ep = self.executing(self.passing)
        return Counts(ef, ep, self.n_failing - ef, self.n_passing - ep)

    def executing(self, tests: NDArray[np.bool_]) -> NDArray[np.int64]:
        """For each element the number of those tests, shape (n_tests,), that execute it."""
        mask = np.zeros(self.bits.shape[1], np.uint64)
        packed = np.packbits(tests, bitorder="little")
        mask.view(np.uint8)[: len(packed)] = packed
        mask = _little_endian(mask)
        found = np.empty(self.n_elements, np.int64)
        rows = max(1, _BLOCK_BYTES // max(1, mask.nbytes))
        for first in range(0, self.n_elements, rows):
            block = slice(first, first + rows)
            ones = np.bitwise_count(self.bits[block] & mask)
            found[block] = ones.sum(axis=1, dtype=np.int64)
        return found

    def executed(self, element: int) -> NDArray[np.int64]:
        """The tests that execute an element, ascending.

        Raises:
            IndexError: there is no such element.
        """
        if not 0 <= element < self.n_elements:
            raise IndexError(f"there is no element {element} among {self.n_elements}")
        return np.flatnonzero(self._unpacked(self.bits[element : element + 1]))

    def elements_of(self, test: int) -> NDArray[np.int64]:
        """The elements that a test executes, ascending.

        Raises:
            IndexError: there is no such test.
        """
        if not 0 <= test < self.n_tests:
            raise IndexError(f"there is no test {test} among {self.n_tests}")
        return np.flatnonzero(self.bits[:, test // _WORD] & np.uint64(1 << test % _WORD))

    def dense(self) -> NDArray[np.bool_]:
        """Shape (elements, n_tests), a byte per fact: for matrices of moderate size."""
        return self._unpacked(self.bits)

    def _unpacked(self, rows: Words) -> NDArray[np.bool_]:
        octets = _little_endian(np.ascontiguousarray(rows)).view(np.uint8)
        return np.unpackbits(octets, axis=1, bitorder="little", count=self.n_tests).view(np.bool_)


def matrices_of(
    kinds: Iterable[SpectrumKind],
    grammar: Grammar,
    observations: Iterable[Observation],
    expectations: Sequence[Expectation],
) -> dict[SpectrumKind, SpectrumMatrix]:
    """The matrices of several kinds from one pass over the observations.

    Raises:
        ValueError: there are not as many observations as expectations.
    """
    sizes = {kind: kind.n_elements(grammar) for kind in kinds}
    return _matrices(sizes, observations, expectations)


def _matrices(
    sizes: Mapping[SpectrumKind, int],
    observations: Iterable[Observation],
    expectations: Sequence[Expectation],
) -> dict[SpectrumKind, SpectrumMatrix]:
    """The matrix of each kind that has a number of elements."""
    n_tests = len(expectations)
    bits = {kind: np.zeros((size, _n_words(n_tests)), np.uint64) for kind, size in sizes.items()}
    verdicts = np.empty(n_tests, np.uint8)
    for test, (observation, _) in enumerate(zip(observations, expectations, strict=True)):
        verdicts[test] = _VERDICT_CODE[observation.verdict]
        for kind, words in bits.items():
            elements = spectrum_of(observation, kind)
            executed = np.fromiter(elements, np.intp, count=len(elements))
            words[executed, test // _WORD] |= np.uint64(1 << test % _WORD)
    expected = expectation_codes(expectations)
    return {
        kind: SpectrumMatrix(kind, words, n_tests, verdicts, expected)
        for kind, words in bits.items()
    }


def bits_of(n_elements: int, executed: Sequence[Sequence[int]]) -> Words:
    """The bits of a `SpectrumMatrix` for tests that execute these elements each.

    An element may occur several times.

    Raises:
        IndexError: there is no such element.
    """
    bits = np.zeros((n_elements, _n_words(len(executed))), "<u8")
    octets = bits.view(np.uint8)
    step = max(1, _BLOCK_BYTES // max(1, n_elements * _WORD)) * _WORD
    for first in range(0, len(executed), step):
        block = executed[first : first + step]
        sizes = [len(elements) for elements in block]
        elements = np.fromiter(chain.from_iterable(block), np.intp, sum(sizes))
        dense = np.zeros((n_elements, len(block)), np.bool_)
        dense[elements, np.repeat(np.arange(len(block)), sizes)] = True
        packed = np.packbits(dense, axis=1, bitorder="little")
        octets[:, first // 8 : first // 8 + packed.shape[1]] = packed
    return bits.astype(np.uint64, copy=False)


def _n_words(n_tests: int) -> int:
    return -(-n_tests // _WORD)


def _little_endian(words: Words) -> Words:
    """Words whose bytes, in memory order, hold ascending bits; the same array on most machines.

    Its own inverse: also turns such bytes, seen as words, into the machine's words.
    """
    return words.view("<u8").astype(np.uint64) if np.dtype("<u8") != np.uint64 else words


def _transpose(words: NDArray[np.uint32], n_elements: int) -> Words:
    """Tests x element words into elements x test words, a cache-sized block of tests at a time."""
    n_tests = len(words)
    columns = -(-n_elements // _WORD)
    bits = np.empty((n_elements, _n_words(n_tests)), np.uint64)
    step = max(1, _BLOCK_BYTES // (_WORD * 8 * max(1, columns)))
    width = min(words.shape[1], 2 * columns)
    for first in range(0, bits.shape[1], step):
        part = words[first * _WORD : (first + step) * _WORD, :width]
        blocks = _n_words(len(part))
        halves = np.zeros((blocks * _WORD, 2 * columns), "<u4")
        halves[: len(part), :width] = part
        # Square s of column c is squares[:, c, s]: its 64 rows are far apart, so that one numpy
        # operation exchanges the same two rows of every square.
        squares = halves.view("<u8").astype(np.uint64, copy=False).reshape(blocks, _WORD, columns)
        squares = np.ascontiguousarray(squares.transpose(1, 2, 0))
        _transpose_squares(squares)
        rows = squares.transpose(1, 0, 2).reshape(columns * _WORD, blocks)
        bits[:, first : first + step] = rows[:n_elements]
    return bits


_SWAPS = tuple(
    (np.uint64(distance), np.uint64(sum(1 << bit for bit in range(_WORD) if not bit & distance)))
    for distance in (32, 16, 8, 4, 2, 1)
)


def _transpose_squares(rows: Words) -> None:
    """Transpose many 64 x 64 bit squares in place; `rows` has their 64 rows along its first axis.

    Exchanges off-diagonal quadrants, then those of each quadrant and so on (Warren, Hacker's
    Delight, 2nd edition 2012, Section 7-3), with bit 0 as the first column.
    """
    for distance, low_bits in _SWAPS:
        pairs = rows.reshape(32 // int(distance), 2, int(distance), *rows.shape[1:])
        upper, lower = pairs[:, 0], pairs[:, 1]
        exchanged = ((upper >> distance) ^ lower) & low_bits
        lower ^= exchanged
        upper ^= exchanged << distance
