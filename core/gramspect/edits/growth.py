"""How much an edit lets the language grow: the pairs of tokens that may stand side by side anew.

An edit that lets a failing input pass may let much else pass that nobody wants: a keyword among
the operators may then stand between any two expressions. What people add to a grammar mostly lets a
few new pairs of tokens meet, around what is new and nowhere else. So of two edits that help as
well, the one is more likely that brings fewer pairs.

The pairs are those of sentences of the edited grammar, beginning and end of the input included.
They are found without making that grammar: a new alternative differs from its rule only where the
new symbols are. The number is exact but in two cases. If the new alternative leads back to the
rule, or what the rule defines may stand beside itself, the few pairs of one such alternative inside
or beside another are missing; and if it may be empty, all that may stand before the rule is taken
to meet all that may stand after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from gramspect.edits.model import NEW_TOKEN, Edit, Key, rewritten
from gramspect.generation.adjacency import Adjacency, members
from gramspect.grammars.grammar import Grammar

__all__ = ["new_pairs"]


def new_pairs(grammar: Grammar, edits: Iterable[Edit]) -> Mapping[Key, int]:
    """For each edit how many pairs of adjacent tokens it makes possible; 0 if it only restricts."""
    found: dict[Key, int] = {}
    for edit in edits:
        if edit.key not in found:
            found[edit.key] = 0 if edit.kind.restrictive else _n_new(_adjacency(grammar), edit)
    return found


@lru_cache(maxsize=4)
def _adjacency(grammar: Grammar) -> Adjacency:
    return Adjacency(grammar)


def _n_new(adjacency: Adjacency, edit: Edit) -> int:
    met: dict[int, int] = {}
    for left, right in _seams(adjacency, edit):
        for token in members(left):
            met[token] = met.get(token, 0) | right
    known = (*adjacency.after, 0)
    return sum((bits & ~known[token]).bit_count() for token, bits in met.items())


def _seams(adjacency: Adjacency, edit: Edit) -> Iterator[tuple[int, int]]:
    """What meets where the new alternative is not as its rule was: bits of the left, the right."""
    grammar = adjacency.grammar
    rule, dot = grammar.split_item(edit.item)
    lhs, rhs = grammar.rules[rule].lhs, rewritten(grammar, edit)
    unknown = 1 << grammar.n_terminals
    for place in range(dot, dot + len(edit.symbols) + 1):
        before, after = rhs[:place], rhs[place:]
        left = unknown if before[-1:] == (NEW_TOKEN,) else adjacency.left(lhs, before)
        right = unknown if after[:1] == (NEW_TOKEN,) else adjacency.right(lhs, after)
        yield left, right
