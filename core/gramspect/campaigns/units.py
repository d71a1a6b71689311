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

from gramspect.builtin.native import NativeRecognizer
from gramspect.campaigns.counting import Counted, count
from gramspect.campaigns.faults import Faulty, levels
from gramspect.campaigns.placing import Placing
from gramspect.campaigns.plan import Plan, Subject, UnitName
from gramspect.edits.failing import Searched, search_failing
from gramspect.edits.scores import edit_scores, edit_weights
from gramspect.effort import Effort
from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.registry import adapter
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
            recognizer = _built(plan, unit.recognizer, faulty.grammar)
    except GramspectError as problem:
        reason = one_line(problem)
        return Result(*described, Outcome.NO_PARSER, reason, seconds=process_time() - begin)
    extractions = tuple(Extraction(name) for name in plan.config.methods.extractions)
    known = None
    if isinstance(recognizer, NativeRecognizer) and not _wants_shifts(plan):
        known = subject.baseline, faulty
    counted = count(recognizer, subject.tests, extractions, known)
    totals = tuple(SuiteTotals(*counted.totals(i)) for i in range(len(subject.tests.suites)))
    grammar = recognizer.grammar
    return Result(
        *described,
        Outcome.RANKED,
        "",
        grammar.n_rules,
        grammar.n_items,
        totals,
        _ranks(plan, counted, faulty, totals),
        process_time() - begin,
    )


def _wants_shifts(plan: Plan) -> bool:
    return SpectrumKind.SHIFT in plan.config.methods.spectra


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


class _Refused(GramspectError):
    """A mutant with conflicts, where these are not to be resolved."""


def _built(plan: Plan, name: str, grammar: Grammar) -> Recognizer:
    recognizer = adapter(name).build(grammar)
    refuse = plan.config.faults.conflicts == "refuse"
    if refuse and isinstance(recognizer, NativeRecognizer) and recognizer.conflicts:
        number = len(recognizer.conflicts)
        raise _Refused(f"{number} unresolved conflict{'s' if number > 1 else ''}")
    return recognizer


def _ranks(
    plan: Plan, counted: Counted, faulty: Faulty, totals: tuple[SuiteTotals, ...]
) -> NDArray[np.float32]:
    placing = Placing(counted.recognizer.grammar, faulty.spots)
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
