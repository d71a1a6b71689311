"""From a chart, or the run of an LR parser, to the bits of a spectrum.

Spectra are written as bit sets of 32-bit words: bit ``e & 31`` of word ``base + (e >> 5)``. This
module holds Definitions 3.1 to 4.2 of Raselimo and Fischer (2024) for the extractions `exact` and
`all`.
"""

from __future__ import annotations

from typing import NamedTuple

from gramspect.kernel.earley import predict, waiting
from gramspect.kernel.entry import entry
from gramspect.kernel.tables import N_ENTRIES, Chart, GrammarTables, Memory, Numbers, Output
from gramspect.kernel.walk import N_CALLS, N_LEAVES, Walk, choose


class Scratch(NamedTuple):
    """Work space: `pending` entries, which of them were `visited` (by stamp), `frontier` flags."""

    pending: int
    visited: int
    stamp: int
    frontier: int
    stack: int


def scratch_room(memory: Memory, t: GrammarTables, entries: int) -> Scratch:
    """Reserve work space for charts of so many entries."""
    room = memory.room
    size = t.n_nonterminals
    return Scratch(room(entries), room(entries), room(1), room(size), room(size + 1))


def set_bit(m: Numbers, base: int, element: int) -> None:
    """Add an element to the bit set at `base`."""
    m[base + (element >> 5)] |= 1 << (element & 31)


def set_range(m: Numbers, base: int, first: int, last: int) -> None:
    """Set the bits of first .. last, both included, word by word."""
    while first <= last:
        word = first >> 5
        n_bits = min(last, 32 * word + 31) - first + 1
        m[base + word] |= ((1 << n_bits) - 1) << (first & 31)
        first += n_bits


def apply_rule(m: Numbers, t: GrammarTables, rule: int, o: Output) -> None:
    """A rule applied in full: it and all its items (Definition 4.1)."""
    set_bit(m, o.rules, rule)
    set_range(m, o.items, m[t.item_start + rule], m[t.item_start + rule + 1] - 1)


def apply_item(m: Numbers, t: GrammarTables, item: int, o: Output) -> None:
    """A rule applied up to the dot: it and its items so far (Definition 4.2)."""
    if item < t.n_items:
        rule = m[t.item_rule + item]
        set_bit(m, o.rules, rule)
        set_range(m, o.items, m[t.item_start + rule], item)


def apply_frontier(m: Numbers, t: GrammarTables, s: Scratch, item: int, o: Output) -> None:
    """The rules of the closure of the symbol after the dot, each with its first item."""
    nonterminal = m[t.item_next + item] - t.n_terminals
    if nonterminal < 0:
        return
    for i in range(t.n_nonterminals):
        m[s.frontier + i] = 0
    predict(m, t, s.frontier, nonterminal, s.stack)
    for i in range(t.n_nonterminals):
        if m[s.frontier + i]:
            for j in range(m[t.rules_start + i], m[t.rules_start + i + 1]):
                rule = m[t.rules + j]
                set_bit(m, o.rules, rule)
                set_bit(m, o.items, m[t.item_start + rule])


def visit(m: Numbers, s: Scratch, entry: int, top: int) -> int:
    """Push an entry that was not visited yet; the new top."""
    if entry < 0 or m[s.visited + entry] == m[s.stamp + 0]:
        return top
    m[s.visited + entry] = m[s.stamp + 0]
    m[s.pending + top] = entry
    return top + 1


def constituents(
    m: Numbers,
    t: GrammarTables,
    c: Chart,
    s: Scratch,
    top: int,
    first_column: int,
    every: bool,
    o: Output,
) -> None:
    """The completed rules inside the `top` pending entries, of one derivation or of every one.

    Columns before `first_column` are those of an LR stack, whose reductions are known otherwise.
    """
    while top:
        top -= 1
        e = m[s.pending + top]
        item = m[c.item + e]
        if m[c.column + e] < first_column:
            continue
        if m[t.item_next + item] < 0 and item < t.n_items:
            apply_rule(m, t, m[t.item_rule + item], o)
        if every and item != t.n_items and item != m[t.item_start + m[t.item_rule + item]]:
            top = every_step(m, t, c, s, e, top)
        else:
            top = visit(m, s, m[c.prev + e], top)
            top = visit(m, s, m[c.child + e], top)


def every_step(m: Numbers, t: GrammarTables, c: Chart, s: Scratch, e: int, top: int) -> int:
    """Push all pairs of an entry and a completed one that e can have been made from."""
    item, origin, column = m[c.item + e], m[c.origin + e], m[c.column + e]
    before = item - 1
    symbol = m[t.item_next + before]
    if symbol < t.n_terminals:
        return visit(m, s, m[c.prev + e], top)
    at_front = before == m[t.item_start + m[t.item_rule + item]] and item < t.n_items
    last = m[c.column_start + column + 1]
    for child in range(m[c.column_start + column], last):
        done = m[c.item + child]
        if m[t.item_next + done] >= 0 or done >= t.n_items:
            continue
        if m[t.rule_lhs + m[t.item_rule + done]] + t.n_terminals != symbol:
            continue
        middle = m[c.origin + child]
        if at_front:
            if middle == origin:
                top = visit(m, s, child, top)
            continue
        w = waiting(m, t, c, middle, symbol)
        while w >= 0:
            if m[c.item + w] == before and m[c.origin + w] == origin:
                top = visit(m, s, w, top)
                top = visit(m, s, child, top)
            w = m[c.wait_next + w]
    return top


@entry
def exact_rejected(
    m: Numbers, t: GrammarTables, c: Chart, w: Walk, s: Scratch, first_column: int, o: Output
) -> None:
    """The maximally viable derivation with the shortest completion, and its frontier."""
    length = choose(m, t, c, w)
    m[s.stamp + 0] += 1
    top = 0
    for i in range(length):
        apply_item(m, t, m[w.chain_item + i], o)
        top = visit(m, s, m[w.chain_entry + i], top)
    constituents(m, t, c, s, top, first_column, False, o)
    apply_frontier(m, t, s, m[w.chain_item + 0], o)


@entry
def all_rejected(
    m: Numbers, t: GrammarTables, c: Chart, w: Walk, s: Scratch, first_column: int, o: Output
) -> None:
    """The union over every maximally viable derivation, and the frontiers of all."""
    m[s.stamp + 0] += 1
    top = 0
    for i in range(m[w.counts + N_LEAVES]):
        entry = m[w.leaf + i]
        apply_item(m, t, m[c.item + entry], o)
        apply_frontier(m, t, s, m[c.item + entry], o)
        top = visit(m, s, entry, top)
    for edge in range(m[w.edge_start + m[w.counts + N_CALLS]]):
        apply_item(m, t, m[w.edge_item + edge], o)
        top = visit(m, s, m[w.edge_entry + edge], top)
    constituents(m, t, c, s, top, first_column, True, o)


@entry
def accepted(
    m: Numbers, t: GrammarTables, c: Chart, s: Scratch, column: int, every: bool, o: Output
) -> bool:
    """The derivation that ends in the last column; False if there is none."""
    for e in range(m[c.column_start + column], m[c.counts + N_ENTRIES]):
        if m[c.item + e] == t.n_items + 1:
            m[s.stamp + 0] += 1
            top = visit(m, s, e, 0)
            constituents(m, t, c, s, top, 0, every, o)
            return True
    return False
