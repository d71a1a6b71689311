"""What the tool says of repairs settles the order of the most suspicious definitions.

The scores are those of a search in a context-free grammar, on the tokens that the lexer makes of a
faulty input. The tool knows better: it reads the text itself, and it resolves conflicts in its own
way. So where it confirms repairs of some of the first definitions (`FIRST`), those come later
whose repair it denies, and token rules without a repair where a rule has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from gramspect.edits.confirmation import Agreement
from gramspect.edits.suggestion import Suggestion
from gramspect.localization.results import RankedElement
from gramspect.scoring.ranking import Ties

__all__ = ["FIRST", "first_definitions", "rescored", "settled"]

FIRST = 5
"""How many rules of the parser, with the token rules before them, the order is settled of."""
_BELOW = 0.999
"""A definition that falls behind has this part of the score of the one before it."""


@dataclass(frozen=True, slots=True)
class _Said:
    """The most failing tests that a repair of a definition mends in the tool, and if it denies one.

    `mends` is 0 if no repair was confirmed.
    """

    mends: int
    denied: bool


def first_definitions(ranking: Iterable[RankedElement]) -> list[RankedElement]:
    """The best elements of the first definitions, as many rules of the parser as `FIRST`."""
    best: dict[int, RankedElement] = {}
    n_rules = 0
    for element in ranking:
        if element.definition not in best:
            best[element.definition] = element
            n_rules += element.token is None
        if n_rules == FIRST:
            break
    return list(best.values())


def settled(
    ranking: Sequence[RankedElement], suggestions: Sequence[Suggestion]
) -> Mapping[int, float]:
    """By what to multiply the scores of the definitions that fall behind, by their numbers."""
    first = first_definitions(ranking)
    said = {one.definition: _said(one, suggestions) for one in first}
    most = max((one.mends for one in said.values()), default=0)
    if not most:
        return {}
    by_rule = any(said[one.definition].mends == most for one in first if one.token is None)

    def falls(one: RankedElement) -> bool:
        verdict = said[one.definition]
        alone = one.token is not None and by_rule
        return verdict.mends < most and (verdict.denied or alone)

    kept = [one.score for one in first if not falls(one)]
    below = [kept[-1] * _BELOW**place for place in range(1, len(first))]
    behind = [one for one in first if falls(one) and one.score > kept[-1]]
    return {one.definition: score / one.score for one, score in zip(behind, below, strict=False)}


def rescored(
    ranking: Sequence[RankedElement], factors: Mapping[int, float], ties: Ties
) -> tuple[RankedElement, ...]:
    """The ranking with the scores of some definitions multiplied, and the ranks that follow."""
    if not factors:
        return tuple(ranking)

    def place(one: RankedElement) -> tuple[float, float]:
        return -one.score * factors.get(one.definition, 1.0), one.rank

    found: list[RankedElement] = []
    for _, tied in groupby(sorted(ranking, key=place), key=place):
        same = list(tied)
        rank = len(found) + (len(same) if ties is Ties.WORST else (len(same) + 1) / 2)
        found += (
            replace(
                one, rank=rank, ties=len(same), score=one.score * factors.get(one.definition, 1.0)
            )
            for one in same
        )
    return tuple(found)


def _said(element: RankedElement, suggestions: Sequence[Suggestion]) -> _Said:
    own = [one for one in suggestions if one.definition == element.definition]
    mends = (len(one.effect.fixed) for one in own if _is(one, Agreement.CONFIRMED))
    denied = (_is(one, Agreement.DIFFERS) or _is(one, Agreement.REFUSED) for one in own)
    return _Said(max(mends, default=0), any(denied))


def _is(one: Suggestion, agreement: Agreement) -> bool:
    return one.confirmation is not None and one.confirmation.agreement is agreement
