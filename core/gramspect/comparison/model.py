"""The result of a comparison, with all that a report needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gramspect.comparison.agreement import Agreement
from gramspect.comparison.explanation import Explanation
from gramspect.grammars.grammar import Grammar
from gramspect.localization.results import Localization, Method, Note
from gramspect.recognition.trace import Verdict
from gramspect.source import Span
from gramspect.spectrum.matrix import SpectrumMatrix
from gramspect.suites.suite import TestCase, TestSuite

__all__ = ["Comparison", "Disagreement", "Technique", "Unit"]


@dataclass(frozen=True, slots=True)
class Technique:
    """A parser that took part, or one that could not (`refusal` says why).

    `build_seconds` is what it took to make the parser, `seconds` to run the suite and extract the
    spectra. `source` is None if the parser was built from the common grammar.
    """

    name: str
    adapter: str
    source: str | None
    localization: Localization | None = field(default=None, repr=False)
    refusal: str | None = None
    build_seconds: float = 0.0
    seconds: float = 0.0

    @property
    def result(self) -> Localization:
        """The localization of a technique that took part."""
        assert self.localization is not None
        return self.localization

    @property
    def matrix(self) -> SpectrumMatrix:
        """The spectrum that was ranked."""
        return self.result.basis.matrices[self.result.method.spectrum]

    @property
    def seconds_per_test(self) -> float:
        return self.seconds / len(self.result.suite)

    @property
    def n_executed(self) -> int:
        """How many elements some test executes."""
        return int(self.matrix.bits.any(axis=1).sum())

    @property
    def mean_size(self) -> float:
        """How many elements a test executes on average."""
        return int(np.bitwise_count(self.matrix.bits).sum()) / self.matrix.n_tests


@dataclass(frozen=True, slots=True)
class Unit:
    """An element that several techniques rank: a rule, an item, or a non-terminal.

    `label` is ``stmt:3``, ``stmt:3:2`` or the name of a non-terminal; `text` the rule with the
    position marked. Non-terminals of different sources have neither text nor span.
    """

    label: str
    text: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A test on which not all verdicts are the same.

    `verdicts` has one for each technique that took part. `derivable` says for each whether its
    grammar derives the tokens of the test (None: its lexer failed, or it was not asked because the
    test is long). `explanations` are those of techniques that differ from the others for a reason
    of their own, else None.
    """

    test: TestCase
    verdicts: tuple[Verdict, ...]
    derivable: tuple[bool | None, ...]
    explanations: tuple[Explanation | None, ...]


@dataclass(frozen=True)
class Comparison:
    """Many techniques side by side.

    `grammar` is the common one, None if each technique has its own source. `ranks` has shape
    (units, techniques that took part): the rank from 1 of each unit (units with a score of 0 share
    the mean of the last ranks), NaN where a technique has no such unit or nothing failed.
    `agreements` are those of all pairs.
    """

    grammar: Grammar | None
    suite: TestSuite = field(repr=False)
    method: Method
    top: int
    techniques: tuple[Technique, ...]
    units: tuple[Unit, ...] = field(repr=False)
    ranks: NDArray[np.float64] = field(repr=False)
    agreements: tuple[Agreement, ...]
    disagreements: tuple[Disagreement, ...] = field(repr=False)
    notes: tuple[Note, ...] = ()

    @cached_property
    def taking_part(self) -> tuple[Technique, ...]:
        """The techniques that have a result, in the order of the columns of `ranks`."""
        return tuple(t for t in self.techniques if t.localization is not None)

    @property
    def any_failing(self) -> bool:
        """Whether some test fails in some technique."""
        return any(technique.result.failing for technique in self.taking_part)

    def top_units(self, top: int | None = None) -> list[int]:
        """The units that some technique ranks among its first `top`, the best mean rank first.

        Ties are broken by the number of the unit. A unit that a technique does not have comes after
        its last one.
        """
        limit = self.top if top is None else top
        found: set[int] = set()
        for column, technique in enumerate(self.taking_part):
            ranks = self.ranks[:, column]
            order = np.lexsort((np.arange(len(ranks)), ranks))  # NaN comes last
            found.update(order[: min(limit, len(technique.result.ranking))].tolist())
        means = np.where(np.isnan(self.ranks), len(self.ranks), self.ranks).mean(axis=1)
        return sorted(found, key=lambda unit: (means[unit], unit))
