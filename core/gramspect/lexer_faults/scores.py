"""The evidence for a fault in each token rule, on the scale of the other elements' scores.

Most faults are in rules of the parser, and nearly every input is near to some token. So in each
failing test the cost of a hypothesis is set against that of the cheapest edit of a parser rule that
mends the test: the *odds* of a token rule are 3 to the power of the difference. The score of the
rule is that of the best parser rule, times the mean of the odds over the failing tests. So a token
rule comes first where a token explains the failures for less than any edit, as
`gramspect.edits.weights` weighs edits among themselves. The same holds in each group of tests that
seem to have a cause of their own (`gramspect.edits.groups`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log
from types import MappingProxyType

from gramspect.edits.failing import Searched
from gramspect.edits.model import LESS_LIKELY, worth_of
from gramspect.edits.model import NEW_TOKEN as NEW
from gramspect.lexer_faults.search import Hypothesis, TokenSearched

__all__ = ["Odds", "TokenEvidence", "mean_odds", "token_evidence", "token_odds"]

Odds = Mapping[int, Mapping[int, float]]
"""The odds of token rules, given by their numbers, in failing tests, given by theirs."""

NOT_FOUND = 2.0
"""The assumed cost of a repair of the parser if none was found."""
NEW_TOKEN = 1.6
"""The assumed cost where the lexer fails: then a rule needs a new token, too."""
PROGRESS = 0.1
"""The worth of a hypothesis that lets the parse get further, but not to the end."""


@dataclass(frozen=True, slots=True)
class TokenEvidence:
    """The evidence against a token rule, given by its number.

    `score` is on the scale of the other elements. `tests` are the numbers of the failing tests that
    it explains.
    """

    rule: int
    score: float
    tests: tuple[int, ...]


def token_odds(found: Sequence[TokenSearched], searched: Sequence[Searched]) -> Odds:
    """The odds of the token rules in each failing test; `searched` are the edits of the suite."""
    usual_tokens = {
        one.test for one in found if any(h.is_usual and h.accepted for h in one.hypotheses)
    }
    repairs = _repairs(searched, usual_tokens)
    odds = {}
    for one in found:
        usual = NEW_TOKEN if one.lexical else NOT_FOUND
        against = worth_of(min(repairs.get(one.test, usual), usual))
        odds[one.test] = {rule: _tempered(worth / against) for rule, worth in _worth(one).items()}
    return odds


def mean_odds(odds: Odds, tests: Collection[int]) -> Mapping[int, float]:
    """The mean odds of each rule over those of some tests in which token rules were searched."""
    known = [odds[test] for test in tests if test in odds]
    rules = dict.fromkeys(rule for of_test in known for rule in of_test)
    return {rule: sum(one.get(rule, 0.0) for one in known) / len(known) for rule in rules}


def token_evidence(
    odds: Odds, best: float, groups: Mapping[tuple[int, ...], float] = MappingProxyType({})
) -> tuple[TokenEvidence, ...]:
    """The evidence against the token rules, the strongest first; rules without any are left out.

    `best` is the highest score of another element. If several `groups` of tests seem to have a
    cause each, they come with the score of the best element of each: a rule may be at fault in one
    of them alone.
    """
    scores: dict[int, float] = {}
    for tests, score in {tuple(odds): best, **groups}.items():
        for rule, mean in mean_odds(odds, tests).items():
            scores[rule] = max(scores.get(rule, 0.0), score * mean)
    explained = {rule: tuple(t for t, rules in odds.items() if rule in rules) for rule in scores}
    evidence = (TokenEvidence(rule, score, explained[rule]) for rule, score in scores.items())
    return tuple(sorted(evidence, key=lambda one: (-one.score, one.rule)))


def _repairs(searched: Sequence[Searched], usual_tokens: Collection[int]) -> Mapping[int, float]:
    """The cost of the cheapest edit that mends a test, by the test's number.

    That a name near the error is a new word speaks for a token rule that lacks it as much as for an
    edit with it: so it counts for neither. Nor does an edit with a new token in tests that need no
    more than a usual token of some rule.
    """
    found: dict[int, float] = {}
    for one in searched:
        edits = (outcome.edit for outcome in one.outcomes if one.mends(outcome))
        costs = [
            edit.cost - edit.reading
            for edit in edits
            if one.test not in usual_tokens or NEW not in edit.symbols
        ]
        costs += [steps.cost for steps in one.sequences]
        found[one.test] = min(costs, default=inf)
    return found


def _worth(found: TokenSearched) -> dict[int, float]:
    """The worth of the best hypothesis that blames a rule."""
    best: dict[int, float] = {}
    for hypothesis in found.hypotheses:
        share = _share(found, hypothesis)
        for rule, extra in hypothesis.blamed:
            best[rule] = max(best.get(rule, 0.0), share * worth_of(hypothesis.cost + extra))
    return best


def _share(found: TokenSearched, hypothesis: Hypothesis) -> float:
    """1 if the input is accepted, else less: in proportion to the further part that is read."""
    if hypothesis.accepted:
        return 1.0
    gained = hypothesis.reached - found.error
    return PROGRESS * max(0.0, gained / max(1, found.n_characters - found.error))


def _tempered(odds: float) -> float:
    """Odds above 1 by their logarithm: one test alone must not outweigh all others."""
    return odds if odds <= 1 else 1 + log(odds, LESS_LIKELY)
