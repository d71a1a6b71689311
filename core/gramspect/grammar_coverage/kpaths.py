"""k-path coverage: which k-paths of a grammar the derivations of given inputs contain.

The measure is that of Havrikov, Kampmann and Zeller (2024, Definitions 3.3 and 3.4). Inputs are
parsed by the general chart, so any grammar will do. If an input has several derivation trees, what
any of them contains is covered (Section 5.1): the trees share their parts in a forest, and each
part is searched once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from gramspect.generation.kpaths import KPaths
from gramspect.generation.kpaths_graph import GrammarGraph
from gramspect.grammar_coverage.symbolic import symbolic_children
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import parse_chart
from gramspect.recognition.forest import Forest, Part

__all__ = ["KPathCoverage", "k_path_coverage", "k_paths_of"]


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
    chart = parse_chart(paths.graph.grammar, tokens)
    return _Search(paths, Forest(chart)).found() if chart.accepted else None


class _Search:
    """The k-paths in a forest, from the ends upwards.

    For every part the tails below it are found, for each length once: sets of the sums of offsets
    that `KPaths` numbers paths with.
    """

    def __init__(self, paths: KPaths, forest: Forest) -> None:
        self.paths = paths
        self.symbol = forest.symbol
        self.children = symbolic_children(forest, paths.graph)

    def found(self) -> set[int]:
        """The numbers of all paths."""
        tails: Mapping[Part, set[int]] = {part: {0} for part in self.children}
        token = {0}
        for offsets in self.paths.offsets[1:]:
            tails = self._longer(tails, token, offsets)
            token = set()
        first = self.paths.first
        occurrences = {each for children in self.children.values() for each in children}
        return {first[node] + tail for node, part in occurrences for tail in tails.get(part, token)}

    def _longer(
        self,
        tails: Mapping[Part, set[int]],
        token: set[int],
        offsets: Mapping[int, Mapping[int, int]],
    ) -> dict[Part, set[int]]:
        """The tails with one node more; `token` are those below a token."""
        longer = {}
        for part, children in self.children.items():
            offset = offsets[self.symbol(part)] if children else {}
            longer[part] = {
                offset[node] + tail for node, below in children for tail in tails.get(below, token)
            }
        return longer
