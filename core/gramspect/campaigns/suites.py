"""The tests of all suites of a grammar, each once, encoded for all units.

A test that is in several suites runs once: tests are put into *groups* by the suites that they are
in and the verdict that they ask for, and counts are kept for each group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from gramspect.builtin.native import TokenTests
from gramspect.campaigns.config import SuiteConfig
from gramspect.errors import SuiteError
from gramspect.generation.generate import Generation, Plan
from gramspect.generation.parsing import lr_parser
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.tokens import sequence_of
from gramspect.spectrum.matrix import ACCEPTED, REJECTED
from gramspect.suites.suite import Expectation, TestCase, TestSuite

__all__ = ["Tests", "tests_of"]

_Key = tuple[tuple[int, ...], int]
"""The terminals of a test and the code of its expectation."""


@dataclass(frozen=True, eq=False)
class Tests:
    """All tests of a grammar.

    Attributes:
        grammar: the grammar without faults, whose terminals the tests consist of.
        suites: the names of the suites.
        encoded: the tests, in groups.
        members: shape (groups, suites), which suites a group belongs to.
    """

    __test__ = False  # not a pytest class

    grammar: Grammar
    suites: tuple[str, ...]
    encoded: TokenTests
    members: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.encoded.expected)

    def of_suite(self, suite: int) -> NDArray[np.bool_]:
        """Shape (tests,), which tests a suite has."""
        found: NDArray[np.bool_] = self.members[self.encoded.group, suite]
        return found

    @cached_property
    def cases(self) -> Sequence[TestCase]:
        """The tests in the form that any recognizer takes."""
        return [self.case(test) for test in range(len(self))]

    def case(self, test: int) -> TestCase:
        """One test by its number."""
        tokens, starts, expected, *_ = self.encoded
        symbols = self.grammar.symbols
        found = tokens[starts[test] : starts[test + 1]].tolist()
        names = tuple(symbols[t].name if t >= 0 else "?" for t in found)
        wanted = Expectation.ACCEPT if expected[test] == ACCEPTED else Expectation.REJECT
        return TestCase(f"test {test + 1}", wanted, " ".join(names), names)

    @cached_property
    def digest(self) -> str:
        """Equal for equal tests in equal suites."""
        told = sha256(repr(self.suites).encode())
        for array in (*self.encoded[:4], self.members):
            told.update(np.ascontiguousarray(array).astype(np.int64).tobytes())
        return told.hexdigest()[:16]


def tests_of(
    grammar: Grammar, suites: Mapping[str, SuiteConfig], files: Mapping[str, TestSuite]
) -> Tests:
    """The tests of all suites; `files` are those that were read from files.

    Raises:
        GramspectError: a suite cannot be generated, or has no test.
    """
    found: dict[_Key, int] = {}
    for number, (name, config) in enumerate(suites.items()):
        n_before = len(found)
        bit, is_empty = 1 << number, True
        for key in (*_generated(grammar, config), *_read(grammar, files.get(name))):
            found[key] = found.get(key, 0) | bit
            is_empty = False
        if is_empty and len(found) == n_before:
            raise SuiteError(f"the suite {name} has no test for {grammar.name}")
    groups = sorted({(mask, expected) for (_, expected), mask in found.items()})
    number_of = {group: i for i, group in enumerate(groups)}
    # Tests that begin alike stand together: their errors have the same stacks.
    ordered = sorted(found.items(), key=lambda each: (number_of[each[1], each[0][1]], each[0][0]))
    sequences = [tokens for (tokens, _), _ in ordered]
    starts = np.fromiter(accumulate(map(len, sequences), initial=0), np.int64)
    encoded = TokenTests(
        np.fromiter((t for s in sequences for t in s), np.int32, int(starts[-1])),
        starts,
        np.array([expected for (_, expected), _ in ordered], np.int64),
        np.array([number_of[mask, key[1]] for key, mask in ordered], np.int64),
        len(groups),
    )
    members = np.array([[mask >> i & 1 for i in range(len(suites))] for mask, _ in groups], bool)
    return Tests(grammar, tuple(suites), encoded, members)


def _generated(grammar: Grammar, config: SuiteConfig) -> Iterator[_Key]:
    if not (config.criteria or config.negative or config.random):
        return
    plan = Plan(
        criteria=config.criteria,
        n_random=config.random,
        negative=config.negative,
        base=config.base,
        per_sentence=config.per_sentence,
        limit=config.limit,
        distinct=True,
        seed=config.seed,
    )
    for test in Generation(grammar, plan, parser=lr_parser(grammar)):
        code = ACCEPTED if test.expectation is Expectation.ACCEPT else REJECTED
        yield test.tokens, code


def _read(grammar: Grammar, suite: TestSuite | None) -> Iterator[_Key]:
    for test in suite or ():
        code = ACCEPTED if test.expectation is Expectation.ACCEPT else REJECTED
        yield tuple(sequence_of(grammar, test).terminals), code
