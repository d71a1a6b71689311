"""Edits as evidence: what it would take, in each element, to make the failing inputs pass.

That some edit helps says little: on real grammars dozens of rules have one. How cheap the cheapest
is says nearly everything. The *edit weight* of an element is the mean, over the failing tests that
were searched, of 2 ** -cost of its cheapest edit that makes the input accepted. An edit that only
lets the parse get further counts `PROGRESS` of that, in proportion to the part of the remaining
input that it gains.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from time import monotonic

import numpy as np

from gramspect.chart import parse_chart
from gramspect.edits.model import Edit, EditKind
from gramspect.edits.restriction import rejecting, unharmed
from gramspect.edits.search import Outcome, search
from gramspect.edits.trial import Trial
from gramspect.evidence import Caveat, Evidence, Scores, caveats_of, scores
from gramspect.grammar import Grammar
from gramspect.kernel import can_compile
from gramspect.metrics import Metric
from gramspect.ranking import Ranking, Ties, rank, rank_spectra
from gramspect.recognizer import Recognizer, Tokenizing
from gramspect.spectrum import SpectrumKind, SpectrumMatrix
from gramspect.suite import Expectation, TestCase

__all__ = [
    "Proposal",
    "Searched",
    "edit_scores",
    "edit_weights",
    "proposals",
    "rank_edits",
    "search_failing",
]

PROGRESS = 0.25
"""What an edit is worth that lets the parse get further, but not to the end."""
OTHER_FLOOR = 0.02
"""What an element without other evidence has, as a part of the best: an edit can apply anywhere."""
EDIT_FLOOR = 0.1
"""What an element without an edit has: a fault may need more than one small change."""
MOST_TESTS = 12
"""How many failing tests are searched."""
MOST_TOKENS = 50_000
"""The longest test that is searched: its whole chart is kept in memory."""
COMPILE_FROM = 150
"""Items of a grammar from which on a search in compiled code pays for its loading."""


@dataclass(frozen=True)
class Searched:
    """A failing input and the edits that help it.

    Its chart stops at `error` of `n_tokens`. `accept` says whether it should be accepted: if not,
    the chart accepts it, and the outcomes are restrictions that make it rejected and leave the
    passing inputs accepted.
    """

    test: int
    error: int
    n_tokens: int
    outcomes: tuple[Outcome, ...]
    accept: bool = True

    def mends(self, outcome: Outcome) -> bool:
        """Whether the input gets the verdict that it should."""
        return outcome.accepted is self.accept


@dataclass(frozen=True, slots=True)
class Proposal:
    """An edit with the failing tests that it makes pass. `edit.cost` is its least cost there."""

    edit: Edit
    tests: tuple[int, ...]


def search_failing(
    recognizer: Recognizer,
    tests: Sequence[tuple[int, TestCase]],
    budget: float = inf,
    passing: Sequence[TestCase] = (),
) -> tuple[Searched, ...]:
    """Search edits for failing tests, given with their numbers.

    Of the `passing` tests those that should be accepted are looked at: with an edit that restricts
    the language they have to stay so. Left out are tests whose tokens are not known or too many,
    and tests on which the grammar and the parser differ. Of many tests, `MOST_TESTS` of each
    expectation are searched, spread over the suite. After `budget` seconds the search ends with
    what it has found.
    """
    if not isinstance(recognizer, Tokenizing):
        return ()
    deadline = monotonic() + budget
    found = []
    for number, trial in _trials(recognizer, _wanting(tests, Expectation.ACCEPT), deadline):
        if not trial.chart.accepted:
            outcomes = search(trial.chart, trial.tokens, deadline=deadline)
            found.append(Searched(number, trial.chart.end, len(trial.tokens), outcomes))
    kept = [(0, test) for test in passing if test.expectation is Expectation.ACCEPT]
    for number, trial in _trials(recognizer, _wanting(tests, Expectation.REJECT), deadline):
        if trial.chart.accepted:
            edits = rejecting(trial.chart, trial.tokens, deadline)
            witnesses = (t for _, t in _trials(recognizer, kept, deadline) if t.chart.accepted)
            n = len(trial.tokens)
            outcomes = tuple(Outcome(e, False, e.column) for e in unharmed(edits, witnesses))
            found.append(Searched(number, n, n, outcomes, accept=False))
    return tuple(found)


def _wanting(
    tests: Sequence[tuple[int, TestCase]], expectation: Expectation
) -> Sequence[tuple[int, TestCase]]:
    """`MOST_TESTS` of the tests with that expectation."""
    chosen = [(number, test) for number, test in tests if test.expectation is expectation]
    return chosen[:: max(1, -(-len(chosen) // MOST_TESTS))]


def _trials(
    recognizer: Recognizer, tests: Iterable[tuple[int, TestCase]], deadline: float
) -> Iterator[tuple[int, Trial]]:
    """The charts of the tests, one by one, as long as there is time."""
    assert isinstance(recognizer, Tokenizing)
    compiled = can_compile() and recognizer.grammar.n_items >= COMPILE_FROM
    for number, test in tests:
        if monotonic() > deadline:
            break
        tokens = recognizer.tokens(test)
        if tokens is not None and len(tokens) <= MOST_TOKENS:
            yield number, Trial(parse_chart(recognizer.grammar, tokens, compiled), tokens)


def edit_weights(kind: SpectrumKind, grammar: Grammar, searched: Sequence[Searched]) -> Scores:
    """The edit weight of every element, from 0 to 1."""
    weights = np.zeros(grammar.n_items)
    for one in searched:
        best = np.zeros(grammar.n_items)
        for outcome in one.outcomes:
            worth = 2.0**-outcome.edit.cost * _share(one, outcome)
            best[outcome.edit.item] = max(best[outcome.edit.item], worth)
        weights += best
    weights /= max(1, len(searched))
    if kind is SpectrumKind.RULE:
        of_rules: Scores = np.maximum.reduceat(weights, grammar.item_start[:-1])
        return of_rules
    return weights


def _share(searched: Searched, outcome: Outcome) -> float:
    if searched.mends(outcome):
        return 1.0
    gained = outcome.reached - searched.error
    return PROGRESS * gained / max(1, searched.n_tokens - searched.error)


def edit_scores(grammar: Grammar, kind: SpectrumKind, other: Scores, weights: Scores) -> Scores:
    """(other + `OTHER_FLOOR`) * (edit weight + `EDIT_FLOOR`), for every element.

    `other` is the score by `Evidence.BOTH`, as a part of the best score. It is taken from the best
    element of the same non-terminal: an edit often applies a token or two before the position
    where the parse stopped. Elements without any evidence have 0.
    """
    rules = list(range(grammar.n_rules))
    if kind is not SpectrumKind.RULE:
        rules = [rule.index for rule in grammar.rules for _ in range(len(rule.rhs) + 1)]
    owner = np.array([grammar.user_nonterminal(grammar.rules[rule].lhs) for rule in rules])
    best = np.zeros(len(grammar.symbols))
    np.maximum.at(best, owner, other)
    best /= best.max(initial=0.0) or 1.0
    weighed: Scores = (best[owner] + OTHER_FLOOR) * (weights + EDIT_FLOOR)
    return np.where((other > 0) | (weights > 0), weighed, 0.0)


def rank_edits(
    matrix: SpectrumMatrix,
    grammar: Grammar,
    metric: Metric,
    ties: Ties,
    depths: Scores | None,
    searched: Sequence[Searched],
) -> Ranking:
    """The ranking by `Evidence.EDITS`; by `Evidence.BOTH`, with a caveat, if no edit helps."""
    weights = edit_weights(matrix.kind, grammar, searched)
    if not matrix.n_failing or not weights.any():
        ranking = rank_spectra(matrix, grammar, metric, ties, evidence=Evidence.BOTH, depths=depths)
        missed = (Caveat.NO_EDIT,) if matrix.n_failing else ()
        return replace(ranking, caveats=(*ranking.caveats, *missed))
    other = scores(matrix, metric, Evidence.BOTH, depths)
    weighed = edit_scores(grammar, matrix.kind, other, weights)
    caveats = caveats_of(matrix, Evidence.EDITS, depths)
    return rank(weighed, grammar, matrix.kind, ties, caveats=caveats)


def proposals(searched: Iterable[Searched]) -> Mapping[int, tuple[Proposal, ...]]:
    """For every item its edits that make inputs pass: those that serve most, then the cheapest."""
    found: dict[tuple[int, EditKind, tuple[int, ...]], list[tuple[int, Edit]]] = {}
    for one in searched:
        for outcome in one.outcomes:
            if one.mends(outcome):
                edit = outcome.edit
                key = edit.item, edit.kind, edit.symbols
                found.setdefault(key, []).append((one.test, edit))
    by_item: dict[int, list[Proposal]] = {}
    for (item, _, _), uses in found.items():
        cheapest = dict(reversed(uses))
        best = min(cheapest.values(), key=lambda edit: edit.cost)
        by_item.setdefault(item, []).append(Proposal(best, tuple(sorted(cheapest))))
    return {
        item: tuple(sorted(listed, key=lambda p: (-len(p.tests), p.edit.cost)))
        for item, listed in by_item.items()
    }
