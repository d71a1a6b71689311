"""Hypothesis strategies for small grammars in Lark's notation."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

RULES = ("start", "a", "b")
LETTERS = "uvwxyz"


@st.composite
def lark_texts(draw: DrawFn) -> str:
    """Grammars of one to three rules over six tokens, with blocks of all kinds.

    They are reduced: every rule is used by an earlier one. Others may be called as well.
    """
    names = RULES[: draw(st.integers(1, len(RULES)))]
    bodies = {name: draw(st.lists(_branches(), min_size=1, max_size=2)) for name in names}
    for number, name in enumerate(names[1:], start=1):
        _insert(draw, bodies[names[draw(st.integers(0, number - 1))]], _called(name))
    if draw(st.booleans()):
        recursive = draw(st.lists(_elements(), max_size=2))
        _insert(draw, [recursive], _called(draw(st.sampled_from(names))))
        bodies[draw(st.sampled_from(names))].append(recursive)
    rules = [f"{name}: {' | '.join(' '.join(branch) for branch in bodies[name])}" for name in names]
    return "\n".join([*rules, '%ignore " "', ""])


def _insert(draw: DrawFn, branches: list[list[str]], element: SearchStrategy[str]) -> None:
    branch = draw(st.sampled_from(branches))
    branch.insert(draw(st.integers(0, len(branch))), draw(element))


def _called(name: str) -> SearchStrategy[str]:
    """A rule, maybe in a block."""
    return st.sampled_from(
        [name, name, f"{name}?", f"{name}*", f'({name} | {name} "u")', f"[{name}]"]
    )


def _branches() -> SearchStrategy[list[str]]:
    return st.lists(_elements(), max_size=2)


def _elements() -> SearchStrategy[str]:
    letters = st.sampled_from(LETTERS).map('"{}"'.format)
    return st.recursive(letters, _blocks, max_leaves=3)


def _blocks(inner: SearchStrategy[str]) -> SearchStrategy[str]:
    """Lark writes a rule for every choice, so repetitions with bounds are not nested."""
    groups = st.lists(st.lists(inner, min_size=1, max_size=2).map(" ".join), min_size=1, max_size=2)
    operators = st.sampled_from(["", "?", "*", "+"])
    return st.one_of(
        st.tuples(groups.map(" | ".join), operators).map(lambda pair: f"({pair[0]}){pair[1]}"),
        groups.map(" | ".join).map(lambda text: f"[{text}]"),
        st.sampled_from(['"x"~2', '"y"~0..2', '("x" | "y")~1..2']),
    )
