"""How much the name of a new symbol is like the names of those beside which it may stand.

People name alike what they use alike: ``_AND`` belongs where ``AND`` is, ``SZONE`` where ``DZONE``
is, and where a rule has ``Type``, ``AnnotatedType`` is meant more often than what else would fit.
The words in which the user wrote a symbol are compared by their pairs of letters, so ``OR`` and
``rshift`` have nothing in common, and ``NOT_EQUALS`` and ``EQUALS`` have a good deal. A pair weighs
less the more tokens have it: where all are called ``T_...`` that says nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import pairwise
from math import log, sqrt
from weakref import WeakKeyDictionary

from gramspect.edits.model import NEW_TOKEN, Edit, EditKind, Key
from gramspect.grammars.grammar import Grammar

__all__ = ["likeness"]

_MARKS = "\"'<>"
_SEPARATORS = str.maketrans("", "", "_:")


def likeness(grammar: Grammar, edit: Edit) -> float:
    """The likeness of the first new symbol to that of the others which is most like it.

    From 0 to 1 (the cosine of the weighed pairs of letters). The others are the symbol that it may
    replace and, if it begins an alternative, the first symbols of the others of its rule. An edit
    that puts a symbol in between, that only leaves one out, or whose rule calls itself, has 0.
    """
    if grammar not in _NAMES:
        _NAMES[grammar] = _Names(grammar)
    return _NAMES[grammar].likeness(edit)


class _Names:
    """The names of a grammar's symbols as vectors of length 1 over pairs of letters."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        pairs = [_pairs(symbol.display) for symbol in grammar.symbols]
        tokens = grammar.n_terminals
        having = Counter(pair for found in pairs[:tokens] for pair in found)
        self.weights = {pair: log(1 + tokens / (1 + n)) for pair, n in having.items()}
        self.rarest = log(1 + tokens)
        self.vectors = [self._vector(found) for found in pairs]
        self._edits: dict[tuple[Key, str], float] = {}
        self._most: dict[tuple[int, int, str], float] = {}

    def likeness(self, edit: Edit) -> float:
        known = (edit.key, edit.text)
        if known not in self._edits:
            self._edits[known] = self._most_alike(edit)
        return self._edits[known]

    def _most_alike(self, edit: Edit) -> float:
        replaced, lhs = _beside(self.grammar, edit)
        found = 0.0 if replaced is None else self._alike(edit, (replaced,))
        if lhs is None:
            return found
        # Edits at the beginning of each alternative of a rule have the same others beside them.
        key = lhs, edit.symbols[0], edit.text
        if key not in self._most:
            rules = (self.grammar.rules[number] for number in self.grammar.rules_of[lhs])
            self._most[key] = self._alike(edit, {rule.rhs[0] for rule in rules if rule.rhs})
        return max(found, self._most[key])

    def _alike(self, edit: Edit, others: Collection[int]) -> float:
        """The likeness of the new symbol to the one of the others that is most like it."""
        new = edit.symbols[0]
        is_token = new == NEW_TOKEN
        vector = self._vector(_pairs(edit.text)) if is_token else self.vectors[new]
        alike = (_cosine(vector, self.vectors[other]) for other in others if other != new)
        return max(alike, default=0.0)

    def _vector(self, pairs: frozenset[str]) -> Mapping[str, float]:
        weighed = {pair: self.weights.get(pair, self.rarest) for pair in pairs}
        length = sqrt(sum(weight * weight for weight in weighed.values()))
        return {pair: weight / length for pair, weight in weighed.items()}


_NAMES: WeakKeyDictionary[Grammar, _Names] = WeakKeyDictionary()


def _beside(grammar: Grammar, edit: Edit) -> tuple[int | None, int | None]:
    """In whose place the new symbol may stand: a symbol, and all firsts of a non-terminal's
    rules."""
    if not edit.symbols or edit.kind is EditKind.TOKEN:
        return None, None
    index, dot = grammar.split_item(edit.item)
    rule = grammar.rules[index]
    if edit.symbols[0] == grammar.user_nonterminal(rule.lhs):
        return None, None
    replaces = edit.kind in (EditKind.REPLACE, EditKind.NARROW) and dot < len(rule.rhs)
    is_first = dot == 0 and not edit.kind.keeps_next
    return rule.rhs[dot] if replaces else None, rule.lhs if is_first else None


def _pairs(words: str) -> frozenset[str]:
    """The pairs of letters of a name, its beginning and end included."""
    name = words.strip(_MARKS).lower().translate(_SEPARATORS)
    return frozenset(one + next_one for one, next_one in pairwise(f"^{name}$") if name)


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(weight * other[pair] for pair, weight in one.items() if pair in other)
