"""Changes of a grammar that make its failing tests pass, each as a diff of the user's file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf
from time import monotonic

from gramspect.edits.confirmation import Runs
from gramspect.edits.suggestion import Bench, Suggestion, all_confirmed, distinct
from gramspect.edits.validation import Status
from gramspect.edits.writing import Change
from gramspect.effort import Effort, counting, now, waiting
from gramspect.errors import GramspectError
from gramspect.localization.localize import BUDGET, FOR_CHECKS, PUNCTUAL, choice, localize
from gramspect.localization.reader import Reader, chosen_by
from gramspect.localization.results import Localization
from gramspect.localization.selection import (
    advise,
    against_conflicts,
    bench_of,
    in_sequence,
    of_others,
    ordered,
)
from gramspect.localization.settling import rescored, settled
from gramspect.localization.token_repairs import token_suggestions
from gramspect.recognition.recognizer import LoadOptions, Recognizer
from gramspect.repairs.smaller import smaller_input
from gramspect.running.loading import load_parser
from gramspect.running.options import RunOptions
from gramspect.scoring.evidence import Evidence
from gramspect.suites.suite import TestCase, TestSuite

__all__ = ["Suggestion", "Suggestions", "merged", "suggest"]

CONFIRMED = 5
"""How many suggestions are tried in the tool."""

MOST_DENIED = 20
"""How many more are tried in the place of those that it denies."""

_REDUCED = 3
"""For how many suggestions a smaller failing input is looked for."""

_SEARCH = 0.6
"""The part of the time in which the suite is run and edits are searched."""

_TOKENS_TRIED = 12
"""How many changes of token rules are tried in the tool."""

_TOKENS_AMONG = 30
"""How many first elements of a ranking are searched for token rules to mend."""

_CHECKS = 0.1
"""The part of the time that remains for checking them if the rest took longer."""


@dataclass(frozen=True)
class Suggestions:
    """The edits that help, best first, and the localization that they rest on."""

    localization: Localization
    suggestions: tuple[Suggestion, ...]
    others: tuple[Suggestion, ...] = ()
    """Further suggestions, more than were asked for and not as good."""
    smaller: Mapping[int, TestCase] = field(default_factory=dict)
    """For numbers of suggestions (from 0) an input that is rejected and accepted with it, smaller
    than the failing test whose name it has."""

    @property
    def validated(self) -> tuple[Suggestion, ...]:
        """Those that fix failing tests and harm none."""
        return tuple(s for s in self.suggestions if s.status is Status.VALIDATED)

    @property
    def cover(self) -> tuple[int, ...]:
        """Numbers (from 0) of suggestions that fix, together, all tests that any of them fixes.

        Chosen greedily: each is the one that fixes most of what is left.
        """
        chosen: list[int] = []
        left = {test for one in self.validated for test in one.effect.fixed}
        while left:
            gains = [len(left.intersection(one.effect.fixed)) for one in self.validated]
            best = gains.index(max(gains))
            left -= set(self.validated[best].effect.fixed)
            chosen.append(self.suggestions.index(self.validated[best]))
        return tuple(sorted(chosen))

    @property
    def unsolved(self) -> tuple[TestCase, ...]:
        """The failing tests that none of the validated edits fixes."""
        fixed = {test for one in self.validated for test in one.effect.fixed}
        solved = {self.localization.suite.tests[number].name for number in fixed}
        return tuple(f.test for f in self.localization.failing if f.test.name not in solved)


def suggest(
    source: str | os.PathLike[str] | Recognizer,
    suite: TestSuite,
    *,
    load: LoadOptions = LoadOptions(),
    run: RunOptions = RunOptions(),
    effort: str = Effort.NORMAL,
    budget: float = BUDGET,
    reduce: bool = False,
    most: int = 10,
    confirm: int = CONFIRMED,
    reader: Reader | None = None,
) -> Suggestions:
    """Changes of the grammar that make failing tests pass.

    Args:
        source: a grammar or parser as the adapter takes it, or a recognizer.
        suite: the tests.
        load, run, reduce: as for `localize`.
        effort: how much work the search may do, as for `localize`.
        budget: seconds after which everything ends. The suite always runs to its end; a third of
            the time is kept for the search and the checks of what it finds.
        most: how many suggestions to give.
        confirm: how many of the best ones to try in the tool itself.
        reader: says which definitions are at fault, as for `localize`.

    Raises:
        GramspectError: the source, the suite or an argument cannot be used.
        ValueError: worker processes are asked for and the loader is missing.
    """
    steps = choice(Effort, effort, "effort").steps
    begin = monotonic()
    loaded = load_parser(source, load, run.loader)
    seconds = monotonic() - begin
    result = localize(
        loaded.recognizer, suite, run=replace(run, loader=loaded.loader), evidence=Evidence.EDITS,
        effort=effort, budget=_SEARCH * max(budget - seconds, budget / 2), reduce=reduce,
        confirm=None,
    )  # fmt: skip
    searched = monotonic()
    result = replace(result, adapter=loaded.adapter)
    runs = Runs(run.timeout, run.jobs, seconds, searched - begin - seconds)
    bench = bench_of(loaded, result, runs)
    with counting(max(begin + PUNCTUAL * budget, searched + _CHECKS * budget)):
        deadline = now() + FOR_CHECKS * steps
        found = suggestions_for(bench, result, deadline, most=most, confirm=confirm, reader=reader)
        return replace(found, smaller=dict(_smaller(bench, found)))


def _smaller(bench: Bench, found: Suggestions) -> Iterator[tuple[int, TestCase]]:
    """Smaller inputs for the suggestions that together fix most."""
    for number in found.cover[:_REDUCED]:
        if (small := smaller_input(bench, found.suggestions[number])) is not None:
            yield number, small


def suggestions_for(
    bench: Bench,
    result: Localization,
    deadline: float,
    *,
    most: int,
    confirm: int,
    settle: bool = False,
    reader: Reader | None = None,
) -> Suggestions:
    """The suggestions for a localization with the evidence of edits.

    After `deadline` (by `gramspect.effort.now`) no more are looked for. With `settle` what the tool
    says of repairs changes the ranking, as in `localize`. Repairs in definitions that a `reader`
    names come before others that help as well.
    """
    tried = _TOKENS_TRIED if confirm else 0
    found = token_suggestions(bench, result, tried, result.ranking[:_TOKENS_AMONG])
    found += advise(bench, result, deadline, confirm=0)
    validated = (one for one in found if one.status is Status.VALIDATED)
    solved = {test for one in validated for test in one.effect.fixed}
    found += in_sequence(bench, solved, deadline)
    if confirm and solved < set(bench.failing):
        found += against_conflicts(bench, result, deadline)
    if reader is not None:
        read = replace(result, suggestions=tuple(_in_order(found, result)))
        with waiting():
            result = replace(chosen_by(reader, read), suggestions=())
    known = list(distinct(_in_order(found, result)))
    best, told = _confirmed(bench, result, known, confirm)
    if settle:
        told += all_confirmed(bench, list(of_others(known, result, told)))
        result = replace(result, suggestions=tuple(told))
    if settle and result.choice is None:
        factors = settled(result.ranking, told, result.n_failing)
        ranking = rescored(result.ranking, factors, result.method.ties)
        result = replace(result, ranking=ranking, basis=replace(result.basis, settled=factors))
    return Suggestions(result, tuple(best[:most]), tuple(best[most:]))


def _in_order(found: Sequence[Suggestion], result: Localization) -> list[Suggestion]:
    """Those worth having, best first; if a reader has named definitions, repairs there first."""
    chosen = () if result.choice is None else result.choice.chosen
    places = {one.definition: place for place, one in enumerate(chosen)}

    def key(one: Suggestion) -> tuple[bool, int]:
        place = places.get(one.steps[0].definition, len(places))
        return one.status is not Status.VALIDATED, place

    return sorted(ordered(_helping(found), result), key=key)


def _confirmed(
    bench: Bench, result: Localization, known: list[Suggestion], count: int
) -> tuple[list[Suggestion], list[Suggestion]]:
    """The suggestions in order, as many of the first ones as said tried in the tool, and those.

    In the place of those that it denies the next ones are tried, up to `MOST_DENIED`.
    """
    tried: dict[int, Suggestion] = {}
    while True:
        known = _in_order(known, result)
        first = [one for one in known[:count] if one.status is not Status.HARMFUL]
        new = [one for one in first if id(one) not in tried and one.confirmation is None]
        if not new:
            return known, list(tried.values())
        told = all_confirmed(bench, new)
        said = dict(zip(map(id, new), told, strict=True))
        known = [said.get(id(one), one) for one in known]
        tried.update({id(one): one for one in told})
        if len(tried) >= count + MOST_DENIED or now() == inf:
            return _in_order(known, result), list(tried.values())


def _helping(found: Sequence[Suggestion]) -> list[Suggestion]:
    """Without those that do nothing, and without those that do harm if there are better ones."""
    helping = [one for one in found if one.status is not Status.USELESS]
    return [one for one in helping if one.status is not Status.HARMFUL] or helping


def merged(suggestions: Sequence[Suggestion]) -> tuple[Change, ...]:
    """Several suggestions as one change of each file.

    Raises:
        GramspectError: one cannot be written, or two of them change the same place.
    """
    by_file: dict[str, list[Change]] = {}
    for one in suggestions:
        if one.change is None:
            raise GramspectError(f"the repair cannot be written into the file: {one.unwritable}")
        for change in one.change.of_each_file:
            by_file.setdefault(change.file.path, []).append(change)
    return tuple(_merged(group) for group in by_file.values())


def _merged(changes: Sequence[Change]) -> Change:
    if len(changes) == 1:
        return changes[0]
    if not all(change.replacements for change in changes):
        raise GramspectError("two changes in a row cannot be made together with others; apply one")
    parts = sorted(part for change in changes for part in change.replacements)
    for one, other in pairwise(parts):
        if other.start < one.end or other.start == one.start:
            raise GramspectError("two of the repairs change the same place; apply one of them")
    return Change.of(changes[0].file, parts)
