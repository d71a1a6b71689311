"""Paths as patterns that a person reads (Havrikov, Kampmann and Zeller 2024, Section 5.2).

A path is written as the part of an input that it asks for: the alternative that its first node
stands in, with the alternative of the second one in the place of the first, and so on. What stays
of non-terminals is written ``<name>``.
"""

from __future__ import annotations

from collections.abc import Sequence

from gramspect.associations.features import Path
from gramspect.associations.model import PathClause
from gramspect.generation.kpaths_graph import GrammarGraph
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Operator

__all__ = ["clause_text", "path_text", "pattern_text"]

_REPEATED = (Operator.STAR, Operator.PLUS)


def pattern_text(graph: GrammarGraph, path: Path) -> str:
    """The pattern of a path: ``<term> * ( <expr> + <term> )``."""
    grammar = graph.grammar
    inner: list[str] | None = None
    for node in reversed(path):
        symbol, item = graph.nodes[node]
        inner = _alternative(grammar, item, inner or [_shown(grammar, symbol)])
    return " ".join(inner or ())


def path_text(labels: Sequence[str]) -> str:
    """The labels of a path."""
    return " -> ".join(labels)


def clause_text(graph: GrammarGraph, path: Path, clause: PathClause) -> str:
    """A clause in words: ``has <expr> + <term>``."""
    has = "has" if clause.present else "has no"
    return f"{has} {pattern_text(graph, path)}"


def _alternative(grammar: Grammar, item: int, instead: list[str]) -> list[str]:
    """The alternative that an item is in, as the user wrote it, with other words for the symbol
    after the dot."""
    while True:
        rule, dot = grammar.split_item(item)
        described = grammar.rules[rule]
        lhs = grammar.symbols[described.lhs]
        words: list[str] = []
        for position, symbol in enumerate(described.rhs):
            if position == dot:
                words += instead
            elif symbol != described.lhs or lhs.operator not in _REPEATED:
                words.append(_shown(grammar, symbol))
        home = grammar.home_of(described.lhs)
        if lhs.operator is None or home is None:
            return words
        item, instead = grammar.item(*home), words


def _shown(grammar: Grammar, symbol: int) -> str:
    described = grammar.symbols[symbol]
    if grammar.is_terminal(symbol) or described.operator is not None:
        return described.display
    return f"<{described.display}>"
