"""The columns in which an edit of the grammar is tried on an input, and their entries.

The chart of the input, up to the error, is the *base*. An attempt (`gramspect.kernel.resuming`)
starts at one of its columns and lays columns of its own over it; the base is never changed, so
thousands of attempts share it.

An edit is a detour: wherever item `at` stands (in the first column or after it), the symbols of
the detour may follow instead of what the rule says, and then the item `target`, or the end of
the rule. Item ``n_items + 2 + i`` stands before symbol i of the detour. If the edit *closes* the
position, the detour must be taken, and without a detour (`target` NOWHERE) the rule is gone.
"""

from __future__ import annotations

from typing import NamedTuple

from gramspect.kernel.earley import slot, waiting
from gramspect.kernel.tables import Chart, GrammarTables, Memory, Numbers, hash_size

MAX_DETOUR = 8
"""The longest detour, the symbol it rejoins the rule with included."""
END_OF_RULE = -2
"""As `target`: after the detour the rule ends."""
EFFORT_PER_ENTRY = 4
"""An attempt is given up after this many additions per entry that there is room for."""
NOWHERE = -3
"""As `at`: there is no edit. As `target`: there is no detour."""
AFTER_TOKENS = 2
"""As `closed`: only where the rule has read something. 1: everywhere; 0: nowhere."""
FROM_START = -1
"""As first column of an attempt: nothing of the base is used."""

AT, LENGTH, TARGET, CLOSED, N_ENTRIES, SEEN_STAMP, RUN, FIRST, FREE, EFFORT, N_NEW, WORK = range(12)
"""Places in `Overlay.counts`; RUN: the number of the attempt, by which its marks are known; FREE:
it ignores the base, everything is predicted; N_NEW: non-terminals predicted but not yet started;
EFFORT: additions to columns in this attempt; WORK: in those before it."""


class Overlay(NamedTuple):
    """The columns of one attempt, numbered as those of the input.

    Fields are those of `Chart`; what the base predicts in the first column is not repeated in
    `predicted`, unless it derives nothing. `detour` holds the symbols of the edit and after them
    -1. `spans` flags, for a free attempt, which non-terminals span how many tokens from the first
    column on: in row n - 1 those that span n, up to `reach`.
    """

    columns: int
    entries: int
    mask: int
    reach: int
    counts: int
    detour: int
    item: int
    origin: int
    wait_next: int
    wait_key: int
    wait_head: int
    wait_stamp: int
    seen_key: int
    seen_stamp: int
    predicted: int
    stack: int
    new: int
    spans: int


def overlay_room(
    memory: Memory, t: GrammarTables, columns: int, entries: int, reach: int
) -> Overlay:
    """Reserve room for attempts."""
    size = hash_size(entries)
    stacks = [t.n_nonterminals + 1] * 2
    flags = [columns * t.n_nonterminals, *stacks, reach * t.n_nonterminals]
    sizes = [12, MAX_DETOUR + 1, *[entries] * 3, *[size] * 5, *flags]
    return Overlay(columns, entries, size - 1, reach, *map(memory.room, sizes))


def after_dot(m: Numbers, t: GrammarTables, x: Overlay, item: int) -> int:
    """The symbol an item waits for, or -1."""
    if item < t.n_items + 2:
        return m[t.item_next + item]
    return m[x.detour + item - t.n_items - 2]


def advanced(m: Numbers, t: GrammarTables, x: Overlay, item: int) -> int:
    """The item with the dot one symbol on; the end of the detour is the target."""
    if item < t.n_items + 2:
        return item + 1
    if item - t.n_items - 1 < m[x.counts + LENGTH]:
        return item + 1
    return arrival(m, t, x)


def arrival(m: Numbers, t: GrammarTables, x: Overlay) -> int:
    """Where a detour comes back to the rule: the target, or a completed item of its own."""
    if m[x.counts + TARGET] == END_OF_RULE:
        return t.n_items + 2 + m[x.counts + LENGTH]
    return m[x.counts + TARGET]


def completed(m: Numbers, t: GrammarTables, x: Overlay, item: int) -> int:
    """The non-terminal that a completed item completes, as a symbol; -1 for $accept."""
    rule = m[t.item_rule + (item if item < t.n_items + 2 else m[x.counts + AT])]
    return m[t.rule_lhs + rule] + t.n_terminals if rule < t.n_rules else -1


def departure(m: Numbers, t: GrammarTables, x: Overlay) -> int:
    """The first item of the detour; an empty one arrives at once."""
    return t.n_items + 2 if m[x.counts + LENGTH] else arrival(m, t, x)


def is_closed(m: Numbers, x: Overlay, item: int, width: int) -> bool:
    """Whether what the rule says at an item, so many tokens from its front, no longer holds."""
    closed = m[x.counts + CLOSED]
    return closed != 0 and item == m[x.counts + AT] and (closed != AFTER_TOKENS or width > 0)


def put(m: Numbers, t: GrammarTables, x: Overlay, column: int, item: int, origin: int) -> bool:
    """Add an entry to the current column unless it is there; False if a bound is exceeded."""
    key = origin * (t.n_items + 2 + MAX_DETOUR) + item
    m[x.counts + EFFORT] += 1
    if m[x.counts + EFFORT] > EFFORT_PER_ENTRY * x.entries:
        return False
    stamp = m[x.counts + SEEN_STAMP]
    place = slot(m, x.seen_key, x.seen_stamp, x.mask, key, stamp)
    if m[x.seen_stamp + place] == stamp:
        return True
    e = m[x.counts + N_ENTRIES]
    if e >= x.entries:
        return False
    m[x.seen_key + place] = key
    m[x.seen_stamp + place] = stamp
    m[x.counts + N_ENTRIES] = e + 1
    m[x.item + e] = item
    m[x.origin + e] = origin
    symbol = after_dot(m, t, x, item)
    if symbol >= 0 and not is_closed(m, x, item, column - origin):
        key = column * (t.n_terminals + t.n_nonterminals) + symbol
        run = m[x.counts + RUN]
        place = slot(m, x.wait_key, x.wait_stamp, x.mask, key, run)
        known = m[x.wait_stamp + place] == run
        m[x.wait_next + e] = m[x.wait_head + place] if known else -1
        m[x.wait_key + place] = key
        m[x.wait_stamp + place] = run
        m[x.wait_head + place] = e
    return True


def depart(m: Numbers, t: GrammarTables, x: Overlay, column: int, origin: int) -> bool:
    """Take the detour, if there is one, in a constituent that begins at `origin`."""
    if m[x.counts + TARGET] == NOWHERE:
        return True
    return put(m, t, x, column, departure(m, t, x), origin)


def feed(
    m: Numbers, t: GrammarTables, c: Chart, x: Overlay, column: int, origin: int, symbol: int
) -> bool:
    """Advance into `column` all that waits for `symbol` at `origin`; False: given up."""
    first = m[x.counts + FIRST]
    if origin <= first and not m[x.counts + FREE]:
        w = waiting(m, t, c, origin, symbol)
        while w >= 0:
            if not put(m, t, x, column, m[c.item + w] + 1, m[c.origin + w]):
                return False
            w = m[c.wait_next + w]
    if origin >= first:
        key = origin * (t.n_terminals + t.n_nonterminals) + symbol
        run = m[x.counts + RUN]
        place = slot(m, x.wait_key, x.wait_stamp, x.mask, key, run)
        w = m[x.wait_head + place] if m[x.wait_stamp + place] == run else -1
        while w >= 0:
            if not put(m, t, x, column, advanced(m, t, x, m[x.item + w]), m[x.origin + w]):
                return False
            w = m[x.wait_next + w]
    for i in range(m[t.uses_start + symbol], m[t.uses_start + symbol + 1]):
        rule = m[t.uses + i]
        front = m[t.item_start + rule]
        wanted = is_wanted(m, t, c, x, origin, m[t.rule_lhs + rule])
        closed = is_closed(m, x, front, 0)
        if wanted and not closed and not put(m, t, x, column, front + 1, origin):
            return False
    return True


def is_wanted(
    m: Numbers, t: GrammarTables, c: Chart, x: Overlay, column: int, nonterminal: int
) -> bool:
    """Whether a non-terminal is predicted in a column, by the attempt or by the base."""
    first = m[x.counts + FIRST]
    if column >= first:
        mark = m[x.predicted + column * t.n_nonterminals + nonterminal]
        if mark == m[x.counts + RUN]:
            return True
    return is_wanted_by_base(m, t, c, x, column, nonterminal)


def is_wanted_by_base(
    m: Numbers, t: GrammarTables, c: Chart, x: Overlay, column: int, nonterminal: int
) -> bool:
    """Whether the base, where the attempt uses it, predicts a non-terminal in a column."""
    if column > m[x.counts + FIRST] or m[x.counts + FREE]:
        return False
    return m[c.predicted + m[c.row + column] * t.n_nonterminals + nonterminal] != 0


def want(m: Numbers, t: GrammarTables, c: Chart, x: Overlay, column: int, nonterminal: int) -> None:
    """Predict a non-terminal and all that its rules, or the edited one, can start with."""
    top = mark(m, t, c, x, column, nonterminal, 0)
    while top:
        top -= 1
        current = m[x.stack + top]
        m[x.new + m[x.counts + N_NEW]] = current
        m[x.counts + N_NEW] += 1
        if m[x.counts + CLOSED] and current == edited(m, t, x):
            for i in range(m[t.rules_start + current], m[t.rules_start + current + 1]):
                front = m[t.item_start + m[t.rules + i]]
                symbol = m[t.item_next + front] - t.n_terminals
                if symbol >= 0 and not is_closed(m, x, front, 0):
                    top = mark(m, t, c, x, column, symbol, top)
        else:
            for i in range(m[t.corners_start + current], m[t.corners_start + current + 1]):
                top = mark(m, t, c, x, column, m[t.corners + i], top)


def mark(
    m: Numbers, t: GrammarTables, c: Chart, x: Overlay, column: int, nonterminal: int, top: int
) -> int:
    """Mark a non-terminal as predicted and push it, unless it is; the new top of the stack.

    Constituents of non-terminals that the base predicts are in the base already. Only empty ones
    have to be completed again, for the entries that wait in the attempt.
    """
    place = x.predicted + column * t.n_nonterminals + nonterminal
    if m[place] == m[x.counts + RUN]:
        return top
    if not m[t.nullable + nonterminal] and is_wanted_by_base(m, t, c, x, column, nonterminal):
        return top
    m[place] = m[x.counts + RUN]
    m[x.stack + top] = nonterminal
    return top + 1


def edited(m: Numbers, t: GrammarTables, x: Overlay) -> int:
    """The non-terminal whose rule is edited, or -1."""
    at = m[x.counts + AT]
    return m[t.rule_lhs + m[t.item_rule + at]] if at != NOWHERE else -1
