"""The conclusion of a localization: one place, one repair, and how sure that is.

How sure is read from the *share* of the first definition: its score by the sum of the scores of all
definitions, of each that of its best element. It says more than the margin to the second one alone.
docs/realfaults.md has the measurements on real faults.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from gramspect.edits.confirmation import Agreement
from gramspect.edits.suggestion import Suggestion
from gramspect.edits.validation import Status
from gramspect.grammars.grammar import Grammar
from gramspect.localization.results import Localization, RankedElement
from gramspect.localization.settling import denied_alone
from gramspect.scoring.evidence import Evidence
from gramspect.scoring.ranking import Grouping

__all__ = [
    "Conclusion",
    "Confidence",
    "best_first",
    "conclusion",
    "confidence",
    "other_of_pair",
    "stands_out",
]

CLEAR, PLAIN = 2 / 3, 1 / 4
"""Shares from which on the first definition is likely, with a repair of all, and probable."""
NEAR = 0.9
"""Definitions with this share of the first one's score are as suspicious as it."""
PAIR = 1 / 2
"""A definition with this share of the first one's score that calls it, or is called by it, may be
the one to change instead: the same repair can often be written in either. Where a token rule is
first, a rule of the parser may be."""


class Confidence(StrEnum):
    """How sure it is that the fault is in the definition of the first element."""

    LIKELY = "likely"
    """A share of `CLEAR`, and one small repair makes all failing tests pass."""
    PROBABLE = "probable"
    """A share of `PLAIN`, and no other definition has about the same score."""
    UNCLEAR = "unclear"
    """Other definitions are about as suspicious."""
    SEVERAL = "several"
    """The failing tests seem to have several causes, and no definition stands out in all."""


@dataclass(frozen=True)
class Conclusion:
    """The first element of a ranking with what is known about it.

    Attributes:
        repair: its best edit that gives failing tests the right verdict and breaks none, if any;
            if it has none, that of another element of its definition.
        share: of its definition in the scores of all definitions, from 0 to 1.
        explains_all: whether the repair, or the token rule, explains all failing tests.
        confirmed: whether the tool agrees with the repair.
        near: the best elements of the definitions with about its score, itself included. Where a
            repair of all is confirmed, those of which the tool denied what was tried are not.
        several: whether groups of tests decide the ranking.
        other: the best element of the definition that may be the one to change instead, if edits
            make the first probable: the most suspicious that calls it or that it calls (`PAIR`).
    """

    element: RankedElement
    repair: Suggestion | None
    share: float
    explains_all: bool
    confirmed: bool
    near: tuple[RankedElement, ...] = ()
    several: bool = False
    other: RankedElement | None = None

    @property
    def confidence(self) -> Confidence:
        if self.several:
            return Confidence.SEVERAL
        return confidence(self.share, len(self.near) == 1, self.explains_all)


def conclusion(result: Localization) -> Conclusion | None:
    """The conclusion from a ranking; None if the ranking is empty."""
    if not result.ranking:
        return None
    definitions = list(_definitions(result))
    first = definitions[0]
    repair = _repair(result, first)
    explained = first.tests if repair is None else repair.effect.fixed
    said = repair.confirmation if repair is not None else None
    explains_all = len(explained) >= result.n_failing
    confirmed = said is not None and said.agreement is Agreement.CONFIRMED
    near = (one for one in definitions if one.score >= NEAR * first.score)
    if explains_all and confirmed:
        near = (x for x in near if x is first or not denied_alone(x, result.suggestions))
    found = Conclusion(
        first,
        repair,
        first.score / sum(one.score for one in definitions),
        explains_all,
        confirmed,
        tuple(near),
        result.basis.by_groups is not None,
    )
    by_edits = result.method.evidence is Evidence.EDITS
    if not by_edits or found.confidence is not Confidence.PROBABLE:
        return found
    numbers, scores = zip(*((one.definition, one.score) for one in definitions), strict=True)
    other = other_of_pair(result.grammar, numbers, scores)
    return found if other is None else replace(found, other=definitions[other])


def other_of_pair(
    grammar: Grammar, definitions: Sequence[int], scores: Sequence[float]
) -> int | None:
    """Which definition forms a pair with the first, as an index; None if there is none.

    With a token rule it is the best rule of the parser.

    Args:
        definitions: non-terminals by their scores, best first; negative for a token rule.
        scores: the score of each.
    """
    first = definitions[0]
    for index in range(1, len(definitions)):
        if scores[index] < PAIR * scores[0]:
            break
        one = definitions[index]
        if one >= 0 and (first < 0 or one in grammar.calls[first] or first in grammar.calls[one]):
            return index
    return None


def confidence(share: float, ahead: bool, explains_all: bool) -> Confidence:
    """The degree of confidence in a definition.

    Args:
        share: its part in the scores of all definitions.
        ahead: whether no other has `NEAR` of its score.
        explains_all: whether one small change of it makes all failing tests pass.
    """
    if share >= CLEAR and explains_all:
        return Confidence.LIKELY
    return Confidence.PROBABLE if share >= PLAIN and ahead else Confidence.UNCLEAR


def stands_out(definitions: Grouping) -> bool:
    """Whether the first of them is more than unclear, by the scores of all."""
    scores = definitions.scores[: definitions.n_significant]
    ahead = len(scores) == 1 or bool(scores[1] < NEAR * scores[0])
    return bool(len(scores)) and ahead and bool(scores[0] >= PLAIN * scores.sum())


def best_first(result: Localization, element: RankedElement) -> list[Suggestion]:
    """The edits at an element: those that help without harm, those that fix most, the cheapest."""
    found = result.suggestions_for(element)
    return sorted(found, key=lambda one: (not _helps(one), -len(one.effect.fixed), one.cost))


def _repair(result: Localization, first: RankedElement) -> Suggestion | None:
    """A long choice has many elements, and a repair of it may be at another one than the first."""
    of_definition = (one for one in result.suggestions if one.definition == first.definition)
    own = (one for one in best_first(result, first) if _helps(one))
    return next(own, None) or next((one for one in of_definition if _helps(one)), None)


def _helps(one: Suggestion) -> bool:
    return one.status is Status.VALIDATED


def _definitions(result: Localization) -> Iterator[RankedElement]:
    """The best element of each definition, best first."""
    seen: set[int] = set()
    for element in result.ranking:
        if element.definition not in seen:
            seen.add(element.definition)
            yield element
