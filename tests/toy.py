"""The faulty toy grammar of Raselimo and Fischer (2024, Figure 1), for unit tests."""

from __future__ import annotations

from gramspect.grammars.grammar import Grammar

TOY = """
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


def grammar(text: str, start: str | None = None) -> Grammar:
    """The grammar of lines ``lhs -> symbols``."""
    pairs = (line.split("->") for line in text.strip().splitlines())
    return Grammar.from_rules([(lhs.strip(), rhs.split()) for lhs, rhs in pairs], start=start)


def toy() -> Grammar:
    return grammar(TOY)
