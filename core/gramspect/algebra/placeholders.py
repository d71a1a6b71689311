"""The grammar by which patterns are read: abstract non-terminals are tokens of their own in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gramspect.algebra.patterns import ABSTRACT, Pattern
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Rule, Symbol

__all__ = ["WithPlaceholders", "with_placeholders"]


@dataclass(frozen=True)
class WithPlaceholders:
    """A grammar in which some non-terminals also derive a terminal of their own.

    The rules of the grammar keep their numbers; those for abstract nodes come next, then those for
    the roots.
    """

    grammar: Grammar
    base: Grammar
    token_for: Mapping[int, int]
    roots: Sequence[int]

    def original(self, tree: Pattern) -> Pattern:
        """A tree of the grammar as a pattern of the one that it was made from."""
        first_root = self.base.n_rules + len(self.token_for)
        root = self.roots[tree.rules[0] - first_root]
        rules = (rule if rule < self.base.n_rules else ABSTRACT for rule in tree.rules[1:])
        return Pattern(root, tuple(rules))


def with_placeholders(
    grammar: Grammar, abstract: Sequence[int], root: int | None
) -> WithPlaceholders:
    """The grammar of patterns with that root, or with any, the start symbol first."""
    first, shift = grammar.n_terminals, len(abstract)
    symbols = list(grammar.symbols[:first])
    for symbol in abstract:
        name = f"<{grammar.symbols[symbol].name}>"
        symbols.append(Symbol(len(symbols), name, terminal=True, display=name))
    symbols += [
        replace(s, index=s.index + shift, owner=None, operator=None) for s in grammar.nonterminals
    ]
    start = len(symbols)
    symbols.append(Symbol(start, "$pattern", terminal=False, display="pattern"))

    def moved(symbol: int) -> int:
        return symbol if symbol < first else symbol + shift

    rules = [
        replace(rule, lhs=moved(rule.lhs), rhs=tuple(map(moved, rule.rhs)))
        for rule in grammar.rules
    ]
    token_for = {symbol: first + n for n, symbol in enumerate(abstract)}
    others = (s.index for s in grammar.nonterminals if s.index != grammar.start)
    roots = [root] if root is not None else [grammar.start, *others]
    added = [(moved(symbol), token) for symbol, token in token_for.items()]
    added += [(start, moved(symbol)) for symbol in roots]
    rules += [Rule(-1, lhs, (rhs,), 0, "", None, (None,)) for lhs, rhs in added]
    changed = replace(
        grammar, symbols=tuple(symbols), rules=(), start=start, n_terminals=first + shift,
        precedence={},
    )  # fmt: skip
    return WithPlaceholders(changed.with_rules(rules), grammar, token_for, roots)
