"""What is known about PLY's parse loops, and what parsers are given that tells of them."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from gramspect_ply.shapes import Lexer, Parser, Row

__all__ = ["LOOPS", "FetchedRows", "default_lexer", "reduced_without_a_look"]

LOOPS = ("parseopt_notrack", "parseopt", "parsedebug")
"""The methods that hold PLY's parse loop; `parse` itself does in copies that lack them."""


def default_lexer(parser: Parser) -> Lexer | None:
    """The lexer that PLY itself takes when `parse` is called without one: the last one made."""
    for base in type(parser).__mro__:
        package = base.__module__.rpartition(".")[0]
        lex = sys.modules.get(f"{package}.lex" if package else "lex")
        lexer: Lexer | None = getattr(lex, "lexer", None)
        if lexer is not None:
            return lexer
    return None


class FetchedRows(dict[int, Row]):
    """An action table that takes its rows from `table` when they are first asked for."""

    __slots__ = ("_table",)

    def __init__(self, table: Mapping[int, Row]) -> None:
        super().__init__()
        self._table = table

    def __missing__(self, state: int) -> Row:
        row = self[state] = self._table[state]
        return row


def reduced_without_a_look(parser: Parser) -> frozenset[int]:
    """The productions that are reduced in states that do not look at a token."""
    defaulted: Mapping[int, int] = getattr(parser, "defaulted_states", {})
    return frozenset(-action for action in defaulted.values())
