"""What failing tests have in common and passing ones have not: a tree over both.

It is learned as in `gramspect.associations`, but from features that every test has, whatever the
verdict. A wrongly rejected test is no sentence of the grammar, so it has no derivation tree: its
features are the kinds of its tokens and which come one after the other, all through the test, and
the positions of the grammar that the parser used, for a rejected test up to the error.

What comes after an error is in no spectrum, so that a rejected test lacks positions says nothing
about why it fails. Therefore questions are only asked about what failing tests have more often.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gramspect.associations.trees import Bits, Clause, ways
from gramspect.recognition.recognizer import Recognizer, Tokenizing
from gramspect.running.observing import tokens_of
from gramspect.running.recording import Recording
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix

__all__ = ["BEFORE", "FEWEST", "CommonTrait", "Trait", "Traits", "common_traits"]

FEWEST = 20
"""From how many tests on something is learned."""

MOST = 500
"""The most failing tests that are learned from, and the most passing ones: the first."""

BEFORE = -2
"""What stands before the first token."""


@dataclass(frozen=True, slots=True)
class Trait:
    """A feature of a test: it has a kind of token, two kinds in succession, or uses an element.

    `tokens` are terminals: 0 is the end of the input, -1 a token that the grammar does not know,
    `BEFORE` the beginning. `element` is a rule or item of the spectra; there is one or the other.
    """

    tokens: tuple[int, ...] = ()
    element: int | None = None


Clauses = tuple[Clause[Trait], ...]


@dataclass(frozen=True, slots=True)
class CommonTrait:
    """What some failing tests have in common.

    Attributes:
        present: what they all have.
        absent: what none of them has.
        failing: their numbers.
        passing: the numbers of the passing tests of which the same is true, fewer.
    """

    present: tuple[Trait, ...]
    absent: tuple[Trait, ...]
    failing: tuple[int, ...]
    passing: tuple[int, ...]


class Traits:
    """Which tests have which traits, those first that are preferred.

    Args:
        matrix: their spectra.
        tests: the numbers of the tests that are looked at.
        tokens: the tokens of each; empty if none are known.
        positions: whether elements are traits, too.
    """

    def __init__(
        self,
        matrix: SpectrumMatrix,
        tests: Sequence[int],
        tokens: Sequence[Sequence[int]],
        *,
        positions: bool = True,
    ) -> None:
        self.kind = matrix.kind
        self.tests = tests
        self.failing = frozenset(row for row, test in enumerate(tests) if matrix.failing[test])
        self._having: dict[Trait, list[int]] = {}
        for row, each in enumerate(tokens):
            for trait in {*_single(each), *_pairs(each)}:
                self._having.setdefault(trait, []).append(row)
        if positions:
            for row, test in enumerate(tests):
                for element in matrix.elements_of(test).tolist():
                    self._having.setdefault(Trait(element=element), []).append(row)

    def learned(self) -> list[CommonTrait]:
        """What failing tests have in common; of those that are alone nothing.

        What no passing test is like comes first, then what most failing ones are like.
        """
        kept: dict[tuple[int, ...], Trait] = {}
        for trait in sorted(self._having, key=_preference):
            rows = tuple(self._having[trait])
            if self._is_of_failing(rows):
                kept.setdefault(rows, trait)
        if not kept:
            return []
        tree = Bits(list(kept.values()), list(kept), len(self.tests)).learned(self.failing)
        found = dict.fromkeys(self._shortest(clauses) for clauses, _ in ways(tree))
        shared = [self._shared(clauses) for clauses in found]
        several = [one for one in shared if one.present and len(one.failing) > 1]
        return sorted(several, key=lambda one: (bool(one.passing), -len(one.failing)))

    def _is_of_failing(self, rows: Sequence[int]) -> bool:
        """Whether a greater part of the failing tests has it than of the passing ones."""
        failing = sum(row in self.failing for row in rows)
        n_failing, n = len(self.failing), len(self.tests)
        return failing * (n - n_failing) > (len(rows) - failing) * n_failing

    def _shortest(self, clauses: Clauses) -> Clauses:
        """Without what can be left out and no more passing tests are like that."""
        kept = list(clauses)
        n_passing = len(self._like(kept) - self.failing)
        for clause in sorted(clauses, key=lambda one: one.present):
            others = [one for one in kept if one is not clause]
            if others and len(self._like(others) - self.failing) <= n_passing:
                kept = others
        return tuple(kept)

    def _like(self, clauses: Sequence[Clause[Trait]]) -> set[int]:
        """The tests of which that is true."""
        rows = set(range(len(self.tests)))
        for clause in clauses:
            having = self._having[clause.feature]
            rows = rows.intersection(having) if clause.present else rows.difference(having)
        return rows

    def _shared(self, clauses: Clauses) -> CommonTrait:
        rows = self._like(clauses)
        return CommonTrait(
            tuple(clause.feature for clause in clauses if clause.present),
            tuple(clause.feature for clause in clauses if not clause.present),
            tuple(self.tests[row] for row in sorted(rows & self.failing)),
            tuple(self.tests[row] for row in sorted(rows - self.failing)),
        )


def common_traits(
    recognizer: Recognizer, recording: Recording, kind: SpectrumKind
) -> tuple[CommonTrait, ...]:
    """What failing tests have in common, of suites of at least `FEWEST` tests."""
    matrix = recording.matrices[kind]
    if len(recording.suite) < FEWEST or matrix.n_failing < 2 or matrix.n_passing < 2:
        return ()
    failing = matrix.failing.nonzero()[0][:MOST].tolist()
    passing = matrix.passing.nonzero()[0][:MOST].tolist()
    tests: list[int] = []
    tokens: list[Sequence[int]] = []
    for number in sorted([*failing, *passing]):
        found: Sequence[int] | None = ()
        if isinstance(recognizer, Tokenizing):
            found = tokens_of(recognizer, recording.suite.tests[number])
        if found is not None:
            tests.append(number)
            tokens.append(found)
    return tuple(Traits(matrix, tests, tokens).learned())


def _single(tokens: Sequence[int]) -> Iterator[Trait]:
    yield from (Trait((token,)) for token in tokens)


def _pairs(tokens: Sequence[int]) -> Iterator[Trait]:
    """What comes one after the other, with the beginning and the end."""
    if tokens:
        yield from (Trait(pair) for pair in pairwise((BEFORE, *tokens, 0)))


def _preference(trait: Trait) -> tuple[int, tuple[int, ...]]:
    """What is asked about if several traits say the same: single tokens, then pairs."""
    if trait.element is not None:
        return 3, (trait.element,)
    return len(trait.tokens), trait.tokens
