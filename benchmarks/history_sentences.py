"""Random sentences of a grammar that go through one of its rules.

Sentences are grown from the top: a rule is drawn, what is left of the length that is wanted is
divided among its symbols at random, and so on; lists are drawn longer than other recursion.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from gramspect.grammars.grammar import Grammar

__all__ = ["Growing"]

DEEPEST = 120
"""The height of a tree from which on the shortest derivations are taken."""
FAR = 2.0
"""A step further away from a rule makes a way this many times less likely."""
LISTS = 2.0
"""How much likelier a list goes on than ends."""

Tokens = tuple[int, ...]


class Growing:
    """Random derivations of one grammar."""

    def __init__(self, grammar: Grammar, random: Random) -> None:
        self.grammar = grammar
        self.random = random
        self.length = grammar.analysis.shortest_length
        usable = {*range(grammar.n_terminals), *grammar.analysis.productive}
        self.rules_of = {
            symbol: [r for r in rules if set(grammar.rules[r].rhs) <= usable]
            for symbol, rules in grammar.rules_of.items()
        }
        self.weight = {rule.index: self._weight(rule.index) for rule in grammar.rules}

    def _weight(self, rule: int) -> float:
        """A rule that makes a list longer has more than one; an operator between two has not."""
        lhs, rhs = self.grammar.rules[rule].lhs, self.grammar.rules[rule].rhs
        return LISTS if rhs.count(lhs) == 1 and lhs in (rhs[0], rhs[-1]) else 1.0

    def least(self, rhs: Sequence[int]) -> int:
        return sum(self.length[symbol] for symbol in rhs)

    def grown(self, symbol: int, size: int, depth: int = 0) -> Tokens:
        """A sentence of a symbol of about at most `size` tokens."""
        if self.grammar.is_terminal(symbol):
            return (symbol,)
        rules = self.rules_of[symbol]
        fitting = [r for r in rules if self.least(self.grammar.rules[r].rhs) <= size]
        if not fitting or depth > DEEPEST:
            rule = self.grammar.analysis.shortest_rule[symbol]
        else:
            weights = [self.weight[rule] for rule in fitting]
            rule = self.random.choices(fitting, weights)[0]
        return self.filled(rule, size, depth)

    def filled(
        self, rule: int, size: int, depth: int = 0, gap: int = -1, part: Tokens = ()
    ) -> Tokens:
        """A rule with its symbols grown; the one at `gap` is `part`."""
        rhs = self.grammar.rules[rule].rhs
        places = [at for at, s in enumerate(rhs) if at != gap and not self.grammar.is_terminal(s)]
        left = size - len(part) - self.least([s for at, s in enumerate(rhs) if at != gap])
        shares = dict.fromkeys(places, 0)
        if places and left > 0:
            cuts = sorted(self.random.randint(0, left) for _ in places[1:])
            ends = zip([0, *cuts], [*cuts, left], strict=True)
            shares.update((at, e - b) for at, (b, e) in zip(places, ends, strict=True))
        found: list[int] = []
        for at, symbol in enumerate(rhs):
            if at == gap:
                found += part
            elif at in shares:
                found += self.grown(symbol, self.length[symbol] + shares[at], depth + 1)
            else:
                found.append(symbol)
        return tuple(found)

    # --- through one symbol ------------------------------------------------------------------

    def distances(self, target: int) -> dict[int, int]:
        """How many steps the symbols are from one that they lead to."""
        users: dict[int, set[int]] = {}
        for rules in self.rules_of.values():
            for rule in rules:
                for symbol in self.grammar.rules[rule].rhs:
                    users.setdefault(symbol, set()).add(self.grammar.rules[rule].lhs)
        found, border = {target: 0}, [target]
        for symbol in border:
            for user in sorted(users.get(symbol, ())):
                if user not in found:
                    found[user] = found[symbol] + 1
                    border.append(user)
        return found

    def around(
        self, distances: dict[int, int], part: Tokens, size: int, top: int | None = None
    ) -> Tokens:
        """A sentence of a symbol (the start symbol) that has `part` for the target in it."""
        way: list[tuple[int, int]] = []
        symbol = self.grammar.start if top is None else top
        needed = len(part)
        while True:
            steps = [] if len(way) > DEEPEST else self._steps(symbol, distances, size - needed)
            if distances[symbol] == 0 and (not steps or self.random.random() < 1 - 1 / FAR):
                break
            if not steps:
                steps = self._nearest(symbol, distances)
            weights = [
                self.weight[r] * FAR ** -distances[self.grammar.rules[r].rhs[at]] for r, at in steps
            ]
            rule, at = self.random.choices(steps, weights)[0]
            rhs = self.grammar.rules[rule].rhs
            needed += self.least(rhs) - self.length[rhs[at]]
            way.append((rule, at))
            symbol = rhs[at]
        return self._along(way, part, size - needed)

    def _steps(self, symbol: int, distances: dict[int, int], left: int) -> list[tuple[int, int]]:
        found = []
        for rule in self.rules_of[symbol]:
            rhs = self.grammar.rules[rule].rhs
            total = self.least(rhs)
            found += [
                (rule, at)
                for at, child in enumerate(rhs)
                if child in distances
                and not self.grammar.is_terminal(child)
                and total - self.length[child] <= left
            ]
        return found

    def _nearest(self, symbol: int, distances: dict[int, int]) -> list[tuple[int, int]]:
        """The steps that lead nearer."""
        return [
            (rule, at)
            for rule in self.rules_of[symbol]
            for at, child in enumerate(self.grammar.rules[rule].rhs)
            if distances.get(child, len(distances)) < distances[symbol]
        ]

    def _along(self, way: Sequence[tuple[int, int]], part: Tokens, left: int) -> Tokens:
        """A way filled up from its end; what is left of the size is divided among its steps."""
        left = max(left, 0)
        cuts = sorted(self.random.randint(0, left) for _ in way[1:])
        shares = [e - b for b, e in zip([0, *cuts], [*cuts, left], strict=True)] if way else []
        for (rule, at), share in zip(reversed(way), shares, strict=True):
            rhs = self.grammar.rules[rule].rhs
            beside = self.least(rhs) - self.length[rhs[at]]
            part = self.filled(rule, len(part) + beside + share, 0, at, part)
        return part
