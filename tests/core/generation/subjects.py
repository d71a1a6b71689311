"""The grammars that generation is tested with."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

import strategies
from gramspect.generation.derivation import Derivation
from gramspect.generation.minimal import Minimal
from gramspect.grammars.grammar import Grammar
from gramspect.yacc import read_yacc

FIXTURES = Path(__file__).parents[3] / "fixtures"

YACC = {
    "toy": FIXTURES / "toy" / "toy.y",
    "simpl": FIXTURES / "simpl" / "simpl.y",
    "calc": FIXTURES / "yacc" / "calc.y",
}

MODULES = """
prog -> module prio id = block .
prio -> [ num ]
block -> begin decls stmts end
decls ->
decls -> decls decl ;
stmts ->
stmts -> stmts stmt ;
decl -> var id : type
type -> bool
type -> int
stmt -> if expr then stmt else_part
stmt -> while expr do stmt
stmt -> id = expr
stmt -> block
else_part ->
else_part -> else stmt
expr -> expr = expr
expr -> expr + expr
expr -> ( expr )
expr -> id
expr -> num
"""
"""The grammar of Raselimo, Taljaard and Fischer ("Fu(t|z)zing with grammars"), in plain rules."""


def yacc(name: str) -> Grammar:
    return read_yacc(YACC[name])


def words(grammar: Grammar, tokens: tuple[int, ...]) -> str:
    return " ".join(grammar.symbols[token].display.strip("'") for token in tokens)


def derivations(minimal: Minimal, name: str) -> list[Derivation]:
    from gramspect.generation.criteria import criterion_named

    return [derivation for derivation, _ in criterion_named(name)(minimal)]


def small_grammars() -> st.SearchStrategy[Grammar]:
    """Small reduced grammars of whatever shape."""
    return strategies.grammars().map(lambda cfg: Grammar.from_rules(cfg.rules, start=cfg.start))
