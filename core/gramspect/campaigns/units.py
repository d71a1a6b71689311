"""A unit of work: one mutant through one recognizer.

`compute` is a pure function of the plan and the name of the unit; only the limits of time and
memory make a difference between machines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from time import process_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gramspect.campaigns.counting import Counted, count
from gramspect.campaigns.faults import Faulty, Spot, levels
from gramspect.campaigns.making import make
from gramspect.campaigns.placing import Placing
from gramspect.campaigns.plan import Plan, Subject, UnitName
from gramspect.edits.drafts import NotFromDraft
from gramspect.edits.failing import Searched, search_failing
from gramspect.edits.scores import edit_scores, edit_weights
from gramspect.edits.writing import Unwritable
from gramspect.effort import Effort
from gramspect.errors import GramspectError
from gramspect.recognition.surroundings import one_line
from gramspect.recognition.trace import Extraction
from gramspect.running.observing import silenced
from gramspect.scoring.evidence import Evidence, counted_scores
from gramspect.scoring.metrics import metric
from gramspect.spectrum.matrix import UNDECIDED, SpectrumKind

__all__ = ["Outcome", "Result", "SuiteTotals", "compute", "failed"]


class Outcome(StrEnum):
    """How a unit ended."""

    RANKED = "ranked"
    NO_PARSER = "no parser"
    """The recognizer's tool makes no parser of the mutant; the paper leaves such mutants out."""
    NOT_WRITTEN = "not written"
    """The fault cannot be written into the text of the grammar, or the text says something else."""
    FAILED = "failed"
    """The unit took its worker down, or took too long or too much memory, again and again."""


class SuiteTotals(NamedTuple):
    """What became of the tests of a suite."""

    failing: int
    passing: int
    undecided: int

    @property
    def killed(self) -> bool:
        """Whether tests fail and others pass, so that metrics can tell elements apart."""
        return self.failing > 0 and self.passing > 0


@dataclass(frozen=True, eq=False)
class Result:
    """The results of a unit.

    `ranks` has the shape (suites, methods, 2): the `Place` of the fault, NaN where a suite does not
    kill the mutant. `level` is the depth of the faulty rule (`levels`), of several the least, -1 if
    it cannot be reached. `seconds` of processor time are the only figure that differs from run to
    run.
    """

    unit: UnitName
    key: str
    operator: str
    position_one: bool
    level: int
    outcome: Outcome
    reason: str = ""
    n_rules: int = 0
    n_items: int = 0
    totals: tuple[SuiteTotals, ...] = ()
    ranks: NDArray[np.float32] = field(default_factory=lambda: np.empty((0, 0, 2), np.float32))
    seconds: float = 0.0


def compute(plan: Plan, unit: UnitName) -> Result:
    """Make the mutant, run all tests and find the fault by every method.

    Raises:
        MemoryError: as it says.
    """
    begin = process_time()
    subject = plan.subject(unit.grammar)
    faulty = subject.faulty[unit.number]
    described = _described(subject, unit, faulty)
    try:
        with silenced():
            made = make(subject, unit.recognizer, faulty, plan.config.faults.conflicts)
    except (Unwritable, NotFromDraft) as problem:
        outcome, reason = Outcome.NOT_WRITTEN, str(problem)
        return Result(*described, outcome, reason, seconds=process_time() - begin)
    except GramspectError as problem:
        outcome, reason = Outcome.NO_PARSER, one_line(problem)
        return Result(*described, outcome, reason, seconds=process_time() - begin)
    extractions = tuple(Extraction(name) for name in plan.config.methods.extractions)
    wants_shifts = SpectrumKind.SHIFT in plan.config.methods.spectra
    known = None if wants_shifts else made.known
    counted = count(made.recognizer, made.tests, extractions, known)
    totals = tuple(SuiteTotals(*counted.totals(i)) for i in range(len(subject.tests.suites)))
    grammar = counted.recognizer.grammar
    return Result(
        *described,
        Outcome.RANKED,
        "",
        grammar.n_rules,
        grammar.n_items,
        totals,
        _ranks(plan, counted, made.spots, totals),
        process_time() - begin,
    )


def failed(plan: Plan, unit: UnitName, reason: str) -> Result:
    """The result of a unit that could not be computed."""
    subject = plan.subject(unit.grammar)
    described = _described(subject, unit, subject.faulty[unit.number])
    return Result(*described, Outcome.FAILED, reason)


def _described(
    subject: Subject, unit: UnitName, faulty: Faulty
) -> tuple[UnitName, str, str, bool, int]:
    depth = levels(subject.grammar)
    level = min(depth.get(fault.nonterminal, -1) for fault in faulty.faults)
    return unit, faulty.key, faulty.operator, faulty.position_one, level


def _ranks(
    plan: Plan, counted: Counted, spots: Sequence[Spot], totals: tuple[SuiteTotals, ...]
) -> NDArray[np.float32]:
    placing = Placing(counted.recognizer.grammar, spots)
    found = np.full((len(totals), len(plan.methods), 2), np.nan, np.float32)
    kinds = tuple(SpectrumKind(name) for name in plan.config.methods.spectra)
    wanted = {method.evidence for method in plan.methods}
    for suite, of_suite in enumerate(totals):
        if not of_suite.killed:
            continue
        located = plan.config.methods.located
        depths = counted.depths(suite, kinds, located) if wanted - {Evidence.SPECTRUM} else {}
        searched = _searched(counted, suite) if Evidence.EDITS in wanted else ()
        number = 0
        for (kind, extraction, *_), group in groupby(plan.methods, key=lambda m: m[:4]):
            methods = list(group)
            if extraction not in counted.groups:
                number += len(methods)
                continue
            counts = counted.counts(suite, extraction, kind)
            name, evidence = methods[0].metric, methods[0].evidence
            chosen = metric("ochiai" if name == "-" else name)
            plain = Evidence.BOTH if evidence is Evidence.EDITS else evidence
            scores = counted_scores(counts, chosen, plain, depths.get(kind))
            if evidence is Evidence.EDITS:
                scores = _by_edits(counted, kind, scores, searched)
            for place in placing.places(kind, scores, [method.ties for method in methods]):
                found[suite, number] = place
                number += 1
    return found


def _searched(counted: Counted, suite: int) -> Sequence[Searched]:
    """The edits that help the failing tests of a suite, as `localize` searches them."""
    tests, verdicts = counted.tests, counted.verdicts
    chosen = tests.of_suite(suite) & (verdicts != UNDECIDED)
    fails = verdicts != tests.encoded.expected
    failing = [(n, tests.case(n)) for n in np.flatnonzero(chosen & fails).tolist()]
    passing = [tests.case(n) for n in np.flatnonzero(chosen & ~fails).tolist()]
    with silenced():
        return search_failing(counted.recognizer, failing, Effort.NORMAL.steps, passing)


def _by_edits(
    counted: Counted,
    kind: SpectrumKind,
    scores: NDArray[np.float64],
    searched: Sequence[Searched],
) -> NDArray[np.float64]:
    """The scores by `Evidence.EDITS`; those by `Evidence.BOTH`, which are given, if none helps."""
    grammar = counted.recognizer.grammar
    of_edits = edit_weights(kind, grammar, searched)
    return edit_scores(grammar, kind, scores, of_edits) if of_edits.any() else scores
