"""The groups of failing tests as reports show them (`gramspect.edits.groups`)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from gramspect.edits.failing import MOST_TESTS, Searched
from gramspect.edits.groups import Group, groups, rank_groups
from gramspect.edits.scores import proposals, rank_edits
from gramspect.edits.weights import Weights
from gramspect.grammars.grammar import Grammar
from gramspect.lexer_faults.scores import Odds, mean_odds
from gramspect.localization.conclusion import stands_out
from gramspect.localization.results import RankedElement, TestGroup, ranked_elements
from gramspect.recognition.trace import Observation, Verdict
from gramspect.running.recording import Recording
from gramspect.scoring.evidence import Scores
from gramspect.scoring.metrics import Metric
from gramspect.scoring.ranking import Ranking, Ties, group_by_nonterminal
from gramspect.spectrum.matrix import SpectrumMatrix

__all__ = ["Grouped", "rank_in_groups", "shown_groups", "stops_of"]

SHOWN = 5
"""How many definitions are kept of each group."""


@dataclass(frozen=True)
class Grouped:
    """The ranking for all failing tests, their groups, and the ranking by these if they decide."""

    of_all: Ranking
    groups: tuple[Group, ...]
    by_groups: Ranking | None


def rank_in_groups(
    matrix: SpectrumMatrix,
    grammar: Grammar,
    metric: Metric,
    ties: Ties,
    depths: Scores | None,
    searched: Sequence[Searched],
    stops: Mapping[int, Hashable] = MappingProxyType({}),
    weights: Weights | None = None,
) -> Grouped:
    """The ranking by edits, in which groups decide if there are several and nothing stands out.

    More failing tests than are searched agree on the first element better than a part of them does,
    so it stays first. The arguments are those of `gramspect.edits.groups.groups`.
    """
    of_all = rank_edits(matrix, grammar, metric, ties, depths, searched, weights)
    found = groups(matrix, grammar, metric, ties, depths, searched, stops, weights)
    if len(found) < 2 or stands_out(group_by_nonterminal(of_all, grammar)):
        return Grouped(of_all, found, None)
    many = bool(np.count_nonzero(matrix.failing) > MOST_TESTS)
    return Grouped(of_all, found, rank_groups(grammar, found, of_all, first_stays=many))


def stops_of(grammar: Grammar, recording: Recording) -> dict[int, Hashable]:
    """Where each failing test stopped: the definitions that waited there, or its verdict."""
    seen = recording.unexpected
    return {number: _stop(grammar, seen[number]) for number in recording.failing_numbers}


def _stop(grammar: Grammar, observation: Observation) -> Hashable:
    if observation.verdict is Verdict.ACCEPTED:
        return observation.verdict
    waiting = (item for item, depth in observation.active.items() if depth == 0)
    return frozenset(grammar.definition_of(item) for item in waiting)


def shown_groups(
    grammar: Grammar,
    matrix: SpectrumMatrix,
    found: Sequence[Group],
    searched: Sequence[Searched],
    ranking: Sequence[RankedElement],
    odds: Odds,
) -> tuple[TestGroup, ...]:
    """The groups with their most suspicious definitions, and what would repair the first of each.

    None if all failing tests seem to have one cause. A token rule in the `ranking` comes first in a
    group if it explains the tests for less than any edit of the parser's rules, by its `odds`, or
    if there is no such edit.
    """
    known = {one.test: one for one in searched}
    tokens = [element for element in ranking if element.token is not None]
    shown = []
    for group in found:
        of_rules = _shown(grammar, matrix, group, known)
        token = _token_of(group, tokens, odds)
        if token is None:
            shown.append(of_rules)
        else:
            others = of_rules.definitions[: SHOWN - 1] if group.repaired else ()
            shown.append(TestGroup(group.tests, (token, *others)))
    return tuple(shown) if len(shown) > 1 else ()


def _token_of(group: Group, tokens: Sequence[RankedElement], odds: Odds) -> RankedElement | None:
    """The token rule that comes first in a group, if one does."""
    mean = mean_odds(odds, group.tests)
    likely = {token: mean.get(-1 - token.element, 0.0) for token in tokens}
    best = max(tokens, key=lambda token: likely[token], default=None)
    least = 1.0 if group.repaired else 0.0
    return best if best is not None and likely[best] > least else None


def _shown(
    grammar: Grammar, matrix: SpectrumMatrix, group: Group, known: Mapping[int, Searched]
) -> TestGroup:
    definitions = ranked_elements(grammar, matrix, group.ranking, grouped=True)[:SHOWN]
    mine = proposals(known[number] for number in group.tests if number in known)
    found = [
        proposal
        for item, listed in mine.items()
        if definitions
        and grammar.definition_of(item) == grammar.definition_of(definitions[0].items[0])
        for proposal in listed
    ]
    best = min(found, key=lambda p: (-len(p.tests), p.edit.cost), default=None)
    return TestGroup(group.tests, definitions, best)
