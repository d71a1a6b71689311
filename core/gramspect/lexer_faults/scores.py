"""The evidence for a fault in each token rule, on the scale of the other elements' scores.

Most faults are in rules of the parser, and nearly every input is near to some token. So in each
failing test the cost of a hypothesis is set against that of the cheapest edit of a parser rule that
mends the test: the *odds* of a token rule are 3 to the power of the difference. The score of the
rule is that of the best parser rule, times the mean of the odds over the failing tests. So a token
rule comes first where a token explains the failures for less than any edit, as
`gramspect.edits.weights` weighs edits among themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, log

from gramspect.edits.failing import Searched
from gramspect.edits.model import LESS_LIKELY, worth_of
from gramspect.lexer_faults.search import Hypothesis, TokenSearched

__all__ = ["TokenEvidence", "token_evidence"]

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


def token_evidence(
    found: Sequence[TokenSearched], searched: Sequence[Searched], best: float
) -> tuple[TokenEvidence, ...]:
    """The evidence against the token rules, the strongest first; rules without any are left out.

    `searched` are the edits of the same suite, `best` is the highest score of another element.
    """
    repairs = _repairs(searched)
    odds: dict[int, float] = {}
    explained: dict[int, list[int]] = {}
    for one in found:
        usual = NEW_TOKEN if one.lexical else NOT_FOUND
        against = worth_of(min(repairs.get(one.test, usual), usual))
        for rule, worth in _worth(one).items():
            odds[rule] = odds.get(rule, 0.0) + _tempered(worth / against)
            explained.setdefault(rule, []).append(one.test)
    evidence = (
        TokenEvidence(rule, best * total / len(found), tuple(explained[rule]))
        for rule, total in odds.items()
    )
    return tuple(sorted(evidence, key=lambda one: (-one.score, one.rule)))


def _repairs(searched: Sequence[Searched]) -> Mapping[int, float]:
    """The cost of the cheapest edit that mends a test, by the test's number.

    That a name near the error is a new word speaks for a token rule that lacks it as much as for an
    edit with it: so it counts for neither.
    """
    found: dict[int, float] = {}
    for one in searched:
        edits = (outcome.edit for outcome in one.outcomes if one.mends(outcome))
        costs = [edit.cost - edit.reading for edit in edits]
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
