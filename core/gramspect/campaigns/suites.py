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
from gramspect.generation.sources import Subject
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import Tokenizing
from gramspect.recognition.tokens import UNKNOWN, sequence_of
from gramspect.running.observing import tokens_of
from gramspect.spectrum.matrix import ACCEPTED, REJECTED
from gramspect.suites.suite import Expectation, TestCase, TestSuite

__all__ = ["Key", "Tests", "tests_of", "text_tests"]

Key = tuple[tuple[int, ...], int, str]
"""The terminals of a test, the code of its expectation, and its text if the grammar is loaded from
a text; else nothing."""


@dataclass(frozen=True, eq=False)
class Tests:
    """All tests of a grammar.

    Attributes:
        grammar: the grammar without faults, whose terminals the tests consist of.
        suites: the names of the suites.
        encoded: the tests, in groups.
        members: shape (groups, suites), which suites a group belongs to.
        texts: those of the tests, if they have any.
        in_text: whether the tests are those texts, not sequences of tokens.
    """

    __test__ = False  # not a pytest class

    grammar: Grammar
    suites: tuple[str, ...]
    encoded: TokenTests
    members: NDArray[np.bool_]
    texts: tuple[str, ...] = ()
    in_text: bool = False

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
        expected = self.encoded.expected[test]
        wanted = Expectation.ACCEPT if expected == ACCEPTED else Expectation.REJECT
        name = f"test {test + 1}"
        if self.in_text:
            return TestCase(name, wanted, self.texts[test])
        tokens, starts, *_ = self.encoded
        symbols = self.grammar.symbols
        found = tokens[starts[test] : starts[test + 1]].tolist()
        names = tuple(symbols[t].name if t >= 0 else "?" for t in found)
        return TestCase(name, wanted, " ".join(names), names)

    @cached_property
    def digest(self) -> str:
        """Equal for equal tests in equal suites."""
        told = sha256(repr(self.suites).encode())
        for array in (*self.encoded[:4], self.members):
            told.update(np.ascontiguousarray(array).astype(np.int64).tobytes())
        if self.texts:
            told.update(repr(self.texts).encode())
        return told.hexdigest()[:16]


def tests_of(
    grammar: Grammar,
    suites: Mapping[str, SuiteConfig],
    files: Mapping[str, TestSuite],
    texts: Mapping[str, Sequence[Key]] | None,
) -> Tests:
    """The tests of all suites.

    `files` are those that were read from files, `texts` all tests of each suite if they were made
    by `text_tests`.

    Raises:
        GramspectError: a suite cannot be generated, or has no test.
    """
    found: dict[Key, int] = {}
    for number, (name, config) in enumerate(suites.items()):
        n_before = len(found)
        bit, is_empty = 1 << number, True
        for key in _of_tokens(grammar, config, files.get(name)) if texts is None else texts[name]:
            found[key] = found.get(key, 0) | bit
            is_empty = False
        if is_empty and len(found) == n_before:
            raise SuiteError(f"the suite {name} has no test for {grammar.name}")
    groups = sorted({(mask, expected) for (_, expected, _), mask in found.items()})
    number_of = {group: i for i, group in enumerate(groups)}

    def place(each: tuple[Key, int]) -> tuple[int, tuple[int, ...], str]:
        (tokens, expected, text), mask = each
        return number_of[mask, expected], tokens, text

    # Tests that begin alike stand together: their errors have the same stacks.
    ordered = sorted(found.items(), key=place)
    sequences = [key[0] for key, _ in ordered]
    starts = np.fromiter(accumulate(map(len, sequences), initial=0), np.int64)
    encoded = TokenTests(
        np.fromiter((t for s in sequences for t in s), np.int32, int(starts[-1])),
        starts,
        np.array([key[1] for key, _ in ordered], np.int64),
        np.array([place(each)[0] for each in ordered], np.int64),
        len(groups),
    )
    members = np.array([[mask >> i & 1 for i in range(len(suites))] for mask, _ in groups], bool)
    written = () if texts is None else tuple(key[2] for key, _ in ordered)
    return Tests(grammar, tuple(suites), encoded, members, written)


def text_tests(
    subject: Subject, suites: Mapping[str, SuiteConfig], files: Mapping[str, TestSuite]
) -> dict[str, tuple[Key, ...]]:
    """The tests of all suites as texts, with the tokens that the lexer of the grammar reads.

    Raises:
        GramspectError: a suite cannot be generated.
    """
    return {
        name: (*_written(subject, config), *_lexed(subject, files.get(name)))
        for name, config in suites.items()
    }


def _of_tokens(grammar: Grammar, config: SuiteConfig, suite: TestSuite | None) -> Iterator[Key]:
    if config.generates:
        for test in Generation(grammar, _plan(config), parser=lr_parser(grammar)):
            yield test.tokens, _code(test.expectation), ""
    for case in suite or ():
        yield tuple(sequence_of(grammar, case).terminals), _code(case.expectation), ""


def _written(subject: Subject, config: SuiteConfig) -> Iterator[Key]:
    if config.generates:
        for test in Generation(subject.grammar, _plan(config), subject.texts, subject.parser):
            yield test.tokens, _code(test.expectation), subject.texts.text(test.tokens)


def _lexed(subject: Subject, suite: TestSuite | None) -> Iterator[Key]:
    """Tests of files: a text that the lexer does not read is one unknown token."""
    for case in suite or ():
        if isinstance(subject.parser, Tokenizing):
            found = tokens_of(subject.parser, case)
            tokens = (UNKNOWN,) if found is None else tuple(found)
        else:
            tokens = tuple(sequence_of(subject.grammar, case).terminals)
        yield tokens, _code(case.expectation), case.text


def _plan(config: SuiteConfig) -> Plan:
    return Plan(
        criteria=config.criteria,
        n_random=config.random,
        negative=config.negative,
        base=config.base,
        per_sentence=config.per_sentence,
        limit=config.limit,
        distinct=True,
        seed=config.seed,
    )


def _code(expectation: Expectation) -> int:
    return ACCEPTED if expectation is Expectation.ACCEPT else REJECTED
