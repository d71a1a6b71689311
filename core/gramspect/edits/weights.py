"""How much the edits speak for each element of a grammar.

That some edit helps says little: on real grammars dozens of rules have one. How cheap the cheapest
is says nearly everything. The *edit weight* of an element is the mean, over the failing tests that
were searched, of what its best edit is worth there, as a part of the best edit of any element: that
is 3 ** -cost of an edit that gives the test the right verdict. One that only lets the parse get
further is worth `Weights.progress` of that, in proportion to the tokens that it gains, as a part of
the most that any edit gains there; one of several that help together 3 ** -(the cost of all).

A single fault explains every failing test, so the mean is two means (`_over_tests`): beside the
arithmetic one the geometric one, `Weights.agreement` times as much, which is high only where every
test has an edit in the same non-terminal.

An edit that brings n new conflicts (`gramspect.edits.conflicts`) is worth
(1 + n) ** -`Weights.conflicts` of that, and one that lets n pairs of tokens stand side by side that
could not before (`gramspect.edits.growth`) is worth (1 + n) ** -`Weights.growth` of it. One whose
new symbol has a name like those beside which it may stand (`gramspect.edits.likeness`, from 0 to 1)
is worth 1 + `Weights.likeness` * likeness times as much.

Two things that a single edit does not show are weighed with it (`gramspect.edits.model.many`).
If several alternatives of a rule that chooses among calls could each be changed to fit, it is more
likely that one more is missing: such a rule weighs as much as the second of them, times
many(alternatives with an edit) ** `Weights.choices`. And a rule that n others call has shown its
worth elsewhere: its weight is divided by many(n).
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gramspect.edits.failing import Searched
from gramspect.edits.growth import new_pairs
from gramspect.edits.likeness import likeness
from gramspect.edits.model import Edit, Key, many, worth_of
from gramspect.edits.search import Outcome
from gramspect.grammars.grammar import Grammar
from gramspect.scoring.evidence import Scores, of_elements
from gramspect.spectrum.matrix import SpectrumKind

__all__ = ["Weights", "chosen_weights", "edit_weights", "likelihood", "mending"]

SLIGHT = 0.1
"""A test whose best edit is worth less than this counts less than others."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights, which were chosen by measurement.

    Attributes:
        progress: what an edit is worth that lets the parse get further, but not to the end.
        agreement: how often the geometric mean over the tests counts for once the arithmetic one.
        serving_all: how much more a position weighs where one edit serves all failing tests.
        conflicts: how fast the worth of an edit falls with the conflicts that it brings.
        growth: how fast the worth of an edit falls with the pairs of tokens that it lets meet.
        likeness: how much more an edit is worth whose new symbol is named like its alternatives.
        choices: how much a choice weighs by the number of its alternatives that could be changed.
        unknown_conflicts: how many conflicts an edit is taken to bring that was not looked at,
            where none of its position was.
        other_floor: what an element without other evidence has, as a part of the best: an edit can
            apply anywhere.
        own_part: how much of an element's other evidence is its own, not that of its non-terminal's
            best.
        edit_floor: what an element without an edit has: a fault may need several small changes.
    """

    progress: float
    agreement: float
    serving_all: float
    conflicts: float
    growth: float
    likeness: float
    choices: float
    unknown_conflicts: float
    other_floor: float
    own_part: float
    edit_floor: float


@cache
def chosen_weights() -> Weights:
    """The weights in ``weights.toml``, which says what they were chosen with."""
    text = files("gramspect.edits").joinpath("weights.toml").read_text(encoding="utf-8")
    return Weights(**tomllib.loads(text)["weights"])


def edit_weights(
    kind: SpectrumKind,
    grammar: Grammar,
    searched: Sequence[Searched],
    weights: Weights | None = None,
) -> Scores:
    """The edit weight of every element: 0 where no edit helps, above 1 only for choices."""
    chosen = weights or chosen_weights()
    calls = _calls(grammar)
    extending, restricting = (
        _over_tests(_shares(these, grammar, chosen), calls.owner, chosen)
        * (len(these) / max(1, len(searched)))
        for these in ([one for one in searched if one.accept is accept] for accept in (True, False))
    )
    serving_all = list(_serving_all(searched))
    extending[serving_all] *= chosen.serving_all
    restricting[serving_all] *= chosen.serving_all
    of_items = calls.with_choices(extending, chosen.choices) + restricting
    return of_elements(kind, grammar, of_items / many(calls.callers[calls.owner]))


def likelihood(grammar: Grammar, edit: Edit) -> float:
    """How likely an edit is by its cost, the pairs of tokens that it lets meet, and its names."""
    brought = new_pairs(grammar, [edit])[edit.key]
    return _intrinsic(grammar, edit, brought, chosen_weights())


def _intrinsic(grammar: Grammar, edit: Edit, brought: int, weights: Weights) -> float:
    """What an edit is worth whatever comes of it; it lets `brought` pairs of tokens meet."""
    grown = (1 + brought) ** -weights.growth
    return worth_of(edit.cost) * float(grown * (1 + weights.likeness * likeness(grammar, edit)))


def _shares(searched: Sequence[Searched], grammar: Grammar, weights: Weights) -> Scores:
    """What the best edit of each item is worth in each test, as a part of the best edit of any.

    Shape (n_tests, n_items).
    """
    worths = np.zeros((len(searched), grammar.n_items))
    for of_test, one in zip(worths, searched, strict=True):
        for item, worth in _worth(grammar, one, weights):
            of_test[item] = max(of_test[item], worth)
    best = np.maximum(SLIGHT, worths.max(axis=1, keepdims=True))
    shares: Scores = worths / best
    return shares


def _over_tests(shares: Scores, owner: NDArray[np.int_], weights: Weights) -> Scores:
    """The mean of each item over the tests, raised where its non-terminal has an edit in all.

    The geometric mean is that of non-terminals, by the best item of each in each test, for one
    fault may show at several items; items have of it as they have of the arithmetic one. A test in
    which there is no edit counts `Weights.edit_floor`. With one test both means are its shares.
    """
    if not len(shares):
        return np.zeros(len(owner))
    mean: Scores = shares.mean(axis=0)
    agreed = np.log(_best(shares, owner) + weights.edit_floor).mean(axis=0)
    of_owner = np.exp(agreed) - weights.edit_floor
    (best,) = _best(mean[None, :], owner)
    part = np.divide(of_owner, best, out=np.zeros_like(best), where=best > 0)[owner]
    raised: Scores = mean * (1 + weights.agreement * part) / (1 + weights.agreement)
    return raised


def _best(shares: Scores, owner: NDArray[np.int_]) -> Scores:
    """The best item of each symbol in each test, of shape (n_tests, n_symbols)."""
    found = np.zeros((len(shares), int(owner.max()) + 1))
    for of_test, share in zip(found, shares, strict=True):
        np.maximum.at(of_test, owner, share)
    return found


def _serving_all(searched: Sequence[Searched]) -> set[int]:
    """The items where one edit gives all tests the right verdict."""
    keys = (key for one in searched for key in {o.edit.key for o in one.outcomes if one.mends(o)})
    served = Counter(keys)
    return {item for (item, _, _), tests in served.items() if tests == len(searched)}


def mending(
    grammar: Grammar, searched: Searched, weights: Weights | None = None
) -> dict[Key, float]:
    """The edits that give a test the right verdict, with what each is worth."""
    found: dict[Key, float] = {}
    for outcome, worth in _worth_of_outcomes(grammar, searched, weights or chosen_weights()):
        if searched.mends(outcome):
            found[outcome.edit.key] = max(worth, found.get(outcome.edit.key, 0.0))
    return found


def _worth(grammar: Grammar, searched: Searched, weights: Weights) -> Iterator[tuple[int, float]]:
    """Items with the worth of an edit there, alone or as one of several."""
    for outcome, worth in _worth_of_outcomes(grammar, searched, weights):
        yield outcome.edit.item, worth
    for steps in searched.sequences:
        yield from ((item, worth_of(steps.cost)) for item in steps.items)


def _worth_of_outcomes(
    grammar: Grammar, searched: Searched, weights: Weights
) -> Iterator[tuple[Outcome, float]]:
    most_there: dict[int, int] = {}
    for (item, _, _), brought in searched.conflicts.items():
        most_there[item] = max(brought, most_there.get(item, 0))
    most_gained = max((_gained(searched, outcome) for outcome in searched.outcomes), default=0)
    for outcome in searched.outcomes:
        edit = outcome.edit
        brought = searched.growth.get(edit.key, 0)
        worth = _intrinsic(grammar, edit, brought, weights)
        if not searched.mends(outcome):
            worth *= weights.progress * _gained(searched, outcome) / max(1, most_gained)
        new: float | None = searched.conflicts.get(edit.key)
        if new is None:
            new = most_there.get(edit.item, weights.unknown_conflicts)
        yield outcome, float(worth * (1 + new) ** -weights.conflicts)


def _gained(searched: Searched, outcome: Outcome) -> int:
    """How many tokens further the parse gets."""
    return outcome.reached - searched.error


class _Calls:
    """Who calls whom, among the non-terminals that the user wrote.

    `owner` is the one that each item belongs to, `callers` how many others call each symbol.
    `choices` has for every non-terminal with such alternatives the fronts of those that are a
    single call, by callee.
    """

    def __init__(self, grammar: Grammar) -> None:
        owner_of_rule = [grammar.user_nonterminal(rule.lhs) for rule in grammar.rules]
        lengths = [len(rule.rhs) + 1 for rule in grammar.rules]
        self.owner = np.repeat(np.array(owner_of_rule), lengths)
        self.callers = np.bincount(
            [symbol for called in grammar.calls for symbol in called],
            minlength=len(grammar.symbols),
        )
        choices: dict[int, dict[int, list[int]]] = {}
        for rule, owner in zip(grammar.rules, owner_of_rule, strict=True):
            if len(rule.rhs) == 1 and rule.rhs[0] in grammar.calls[owner]:
                fronts = choices.setdefault(owner, {}).setdefault(rule.rhs[0], [])
                fronts.append(grammar.item_start[rule.index])
        self.choices: Mapping[int, Mapping[int, Sequence[int]]] = choices

    def with_choices(self, of_items: Scores, power: float) -> Scores:
        """The weights of items, raised where a choice is missing one."""
        best = np.zeros(len(self.callers))
        np.maximum.at(best, self.owner, of_items)
        found = of_items.copy()
        for owner, choices in self.choices.items():
            bent = sorted((best[callee] for callee in choices if best[callee] > 0), reverse=True)
            if len(bent) > 1:
                fronts = [i for callee in choices if best[callee] > 0 for i in choices[callee]]
                found[fronts] = np.maximum(found[fronts], bent[1])
                found[self.owner == owner] *= many(len(bent)) ** power
        return found


_CALLS: WeakKeyDictionary[Grammar, _Calls] = WeakKeyDictionary()


def _calls(grammar: Grammar) -> _Calls:
    """The calls of a grammar, found once."""
    if grammar not in _CALLS:
        _CALLS[grammar] = _Calls(grammar)
    return _CALLS[grammar]
