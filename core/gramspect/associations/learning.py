"""The trees of all targets, from the paths of inputs.

The method is that of Havrikov, Kampmann and Zeller (2024, Section 5), but inputs are not sampled so
that as many have the target as have not: a leaf says what most of its inputs do.

Features that all inputs share say nothing and are dropped; of features that the same inputs have,
the one with the shortest path is kept. Targets that the same inputs have are learned once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gramspect.associations.model import Labels, Node
from gramspect.associations.trees import DEPTH, Bits

if TYPE_CHECKING:
    from gramspect.associations.features import Paths

__all__ = ["FeatureTable", "learned_trees"]


class FeatureTable:
    """Which inputs have which features that tell inputs apart.

    Args:
        paths: the paths of the features.
        inputs: for each input the numbers of its paths.

    Attributes:
        columns: the numbers of the paths that are kept.
        having: for each of these the inputs that have it, ascending.
        bits: the same, as trees are learned from it.
    """

    def __init__(self, paths: Paths, inputs: Sequence[frozenset[int]]) -> None:
        owners: dict[int, list[int]] = {}
        for row, found in enumerate(inputs):
            for number in found:
                owners.setdefault(number, []).append(row)
        kept: dict[tuple[int, ...], int] = {}
        in_order = sorted(
            owners, key=lambda number: (len(paths.paths[number]), paths.paths[number])
        )
        for number in in_order:
            if len(owners[number]) < len(inputs):
                kept.setdefault(tuple(owners[number]), number)
        self.columns = list(kept.values())
        self.having = list(kept)
        label, nodes = paths.grammar.item_label, paths.graph.nodes
        labels: list[Labels] = [
            tuple(label(nodes[node].item) for node in paths.paths[number])
            for number in self.columns
        ]
        self.bits = Bits(labels, self.having, len(inputs))


def learned_trees(
    table: FeatureTable, targets: Mapping[str, frozenset[int]], depth: int = DEPTH
) -> dict[str, Node]:
    """A tree for each target, given the rows of the inputs that have it."""
    known: dict[frozenset[int], Node] = {}
    found = {}
    for name, covering in targets.items():
        if covering not in known:
            known[covering] = table.bits.learned(covering, depth)
        found[name] = known[covering]
    return found
