"""What the tool says of repairs settles the order of the most suspicious definitions.

The scores are those of a search in a context-free grammar, on the tokens that the lexer makes of a
faulty input. The tool knows better: it reads the text itself, and it resolves conflicts in its own
way. That it denies a repair says little of the place, which another repair may mend. But among the
first rules (`FIRST`) and the token rules before them two things change the order:

* the first one with a confirmed repair of all failing tests comes before rules whose repairs are
  denied;
* where a rule has a confirmed repair, token rules that mend less come after all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from gramspect.edits.confirmation import Agreement
from gramspect.edits.suggestion import Suggestion
from gramspect.localization.results import RankedElement
from gramspect.scoring.ranking import Ties

__all__ = ["FIRST", "denied_alone", "first_definitions", "rescored", "settled"]

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
    ranking: Sequence[RankedElement], suggestions: Sequence[Suggestion], n_failing: int
) -> Mapping[int, float]:
    """By what to multiply the scores of the definitions that fall behind, by their numbers."""
    first = first_definitions(ranking)
    said = {one.definition: _said(one, suggestions) for one in first}
    most = max((one.mends for one in said.values()), default=0)
    best = [one for one in first if said[one.definition].mends == most > 0]
    if not best:
        return {}
    less = [one for one in first if said[one.definition].mends < most]
    by_rule = any(one.definition >= 0 for one in best)
    tokens = [one for one in less if one.definition < 0 and by_rule]
    denied = [one for one in less if one.definition >= 0 and said[one.definition].denied]
    last = min(one.score for one in first if not any(one is other for other in tokens))
    return {
        **_behind(last, tokens),
        **(_behind(best[0].score, denied) if most >= n_failing else {}),
    }


def _behind(score: float, some: Iterable[RankedElement]) -> dict[int, float]:
    """The factors that bring those with a higher score just below it, in their order."""
    above = (one for one in some if one.score > score)
    return {
        one.definition: score * _BELOW**place / one.score
        for place, one in enumerate(above, start=1)
    }


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


def denied_alone(element: RankedElement, suggestions: Sequence[Suggestion]) -> bool:
    """Whether the tool denies what was tried of a definition, and confirms nothing."""
    said = _said(element, suggestions)
    return said.denied and not said.mends


def _said(element: RankedElement, suggestions: Sequence[Suggestion]) -> _Said:
    own = [one for one in suggestions if one.definition == element.definition]
    mends = (len(one.effect.fixed) for one in own if _is(one, Agreement.CONFIRMED))
    denied = (_is(one, Agreement.DIFFERS) or _is(one, Agreement.REFUSED) for one in own)
    return _Said(max(mends, default=0), any(denied))


def _is(one: Suggestion, agreement: Agreement) -> bool:
    return one.confirmation is not None and one.confirmation.agreement is agreement
