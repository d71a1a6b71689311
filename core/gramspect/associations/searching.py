"""Inputs that have some paths and not others, searched for (Havrikov, Kampmann and Zeller 2024,
Section 5.3).

The *outer search* (Algorithm 3) goes through partial derivation trees: of the most promising one,
every open slot is filled in every way. The *inner search* completes each greedily, and how many
clauses the completion leaves open says how promising it is. It goes for one required path after the
other, by the rules that lead to it soonest, and closes off what is open with the shallowest rules.

Beyond the paper, it is known of every non-terminal, below every beginning of a path, whether the
forbidden paths can be avoided and how far each required path is, then. So completions have no
forbidden paths, take no detours, and partial trees that nothing can complete are left.

`gramspect.associations.solving` knows the same exactly, and whether nothing fulfils a constraint;
this is for constraints whose grammar would be too large.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from itertools import count
from math import inf
from random import Random

from gramspect.associations.features import Path
from gramspect.associations.solving import Constraint
from gramspect.associations.states import PathStates
from gramspect.generation.derivation import Derivation
from gramspect.generation.kpaths_graph import GrammarGraph

__all__ = ["STEPS", "Search", "Searched", "is_contradiction"]

STEPS = 2_000
"""How many completions are tried at most, unless it is said."""

_Below = tuple[int, Path]
"""A symbol, and the state in which it is derived."""


def is_contradiction(constraint: Constraint) -> bool:
    """Whether a required path has a forbidden one in it, so that nothing fulfils both.

    This is the check of Section 5.3.2: it may overlook that a constraint is infeasible, but never
    says so of one that some tree fulfils.
    """
    return any(
        path[start : start + len(forbidden)] == forbidden
        for forbidden in constraint.forbidden
        for path in constraint.required
        for start in range(len(path))
    )


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search came to: a derivation, or none after so many `steps`.

    If it is `over`, all trees were gone through, so there is none for certain.
    """

    derivation: Derivation | None
    steps: int
    over: bool = False


@dataclass(frozen=True, slots=True)
class _Slot:
    """An open non-terminal: where it is, by the places on the way down, and the state there."""

    place: tuple[int, ...]
    below: _Below


@dataclass(frozen=True, slots=True)
class _Filled:
    """A slot that was filled with a rule, after others."""

    before: _Filled | None
    place: tuple[int, ...]
    rule: int


@dataclass(frozen=True, slots=True)
class _Partial:
    """A partial derivation tree: its open slots, its rules, and the paths that are in it."""

    slots: tuple[_Slot, ...]
    filled: _Filled | None
    met: frozenset[int]

    def rules(self) -> dict[tuple[int, ...], int]:
        found, last = {}, self.filled
        while last is not None:
            found[last.place], last = last.rule, last.before
        return found


@dataclass(frozen=True, slots=True)
class _Step:
    """A rule in a state: the symbols and states below, and the paths that it completes."""

    rule: int
    below: tuple[_Below, ...]
    complete: frozenset[int]


class Search:
    """The derivation trees of a grammar that fulfil a constraint, one at a time.

    Args:
        graph: that of the grammar.
        constraint: what must be there, and what must not.
        random: the order in which equals are tried; without one, that of the grammar.
    """

    def __init__(
        self, graph: GrammarGraph, constraint: Constraint, random: Random | None = None
    ) -> None:
        self._grammar, self._rules_of = graph.grammar, graph.rules_of
        self._required = frozenset(range(len(constraint.required)))
        self._states = PathStates(graph, (*constraint.required, *constraint.forbidden))
        self._random = random
        self._after: dict[_Below, list[_Step]] = self._steps()
        self._height = dict.fromkeys(self._after, inf)
        self._settle(self._height, self._height_after)
        self._ways = [dict.fromkeys(self._after, inf) for _ in constraint.required]
        for number, ways in enumerate(self._ways):
            self._settle(ways, partial(self._way_after, number))

    def found(self, steps: int = STEPS) -> Searched:
        """A derivation that fulfils the constraint, if one is found in so many steps."""
        root = _Partial((_Slot((), (self._grammar.start, ())),), None, frozenset())
        order, taken = count(), 0
        queue = [(0, next(order), root)]
        known: set[frozenset[tuple[tuple[int, ...], int]]] = set()
        while queue:
            _, _, tree = heappop(queue)
            for slot in tree.slots:
                for step in self._shuffled(self._after[slot.below]):
                    filled = self._filled(tree, slot, step)
                    key = frozenset(filled.rules().items())
                    if key in known or not self._has_hope(filled):
                        continue
                    known.add(key)
                    taken += 1
                    completed = self._completed(filled)
                    unfulfilled = len(completed.met ^ self._required)
                    if unfulfilled == 0:
                        return Searched(self._derivation(completed), taken)
                    if taken >= steps:
                        return Searched(None, taken)
                    heappush(queue, (unfulfilled, next(order), filled))
        return Searched(None, taken, over=True)

    def _filled(self, tree: _Partial, slot: _Slot, step: _Step) -> _Partial:
        """The tree with a slot filled."""
        new = tuple(
            _Slot((*slot.place, dot), below)
            for dot, below in enumerate(step.below)
            if not self._grammar.is_terminal(below[0])
        )
        slots = tuple(each for each in tree.slots if each is not slot) + new
        filled = _Filled(tree.filled, slot.place, step.rule)
        return _Partial(slots, filled, tree.met | step.complete)

    def _has_hope(self, tree: _Partial) -> bool:
        """Whether each required path is there or can come, and no forbidden one must come."""
        return (
            tree.met <= self._required
            and all(self._height[slot.below] < inf for slot in tree.slots)
            and all(
                any(self._ways[number][slot.below] < inf for slot in tree.slots)
                for number in self._required - tree.met
            )
        )

    def _shuffled(self, steps: list[_Step]) -> list[_Step]:
        return steps if self._random is None else self._random.sample(steps, len(steps))

    # --- the inner search ------------------------------------------------------------------

    def _completed(self, tree: _Partial) -> _Partial:
        """A complete tree, with as many of the required paths as are easily had."""
        for number in sorted(self._required):
            ways = self._ways[number]
            while number not in tree.met:
                best = min(tree.slots, key=lambda slot: ways[slot.below], default=None)
                if best is None or ways[best.below] == inf:
                    break
                steps = self._shuffled(self._after[best.below])
                step = min(steps, key=lambda each: self._way_after(number, each))
                tree = self._filled(tree, best, step)
        while tree.slots:
            slot = tree.slots[-1]
            step = min(self._shuffled(self._after[slot.below]), key=self._height_after)
            tree = self._filled(tree, slot, step)
        return tree

    # --- what can come below ---------------------------------------------------------------

    def _steps(self) -> dict[_Below, list[_Step]]:
        """The rules of all non-terminals in all states in which they can be."""
        start: _Below = (self._grammar.start, ())
        found: dict[_Below, list[_Step]] = {}
        pending = [start]
        while pending:
            below = pending.pop()
            if below in found or self._grammar.is_terminal(below[0]):
                continue
            found[below] = []
            for rule in self._rules_of.get(below[0], ()):
                states, complete = self._states.below(rule, below[1])
                symbols = self._grammar.rules[rule].rhs
                step = _Step(rule, tuple(zip(symbols, states, strict=True)), frozenset(complete))
                found[below].append(step)
                pending += step.below
        return found

    def _settle(self, least: dict[_Below, float], after: Callable[[_Step], float]) -> None:
        """Lower numbers of non-terminals until each is one more than the least after a rule."""
        changed = True
        while changed:
            changed = False
            for below, steps in self._after.items():
                new = 1 + min(map(after, steps), default=inf)
                if new < least[below]:
                    least[below], changed = new, True

    def _height_after(self, step: _Step) -> float:
        """The least height of the trees below a rule without forbidden paths."""
        if not step.complete <= self._required:
            return inf
        return max((self._height.get(below, 0) for below in step.below), default=0)

    def _way_after(self, number: int, step: _Step) -> float:
        """How many rules below a rule a path is complete, without forbidden ones elsewhere."""
        if self._height_after(step) == inf:
            return inf
        if number in step.complete:
            return 0
        ways = self._ways[number]
        return min((ways.get(below, inf) for below in step.below), default=inf)

    # --- derivations -----------------------------------------------------------------------

    def _derivation(self, tree: _Partial) -> Derivation:
        """The rules of a complete tree in preorder, and its tokens."""
        rules, in_order, tokens = tree.rules(), list[int](), list[int]()
        pending: list[tuple[tuple[int, ...], int]] = [((), self._grammar.start)]
        while pending:
            place, symbol = pending.pop()
            if self._grammar.is_terminal(symbol):
                tokens.append(symbol)
                continue
            in_order.append(rules[place])
            rhs = self._grammar.rules[rules[place]].rhs
            pending += [((*place, dot), each) for dot, each in reversed([*enumerate(rhs)])]
        return Derivation(tuple(in_order), tuple(tokens))
