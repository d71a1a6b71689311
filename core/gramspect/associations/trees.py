"""Decision trees over features that are there or not, learned on bits.

They are the trees that Havrikov, Kampmann and Zeller (2024, Section 5) learn with scikit-learn: the
best question comes first, and best is what leaves least entropy (Quinlan, "Induction of decision
trees", 1986). As every answer is yes or no, a question is judged by two counts, and a count is a
population count of packed bits. Of questions that are equally good the first is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from gramspect.spectrum.matrix import bits_of

__all__ = ["DEPTH", "Bits", "Clause", "Leaf", "Question", "Tree", "Way", "foretold", "ways"]

DEPTH = 5
"""The most questions from the root of a tree to a leaf."""

_ALIKE = 9
"""Decimals of entropy, in bits of all inputs, by which questions differ."""

F = TypeVar("F", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Leaf:
    """Where questions end: of `inputs` that came here, `covering` had the target.

    Of equals, no is what is foretold.
    """

    covering: int
    inputs: int

    @property
    def verdict(self) -> bool:
        return 2 * self.covering > self.inputs


@dataclass(frozen=True, slots=True)
class Question(Generic[F]):
    """Whether an input has a feature, and what follows from either answer."""

    feature: F
    yes: Tree[F]
    no: Tree[F]


Tree = Leaf | Question[F]


@dataclass(frozen=True, slots=True)
class Clause(Generic[F]):
    """That an input has a feature, or has it not."""

    feature: F
    present: bool


Way = tuple[tuple[Clause[F], ...], Leaf]
"""The answers that lead to a leaf, from the root on."""


def ways(tree: Tree[F]) -> list[Way[F]]:
    """The ways to the leaves that say yes, the surest first, of equals those of more inputs."""
    found = list(_ways(tree, ()))
    found.sort(key=lambda way: (-way[1].covering / way[1].inputs, -way[1].inputs))
    return found


def _ways(node: Tree[F], above: tuple[Clause[F], ...]) -> Iterator[Way[F]]:
    if isinstance(node, Leaf):
        if node.verdict:
            yield above, node
        return
    yield from _ways(node.yes, (*above, Clause(node.feature, present=True)))
    yield from _ways(node.no, (*above, Clause(node.feature, present=False)))


def foretold(tree: Tree[F], has: Callable[[F], bool]) -> bool:
    """Whether an input is expected to have the target; `has` answers questions about features."""
    while isinstance(tree, Question):
        tree = tree.yes if has(tree.feature) else tree.no
    return tree.verdict


class Bits(Generic[F]):
    """Which inputs have which features, a bit each.

    Args:
        features: the features, in the order in which they are preferred.
        having: for each feature the numbers of the inputs that have it.
        n: how many inputs there are.
    """

    def __init__(self, features: Sequence[F], having: Sequence[Sequence[int]], n: int) -> None:
        self.features = features
        self.n = n
        self._bits = np.ascontiguousarray(_rows(having, n))
        self._entropies = _entropies(n)

    def learned(self, covering: frozenset[int], depth: int = DEPTH) -> Tree[F]:
        """The tree for a target, given the inputs that have it."""
        every, wanted = _rows([range(self.n), sorted(covering)], self.n)
        return self._node(every, wanted, self._counted(every), self._counted(wanted), depth)

    def _node(
        self,
        here: NDArray[np.uint64],
        wanted: NDArray[np.uint64],
        having: NDArray[np.int64],
        both: NDArray[np.int64],
        depth: int,
    ) -> Tree[F]:
        """The tree of the inputs `here`, of which those `wanted` have the target.

        `having` and `both` are how many inputs of either have each feature.
        """
        inputs, covering = _ones(here), _ones(wanted)
        leaf = Leaf(covering, inputs)
        if depth == 0 or covering in (0, inputs):
            return leaf
        best = self._best(having, both, inputs, covering)
        if best is None:
            return leaf
        row = self._bits[best]
        some, of_them = here & row, wanted & row
        counts = self._counted(some), self._counted(of_them)
        yes = self._node(some, of_them, *counts, depth - 1)
        others = having - counts[0], both - counts[1]
        no = self._node(here & ~row, wanted & ~row, *others, depth - 1)
        if isinstance(yes, Leaf) and isinstance(no, Leaf) and yes.verdict == no.verdict:
            return leaf  # whatever the answer, the verdict is the same
        return Question(self.features[best], yes, no)

    def _best(
        self, having: NDArray[np.int64], both: NDArray[np.int64], inputs: int, covering: int
    ) -> int | None:
        """The question that leaves least entropy; None if all have the same answer everywhere."""
        useful = np.flatnonzero((having > 0) & (having < inputs))
        if not len(useful):
            return None
        a, b, entropy = having[useful], both[useful], self._entropies
        left = entropy[a] - entropy[b] - entropy[a - b]
        rest, others = inputs - a, covering - b
        left += entropy[rest] - entropy[others] - entropy[rest - others]
        return int(useful[np.argmin(left.round(_ALIKE))])

    def _counted(self, inputs: NDArray[np.uint64]) -> NDArray[np.int64]:
        """How many of the inputs have each feature."""
        places = np.flatnonzero(inputs)
        ones = np.bitwise_count(self._bits[:, places] & inputs[places])
        counts: NDArray[np.int64] = ones.sum(axis=1, dtype=np.int64)
        return counts


def _rows(having: Sequence[Sequence[int]], n: int) -> NDArray[np.uint64]:
    """The bits of some sets of inputs."""
    owned: list[list[int]] = [[] for _ in range(n)]
    for number, inputs in enumerate(having):
        for each in inputs:
            owned[each].append(number)
    return bits_of(len(having), owned)


def _ones(inputs: NDArray[np.uint64]) -> int:
    return int(np.bitwise_count(inputs).sum())


def _entropies(n: int) -> NDArray[np.float64]:
    """The number times its logarithm, for each from 0 to n."""
    numbers = np.arange(n + 1, dtype=np.float64)
    numbers[1:] *= np.log2(numbers[1:])
    return numbers
