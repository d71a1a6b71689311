"""The worked example of Raselimo and Fischer (2024), Figure 1, with the figures of its tables.

`COUNTS` has the counts and scores that the definitions give (`toy.json`). Where the printed tables
differ (test 8 is forgotten for block:3 and stmts:2), the definitions win.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from gramspect.grammars.grammar import Grammar
from gramspect.suites.suite import TestSuite

__all__ = ["COUNTS", "SUITE", "toy"]

_RULES = """
prog -> program id = block .
block -> { decls stmts }
block -> { decls }
block -> { stmts }
block -> { }
decls -> decl ; decls
decls -> decl ;
decl -> var id : type
type -> bool
type -> int
stmts -> stmt ; stmts
stmts -> stmt ;
stmt -> sleep
stmt -> if expr then stmt else stmt
stmt -> while expr do block
stmt -> id = expr
stmt -> block
expr -> expr = expr
expr -> expr + expr
expr -> ( expr )
expr -> id
expr -> num
"""

_TESTS = """
program id = { id = ( id ) ; } .
program id = { id = id + id ; } .
program id = { id = id ; } .
program id = { id = id = id ; } .
program id = { id = num ; } .
program id = { if id then sleep ; } .
program id = { if id then sleep else sleep ; } .
program id = { sleep ; sleep ; } .
program id = { sleep ; } .
program id = { var id : bool ; sleep ; } .
program id = { var id : bool ; var id : bool ; } .
program id = { var id : bool ; } .
program id = { var id : int ; } .
program id = { while id do sleep ; } .
program id = { { } ; } .
program id = { } .
"""

SUITE = TestSuite.from_texts(accept=_TESTS.strip().splitlines())
"""The 16 tests. All should be accepted; the two faults of the grammar make tests 6 and 14 fail."""

COUNTS: Mapping[str, Mapping[str, Mapping[str, float]]] = json.loads(
    Path(__file__).with_name("toy.json").read_text(encoding="utf-8")
)
"""By kind of spectrum and label of the element: ef, ep, nf, np, and the scores of four metrics."""


def toy() -> Grammar:
    """The faulty grammar: an if needs its else, and the body of a while must be a block."""
    pairs = (line.split(" -> ") for line in _RULES.strip().splitlines())
    return Grammar.from_rules([(lhs, rhs.split()) for lhs, rhs in pairs])
