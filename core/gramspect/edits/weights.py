"""How much the edits speak for each element of a grammar.

That some edit helps says little: on real grammars dozens of rules have one. How cheap the cheapest
is says nearly everything. The *edit weight* of an element is the mean, over the failing tests that
were searched, of what its best edit is worth there, as a part of the best edit of any element: that
is 3 ** -cost of an edit that gives the test the right verdict. One that only lets the parse get
further is worth `PROGRESS` of that, in proportion to the part of the remaining input that it gains;
one of several that help together 3 ** -(the cost of all).

Two things that a single edit does not show are weighed with it (`gramspect.edits.model.many`).
Where several alternatives of a rule that chooses among calls could each be bent to fit, rather one
more is missing: such a rule weighs as much as the second of them, times many(alternatives with an
edit). And a rule that n others call has shown its worth elsewhere: its weight is divided by
many(n).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

import numpy as np

from gramspect.edits.failing import Searched
from gramspect.edits.model import many, worth_of
from gramspect.edits.search import Outcome
from gramspect.grammars.grammar import Grammar
from gramspect.scoring.evidence import Scores, of_elements
from gramspect.spectrum.matrix import SpectrumKind

__all__ = ["PROGRESS", "edit_weights"]

PROGRESS = 0.1
"""What an edit is worth that lets the parse get further, but not to the end."""
SLIGHT = 0.1
"""A test with nothing better than this speaks with a lower voice than others."""


def edit_weights(kind: SpectrumKind, grammar: Grammar, searched: Sequence[Searched]) -> Scores:
    """The edit weight of every element: 0 where no edit helps, above 1 only for choices."""
    extending, restricting = (
        _mean([one for one in searched if one.accept is accept], grammar, len(searched))
        for accept in (True, False)
    )
    serving_all = list(_serving_all(searched))
    extending[serving_all] *= 2
    restricting[serving_all] *= 2
    calls = _calls(grammar)
    weights = calls.with_choices(extending) + restricting
    return of_elements(kind, grammar, weights / many(calls.callers[calls.owner]))


def _mean(searched: Sequence[Searched], grammar: Grammar, n_searched: int) -> Scores:
    """The weight of each item in each test, added up and divided by the number of all tests."""
    weights = np.zeros(grammar.n_items)
    for one in searched:
        best: dict[int, float] = {}
        for item, worth in _worth(one):
            best[item] = max(best.get(item, 0.0), worth)
        most = max([SLIGHT, *best.values()])
        weights[list(best)] += np.array(list(best.values())) / most
    return weights / max(1, n_searched)


def _serving_all(searched: Sequence[Searched]) -> set[int]:
    """The items where one edit gives all tests the right verdict."""
    keys = (key for one in searched for key in {o.edit.key for o in one.outcomes if one.mends(o)})
    served = Counter(keys)
    return {item for (item, _, _), tests in served.items() if tests == len(searched)}


def _worth(searched: Searched) -> Iterator[tuple[int, float]]:
    """Items with what an edit, or one of several, is worth there."""
    for outcome in searched.outcomes:
        yield outcome.edit.item, worth_of(outcome.edit.cost) * _share(searched, outcome)
    for steps in searched.sequences:
        yield from ((item, worth_of(steps.cost)) for item in steps.items)


def _share(searched: Searched, outcome: Outcome) -> float:
    if searched.mends(outcome):
        return 1.0
    gained = outcome.reached - searched.error
    return PROGRESS * gained / max(1, searched.n_tokens - searched.error)


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
        callers: list[set[int]] = [set() for _ in grammar.symbols]
        choices: dict[int, dict[int, list[int]]] = {}
        for rule, owner in zip(grammar.rules, owner_of_rule, strict=True):
            for symbol in rule.rhs:
                written = not grammar.is_terminal(symbol) and grammar.symbols[symbol].owner is None
                if written and symbol != owner:
                    callers[symbol].add(owner)
                    if len(rule.rhs) == 1:
                        fronts = choices.setdefault(owner, {}).setdefault(symbol, [])
                        fronts.append(grammar.item_start[rule.index])
        self.callers = np.array([len(names) for names in callers])
        self.choices: Mapping[int, Mapping[int, Sequence[int]]] = choices

    def with_choices(self, of_items: Scores) -> Scores:
        """The weights of items, raised where a choice is missing one."""
        best = np.zeros(len(self.callers))
        np.maximum.at(best, self.owner, of_items)
        found = of_items.copy()
        for owner, choices in self.choices.items():
            bent = sorted((best[callee] for callee in choices if best[callee] > 0), reverse=True)
            if len(bent) > 1:
                fronts = [i for callee in choices if best[callee] > 0 for i in choices[callee]]
                found[fronts] = np.maximum(found[fronts], bent[1])
                found[self.owner == owner] *= many(len(bent))
        return found


_CALLS: WeakKeyDictionary[Grammar, _Calls] = WeakKeyDictionary()


def _calls(grammar: Grammar) -> _Calls:
    """The calls of a grammar, found once."""
    if grammar not in _CALLS:
        _CALLS[grammar] = _Calls(grammar)
    return _CALLS[grammar]
