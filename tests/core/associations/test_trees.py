"""Trees learned on bits, against scikit-learn and against what trees are."""

from __future__ import annotations

from collections.abc import Iterator
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramspect.associations.trees import DEPTH, Bits, Leaf, Question, Tree, foretold, ways

INPUTS = 70  # more than one word of bits
Rows = list[set[int]]


@st.composite
def problems(draw: st.DrawFn) -> tuple[Rows, frozenset[int]]:
    """Which inputs have each of some features, and which have the target."""
    rows = st.sets(st.integers(0, INPUTS - 1))
    return draw(st.lists(rows, min_size=1, max_size=8)), frozenset(draw(rows))


def learned(having: Rows, covering: frozenset[int], depth: int = DEPTH) -> Tree[int]:
    return Bits(range(len(having)), [sorted(each) for each in having], INPUTS).learned(
        covering, depth
    )


def asked(
    tree: Tree[int], having: Rows, here: set[int]
) -> Iterator[tuple[Question[int], set[int]]]:
    """The questions of a tree with the inputs that come to each."""
    if isinstance(tree, Question):
        yield tree, here
        yield from asked(tree.yes, having, here & having[tree.feature])
        yield from asked(tree.no, having, here - having[tree.feature])


def entropy(parts: list[set[int]], covering: frozenset[int]) -> float:
    """The bits that are left in some parts, each by its number of inputs."""
    shares = [(len(part), len(part & covering) / len(part)) for part in parts if part]
    return sum(-n * sum(p * log2(p) for p in (share, 1 - share) if p) for n, share in shares)


@given(problems())
def test_no_question_of_scikit_learn_is_better(problem: tuple[Rows, frozenset[int]]) -> None:
    from sklearn.tree import DecisionTreeClassifier  # it takes longer to import than most tests run

    having, covering = problem
    matrix = np.array([[row in each for each in having] for row in range(INPUTS)], np.float32)
    for question, here in asked(learned(having, covering), having, set(range(INPUTS))):
        rows = sorted(here)
        stump = DecisionTreeClassifier(max_depth=1, criterion="entropy")
        stump.fit(matrix[rows], [row in covering for row in rows])
        theirs = having[int(stump.tree_.feature[0])]
        ours = having[question.feature]
        left = [entropy([here & each, here - each], covering) for each in (ours, theirs)]
        assert left[0] <= left[1] + 1e-6


@given(problems(), st.integers(0, DEPTH))
def test_leaves_count_the_inputs_that_come_to_them(
    problem: tuple[Rows, frozenset[int]], depth: int
) -> None:
    having, covering = problem
    tree = learned(having, covering, depth)
    found = ways(tree)
    assert all(len(clauses) <= depth for clauses, _ in found)
    told = {row for row in range(INPUTS) if foretold(tree, lambda one, r=row: r in having[one])}  # type: ignore[misc]
    assert len(told) == sum(leaf.inputs for _, leaf in found)
    for clauses, leaf in found:
        here = {
            row
            for row in range(INPUTS)
            if all((row in having[one.feature]) == one.present for one in clauses)
        }
        assert leaf == Leaf(len(here & covering), len(here))
        assert leaf.verdict


def test_what_five_questions_can_tell_is_told() -> None:
    """The target is one feature with another one missing, or a third: no tree is better."""
    having = [set(range(0, INPUTS, 2)), set(range(0, INPUTS, 3)), set(range(0, INPUTS, 7))]
    covering = frozenset((having[0] - having[1]) | having[2])
    tree = learned(having, covering)
    assert {
        row
        for row in range(INPUTS)
        if foretold(tree, lambda one, r=row: r in having[one])  # type: ignore[misc]
    } == covering


@pytest.mark.parametrize("covering", [frozenset[int](), frozenset(range(INPUTS))])
def test_of_a_target_of_all_or_none_nothing_is_asked(covering: frozenset[int]) -> None:
    assert learned([{1}, {2, 3}], covering) == Leaf(len(covering), INPUTS)


def test_of_equal_questions_the_first_is_asked() -> None:
    tree = learned([{1}, {2, 3}, {2, 3}], frozenset({2, 3}))
    assert isinstance(tree, Question)
    assert tree.feature == 1
