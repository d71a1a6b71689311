"""k-path coverage: which k-paths of a grammar the derivations of given inputs contain.

The measure is that of Havrikov, Kampmann and Zeller (2024, Definitions 3.3 and 3.4). Inputs are
parsed by the general chart, so any grammar will do. If an input has several derivation trees, what
any of them contains is covered (Section 5.1): the trees share their parts in a forest, and each
part is searched once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from gramspect.generation.kpaths import KPaths
from gramspect.generation.kpaths_graph import GrammarGraph
from gramspect.grammars.grammar import Grammar
from gramspect.kernel import can_compile
from gramspect.recognition.chart import Chart, parse_chart

__all__ = ["COMPILE_FROM", "KPathCoverage", "k_path_coverage", "k_paths_of"]

COMPILE_FROM = 20_000
"""The number of tokens in an input from which on compiled code is worth loading."""


@dataclass(frozen=True, eq=False)
class KPathCoverage:
    """The k-paths that a set of inputs covers.

    `covered` holds the numbers of k-paths in `paths`, `rejected` the indices of the inputs that
    are no sentences; these cover nothing.
    """

    paths: KPaths
    covered: frozenset[int]
    n_inputs: int
    rejected: tuple[int, ...]

    @property
    def ratio(self) -> Fraction:
        """The covered part; 1 if there is nothing to cover."""
        return Fraction(len(self.covered), self.paths.count) if self.paths.count else Fraction(1)

    def missing(self) -> Iterator[tuple[int, ...]]:
        """The paths that no input contains, in order. There can be very many."""
        number, left = 0, self.paths.count - len(self.covered)
        while left:
            if number not in self.covered:
                left -= 1
                yield self.paths.path(number)
            number += 1


def k_path_coverage(grammar: Grammar, inputs: Iterable[Sequence[int]], k: int) -> KPathCoverage:
    """The k-path coverage of a set of inputs, each a sequence of terminals.

    Raises:
        GramspectError: k is out of range.
    """
    paths = KPaths(GrammarGraph(grammar), k)
    covered: set[int] = set()
    rejected = []
    number = 0
    for number, tokens in enumerate(inputs, start=1):
        found = k_paths_of(paths, tokens)
        if found is None:
            rejected.append(number - 1)
        else:
            covered |= found
    return KPathCoverage(paths, frozenset(covered), number, tuple(rejected))


def k_paths_of(paths: KPaths, tokens: Sequence[int]) -> set[int] | None:
    """The numbers of the k-paths in the derivations of one input; None if it is no sentence."""
    compiled = len(tokens) >= COMPILE_FROM and can_compile()
    chart = parse_chart(paths.graph.grammar, tokens, compiled)
    return _Search(paths, _Forest(chart, paths.graph)).found() if chart.accepted else None


class _Part(NamedTuple):
    """A node of the forest: all derivations of a stretch of the input from a symbol."""

    symbol: int
    start: int
    end: int


class _Forest:
    """The derivations of an accepted input, read from its chart on demand."""

    def __init__(self, chart: Chart, graph: GrammarGraph) -> None:
        self.grammar = grammar = chart.grammar
        self.graph = graph
        self.root = _Part(grammar.start, 0, chart.end)
        self._rules: dict[_Part, list[int]] = defaultdict(list)
        """The rules with which each part can begin."""
        self._starts: dict[tuple[int, int], list[int]] = defaultdict(list)
        """By symbol and end: where its constituents begin."""
        self._ends: dict[tuple[int, int], list[int]] = defaultdict(list)
        """By item and origin: the columns that it is in."""
        self._entries: set[tuple[int, int, int]] = set()
        """Items with their origins and columns."""
        for column in range(chart.end + 1):
            for item, origin in chart.column(column):
                self._ends[item, origin].append(column)
                self._entries.add((item, origin, column))
                rule, dot = grammar.split_item(item)
                if dot == len(grammar.rules[rule].rhs):
                    part = _Part(grammar.rules[rule].lhs, origin, column)
                    if part not in self._rules:
                        self._starts[part.symbol, column].append(origin)
                    self._rules[part].append(rule)

    def children(self, part: _Part) -> set[tuple[int, _Part]]:
        """The symbolic nodes next below a part, each with its own part."""
        grammar, node_of = self.grammar, self.graph.node_of
        found = set()
        entered = {part}
        pending = [part]
        while pending:
            top = pending.pop()
            for item, child in self._occurrences(top):
                node = node_of[item]
                if node >= 0:
                    found.add((node, child))
                elif not grammar.is_terminal(child.symbol) and child not in entered:
                    entered.add(child)
                    pending.append(child)
        return found

    def _occurrences(self, part: _Part) -> Iterator[tuple[int, _Part]]:
        """The constituents of a part by its rules, in all ways to divide it up."""
        grammar = self.grammar
        for rule in self._rules[part]:
            rhs, first = grammar.rules[rule].rhs, grammar.item_start[rule]
            ends = {part.end}
            for dot in range(len(rhs) - 1, -1, -1):
                divisions = [
                    (middle, end)
                    for end in ends
                    for middle in self._middles(first + dot, part.start, end)
                ]
                for middle, end in divisions:
                    yield first + dot, _Part(rhs[dot], middle, end)
                ends = {middle for middle, _ in divisions}

    def _middles(self, item: int, origin: int, end: int) -> Iterable[int]:
        """The columns where the symbol after the dot can begin, given its end and the rule's
        origin."""
        rule, dot = self.grammar.split_item(item)
        symbol = self.grammar.rules[rule].rhs[dot]
        if self.grammar.is_terminal(symbol):
            return (end - 1,)
        if dot == 0:
            return (origin,)
        starts, columns = self._starts[symbol, end], self._ends[item, origin]
        if len(starts) <= len(columns):
            return [middle for middle in starts if (item, origin, middle) in self._entries]
        return [middle for middle in columns if _Part(symbol, middle, end) in self._rules]


class _Search:
    """The k-paths in a forest, from the ends upwards.

    For every part the tails below it are found, for each length once: sets of the sums of offsets
    that `KPaths` numbers paths with.
    """

    def __init__(self, paths: KPaths, forest: _Forest) -> None:
        self.paths = paths
        self.forest = forest
        self.children: dict[_Part, set[tuple[int, _Part]]] = {}
        """The parts of all trees."""
        is_leaf = paths.graph.is_leaf
        pending = [forest.root]
        while pending:
            part = pending.pop()
            if part not in self.children:
                leaf = is_leaf(part.symbol)
                self.children[part] = set() if leaf else forest.children(part)
                pending += [child for _, child in self.children[part]]

    def found(self) -> set[int]:
        """The numbers of all paths."""
        tails: Mapping[_Part, set[int]] = {part: {0} for part in self.children}
        for offsets in self.paths.offsets[1:]:
            tails = self._longer(tails, offsets)
        first = self.paths.first
        occurrences = {each for children in self.children.values() for each in children}
        return {first[node] + tail for node, part in occurrences for tail in tails[part]}

    def _longer(
        self, tails: Mapping[_Part, set[int]], offsets: Mapping[int, Mapping[int, int]]
    ) -> dict[_Part, set[int]]:
        """The tails with one node more."""
        longer = {}
        for part, children in self.children.items():
            offset = offsets[part.symbol] if children else {}
            longer[part] = {
                offset[node] + tail for node, below in children for tail in tails[below]
            }
        return longer
