"""How much the name of a new symbol is like the names of those beside which it may stand.

People name alike what they use alike: ``_AND`` belongs where ``AND`` is, ``SZONE`` where ``DZONE``
is, and where a rule has ``Type``, ``AnnotatedType`` is meant more often than what else would fit.
The words in which the user wrote a symbol are compared by their pairs of letters, so ``OR`` and
``rshift`` have nothing in common, and ``NOT_EQUALS`` and ``EQUALS`` have a good deal. A pair weighs
less the more tokens have it: where all are called ``T_...`` that says nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
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
        self._pairs: dict[tuple[int, int], float] = {}

    def likeness(self, edit: Edit) -> float:
        known = (edit.key, edit.text)
        if known not in self._edits:
            self._edits[known] = max(self._each(edit), default=0.0)
        return self._edits[known]

    def _each(self, edit: Edit) -> Iterator[float]:
        for other in _beside(self.grammar, edit):
            new = edit.symbols[0]
            if new == NEW_TOKEN:
                yield _cosine(self._vector(_pairs(edit.text)), self.vectors[other])
            elif new != other:
                pair = min(new, other), max(new, other)
                if pair not in self._pairs:
                    self._pairs[pair] = _cosine(self.vectors[new], self.vectors[other])
                yield self._pairs[pair]

    def _vector(self, pairs: frozenset[str]) -> Mapping[str, float]:
        weighed = {pair: self.weights.get(pair, self.rarest) for pair in pairs}
        length = sqrt(sum(weight * weight for weight in weighed.values()))
        return {pair: weight / length for pair, weight in weighed.items()}


_NAMES: WeakKeyDictionary[Grammar, _Names] = WeakKeyDictionary()


def _beside(grammar: Grammar, edit: Edit) -> Iterator[int]:
    """The symbols in whose place, or as an alternative to which, the new one may stand."""
    if not edit.symbols or edit.kind is EditKind.TOKEN:
        return
    index, dot = grammar.split_item(edit.item)
    rule = grammar.rules[index]
    if edit.symbols[0] == grammar.user_nonterminal(rule.lhs):
        return
    if edit.kind in (EditKind.REPLACE, EditKind.NARROW):
        yield from rule.rhs[dot : dot + 1]
    if dot == 0 and not edit.kind.keeps_next:
        for alternative in grammar.rules_of[rule.lhs]:
            yield from grammar.rules[alternative].rhs[:1]


def _pairs(words: str) -> frozenset[str]:
    """The pairs of letters of a name, its beginning and end included."""
    name = words.strip(_MARKS).lower().translate(_SEPARATORS)
    return frozenset(one + next_one for one, next_one in pairwise(f"^{name}$") if name)


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(weight * other[pair] for pair, weight in one.items() if pair in other)
