"""Decision trees that say which inputs have a target.

The method is that of Havrikov, Kampmann and Zeller (2024, Section 5), but inputs are not sampled so
that as many have the target as have not: a leaf says what most of its inputs do.

Features that all inputs share say nothing and are dropped; of features that the same inputs have,
the one with the shortest path is kept. Targets that the same inputs have are learned once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gramspect.associations.model import Leaf, Node, Question
from gramspect.errors import MissingDependency

if TYPE_CHECKING:
    from gramspect.associations.features import Paths

__all__ = ["DEPTH", "FeatureTable", "learned_trees"]

DEPTH = 5
"""The most questions from the root of a tree to a leaf."""


class FeatureTable:
    """Which inputs have which features that tell inputs apart.

    Args:
        paths: the paths of the features.
        inputs: for each input the numbers of its paths.

    Attributes:
        columns: the numbers of the paths that are kept.
        matrix: a row for each input and a column for each of these; 0 or 1.
    """

    def __init__(self, paths: Paths, inputs: Sequence[frozenset[int]]) -> None:
        owners: dict[int, list[int]] = {}
        for row, found in enumerate(inputs):
            for number in found:
                owners.setdefault(number, []).append(row)
        kept: dict[bytes, int] = {}
        in_order = sorted(
            owners, key=lambda number: (len(paths.paths[number]), paths.paths[number])
        )
        for number in in_order:
            rows = owners[number]
            if len(rows) < len(inputs):
                kept.setdefault(np.array(rows, np.int64).tobytes(), number)
        self.columns = list(kept.values())
        self.matrix = np.zeros((len(inputs), len(self.columns)), np.float32)
        for column, number in enumerate(self.columns):
            self.matrix[owners[number], column] = 1
        graph = paths.graph
        label, nodes = paths.grammar.item_label, graph.nodes
        self.labels = [
            tuple(label(nodes[node].item) for node in paths.paths[number])
            for number in self.columns
        ]


def learned_trees(
    table: FeatureTable, targets: Mapping[str, frozenset[int]], depth: int = DEPTH
) -> dict[str, Node]:
    """A tree for each target, given the rows of the inputs that have it.

    Raises:
        MissingDependency: scikit-learn is not installed.
    """
    known: dict[frozenset[int], Node] = {}
    found = {}
    for name, covering in targets.items():
        if covering not in known:
            known[covering] = _learned(table, covering, depth)
        found[name] = known[covering]
    return found


def _learned(table: FeatureTable, covering: frozenset[int], depth: int) -> Node:
    n = len(table.matrix)
    if len(covering) in (0, n) or not table.columns:
        return Leaf(len(covering), n)
    wanted = np.zeros(n, np.int8)
    wanted[list(covering)] = 1
    learner = _classifier()(max_depth=depth, criterion="entropy", random_state=0)
    return _tree(learner.fit(table.matrix, wanted).tree_, table.labels, 0)


def _classifier() -> Any:
    try:
        from sklearn.tree import DecisionTreeClassifier
    except ImportError:
        raise MissingDependency(
            "learning needs scikit-learn, which is not installed: pip install"
            ' "gramspect[associations]"'
        ) from None
    return DecisionTreeClassifier


def _tree(tree: Any, labels: Sequence[tuple[str, ...]], at: int) -> Node:
    """A node of a learned tree and all below it; nodes whose answers do not matter are leaves."""
    no, yes = int(tree.children_left[at]), int(tree.children_right[at])
    inputs = int(tree.n_node_samples[at])
    if no < 0:
        share = tree.value[at][0]
        return Leaf(round(float(share[-1] / share.sum() * inputs)), inputs)
    found = Question(
        labels[int(tree.feature[at])], _tree(tree, labels, yes), _tree(tree, labels, no)
    )
    ends = [each for each in (found.yes, found.no) if isinstance(each, Leaf)]
    if len(ends) == 2 and ends[0].verdict == ends[1].verdict:
        return Leaf(ends[0].covering + ends[1].covering, inputs)
    return found
