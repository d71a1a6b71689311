"""Grammars up to the names of their non-terminals."""

from gramspect.algebra.writing import literal
from gramspect.grammars.grammar import Grammar

__all__ = ["shape"]


def shape(grammar: Grammar, start: int | None = None) -> list[list[tuple[object, ...]]]:
    """The alternatives of each non-terminal, which are numbered as they are met from the start on;
    literal tokens by their texts."""
    first = grammar.start if start is None else start
    numbers = {first: 0}
    pending = [first]
    found = []
    for lhs in pending:
        alternatives = []
        for index in grammar.rules_of[lhs]:
            rhs = grammar.rules[index].rhs
            for symbol in rhs:
                if not grammar.is_terminal(symbol) and symbol not in numbers:
                    numbers[symbol] = len(numbers)
                    pending.append(symbol)
            alternatives.append(
                tuple(numbers.get(s) if s in numbers else _word(grammar, s) for s in rhs)
            )
        found.append(alternatives)
    return found


def _word(grammar: Grammar, terminal: int) -> str:
    symbol = grammar.symbols[terminal]
    return literal(symbol) or next(iter(symbol.spellings), symbol.name.lower())
