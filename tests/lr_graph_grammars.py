"""The grammars of Rossouw and Fischer 2023, Figures 1 and 4, and others of that size."""

from __future__ import annotations

from hypothesis import strategies as st

import strategies
from cfg import Cfg
from gramspect.grammars.grammar import Grammar

DYCK_A = Cfg((("D", ()), ("D", ("[", "D", "]", "D"))), "D")
DYCK_B = Cfg((("D", ()), ("D", ("D", "[", "D", "]"))), "D")
DYCK_C = Cfg((("D", ()), ("D", ("D", "D")), ("D", ("[", "D", "]"))), "D")
EXPRESSION = Cfg((("E", ("E", "+", "E")), ("E", ("(", "E", ")")), ("E", ("num",))), "E")

STRATIFIED = Cfg(
    (
        ("E", ("E", "+", "T")), ("E", ("T",)), ("T", ("T", "*", "F")), ("T", ("F",)),
        ("F", ("(", "E", ")")), ("F", ("id",)),
    ),
    "E",
)  # fmt: skip

FIGURES = [DYCK_A, DYCK_B, DYCK_C, EXPRESSION]


def grammar_of(cfg: Cfg) -> Grammar:
    return Grammar.from_rules(cfg.rules, start=cfg.start)


@st.composite
def messy_grammars(draw: st.DrawFn) -> Cfg:
    """Small grammars with symbols that derive nothing, and some that nothing reaches.

    Those parts of them that sentences can use are of whatever shape.
    """
    reduced = draw(strategies.grammars())
    symbols = st.sampled_from([*sorted(reduced.nonterminals | reduced.terminals), "U", "W"])
    useless = [("U", ("U", "a")), ("W", tuple(draw(st.lists(symbols, max_size=2))))]
    for _ in range(draw(st.integers(0, 2))):
        lhs = draw(st.sampled_from(sorted(reduced.nonterminals)))
        before, behind = (tuple(draw(st.lists(symbols, max_size=2))) for _ in range(2))
        useless.append((lhs, (*before, "U", *behind)))
    return Cfg((*reduced.rules, *useless), reduced.start)
