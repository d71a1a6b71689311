"""What is known about PLY's parse loops, and what parsers are given that tells of them."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from inspect import BoundArguments
from typing import Any

from gramspect_ply.shapes import Lexer, Parser, Row

__all__ = ["LOOPS", "FetchedRows", "LoopCalls", "default_lexer", "reduced_without_a_look"]

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


def _plys_own(
    input: object = None,
    lexer: object = None,
    debug: object = False,
    tracking: object = False,
    tokenfunc: object = None,
) -> None:
    """The parameters of a loop of PLY's."""


class LoopCalls:
    """The calls of a parse loop: which argument is the lexer, and so on.

    A copy of PLY may have parameters of its own between or after PLY's; what they are given is
    handed on. A loop that takes whatever comes hands it on to one with PLY's parameters. The loop
    of a parser is `bound` to it; that of a class takes the parser first.
    """

    def __init__(self, loop: Callable[..., object], *, bound: bool) -> None:
        signature = inspect.signature(loop)
        self._takes_token_function = "tokenfunc" in signature.parameters
        if "lexer" not in signature.parameters:
            signature = inspect.signature(_plys_own)
        elif not bound:
            signature = signature.replace(parameters=[*signature.parameters.values()][1:])
        self._signature = signature
        names = [*signature.parameters]
        self._input = "input" if "input" in names else names[0]

    def bind(self, *positional: Any, **named: Any) -> BoundArguments:
        """The arguments of a call by the names of the parameters.

        Raises:
            TypeError: the loop does not take them.
        """
        return self._signature.bind(*positional, **named)

    def input_of(self, given: BoundArguments) -> Any:
        """What the loop reads: what its parameter ``input`` is given, else its first one."""
        return given.arguments.get(self._input)

    def takes_token_function(self, given: BoundArguments) -> bool:
        """Whether the loop can be told in this call what hands out the tokens."""
        return self._takes_token_function or "tokenfunc" in given.arguments


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
