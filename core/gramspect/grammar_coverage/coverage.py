"""Which parts of a grammar a suite executes, and which it never does.

Grammar coverage (Purdom 1972; Lämmel 2001, "Grammar testing") reads the spectra of a suite in
another way than localization: not how tests tell elements apart, but whether there is a test at
all. An element is *covered* if an input that the parser accepts uses it. That an input was rejected
while the parser was at an element, or could have begun it, says less; such an element is *touched*.

What is counted:

* non-terminals, as the user wrote them;
* rules, the alternatives of these definitions;
* choices, the alternatives inside of EBNF operators: each one of ``( a | b )``, an option that is
  there and one that is not, a ``*`` that is taken, a ``+`` that is repeated. Spectra cannot tell
  whether a ``*`` is ever passed over;
* items, the positions in all of them.

Elements that no sentence can use are left out and named apart: they are no omission of the suite.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gramspect.errors import GramspectError
from gramspect.grammar_coverage.counts import CoverageCounts
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.recognition.trace import Extraction, Verdict
from gramspect.running.loading import load_parser
from gramspect.running.options import RunOptions
from gramspect.running.recording import FailingTest, UndecidedTest, record
from gramspect.spectrum.matrix import ACCEPTED, REJECTED, SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import TestCase, TestSuite

__all__ = ["Coverage", "coverage"]

Numbers = NDArray[np.int64]

_CODES = {Verdict.ACCEPTED: ACCEPTED, Verdict.REJECTED: REJECTED}


@dataclass(frozen=True, eq=False)
class Coverage(CoverageCounts):
    """The coverage of a grammar by a suite. `rules` and `items` are the suite's spectra."""

    grammar: Grammar
    suite: TestSuite = field(repr=False)
    adapter: str | None
    extraction: Extraction
    rules: SpectrumMatrix = field(repr=False)
    items: SpectrumMatrix = field(repr=False)
    failing: tuple[FailingTest, ...] = field(default=(), repr=False)
    undecided: tuple[UndecidedTest, ...] = field(default=(), repr=False)

    def _having(self, verdict: Verdict) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self.rules.verdicts == _CODES[verdict]
        return found

    def _n_with(self, verdict: Verdict) -> int:
        return int(np.count_nonzero(self._having(verdict)))

    def _rules_used(self, verdict: Verdict) -> Numbers:
        return self.rules.executing(self._having(verdict))

    def _items_used(self, verdict: Verdict) -> Numbers:
        return self.items.executing(self._having(verdict))

    @cached_property
    def rule_hits(self) -> Numbers:
        """For each rule the number of accepted tests that use it."""
        return self._rules_used(Verdict.ACCEPTED)

    @cached_property
    def item_hits(self) -> Numbers:
        """For each item the number of accepted tests that use it."""
        return self._items_used(Verdict.ACCEPTED)

    def tests_of_rule(self, rule: int) -> tuple[TestCase, ...]:
        """The tests that execute a rule, rejected ones included."""
        return tuple(self.suite.tests[test] for test in self.rules.executed(rule))

    def tests_of_item(self, item: int) -> tuple[TestCase, ...]:
        """The tests that execute an item, rejected ones included."""
        return tuple(self.suite.tests[test] for test in self.items.executed(item))


# --- running -------------------------------------------------------------------------------


def coverage(
    source: str | os.PathLike[str] | Recognizer,
    suite: TestSuite,
    *,
    load: LoadOptions = LoadOptions(),
    run: RunOptions = RunOptions(),
    extraction: str = Extraction.EXACT,
) -> Coverage:
    """Run the suite and say which parts of the grammar it executes.

    The arguments are those of `gramspect.localize`; the extraction decides what rejected tests
    touch.

    Raises:
        GramspectError: the source, the suite or an argument cannot be used.
        ValueError: worker processes are asked for and the loader is missing.
    """
    recognizer, name, loader = load_parser(source, load, run.loader)
    try:
        chosen = Extraction(extraction)
    except ValueError:
        known = ", ".join(Extraction)
        raise GramspectError(f"there is no extraction {extraction!r}; there are: {known}") from None
    recording = record(
        recognizer, suite, chosen, [SpectrumKind.RULE, SpectrumKind.ITEM],
        replace(run, loader=loader),
    )  # fmt: skip
    return Coverage(
        grammar=recognizer.grammar,
        suite=suite,
        adapter=name,
        extraction=chosen,
        rules=recording.matrices[SpectrumKind.RULE],
        items=recording.matrices[SpectrumKind.ITEM],
        failing=recording.failing,
        undecided=recording.undecided,
    )
