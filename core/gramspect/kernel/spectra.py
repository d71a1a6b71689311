"""From a chart, or the run of an LR parser, to the bits of a spectrum.

Spectra are written as bit sets of 32-bit words: bit ``e & 31`` of word ``base + (e >> 5)``. This module
holds Definitions 3.1 to 4.2 of Raselimo and Fischer (2023) for the extractions `exact` and `all`.
"""

from __future__ import annotations

from typing import NamedTuple

from gramspect.kernel.tables import N_ENTRIES, Chart, GrammarTables, Numbers, zeros

from .earley import predict, waiting
from .jit import jit
from .walk import N_CALLS, N_LEAVES, Walk, choose


class Scratch(NamedTuple):
    """Work space: `pending` entries and whether they were `visited` (by stamp), `frontier` flags."""

    pending: Numbers
    visited: Numbers
    stamp: Numbers
    frontier: Numbers
    stack: Numbers


def scratch_arrays(tables: GrammarTables, entries: int, compiled: bool) -> Scratch:
    """Work space for charts of so many entries."""
    return Scratch(
        zeros(entries, compiled),
        zeros(entries, compiled),
        zeros(1, compiled),
        zeros(tables.n_nonterminals, compiled),
        zeros(tables.n_nonterminals + 1, compiled),
    )


@jit
def set_bit(words: Numbers, base: int, element: int) -> None:
    words[base + (element >> 5)] |= 1 << (element & 31)


@jit
def set_range(words: Numbers, base: int, first: int, last: int) -> None:
    """Set the bits of first .. last, both included."""
    for element in range(first, last + 1):
        set_bit(words, base, element)


@jit
def apply_rule(
    t: GrammarTables, rule: int, rules: Numbers, rule_base: int, items: Numbers, item_base: int
) -> None:
    """A rule applied in full: it and all its items (Definition 4.1)."""
    set_bit(rules, rule_base, rule)
    set_range(items, item_base, t.item_start[rule], t.item_start[rule + 1] - 1)


@jit
def apply_item(
    t: GrammarTables, item: int, rules: Numbers, rule_base: int, items: Numbers, item_base: int
) -> None:
    """A rule applied up to the dot: it and its items so far (Definition 4.2)."""
    if item < t.n_items:
        rule = t.item_rule[item]
        set_bit(rules, rule_base, rule)
        set_range(items, item_base, t.item_start[rule], item)


@jit
def apply_frontier(
    t: GrammarTables,
    s: Scratch,
    item: int,
    rules: Numbers,
    rule_base: int,
    items: Numbers,
    item_base: int,
) -> None:
    """The rules of the closure of the symbol behind the dot, each with its first item."""
    nonterminal = t.item_next[item] - t.n_terminals
    if nonterminal < 0:
        return
    for i in range(t.n_nonterminals):
        s.frontier[i] = 0
    predict(t, s.frontier, 0, nonterminal, s.stack)
    for i in range(t.n_nonterminals):
        if s.frontier[i]:
            for j in range(t.rules_start[i], t.rules_start[i + 1]):
                rule = t.rules[j]
                set_bit(rules, rule_base, rule)
                set_bit(items, item_base, t.item_start[rule])


@jit
def visit(s: Scratch, entry: int, top: int) -> int:
    """Push an entry that was not visited yet; the new top."""
    if entry < 0 or s.visited[entry] == s.stamp[0]:
        return top
    s.visited[entry] = s.stamp[0]
    s.pending[top] = entry
    return top + 1


@jit
def constituents(
    t: GrammarTables,
    c: Chart,
    s: Scratch,
    top: int,
    first_column: int,
    every: bool,
    rules: Numbers,
    rule_base: int,
    items: Numbers,
    item_base: int,
) -> None:
    """The completed rules inside the `top` pending entries, of one derivation or of every one.

    Columns before `first_column` are those of an LR stack, whose reductions are known otherwise.
    """
    while top:
        top -= 1
        e = s.pending[top]
        item = c.item[e]
        if c.column[e] < first_column:
            continue
        if t.item_next[item] < 0 and item < t.n_items:
            apply_rule(t, t.item_rule[item], rules, rule_base, items, item_base)
        if every and item != t.n_items and item != t.item_start[t.item_rule[item]]:
            top = every_step(t, c, s, e, top)
        else:
            top = visit(s, c.prev[e], top)
            top = visit(s, c.child[e], top)


@jit
def every_step(t: GrammarTables, c: Chart, s: Scratch, e: int, top: int) -> int:
    """Push all pairs of an entry and a completed one that e can have been made from."""
    item, origin, column = c.item[e], c.origin[e], c.column[e]
    before = item - 1
    symbol = t.item_next[before]
    if symbol < t.n_terminals:
        return visit(s, c.prev[e], top)
    at_front = before == t.item_start[t.item_rule[item]] and item < t.n_items
    last = c.column_start[column + 1]
    for child in range(c.column_start[column], last):
        done = c.item[child]
        if t.item_next[done] >= 0 or done >= t.n_items:
            continue
        if t.rule_lhs[t.item_rule[done]] + t.n_terminals != symbol:
            continue
        middle = c.origin[child]
        if at_front:
            if middle == origin:
                top = visit(s, child, top)
            continue
        w = waiting(t, c, middle, symbol)
        while w >= 0:
            if c.item[w] == before and c.origin[w] == origin:
                top = visit(s, w, top)
                top = visit(s, child, top)
            w = c.wait_next[w]
    return top


@jit
def exact_rejected(
    t: GrammarTables,
    c: Chart,
    w: Walk,
    s: Scratch,
    first_column: int,
    rules: Numbers,
    rule_base: int,
    items: Numbers,
    item_base: int,
) -> None:
    """The maximally viable derivation with the shortest completion, and its frontier."""
    length = choose(t, c, w)
    s.stamp[0] += 1
    top = 0
    for i in range(length):
        apply_item(t, w.chain_item[i], rules, rule_base, items, item_base)
        top = visit(s, w.chain_entry[i], top)
    constituents(t, c, s, top, first_column, False, rules, rule_base, items, item_base)
    apply_frontier(t, s, w.chain_item[0], rules, rule_base, items, item_base)


@jit
def all_rejected(
    t: GrammarTables,
    c: Chart,
    w: Walk,
    s: Scratch,
    first_column: int,
    rules: Numbers,
    rule_base: int,
    items: Numbers,
    item_base: int,
) -> None:
    """The union over every maximally viable derivation, and the frontiers of all."""
    s.stamp[0] += 1
    top = 0
    for i in range(w.count[N_LEAVES]):
        entry = w.leaf[i]
        apply_item(t, c.item[entry], rules, rule_base, items, item_base)
        apply_frontier(t, s, c.item[entry], rules, rule_base, items, item_base)
        top = visit(s, entry, top)
    for edge in range(w.edge_start[w.count[N_CALLS]]):
        apply_item(t, w.edge_item[edge], rules, rule_base, items, item_base)
        top = visit(s, w.edge_entry[edge], top)
    constituents(t, c, s, top, first_column, True, rules, rule_base, items, item_base)


@jit
def accepted(
    t: GrammarTables,
    c: Chart,
    s: Scratch,
    column: int,
    every: bool,
    rules: Numbers,
    rule_base: int,
    items: Numbers,
    item_base: int,
) -> bool:
    """The derivation that ends in the last column; False if there is none."""
    for e in range(c.column_start[column], c.count[N_ENTRIES]):
        if c.item[e] == t.n_items + 1:
            s.stamp[0] += 1
            top = visit(s, e, 0)
            constituents(t, c, s, top, 0, every, rules, rule_base, items, item_base)
            return True
    return False
