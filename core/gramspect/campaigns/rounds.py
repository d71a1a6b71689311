"""One fault after the other: how many rounds, and how many rules are read, until all are mended.

In each round the suite is run, rules are ranked, and somebody reads them from the top to the first
that has a fault, and mends it; as many rules are read as its rank says. Then the tests run again.
That is how Raselimo and Fischer (2024, Sections 8 and 9) mend grammars with several faults. Faults
that no test of the suite shows are never looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import fmean
from typing import NamedTuple

from gramspect.campaigns.counting import Counted, count
from gramspect.campaigns.faults import Faulty, Spot
from gramspect.campaigns.making import make
from gramspect.campaigns.placing import Method, Placing
from gramspect.campaigns.plan import Plan, Subject, UnitName
from gramspect.edits.writing import Unwritable
from gramspect.errors import GramspectError
from gramspect.grammars.seeding import Mutant
from gramspect.running.observing import silenced
from gramspect.scoring.evidence import counted_scores
from gramspect.scoring.metrics import metric

__all__ = [
    "Mended", "MendingRound", "RoundsRow", "Summary", "mend", "ranks_by", "rounds_table",
    "summaries",
]  # fmt: skip


@dataclass(frozen=True)
class MendingRound:
    """A round: how many tests failed, the fault that was found, and the rank of its rule."""

    failing: int
    fault: Mutant
    rank: float


class Summary(NamedTuple):
    """How many rounds there were, how many rules were read, and how many tests fail in the end."""

    rounds: int
    read: float
    left: int


@dataclass(frozen=True)
class Mended:
    """All rounds for one mutant.

    `left` tests fail in the end: none, but if the tool makes no parser of what is left (-1 if it
    makes none of the mutant), or some fail with the grammar as it should be.
    """

    rounds: tuple[MendingRound, ...]
    left: int

    @property
    def read(self) -> float:
        """The rules that were read in all rounds."""
        return sum(one.rank for one in self.rounds)

    @property
    def summary(self) -> Summary:
        """What is kept of it."""
        return Summary(len(self.rounds), self.read, self.left)


Ranks = Callable[[Counted, int, Sequence[Spot]], Sequence[float]]
"""The rank of the rule of each fault that is left, for a suite by its number."""


def ranks_by(method: Method, located: int) -> Ranks:
    """The ranks by a method of a campaign."""
    chosen = metric("ochiai" if method.metric == "-" else method.metric)

    def ranks(counted: Counted, suite: int, spots: Sequence[Spot]) -> list[float]:
        kind = method.spectrum
        counts = counted.counts(suite, method.extraction, kind)
        depths = counted.depths(suite, [kind], located)[kind]
        scores = counted_scores(counts, chosen, method.evidence, depths)
        grammar = counted.recognizer.grammar
        found = [Placing(grammar, [spot]).places(kind, scores, [method.ties]) for spot in spots]
        return [place.rule for (place,) in found]

    return ranks


def mend(
    subject: Subject, faulty: Faulty, suite: int, recognizer: str, method: Method, ranks: Ranks
) -> Mended:
    """Mend the faults of a mutant, each time the one with the best rank, until no test fails."""
    rounds: list[MendingRound] = []
    faults = faulty.faults
    while True:
        try:
            with silenced():
                made = make(subject, recognizer, Faulty(faults) if faults else None)
        except (GramspectError, Unwritable):
            return Mended(tuple(rounds), rounds[-1].failing if rounds else -1)
        counted = count(made.recognizer, made.tests, [method.extraction])
        failing = counted.totals(suite)[0]
        if not failing or not faults:
            return Mended(tuple(rounds), failing)
        found = ranks(counted, suite, made.spots)
        best = min(range(len(found)), key=lambda number: found[number])
        rounds.append(MendingRound(failing, faults[best], found[best]))
        faults = faults[:best] + faults[best + 1 :]


@dataclass(frozen=True)
class RoundsRow:
    """What a method came to with one suite: means over mutants that the suite kills."""

    grammar: str
    recognizer: str
    suite: str
    method: Method
    mutants: int
    mended: int
    rounds: float
    read: float
    n_rules: int


def summaries(plan: Plan, unit: UnitName) -> list[Summary]:
    """What each method comes to with a mutant, for each suite in turn."""
    subject = plan.subject(unit.grammar)
    faulty = subject.faulty[unit.number]
    return [
        mend(
            subject, faulty, suite, unit.recognizer, method,
            ranks_by(method, plan.config.methods.located),
        ).summary
        for suite in range(len(plan.config.suites))
        for method in plan.methods
    ]  # fmt: skip


def rounds_table(plan: Plan, found: Mapping[UnitName, Sequence[Summary]]) -> Iterator[RoundsRow]:
    """A row for each grammar, recognizer, suite and method of a campaign.

    Only mutants of which the recognizer makes a parser, and whose faults the suite shows, count.

    Args:
        plan: of the campaign.
        found: the `summaries` of all its units.
    """
    config = plan.config
    columns = [(suite, method) for suite in config.suites for method in plan.methods]
    for name, recognizer in product(config.grammars, config.recognizers):
        subject = plan.subject(name)
        units = [UnitName(name, recognizer, number) for number in range(len(subject.faulty))]
        for at, (suite, method) in enumerate(columns):
            shown = [one for one in (found[unit][at] for unit in units) if one.rounds]
            if shown:
                yield RoundsRow(
                    name, recognizer, suite, method, len(shown),
                    sum(not one.left for one in shown), fmean(one.rounds for one in shown),
                    fmean(one.read for one in shown), subject.grammar.n_rules,
                )  # fmt: skip
