"""Questions about expressions that are decided exactly: is there an input, do two mean the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gramspect.algebra.automaton import Product, TreeAutomaton
from gramspect.algebra.expressions import (
    And,
    Count,
    Expression,
    Named,
    Not,
    Occurrences,
    Or,
    expression_text,
)
from gramspect.algebra.patterns import ABSTRACT, Pattern, outline
from gramspect.algebra.specialized import specialized
from gramspect.grammars.grammar import Grammar

__all__ = ["Difference", "difference", "emptiness", "is_empty", "smallest_tree"]


def is_empty(grammar: Grammar, expression: Expression) -> bool:
    """Whether no input of the grammar is meant."""
    return not Product(TreeAutomaton(grammar, expression)).accepted()


def smallest_tree(grammar: Grammar, expression: Expression) -> Pattern | None:
    """A tree that is meant, with as few tokens as any; None if there is none."""
    found = specialized(grammar, expression)
    if found is None:
        return None
    made = found.grammar
    rules = []
    pending = [made.start]
    while pending:
        rule = made.analysis.shortest_rule[pending.pop()]
        rules.append(rule)
        pending += [s for s in reversed(made.rules[rule].rhs) if not made.is_terminal(s)]
    return found.original(Pattern(made.start, tuple(rules)))


@dataclass(frozen=True, slots=True)
class Difference:
    """A derivation tree that one of two expressions means and the other does not."""

    tree: Pattern
    by_first: bool
    """Whether it is the first expression that means it."""


def difference(grammar: Grammar, first: Expression, second: Expression) -> Difference | None:
    """A smallest tree for which two expressions differ; None if they mean the same.

    That they mean the same is said of the trees of this grammar, all of them.
    """
    only_one = Or((And((first, Not(second))), And((second, Not(first)))))
    tree = smallest_tree(grammar, only_one)
    if tree is None:
        return None
    return Difference(tree, TreeAutomaton(grammar, first).holds(tree))


# --- why there is nothing ------------------------------------------------------------------


def emptiness(grammar: Grammar, expression: Expression) -> str:
    """Why no input is meant by an expression of which that is so."""
    if grammar.start not in grammar.analysis.productive:
        start = grammar.symbols[grammar.start].display
        return f"the start symbol {start} derives no sentence at all"
    core = _least(grammar, list(_parts(expression)))
    if len(core) == 1:
        return _alone(grammar, core[0])
    shown = [_in_words(part) for part in core]
    return f"no input {', '.join(shown[:-1])} and {shown[-1]}"


def _parts(expression: Expression) -> Iterator[Expression]:
    """The parts of nested conjunctions, also of negated disjunctions."""
    match expression:
        case And(parts):
            for part in parts:
                yield from _parts(part)
        case Not(Or(parts)):
            for part in parts:
                yield from _parts(Not(part))
        case Not(Not(part)):
            yield from _parts(part)
        case _:
            yield expression


def _least(grammar: Grammar, parts: list[Expression]) -> Sequence[Expression]:
    """Some of the parts that exclude each other, none of which can be left out."""
    if len(parts) == 1:
        return parts
    left = list(parts)
    for part in parts:
        without = [each for each in left if each is not part]
        if without and is_empty(grammar, And(tuple(without))):
            left = without
    return left


def _alone(grammar: Grammar, part: Expression) -> str:
    """Why there is no input for which a part holds that is no conjunction."""
    match part:
        case Count(Occurrences((named,)), least, _) if least:
            return _never(grammar, named) or f"no input {_in_words(part)}"
        case Or(parts):
            return "; ".join(dict.fromkeys(emptiness(grammar, each) for each in parts))
        case Not(Count(Occurrences((named,)), 1, None)):
            return f"every input has {named.name}"
        case Not(inner):
            return f"every input is one of: {expression_text(inner)}"
        case _:
            return f"no input {_in_words(part)}"


def _never(grammar: Grammar, named: Named) -> str | None:
    """Why a pattern occurs in no input, if it does not."""
    if not is_empty(grammar, Count(Occurrences((named,)))):
        return None
    pattern = named.pattern
    symbol = grammar.symbols[pattern.symbol].display
    shape = outline(grammar, pattern)
    for node, rule in enumerate(pattern.rules):
        abstract = shape.symbols[node]
        if rule == ABSTRACT and abstract not in grammar.analysis.productive:
            return (
                f"{named.name} occurs in no input: nothing can stand for"
                f" <{grammar.symbols[abstract].display}>, which derives no sentence"
            )
    if pattern.symbol not in grammar.analysis.reachable:
        start = grammar.symbols[grammar.start].display
        return f"{named.name} occurs in no input: {symbol} is not reachable from {start}"
    return f"{named.name} occurs in no input: no sentence has a {symbol} there"


def _in_words(part: Expression) -> str:
    """What an expression says of an input, after "no input"."""
    match part:
        case Not(Count(Occurrences((named,)), 1, None)):
            return f"is without {named.name}"
        case Count():
            return f"has {expression_text(part)}"
        case _:
            return f"is one of ({expression_text(part)})"
