"""Trying an edit of the grammar on an input, from the column where it first applies.

The chart of the input, up to the error, is the *base*. An attempt starts at one of its columns and
lays columns of its own over it; the base is never changed, so thousands of attempts share it.

An edit is a detour: wherever item `at` stands (in the first column or after it), the symbols of
the detour may follow instead of what the rule says, and then the item `target`, or the end of
the rule. Item ``n_items + 2 + i`` stands before symbol i of the detour. If the edit *closes* the
position, the detour must be taken, and without a detour (`target` NOWHERE) the rule is gone.
"""

from __future__ import annotations

from typing import NamedTuple

from gramspect.kernel.tables import Chart, GrammarTables, Memory, Numbers, hash_size

from .earley import slot, waiting
from .jit import jit

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


@jit
def after_dot(m: Numbers, t: GrammarTables, x: Overlay, item: int) -> int:
    """The symbol an item waits for, or -1."""
    if item < t.n_items + 2:
        return m[t.item_next + item]
    return m[x.detour + item - t.n_items - 2]


@jit
def advanced(m: Numbers, t: GrammarTables, x: Overlay, item: int) -> int:
    """The item with the dot one symbol on; the end of the detour is the target."""
    if item < t.n_items + 2:
        return item + 1
    if item - t.n_items - 1 < m[x.counts + LENGTH]:
        return item + 1
    return arrival(m, t, x)


@jit
def arrival(m: Numbers, t: GrammarTables, x: Overlay) -> int:
    """Where a detour comes back to the rule: the target, or a completed item of its own."""
    if m[x.counts + TARGET] == END_OF_RULE:
        return t.n_items + 2 + m[x.counts + LENGTH]
    return m[x.counts + TARGET]


@jit
def completed(m: Numbers, t: GrammarTables, x: Overlay, item: int) -> int:
    """The non-terminal that a completed item completes, as a symbol; -1 for $accept."""
    rule = m[t.item_rule + (item if item < t.n_items + 2 else m[x.counts + AT])]
    return m[t.rule_lhs + rule] + t.n_terminals if rule < t.n_rules else -1


@jit
def departure(m: Numbers, t: GrammarTables, x: Overlay) -> int:
    """The first item of the detour; an empty one arrives at once."""
    return t.n_items + 2 if m[x.counts + LENGTH] else arrival(m, t, x)


@jit
def is_closed(m: Numbers, x: Overlay, item: int, width: int) -> bool:
    """Whether what the rule says at an item, so many tokens from its front, no longer holds."""
    closed = m[x.counts + CLOSED]
    return closed != 0 and item == m[x.counts + AT] and (closed != AFTER_TOKENS or width > 0)


@jit
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


@jit
def depart(m: Numbers, t: GrammarTables, x: Overlay, column: int, origin: int) -> bool:
    """Take the detour, if there is one, in a constituent that begins at `origin`."""
    if m[x.counts + TARGET] == NOWHERE:
        return True
    return put(m, t, x, column, departure(m, t, x), origin)


@jit
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


@jit
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


@jit
def is_wanted_by_base(
    m: Numbers, t: GrammarTables, c: Chart, x: Overlay, column: int, nonterminal: int
) -> bool:
    """Whether the base, where the attempt uses it, predicts a non-terminal in a column."""
    if column > m[x.counts + FIRST] or m[x.counts + FREE]:
        return False
    return m[c.predicted + m[c.row + column] * t.n_nonterminals + nonterminal] != 0


@jit
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


@jit
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


@jit
def edited(m: Numbers, t: GrammarTables, x: Overlay) -> int:
    """The non-terminal whose rule is edited, or -1."""
    at = m[x.counts + AT]
    return m[t.rule_lhs + m[t.item_rule + at]] if at != NOWHERE else -1


@jit
def settle(
    m: Numbers, t: GrammarTables, c: Chart, x: Overlay, column: int, from_entry: int
) -> bool:
    """Complete, predict and take the detour until the column no longer grows; False: given up."""
    done = from_entry
    while True:
        while done < m[x.counts + N_ENTRIES]:
            if not treat(m, t, c, x, column, done):
                return False
            done += 1
        if not start_new(m, t, x, column):
            return False
        for e in range(from_entry, done):
            item = m[x.item + e]
            ended = after_dot(m, t, x, item) < 0 and not is_closed(m, x, item, 0)
            if ended and m[x.origin + e] == column:
                lhs = completed(m, t, x, item)
                if lhs >= 0 and not feed(m, t, c, x, column, column, lhs):
                    return False
        if done == m[x.counts + N_ENTRIES]:
            return True


@jit
def treat(m: Numbers, t: GrammarTables, c: Chart, x: Overlay, column: int, e: int) -> bool:
    """Depart from an entry, predict what it waits for or complete it; False: given up."""
    item, origin = m[x.item + e], m[x.origin + e]
    if item == m[x.counts + AT] and not depart(m, t, x, column, origin):
        return False
    if is_closed(m, x, item, column - origin):
        return True
    symbol = after_dot(m, t, x, item)
    if symbol >= t.n_terminals:
        want(m, t, c, x, column, symbol - t.n_terminals)
    if symbol >= 0 or item == t.n_items + 1:
        return True
    return feed(m, t, c, x, column, origin, completed(m, t, x, item))


@jit
def start_new(m: Numbers, t: GrammarTables, x: Overlay, column: int) -> bool:
    """Complete the empty rules of what was predicted, and depart from an edited rule's front."""
    while m[x.counts + N_NEW]:
        m[x.counts + N_NEW] -= 1
        nonterminal = m[x.new + m[x.counts + N_NEW]]
        for i in range(m[t.empties_start + nonterminal], m[t.empties_start + nonterminal + 1]):
            front = m[t.item_start + m[t.empties + i]]
            if not is_closed(m, x, front, 0) and not put(m, t, x, column, front, column):
                return False
        at_front = nonterminal == edited(m, t, x) and is_front(m, t, x)
        if at_front and not depart(m, t, x, column, column):
            return False
    return True


@jit
def is_front(m: Numbers, t: GrammarTables, x: Overlay) -> bool:
    """Whether the edit is made at the front of a rule."""
    at = m[x.counts + AT]
    return at == m[t.item_start + m[t.item_rule + at]]


@jit
def begin(m: Numbers, t: GrammarTables, x: Overlay, first: int, free: bool) -> None:
    """Start an attempt at column `first`, with what the base predicts there or with everything."""
    m[x.counts + N_ENTRIES] = 0
    m[x.counts + WORK] += m[x.counts + EFFORT]
    m[x.counts + EFFORT] = 0
    m[x.counts + N_NEW] = 0
    m[x.counts + SEEN_STAMP] += 1
    m[x.counts + RUN] += 1
    m[x.counts + FIRST] = first
    m[x.counts + FREE] = 1 if free else 0
    if free:
        for i in range(t.n_nonterminals):
            m[x.predicted + first * t.n_nonterminals + i] = m[x.counts + RUN]
            m[x.new + i] = i
        m[x.counts + N_NEW] = t.n_nonterminals


@jit
def attempt(
    m: Numbers, t: GrammarTables, c: Chart, x: Overlay, tokens: Numbers, first: int, n: int
) -> int:
    """Recognize the tokens from column `first` on with the edit in `counts`.

    Returns n + 1 if the input is accepted, else the index of the first token that cannot be read
    (n: the input ends too early), or -1 if the attempt was given up: an edit that makes the grammar
    wildly ambiguous, or an input too long for the room there is. An edit that closes its position
    needs a column in which, and before which, the position does not stand.
    """
    begin(m, t, x, first, False)
    if first == FROM_START:
        put(m, t, x, 0, t.n_items, 0)
        return proceed(m, t, c, x, tokens, 0, n)
    at = m[x.counts + AT]
    at_front = is_front(m, t, x) and is_wanted_by_base(m, t, c, x, first, edited(m, t, x))
    if at_front and not depart(m, t, x, first, first):
        return -1
    for e in range(m[c.column_start + first], m[c.column_start + first + 1]):
        if m[c.item + e] == at and not depart(m, t, x, first, m[c.origin + e]):
            return -1
    return proceed(m, t, c, x, tokens, first, n)


@jit
def proceed(
    m: Numbers, t: GrammarTables, c: Chart, x: Overlay, tokens: Numbers, first: int, n: int
) -> int:
    """The columns of an attempt, one token each; see `attempt`."""
    column, start = first, 0
    while True:
        if not settle(m, t, c, x, column, start):
            return -1
        if m[x.counts + FREE]:
            note_spans(m, t, x, column, start)
        if column == n:
            for e in range(start, m[x.counts + N_ENTRIES]):
                if m[x.item + e] == t.n_items + 1:
                    return n + 1
            return n
        if tokens[column] < 0 or (m[x.counts + FREE] and column - first >= x.reach):
            return column
        start = m[x.counts + N_ENTRIES]
        m[x.counts + SEEN_STAMP] += 1
        if not feed(m, t, c, x, column + 1, column, tokens[column]):
            return -1
        if m[x.counts + N_ENTRIES] == start:
            return column
        column += 1


@jit
def note_spans(m: Numbers, t: GrammarTables, x: Overlay, column: int, start: int) -> None:
    """Flag the non-terminals that were completed from the first column to this one."""
    first = m[x.counts + FIRST]
    if column == first:
        return
    for e in range(start, m[x.counts + N_ENTRIES]):
        item = m[x.item + e]
        if m[x.origin + e] == first and item < t.n_items and m[t.item_next + item] < 0:
            lhs = m[t.rule_lhs + m[t.item_rule + item]]
            m[x.spans + (column - first - 1) * t.n_nonterminals + lhs] = 1


@jit
def find_spans(
    m: Numbers, t: GrammarTables, c: Chart, x: Overlay, tokens: Numbers, first: int, n: int
) -> int:
    """Fill in `Overlay.spans` for the stretches from column `first` on; -1 if it was given up."""
    for i in range(x.reach * t.n_nonterminals):
        m[x.spans + i] = 0
    m[x.counts + AT] = NOWHERE
    m[x.counts + CLOSED] = 0
    begin(m, t, x, first, True)
    return proceed(m, t, c, x, tokens, first, n)


@jit
def attempts(
    m: Numbers,
    t: GrammarTables,
    c: Chart,
    x: Overlay,
    tokens: Numbers,
    first: int,
    n: int,
    jobs: Numbers,
    width: int,
    reached: Numbers,
) -> None:
    """Try edits, each `width` numbers of `jobs`: at, length, target, closed and detour."""
    for job in range(len(reached)):
        row = job * width
        m[x.counts + AT] = jobs[row]
        m[x.counts + LENGTH] = jobs[row + 1]
        m[x.counts + TARGET] = jobs[row + 2]
        m[x.counts + CLOSED] = jobs[row + 3]
        for i in range(MAX_DETOUR + 1):
            m[x.detour + i] = jobs[row + 4 + i]
        reached[job] = attempt(m, t, c, x, tokens, first, n)
