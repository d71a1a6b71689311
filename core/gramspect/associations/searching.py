"""Inputs that have some paths and not others, searched for (Havrikov, Kampmann and Zeller 2024,
Section 5.3).

The *outer search* (Algorithm 3) goes through partial derivation trees: of the most promising one,
every open slot is filled in every way. The *inner search* completes each greedily, and how many
clauses the completion leaves open says how promising it is. It goes for one required path after the
other, by the rules that lead to it soonest, and closes off what is open with the shallowest rules;
a rule that completes a forbidden path is taken only where there is no other.

`gramspect.associations.solving` knows the same exactly, and whether nothing fulfils a constraint;
this is for constraints whose grammar would be too large.
"""

from __future__ import annotations

from dataclasses import dataclass
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

_PATIENCE = 200
"""How many rules are tried on the way to required paths without a forbidden one, and how many that
are not the shallowest ones to close slots off without one, beside one for each open slot."""


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
    symbol: int
    state: Path


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
        self._height = self._heights()
        self._ways = [self._distances(number) for number in sorted(self._required)]

    def found(self, steps: int = STEPS) -> Searched:
        """A derivation that fulfils the constraint, if one is found in so many steps."""
        root = _Partial((_Slot((), self._grammar.start, ()),), None, frozenset())
        order, taken = count(), 0
        queue = [(0, next(order), root)]
        known: set[frozenset[tuple[tuple[int, ...], int]]] = set()
        while queue:
            _, _, tree = heappop(queue)
            for slot in tree.slots:
                for rule in self._shuffled(self._rules_of.get(slot.symbol, ())):
                    filled = self._filled(tree, slot, rule)
                    key = frozenset(filled.rules().items())
                    if key in known or filled.met - self._required:
                        continue  # what is forbidden stays in all its completions
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

    def _filled(self, tree: _Partial, slot: _Slot, rule: int) -> _Partial:
        """The tree with a slot filled."""
        states, complete = self._states.below(rule, slot.state)
        new = tuple(
            _Slot((*slot.place, dot), symbol, states[dot])
            for dot, symbol in enumerate(self._grammar.rules[rule].rhs)
            if not self._grammar.is_terminal(symbol)
        )
        slots = tuple(each for each in tree.slots if each is not slot) + new
        return _Partial(slots, _Filled(tree.filled, slot.place, rule), tree.met | complete)

    def _shuffled(self, rules: tuple[int, ...]) -> tuple[int, ...]:
        if self._random is None:
            return rules
        return tuple(self._random.sample(rules, len(rules)))

    # --- the inner search ------------------------------------------------------------------

    def _completed(self, tree: _Partial) -> _Partial:
        """A complete tree, with as many of the required paths as are easily had."""
        patience = _PATIENCE
        for number in sorted(self._required):
            while number not in tree.met:
                best = min(tree.slots, key=lambda slot: self._way(number, slot), default=None)
                if best is None or self._way(number, best) == inf:
                    break
                patience -= 1
                tree = self._filled(tree, best, self._leading(number, best, patient=patience > 0))
        patience = _PATIENCE + len(tree.slots)
        while tree.slots:
            slot = tree.slots[-1]
            rule = self._closing(slot, patient=patience > 0)
            patience -= self._height_of(rule) >= self._height[slot.symbol]
            tree = self._filled(tree, slot, rule)
        return tree

    def _leading(self, number: int, slot: _Slot, *, patient: bool) -> int:
        """The rule by which a path is complete soonest, if possible without a forbidden one."""

        def key(rule: int) -> tuple[float, bool]:
            way, bad = self._after(number, slot, rule), patient and self._is_bad(slot, rule)
            return way + bad, bad

        return min(self._shuffled(self._rules_of[slot.symbol]), key=key)

    def _closing(self, slot: _Slot, *, patient: bool) -> int:
        """The shallowest rule, if possible without a forbidden path."""

        def key(rule: int) -> tuple[bool, int]:
            return patient and self._is_bad(slot, rule), self._height_of(rule)

        return min(self._shuffled(self._rules_of[slot.symbol]), key=key)

    def _is_bad(self, slot: _Slot, rule: int) -> bool:
        return bool(self._states.below(rule, slot.state)[1] - self._required)

    def _way(self, number: int, slot: _Slot) -> float:
        """How many rules below a slot a path is complete at the soonest."""
        return self._ways[number].get((slot.symbol, self._matched(number, slot.state)), inf)

    def _after(self, number: int, slot: _Slot, rule: int) -> float:
        """The same after a rule."""
        states, complete = self._states.below(rule, slot.state)
        if number in complete:
            return 0
        rhs = self._grammar.rules[rule].rhs
        ways = self._ways[number]
        return min(
            (
                ways.get((symbol, self._matched(number, state)), inf)
                for symbol, state in zip(rhs, states, strict=True)
            ),
            default=inf,
        )

    def _matched(self, number: int, state: Path) -> Path:
        """How far one path has come in a state: its longest beginning that the state ends with."""
        path = self._states.paths[number]
        n = min(len(path) - 1, len(state))
        while state[len(state) - n :] != path[:n]:
            n -= 1
        return path[:n]

    def _distances(self, number: int) -> dict[tuple[int, Path], float]:
        """By non-terminal and how far a path has come: the rules until it is complete."""
        path = self._states.paths[number]
        alone = PathStates(self._states.graph, [path])
        pairs = [(s, path[:n]) for s in self._rules_of for n in range(len(path))]
        steps = [
            (pair, rhs, *alone.below(rule, pair[1]))
            for pair in pairs
            for rule in self._rules_of[pair[0]]
            for rhs in [self._grammar.rules[rule].rhs]
        ]
        found: dict[tuple[int, Path], float] = {}
        changed = True
        while changed:
            changed = False
            for pair, rhs, states, complete in steps:
                below = (
                    found.get((symbol, self._matched(number, state)), inf)
                    for symbol, state in zip(rhs, states, strict=True)
                )
                distance = 1 + (0 if complete else min(below, default=inf))
                if distance < found.get(pair, inf):
                    found[pair] = distance
                    changed = True
        return found

    # --- heights and derivations -----------------------------------------------------------

    def _heights(self) -> dict[int, int]:
        """The least height of a tree of each non-terminal that sentences can use."""
        return {symbol: self._grammar.analysis.height[symbol] for symbol in self._rules_of}

    def _height_of(self, rule: int) -> int:
        return max(
            (self._height.get(symbol, 0) for symbol in self._grammar.rules[rule].rhs), default=0
        )

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
