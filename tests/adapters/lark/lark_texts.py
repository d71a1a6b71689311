"""Hypothesis strategies for small grammars in Lark's notation."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

RULES = ("start", "a", "b", "c")
LETTERS = "xyz"


@st.composite
def lark_texts(draw: DrawFn) -> str:
    """Grammars of one to four rules over the tokens x, y and z, with blocks of all kinds."""
    names = RULES[: draw(st.integers(1, len(RULES)))]
    symbols = st.sampled_from([*(f'"{letter}"' for letter in LETTERS), *names[1:], *names[1:]])
    elements = st.recursive(symbols, _blocks, max_leaves=4)
    branches = st.lists(elements, max_size=3).map(" ".join)
    bodies = st.lists(branches, min_size=1, max_size=3).map("\n    | ".join)
    rules = [f"{name}: {draw(bodies)}" for name in names]
    return "\n".join([*rules, '%ignore " "', ""])


def _blocks(inner: SearchStrategy[str]) -> SearchStrategy[str]:
    """Lark writes a rule for every choice, so repetitions with bounds are not nested."""
    groups = st.lists(st.lists(inner, min_size=1, max_size=2).map(" ".join), min_size=1, max_size=2)
    operators = st.sampled_from(["", "?", "*", "+"])
    return st.one_of(
        st.tuples(groups.map(" | ".join), operators).map(lambda pair: f"({pair[0]}){pair[1]}"),
        groups.map(" | ".join).map(lambda text: f"[{text}]"),
        st.sampled_from(['"x"~2', '"y"~0..2', '("x" | "y")~1..2']),
    )
