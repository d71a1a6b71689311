"""What follows from a grammar alone: nullable, first, follow, shortest yields and the like.

Everything is computed on demand and once. Sets of terminals are Python integers inside (bit ``t``
for terminal ``t``), and every relation between symbols is solved on the components of its graph,
so that each analysis is linear in the size of the grammar but for the width of those integers.

Adjacency (`Analysis.first`, `last`, `follow`, `precede`) is about sentential forms derived from
the start symbol: an unreachable rule adds nothing to `follow`, but a symbol without a yield does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cached_property
from heapq import heapify, heappop, heappush
from typing import Final, TypeVar

from gramspect.errors import GrammarError
from gramspect.grammars.productions import Productions
from gramspect.grammars.relations import on_cycles, united
from gramspect.grammars.symbols import END

__all__ = ["UNPRODUCTIVE", "Analysis", "nullable_tail"]

S = TypeVar("S")

UNPRODUCTIVE: Final = 1_000_000
"""The length (height) of a symbol that derives no sentence, or none shorter (shallower)."""


class Analysis:
    """The analyses of one grammar, reached as ``grammar.analysis``. Symbols are their numbers."""

    def __init__(self, grammar: Productions) -> None:
        self.grammar = grammar
        self._n_symbols = len(grammar.symbols)
        self._decoded: dict[int, frozenset[int]] = {0: frozenset()}

    # --- which symbols derive what -------------------------------------------------------

    @cached_property
    def nullable(self) -> frozenset[int]:
        """The non-terminals that derive the empty word."""
        return frozenset(self._deriving(frozenset()))

    @cached_property
    def productive(self) -> frozenset[int]:
        """The symbols that derive a sentence: all terminals, and most non-terminals."""
        return frozenset(self._deriving(frozenset(range(self.grammar.n_terminals))))

    @cached_property
    def reachable(self) -> frozenset[int]:
        """The symbols of the sentential forms, the end of the input left out."""
        grammar = self.grammar
        found = {grammar.start}
        pending = [grammar.start]
        while pending:
            for rule in grammar.rules_of.get(pending.pop(), ()):
                new = set(grammar.rules[rule].rhs) - found
                found |= new
                pending.extend(new)
        return frozenset(found)

    def _deriving(self, given: frozenset[int]) -> set[int]:
        """The symbols that derive a word over `given`."""
        waiting = [sum(s not in given for s in rule.rhs) for rule in self.grammar.rules]
        found = set(given)
        pending = deque(rule for rule in self.grammar.rules if not waiting[rule.index])
        while pending:
            lhs = pending.popleft().lhs
            if lhs in found:
                continue
            found.add(lhs)
            for user in self._uses[lhs]:
                waiting[user] -= 1
                if not waiting[user]:
                    pending.append(self.grammar.rules[user])
        return found

    @cached_property
    def _uses(self) -> list[list[int]]:
        """The rules that use each symbol, once for every occurrence."""
        uses: list[list[int]] = [[] for _ in range(self._n_symbols)]
        for rule in self.grammar.rules:
            for symbol in rule.rhs:
                uses[symbol].append(rule.index)
        return uses

    # --- adjacency -----------------------------------------------------------------------

    def first(self, symbol: int) -> frozenset[int]:
        """The terminals that a form derived from `symbol` can begin with."""
        return self._members(self.first_bits[symbol])

    def last(self, symbol: int) -> frozenset[int]:
        """The terminals that a form derived from `symbol` can end with."""
        return self._members(self._last_bits[symbol])

    def follow(self, symbol: int) -> frozenset[int]:
        """The terminals right after `symbol` in the sentential forms, `END` after a whole one."""
        return self._members(self.follow_bits[symbol])

    def precede(self, symbol: int) -> frozenset[int]:
        """The terminals right before `symbol` in the sentential forms."""
        return self._members(self._precede_bits[symbol])

    def first_of(self, symbols: Iterable[int]) -> tuple[frozenset[int], bool]:
        """The terminals that `symbols` can begin with, and whether they derive the empty word."""
        bits = 0
        for symbol in symbols:
            bits |= self.first_bits[symbol]
            if symbol not in self.nullable:
                return self._members(bits), False
        return self._members(bits), True

    @cached_property
    def first_bits(self) -> tuple[int, ...]:
        """`first` of every symbol as an integer, bit ``t`` for terminal ``t``."""
        return self._ends(lambda rhs: rhs)

    @cached_property
    def follow_bits(self) -> tuple[int, ...]:
        """`follow` of every symbol as an integer, bit ``t`` for terminal ``t``."""
        start = {self.grammar.start: 1 << END}
        return self._neighbours(self.first_bits, start, lambda rhs: rhs[::-1])

    @cached_property
    def _last_bits(self) -> tuple[int, ...]:
        return self._ends(lambda rhs: rhs[::-1])

    @cached_property
    def _precede_bits(self) -> tuple[int, ...]:
        end = {END: self._last_bits[self.grammar.start]}
        return self._neighbours(self._last_bits, end, lambda rhs: rhs)

    def _ends(self, order: Callable[[tuple[int, ...]], tuple[int, ...]]) -> tuple[int, ...]:
        """The terminals at one end of what each symbol derives; `order` puts that end first."""
        n_terminals = self.grammar.n_terminals
        base = [1 << s if s < n_terminals else 0 for s in range(self._n_symbols)]
        return united(base, self._corners(order))

    def _corners(self, order: Callable[[tuple[int, ...]], tuple[int, ...]]) -> list[list[int]]:
        """From each non-terminal to the symbols at that end of its rules that `order` puts
        first."""
        edges: list[list[int]] = [[] for _ in range(self._n_symbols)]
        for rule in self.grammar.rules:
            for symbol in order(rule.rhs):
                edges[rule.lhs].append(symbol)
                if symbol not in self.nullable:
                    break
        return edges

    def _neighbours(
        self,
        ends: Sequence[int],
        given: Mapping[int, int],
        order: Callable[[tuple[int, ...]], tuple[int, ...]],
    ) -> tuple[int, ...]:
        """The terminals on one side of each symbol; `order` lists a rule from that side inwards."""
        base = [given.get(symbol, 0) for symbol in range(self._n_symbols)]
        edges: list[list[int]] = [[] for _ in range(self._n_symbols)]
        for rule in self.grammar.rules:
            if rule.lhs not in self.reachable:
                continue
            beside, at_edge = 0, True
            for symbol in order(rule.rhs):
                base[symbol] |= beside
                if at_edge:
                    edges[symbol].append(rule.lhs)
                if symbol in self.nullable:
                    beside |= ends[symbol]
                else:
                    beside, at_edge = ends[symbol], False
        return united(base, edges)

    def _members(self, bits: int) -> frozenset[int]:
        found = self._decoded.get(bits)
        if found is None:
            digits = reversed(bin(bits)[2:])
            found = frozenset(i for i, digit in enumerate(digits) if digit == "1")
            self._decoded[bits] = found
        return found

    # --- left expansion and recursion ----------------------------------------------------

    def left_expansion(self, rules: Iterable[int]) -> frozenset[int]:
        """The closure of a set of rules under left expansion.

        A rule ``A -> B alpha`` adds the rules of ``B`` (Raselimo and Fischer 2024, Section 2). Only
        the leftmost symbol counts, also when it is nullable.
        """
        bits = 0
        found = set(rules)
        for rule in found:
            for symbol in self.grammar.rules[rule].rhs[:1]:
                bits |= self._left_expansions[symbol]
        return self._members(bits) | found

    @cached_property
    def _left_expansions(self) -> tuple[int, ...]:
        """For each symbol the closure of its rules, bit ``r`` for rule ``r``."""
        base = [0] * self._n_symbols
        edges: list[list[int]] = [[] for _ in range(self._n_symbols)]
        for rule in self.grammar.rules:
            base[rule.lhs] |= 1 << rule.index
            edges[rule.lhs].extend(rule.rhs[:1])
        return united(base, edges)

    @cached_property
    def left_recursive(self) -> frozenset[int]:
        """The non-terminals with ``A =>+ A beta``, also through nullable prefixes."""
        return on_cycles(self._corners(lambda rhs: rhs))

    @cached_property
    def cyclic(self) -> frozenset[int]:
        """The non-terminals with ``A =>+ A``."""
        edges: list[list[int]] = [[] for _ in range(self._n_symbols)]
        for rule in self.grammar.rules:
            solid = [symbol for symbol in rule.rhs if symbol not in self.nullable]
            if len(solid) < 2:
                edges[rule.lhs].extend(solid or rule.rhs)
        return on_cycles(edges)

    # --- least derivations ---------------------------------------------------------------

    @cached_property
    def shortest_length(self) -> tuple[int, ...]:
        """The tokens in the shortest yield of each symbol, at most `UNPRODUCTIVE`."""
        return self._shortest[0]

    @cached_property
    def shortest_rule(self) -> Mapping[int, int]:
        """The first rule of each non-terminal that begins a shortest derivation.

        Where ``A =>+ A``, a rule may have the shortest length by leading back to ``A``; such rules
        are passed over. Non-terminals of length `UNPRODUCTIVE` are left out.
        """
        length, settled = self._shortest

        def leads_on(symbol: int, rhs: tuple[int, ...]) -> bool:
            if symbol not in self.cyclic:
                return True
            return all(length[s] < length[symbol] or settled[s] < settled[symbol] for s in rhs)

        found: dict[int, int] = {}
        for rule in self.grammar.rules:
            total = sum(length[s] for s in rule.rhs)
            if total == length[rule.lhs] < UNPRODUCTIVE and leads_on(rule.lhs, rule.rhs):
                found.setdefault(rule.lhs, rule.index)
        return found

    def shortest_yield(self, symbol: int) -> tuple[int, ...]:
        """The terminals of the derivation that takes the `shortest_rule` everywhere.

        Raises:
            GrammarError: the shortest length is `UNPRODUCTIVE`.
        """
        return self._yield(symbol, self.shortest_rule, self.shortest_length)

    @cached_property
    def height(self) -> tuple[int, ...]:
        """The height of the shallowest derivation of each symbol, 0 for a terminal."""
        return self._least(0, lambda heights: 1 + max(heights, default=0))[0]

    @cached_property
    def shallowest_rule(self) -> Mapping[int, int]:
        """The first rule of each productive non-terminal that begins a shallowest derivation."""
        found: dict[int, int] = {}
        for rule in self.grammar.rules:
            below = max((self.height[s] for s in rule.rhs), default=0)
            if below + 1 == self.height[rule.lhs] < UNPRODUCTIVE:
                found.setdefault(rule.lhs, rule.index)
        return found

    def shallowest_yield(self, symbol: int) -> tuple[int, ...]:
        """The terminals of the derivation that takes the `shallowest_rule` everywhere.

        Raises:
            GrammarError: there is none of fewer than `UNPRODUCTIVE` tokens.
        """
        return self._yield(symbol, self.shallowest_rule, self._shallowest_length)

    @cached_property
    def _shallowest_length(self) -> list[int]:
        length = [1] * self.grammar.n_terminals + [UNPRODUCTIVE] * self.grammar.n_nonterminals
        for symbol in sorted(self.shallowest_rule, key=lambda s: self.height[s]):
            rhs = self.grammar.rules[self.shallowest_rule[symbol]].rhs
            length[symbol] = min(sum(length[s] for s in rhs), UNPRODUCTIVE)
        return length

    @cached_property
    def _shortest(self) -> tuple[tuple[int, ...], Sequence[int]]:
        return self._least(1, sum)

    def _least(
        self, terminal: int, cost: Callable[[list[int]], int]
    ) -> tuple[tuple[int, ...], Sequence[int]]:
        """The least cost of a derivation from each symbol, and the order in which they were found.

        `cost` maps the costs of a right-hand side to that of the rule and never falls below any of
        them (Knuth 1977, "A generalization of Dijkstra's algorithm").
        """
        grammar = self.grammar
        least = [terminal] * grammar.n_terminals + [UNPRODUCTIVE] * grammar.n_nonterminals
        settled = [0] * grammar.n_terminals + [self._n_symbols] * grammar.n_nonterminals
        waiting = [sum(s >= grammar.n_terminals for s in rule.rhs) for rule in grammar.rules]

        def offer(index: int) -> tuple[int, int]:
            rule = grammar.rules[index]
            return cost([least[s] for s in rule.rhs]), rule.lhs

        heap = [offer(index) for index, open_symbols in enumerate(waiting) if not open_symbols]
        heapify(heap)
        count = 0
        while heap and heap[0][0] < UNPRODUCTIVE:
            found, symbol = heappop(heap)
            if least[symbol] < UNPRODUCTIVE:
                continue
            count += 1
            least[symbol], settled[symbol] = found, count
            for user in self._uses[symbol]:
                waiting[user] -= 1
                if not waiting[user]:
                    heappush(heap, offer(user))
        return tuple(least), settled

    def _yield(
        self, symbol: int, rule_of: Mapping[int, int], length: Sequence[int]
    ) -> tuple[int, ...]:
        if length[symbol] >= UNPRODUCTIVE:
            name = self.grammar.symbols[symbol].display
            raise GrammarError(f"{name!r} has no yield of fewer than {UNPRODUCTIVE:,} tokens")
        found: list[int] = []
        pending = [symbol]
        while pending:
            top = pending.pop()
            if self.grammar.is_terminal(top):
                found.append(top)
            elif length[top]:  # an empty yield can have a derivation too large to walk
                pending.extend(reversed(self.grammar.rules[rule_of[top]].rhs))
        return tuple(found)


def nullable_tail(symbols: Sequence[S], nullable: Container[S]) -> int:
    """The first position of a right-hand side with nothing but nullable symbols after it."""
    position = len(symbols) - 1
    while position > 0 and symbols[position] in nullable:
        position -= 1
    return position
