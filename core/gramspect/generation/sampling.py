"""Random sentences: derivations whose rules are drawn.

From the start symbol, an open non-terminal is picked and expanded with a random rule until a number
of rules is applied; then what is still open is derived minimally (forced termination). Which
non-terminal is picked is the strategy (Raselimo, "Fu(t|z)zing with grammars", random test suite
generation): any; `depth-first`, one of those that the last rule brought, and any if it brought
none; `breadth-first`, one to the right of those, and from the left again if there is none.

Limits on tokens and on the height of the tree always hold: a rule is drawn only if the sentence
can still end within them.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate
from random import Random

from gramspect.errors import GramspectError
from gramspect.generation.derivation import Derivation
from gramspect.generation.minimal import Minimal

__all__ = ["Sampling", "Strategy", "random_derivations"]


class Strategy(StrEnum):
    """Which open non-terminal is expanded next."""

    ANY = "any"
    DEPTH_FIRST = "depth-first"
    BREADTH_FIRST = "breadth-first"


@dataclass(frozen=True, slots=True)
class Sampling:
    """How random sentences are made.

    `max_rules` is the number of rules drawn before termination is forced, `max_tokens` and
    `max_height` limit the sentence and its tree (of height 1 if the start rule has terminals only).
    `weights` say how likely rules are, relative to the others of their non-terminal; 1 unless
    given. A rule of weight 0 is applied only where nothing else fits.
    """

    strategy: Strategy = Strategy.DEPTH_FIRST
    max_rules: int = 30
    max_tokens: int | None = None
    max_height: int | None = None
    weights: Mapping[int, float] = field(default_factory=dict)


def random_derivations(
    minimal: Minimal, random: Random, sampling: Sampling | None = None
) -> Iterator[Derivation]:
    """Random derivations without end; some come again and again.

    Raises:
        GramspectError: no sentence is within the limits as far as minimal derivations go, or a
            weight is negative.
    """
    sampler = _Sampler(minimal, random, sampling or Sampling())
    sampler.check()
    while True:
        yield sampler.derivation()


class _Node:
    """An inner node of a tree that grows; one without a rule is open."""

    __slots__ = ("children", "level", "rule", "symbol")

    def __init__(self, symbol: int, level: int) -> None:
        self.symbol = symbol
        self.level = level
        self.rule = -1
        self.children: list[_Node | int] = []
        """Nodes, and terminals."""


class _Sampler:
    def __init__(self, minimal: Minimal, random: Random, sampling: Sampling) -> None:
        self.minimal = minimal
        self.random = random
        self.sampling = sampling
        self.length = {s: len(minimal.part(s).tokens) for s in minimal.symbols}
        self.height = _heights(minimal)
        self.rhs_length = {
            r: sum(map(self.length.__getitem__, self._rhs(r))) for r in minimal.rules
        }
        self.rhs_height = {
            r: max(map(self.height.__getitem__, self._rhs(r)), default=0) for r in minimal.rules
        }
        self.weights = {
            symbol: list(accumulate(sampling.weights.get(r, 1.0) for r in rules))
            for symbol, rules in minimal.rules_of.items()
        }
        self.limited = sampling.max_tokens is not None or sampling.max_height is not None

    def _rhs(self, rule: int) -> tuple[int, ...]:
        return self.minimal.grammar.rules[rule].rhs

    def check(self) -> None:
        start = self.minimal.grammar.start
        for what, limit, least in (
            ("tokens", self.sampling.max_tokens, self.length[start]),
            ("height", self.sampling.max_height, self.height[start]),
        ):
            if limit is not None and limit < least:
                kind = self.minimal.embedding
                raise GramspectError(
                    f"the limit on {what}, {limit}, is too small: the {kind} sentence has {least}"
                )
        for rule, weight in self.sampling.weights.items():
            if not 0 <= weight < float("inf"):
                label = self.minimal.grammar.rules[rule].label
                raise GramspectError(f"the weight of {label}, {weight}, must be a number from 0")

    def derivation(self) -> Derivation:
        """One random derivation."""
        root = _Node(self.minimal.grammar.start, 1)
        form, at = [root], 0  # the open nodes from left to right, and the one to be expanded
        tokens = self.length[root.symbol]
        rules, n_terminals = self.minimal.grammar.rules, self.minimal.grammar.n_terminals
        for _ in range(self.sampling.max_rules):
            node = form[at]
            node.rule = self._drawn(node, tokens)
            tokens += self.rhs_length[node.rule] - self.length[node.symbol]
            opened = []
            for symbol in rules[node.rule].rhs:
                if symbol < n_terminals:
                    node.children.append(symbol)
                else:
                    opened.append(_Node(symbol, node.level + 1))
                    node.children.append(opened[-1])
            form[at : at + 1] = opened
            if not form:
                break
            at = self._picked(at, len(opened), len(form))
        return self._closed(root)

    def _drawn(self, node: _Node, tokens: int) -> int:
        """A random rule with which the limits can be kept."""
        symbol = node.symbol
        rules, weights = self.minimal.rules_of[symbol], self.weights[symbol]
        if self.limited:
            rules = tuple(r for r in rules if self._fits(r, node, tokens))
            weights = list(accumulate(self.sampling.weights.get(r, 1.0) for r in rules))
        if not weights[-1]:
            return self.minimal.part(symbol).rules[0]
        return rules[bisect(weights, self.random.random() * weights[-1], 0, len(rules) - 1)]

    def _fits(self, rule: int, node: _Node, tokens: int) -> bool:
        max_tokens, max_height = self.sampling.max_tokens, self.sampling.max_height
        total = tokens + self.rhs_length[rule] - self.length[node.symbol]
        height = node.level + self.rhs_height[rule]
        return (max_tokens is None or total <= max_tokens) and (
            max_height is None or height <= max_height
        )

    def _picked(self, at: int, n_opened: int, n_open: int) -> int:
        """The next node to be expanded, when those from `at` on are new."""
        first, last = 0, n_open
        match self.sampling.strategy:
            case Strategy.DEPTH_FIRST if n_opened:
                first, last = at, at + n_opened
            case Strategy.BREADTH_FIRST if at + n_opened < n_open:
                first = at + n_opened
        return first + int(self.random.random() * (last - first))

    def _closed(self, root: _Node) -> Derivation:
        """The derivation with minimal ones below the open nodes."""
        rules: list[int] = []
        tokens: list[int] = []
        pending: list[_Node | int] = [root]
        while pending:
            node = pending.pop()
            if isinstance(node, int):
                tokens.append(node)
            elif node.rule >= 0:
                rules.append(node.rule)
                pending.extend(node.children[::-1])
            else:
                part = self.minimal.part(node.symbol)
                rules += part.rules
                tokens += part.tokens
        return Derivation(tuple(rules), tuple(tokens))


def _heights(minimal: Minimal) -> dict[int, int]:
    """The heights of the minimal derivations, 0 for terminals."""
    found: dict[int, int] = {}
    for symbol in sorted(minimal.symbols, key=lambda s: len(minimal.part(s).rules)):
        rules = minimal.part(symbol).rules
        rhs = minimal.grammar.rules[rules[0]].rhs if rules else ()
        found[symbol] = 1 + max((found[s] for s in rhs), default=0) if rules else 0
    return found
