"""How many conflicts an edit adds: many are a sign of an edit that nobody would make.

An edit that lets a failing input pass may let nearly everything pass: an expression that may be
empty, or a blank among the keywords that are names. Such an edit makes the grammar ambiguous in
many places, and so its LALR(1) table has many more conflicts. A repair that people make hardly
ever has that effect, whatever the technique of their parser is, so the table is only a measure
here: nobody parses with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf

from gramspect.edits.model import Edit, Key, applied
from gramspect.edits.search import Outcome
from gramspect.effort import now, spend
from gramspect.errors import GrammarError
from gramspect.grammars.grammar import Grammar
from gramspect.lr.tables import n_lalr_conflicts

__all__ = ["new_conflicts"]

MOST_EDITS = 40
"""How many edits are looked at, the cheapest first, however small the grammar is."""
MOST_RULES = 10_000
"""The limit on edits times rules of the grammar: each edit costs a table of all rules."""
LARGE = 2_500
"""Grammars with more rules are left out: one table takes a second or more."""
STEPS_PER_ITEM = 150
"""The steps that a table counts as for every item of the grammar."""
PER_NONTERMINAL = 3
"""How many edits of one non-terminal are looked at."""


def new_conflicts(
    grammar: Grammar, outcomes: Sequence[Outcome], deadline: float = inf
) -> Mapping[Key, int]:
    """For the cheapest edits how many unresolved LALR(1) conflicts each adds, at least 0.

    Edits that work come before those that only get further. After `deadline` (by
    `gramspect.effort.now`) it ends with what it has.
    """
    most = min(MOST_EDITS, MOST_RULES // max(1, grammar.n_rules) - 1)
    found: dict[Key, int] = {}
    chosen = list(_chosen(grammar, outcomes, most)) if grammar.n_rules <= LARGE else []
    before = _conflicts(grammar) if chosen else None
    if before is None:
        return found
    for edit in chosen:
        if now() >= deadline:
            break
        after = _conflicts(applied(grammar, edit))
        if after is not None:
            found[edit.key] = max(0, after - before)
    return found


def _conflicts(grammar: Grammar) -> int | None:
    spend(STEPS_PER_ITEM * grammar.n_items)
    try:
        return n_lalr_conflicts(grammar)
    except GrammarError:
        return None


def _chosen(grammar: Grammar, outcomes: Sequence[Outcome], most: int) -> Iterator[Edit]:
    """The first `most` edits, each once, a few of each non-terminal that the user wrote."""
    places: dict[int, set[Key]] = {}
    for outcome in sorted(outcomes, key=lambda o: (not o.accepted, o.edit.cost, o.edit.key)):
        if most <= 0:
            break
        rule, _ = grammar.split_item(outcome.edit.item)
        known = places.setdefault(grammar.user_nonterminal(grammar.rules[rule].lhs), set())
        if outcome.edit.key not in known and len(known) < PER_NONTERMINAL:
            known.add(outcome.edit.key)
            most -= 1
            yield outcome.edit
