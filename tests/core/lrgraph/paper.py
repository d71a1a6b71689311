"""The grammars of Rossouw and Fischer 2023, Figures 1 and 4."""

from __future__ import annotations

from cfg import Cfg
from gramspect.grammar import Grammar

DYCK_A = Cfg((("D", ()), ("D", ("[", "D", "]", "D"))), "D")
DYCK_B = Cfg((("D", ()), ("D", ("D", "[", "D", "]"))), "D")
DYCK_C = Cfg((("D", ()), ("D", ("D", "D")), ("D", ("[", "D", "]"))), "D")
EXPRESSION = Cfg((("E", ("E", "+", "E")), ("E", ("(", "E", ")")), ("E", ("num",))), "E")

FIGURES = [DYCK_A, DYCK_B, DYCK_C, EXPRESSION]


def grammar_of(cfg: Cfg) -> Grammar:
    return Grammar.from_rules(cfg.rules, start=cfg.start)
