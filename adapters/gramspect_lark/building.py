"""Makes Lark parsers from core grammars, over sequences of token names.

Every rule becomes an alternative of a Lark rule, helpers included; token i is called ``Ti``,
non-terminal i ``ni``. Tokens are only declared: a lexer of our own hands them out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from lark import Lark, Token
from lark.exceptions import LarkError
from lark.lexer import Lexer

from gramspect.adapter_api import AdapterError, Grammar
from gramspect_lark.problems import collisions

__all__ = ["STRANGE", "build_lark", "lark_name", "lark_names"]

STRANGE = "STRANGE"
"""The token type of a word that names no token."""


class SequenceLexer(Lexer):
    """Hands out the tokens of a sequence, given as their names."""

    def __init__(self, _: Any) -> None:
        """Needs nothing of Lark's configuration."""

    def lex(self, names: Any) -> Iterator[Token]:  # type: ignore[override]
        """The older of the two forms that Lark allows for a lexer of the user's."""
        return map(Token, names, names)


def lark_name(grammar: Grammar, symbol: int) -> str:
    """Lark's name of a symbol."""
    return f"{'T' if grammar.is_terminal(symbol) else 'n'}{symbol}"


def lark_names(grammar: Grammar) -> list[str]:
    """Lark's names of all symbols."""
    return [lark_name(grammar, symbol.index) for symbol in grammar.symbols]


def build_lark(grammar: Grammar, parser: str) -> Lark:
    """A Lark object for a core grammar; `parser` is ``earley`` or ``lalr``.

    Raises:
        AdapterError: Lark cannot build it: a symbol has no rules, or reductions collide.
    """
    names = lark_names(grammar)
    text = "\n".join([*_declarations(grammar, names), *_rules(grammar, names)])
    try:
        return Lark(text, parser=parser, lexer=SequenceLexer, start=names[grammar.start])
    except LarkError as problem:
        raise AdapterError(_cannot(grammar, problem)) from None
    except RecursionError:
        raise AdapterError(_cannot(grammar, "it is nested too deeply")) from None


def _declarations(grammar: Grammar, names: Sequence[str]) -> Iterator[str]:
    if grammar.terminals:
        yield f"%declare {' '.join(names[symbol.index] for symbol in grammar.terminals)}"


def _rules(grammar: Grammar, names: Sequence[str]) -> Iterator[str]:
    for symbol in grammar.nonterminals:
        bodies = [
            " ".join(names[s] for s in grammar.rules[rule].rhs)
            for rule in grammar.rules_of[symbol.index]
        ]
        if not bodies:
            raise AdapterError(_cannot(grammar, f"{symbol.display} has no rules"))
        yield f"{names[symbol.index]}: {' | '.join(bodies)}"


def _cannot(grammar: Grammar, problem: BaseException | str) -> str:
    """Why a grammar cannot be built, in the words of the user."""

    def written(found: re.Match[str]) -> str:
        return grammar.symbols[int(found[1])].display

    text = str(problem)
    found = collisions(text)
    if found:
        rules = " and ".join(f"{left} -> {right or '(empty)'}" for left, right in found[0].rules)
        more = f", and {len(found) - 1} more such collisions" if found[1:] else ""
        text = (
            "it cannot choose between reductions: reduce/reduce collision before "
            f"{found[0].terminal} between {rules}{more}"
        )
    text = re.sub(r"\b[Tn](\d+)\b", written, " ".join(text.split()))
    return f"the grammar {grammar.name} cannot be built by Lark: {text}"
