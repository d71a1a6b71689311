"""How often tests execute elements, for each suite: what every metric is made of.

Most accepted tests of a mutant need not be run. Let G be the grammar without faults, G' the mutant,
and w a test that the LR parser of G accepts by a derivation D in which no rule is applied that G'
lacks. *Claim:* if the LALR(1) table of G' has no conflict, resolved or not, its parser accepts w,
and reduces exactly the rules of D. *Proof:* all rules of D are rules of G', so D is a derivation of
w in G'. An LR parser without conflicts accepts all of the language of its grammar, and such a
grammar is unambiguous (Knuth, "On the translation of languages from left to right", 1965), so D is
the one derivation of w, and what the parser reduces. The rules and items that an accepted test
executes are those of its derivation (Definitions 3.1 and 4.1), so their counts are known from one
run of G. Shift items (Definition 4.3) are not: states of G' may predict what those of G do not. So
nothing is left out where they are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gramspect.builtin.native import NativeRecognizer
from gramspect.campaigns.faults import Faulty
from gramspect.campaigns.suites import Tests
from gramspect.errors import GramspectError
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.trace import Extraction, Observation
from gramspect.running.runner import run
from gramspect.scoring.evidence import depth_scores
from gramspect.spectrum.matrix import (
    ACCEPTED,
    UNDECIDED,
    Counts,
    SpectrumKind,
    SpectrumMatrix,
    matrices_of,
)
from gramspect.suites.suite import Expectation

__all__ = ["Baseline", "Counted", "count"]


GroupCounts: TypeAlias = dict[SpectrumKind, NDArray[np.int64]]
"""For each kind the tests that execute an element, shape (groups, 2, elements): passing ones, then
failing ones."""


@dataclass(frozen=True, eq=False)
class Counted:
    """What the parser of one mutant did with all tests.

    `verdicts` are the codes of all tests, `groups` the counts by each extraction that the
    recognizer supplies, `look` the observation of some tests, for what spectra do not tell.
    """

    tests: Tests
    recognizer: Recognizer
    verdicts: NDArray[np.uint8]
    groups: dict[Extraction, GroupCounts]
    look: Callable[[Sequence[int]], Sequence[Observation]]

    def totals(self, suite: int) -> tuple[int, int, int]:
        """The failing, passing and undecided tests of a suite."""
        verdicts = self.verdicts[self.tests.of_suite(suite)]
        expected = self.tests.encoded.expected[self.tests.of_suite(suite)]
        undecided = int(np.count_nonzero(verdicts == UNDECIDED))
        passing = int(np.count_nonzero(verdicts == expected))
        return len(verdicts) - undecided - passing, passing, undecided

    def counts(self, suite: int, extraction: Extraction, kind: SpectrumKind) -> Counts:
        """What the metrics take."""
        found = self.groups[extraction][kind][self.tests.members[:, suite]].sum(axis=0)
        failing, passing, _ = self.totals(suite)
        ep, ef = found[0], found[1]
        return Counts(ef, ep, failing - ef, passing - ep)

    def depths(self, suite: int, kinds: Sequence[SpectrumKind], most: int) -> DepthScores:
        """The depth scores of the elements of each kind, from the first `most` tests of a suite
        that should be accepted and are rejected."""
        expected = self.tests.encoded.expected
        wrong = (expected == ACCEPTED) & (self.verdicts != ACCEPTED) & (self.verdicts != UNDECIDED)
        chosen = np.flatnonzero(wrong & self.tests.of_suite(suite))[:most].tolist()
        seen = self.look(chosen)
        wanted = [Expectation.ACCEPT] * len(chosen)
        grammar = self.recognizer.grammar
        return {kind: depth_scores(kind, grammar, seen, wanted) for kind in kinds}


DepthScores: TypeAlias = dict[SpectrumKind, NDArray[np.float64] | None]


@dataclass(frozen=True, eq=False)
class Baseline:
    """What the parser of the grammar without faults does: by rule, the accepted tests that apply
    it, and all tests that it accepts as they should be."""

    applied: SpectrumMatrix
    accepted: NDArray[np.bool_]

    @classmethod
    def of(cls, recognizer: NativeRecognizer, tests: Tests) -> Baseline:
        """Run all tests once."""
        encoded = tests.encoded
        kind = SpectrumKind.RULE
        words, verdicts = recognizer.record_tokens(
            encoded.tokens, encoded.starts, Extraction.EXACT, kind
        )
        expected = encoded.expected.astype(np.uint8)
        n_rules = recognizer.grammar.n_rules
        applied = SpectrumMatrix.from_test_words(kind, n_rules, words, verdicts, expected)
        return cls(applied, (verdicts == ACCEPTED) & (expected == ACCEPTED))

    def unchanged(self, lost: Sequence[int]) -> NDArray[np.bool_]:
        """The accepted tests that apply none of these rules, shape (tests,)."""
        found = self.accepted.copy()
        for rule in lost:
            found[self.applied.executed(rule)] = False
        return found


def count(
    recognizer: Recognizer,
    tests: Tests,
    extractions: Sequence[Extraction],
    known: tuple[Baseline, Faulty] | None = None,
) -> Counted:
    """Run all tests, but for those of which it is known what the mutant does (see the module).

    Where something is `known`, shift items are not counted.
    """
    if isinstance(recognizer, NativeRecognizer) and not tests.in_text:
        sure = known if not recognizer.table.conflicts else None
        return _count_native(recognizer, tests, extractions, sure)
    return _count_observed(recognizer, tests, extractions)


def _count_native(
    recognizer: NativeRecognizer,
    tests: Tests,
    extractions: Sequence[Extraction],
    known: tuple[Baseline, Faulty] | None,
) -> Counted:
    """Spectra are added up where they arise, in the kernel; no test has one of its own."""
    groups = {}
    chosen, unchanged = None, None
    if known is not None:
        baseline, faulty = known
        unchanged = baseline.unchanged(faulty.lost)
        chosen = np.flatnonzero(~unchanged)
    for extraction in extractions:
        verdicts, groups[extraction] = recognizer.count_tokens(tests.encoded, extraction, chosen)
        if unchanged is not None:
            _add_unchanged(groups[extraction], baseline, unchanged, faulty, tests)

    def look(chosen: Sequence[int]) -> Sequence[Observation]:
        return list(run(recognizer, [tests.case(number) for number in chosen]))

    return Counted(tests, recognizer, verdicts, groups, look)


def _add_unchanged(
    counts: GroupCounts,
    baseline: Baseline,
    unchanged: NDArray[np.bool_],
    faulty: Faulty,
    tests: Tests,
) -> None:
    """Add the tests that were not run: the rules that they apply, with all their items."""
    old, new = faulty.kept_rules
    sizes = np.diff(faulty.grammar.item_start)
    for group in range(tests.encoded.n_groups):
        members = unchanged & (tests.encoded.group == group)
        if members.any():
            of_rules = np.zeros(faulty.grammar.n_rules, np.int64)
            of_rules[new] = baseline.applied.executing(members)[old]
            counts[SpectrumKind.RULE][group, 0] += of_rules
            counts[SpectrumKind.ITEM][group, 0] += np.repeat(of_rules, sizes)
    del counts[SpectrumKind.SHIFT]


def _count_observed(
    recognizer: Recognizer, tests: Tests, extractions: Sequence[Extraction]
) -> Counted:
    """Any recognizer: one observation for each test and extraction that it supplies."""
    expectations = [case.expectation for case in tests.cases]
    first: list[Observation] = []

    def kept(observations: Iterator[Observation]) -> Iterator[Observation]:
        for observation in observations:
            first.append(observation)
            yield observation

    groups: dict[Extraction, GroupCounts] = {}
    for extraction in extractions:
        observations = run(recognizer, tests.cases, extraction)
        seen = observations if first else kept(observations)
        try:
            matrices = matrices_of(tuple(SpectrumKind), recognizer.grammar, seen, expectations)
        except GramspectError:
            if extraction is extractions[-1] and not groups:
                raise
            first.clear()
            continue
        groups[extraction] = {}
        for kind, matrix in matrices.items():
            members = [
                [matrix.executing(tested & (tests.encoded.group == group))
                 for tested in (matrix.passing, matrix.failing)]
                for group in range(tests.encoded.n_groups)
            ]  # fmt: skip
            groups[extraction][kind] = np.array(members, np.int64)
        verdicts = matrix.verdicts
    return Counted(
        tests, recognizer, verdicts, groups, lambda chosen: [first[number] for number in chosen]
    )
