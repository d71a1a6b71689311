"""The criteria about pairs of symbols: derivable, leading and adjacent ones.

For each first symbol, least ways lead to all second ones, and the derivations grow along them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gramspect.generation.derivation import Around, Derivation
from gramspect.generation.minimal import Minimal, joined, sides
from gramspect.generation.spread import SOURCE, Edge, Edges, spread

__all__ = ["adjacent_pairs", "derivable_pairs", "leading_terminals"]


def derivable_pairs(minimal: Minimal) -> Iterator[tuple[Derivation, str]]:
    """Derivable pair coverage: the least ``X =>+ alpha Y omega`` for all X in N and Y in V.

    Besides, the start symbol by itself, which need not occur below any.
    """
    symbols = minimal.grammar.symbols
    start = minimal.grammar.start
    yield minimal.part(start), symbols[start].display
    for upper in minimal.nonterminals:
        around = {SOURCE: minimal.context(upper)}
        for step in spread(_from(minimal.edges, upper), minimal.edges):
            here = around[step.origin].nested(minimal.around(step.item))
            around[step.symbol] = here
            target = f"{symbols[upper].display} > {symbols[step.symbol].display}"
            yield here.filled(minimal.part(step.symbol)), target


def leading_terminals(minimal: Minimal) -> Iterator[tuple[Derivation, str]]:
    """PLL coverage: ``A =>+ a omega`` in the fewest steps for all A in N and a in first(A).

    The embedding says how A is embedded and the rest derived, not how the token is reached. That
    gives suites of the sizes that Rossouw and Fischer print for shortest yields (Table 2).
    """
    symbols, is_terminal = minimal.grammar.symbols, minimal.grammar.is_terminal
    corners = _Corners(minimal)
    for upper in minimal.nonterminals:
        around = {SOURCE: minimal.context(upper)}
        for step in spread(_from(minimal.leading_steps, upper), minimal.leading_steps):
            here = around[step.origin].nested(corners.left(step.item))
            around[step.symbol] = here
            if is_terminal(step.symbol):
                target = f"{symbols[upper].display} ^ {symbols[step.symbol].display}"
                yield here.filled(minimal.part(step.symbol)), target


def _from(edges: Edges, symbol: int) -> Iterator[tuple[Edge, int]]:
    """The first steps of ways from a symbol, which may lead back to it."""
    return ((edge, SOURCE) for edge in edges[symbol])


class _Corners:
    """Rules around their first or last symbol, with the symbols beyond it erased."""

    def __init__(self, minimal: Minimal) -> None:
        self.minimal = minimal
        self._left: dict[int, Around] = {}
        self._right: dict[int, Around] = {}
        self._between: dict[tuple[int, int], tuple[Around, Around]] = {}

    def left(self, item: int) -> Around:
        """Around a symbol with nothing in front of it."""
        if item not in self._left:
            rule, dot = self.minimal.grammar.split_item(item)
            rhs = self.minimal.grammar.rules[rule].rhs
            before = map(self.minimal.erased, rhs[:dot])
            self._left[item] = sides(rule, before, map(self.minimal.part, rhs[dot + 1 :]))
        return self._left[item]

    def right(self, item: int) -> Around:
        """Around a symbol with nothing after it."""
        if item not in self._right:
            rule, dot = self.minimal.grammar.split_item(item)
            rhs = self.minimal.grammar.rules[rule].rhs
            after = map(self.minimal.erased, rhs[dot + 1 :])
            self._right[item] = sides(rule, map(self.minimal.part, rhs[:dot]), after)
        return self._right[item]

    def between(self, first: int, second: int) -> tuple[Around, Around]:
        """An embedded rule around two of its symbols, with those between them erased.

        The first part has a gap for the first symbol and ends there, the second one has what is
        between the symbols, a gap for the second one, and the rest.
        """
        if (first, second) not in self._between:
            minimal = self.minimal
            rule, left = minimal.grammar.split_item(first)
            right = minimal.grammar.split_item(second)[1]
            lhs, rhs = minimal.grammar.rules[rule].lhs, minimal.grammar.rules[rule].rhs
            context = minimal.context(lhs)
            before = context.nested(sides(rule, map(minimal.part, rhs[:left]), ()))
            erased = joined(map(minimal.erased, rhs[left + 1 : right]))
            after = joined(map(minimal.part, rhs[right + 1 :]))
            self._between[first, second] = (
                before._replace(rules_after=(), tokens_after=()),
                Around(
                    erased.rules,
                    erased.tokens,
                    after.rules + context.rules_after,
                    after.tokens + context.tokens_after,
                ),
            )
        return self._between[first, second]


# --- adjacent pairs ------------------------------------------------------------------------


def adjacent_pairs(minimal: Minimal) -> Iterator[tuple[Derivation, str]]:
    """Adjacent pair coverage: the least ``S =>* alpha X Y omega`` for all such X and Y in V.

    X ends what an occurrence of some B derives and Y begins what the next C does: ``A -> beta B nu
    C delta`` with nu erased, ``B =>* alpha X`` and ``C =>* Y omega``.
    """
    symbols = minimal.grammar.symbols
    corners = _Corners(minimal)
    meetings = _meetings(minimal)
    backwards = _backwards(minimal.right_corners)
    for left in minimal.symbols:
        around: dict[int, Around] = {}
        starts = []
        for edge, gap in _ending_with(left, corners, meetings, backwards):
            around[edge.symbol] = gap
            starts.append((edge, SOURCE))
        for step in spread(starts, minimal.left_corners):
            if step.origin != SOURCE:
                around[step.symbol] = around[step.origin].nested(corners.left(step.item))
            target = f"{symbols[left].display} {symbols[step.symbol].display}"
            yield around[step.symbol].filled(minimal.part(step.symbol)), target


class _Meeting(NamedTuple):
    """A rule in which two symbols, those after the dots of two items, are next to each other."""

    cost: int
    rank: int
    first: int
    second: int


def _meetings(minimal: Minimal) -> dict[int, dict[int, _Meeting]]:
    """The least rule, with its embedding, for each pair of symbols that meet in one."""
    grammar = minimal.grammar
    found: dict[int, dict[int, _Meeting]] = {symbol: {} for symbol in minimal.symbols}
    for rule in minimal.rules:
        rhs = grammar.rules[rule].rhs
        above = minimal.cost_of_context(grammar.rules[rule].lhs)
        for first, symbol in enumerate(rhs):
            for offset in minimal.beginning(rhs[first + 1 :]):
                second = first + 1 + offset
                cost = above + minimal.cost_beside(rhs, first, second)
                items = grammar.item(rule, first), grammar.item(rule, second)
                meeting = _Meeting(cost, minimal.rank[rule], *items)
                known = found[symbol].get(rhs[second])
                if known is None or meeting < known:
                    found[symbol][rhs[second]] = meeting
    return found


def _backwards(edges: Edges) -> list[list[Edge]]:
    """From every symbol to those that have an edge to it."""
    found: list[list[Edge]] = [[] for _ in edges]
    for origin, row in enumerate(edges):
        for edge in row:
            found[edge.symbol].append(edge._replace(symbol=origin))
    return found


def _ending_with(
    left: int,
    corners: _Corners,
    meetings: Mapping[int, Mapping[int, _Meeting]],
    backwards: Edges,
) -> Iterator[tuple[Edge, Around]]:
    """For each symbol that can stand after `left`, the least derivation of both, without it."""
    chains = {SOURCE: _NOTHING}
    best: dict[int, tuple[_Meeting, int]] = {}
    for step in spread([(Edge(0, 0, -1, left), SOURCE)], backwards):
        over = _NOTHING if step.origin == SOURCE else corners.right(step.item)
        chains[step.symbol] = over.nested(chains[step.origin])
        for right, meeting in meetings[step.symbol].items():
            total = meeting._replace(cost=meeting.cost + step.cost)
            if right not in best or total < best[right][0]:
                best[right] = total, step.symbol
    for right, (meeting, ancestor) in best.items():
        derived = chains[ancestor].filled(corners.minimal.part(left))
        first, second = corners.between(meeting.first, meeting.second)
        before = first.filled(derived)
        gap = Around(
            before.rules + second.rules_before,
            before.tokens + second.tokens_before,
            second.rules_after,
            second.tokens_after,
        )
        yield Edge(meeting.cost, meeting.rank, -1, right), gap


_NOTHING = Around((), (), (), ())
