"""Earley recognition over flat arrays (Earley 1970), without items that have the dot in front.

Such items are implied by the predicted non-terminals of a column, so a column holds a few dozen
entries where a textbook chart holds hundreds. Nullable symbols need no special rule: completed
empty constituents are completed again until the column no longer grows.
"""

from __future__ import annotations

from gramspect.kernel.entry import entry
from gramspect.kernel.tables import N_ENTRIES, SEEN_STAMP, WAIT_STAMP, Chart, GrammarTables, Numbers

FULL = -1
"""The arrays have no room for this column; it was taken back."""


def slot(m: Numbers, keys: int, stamps: int, mask: int, key: int, stamp: int) -> int:
    """The place of `key` in an open-addressing table: it is there if its stamp is `stamp`."""
    place = (key * 40503 ^ key >> 9) & mask
    while m[stamps + place] == stamp and m[keys + place] != key:
        place = (place + 1) & mask
    return place


def append(
    m: Numbers,
    t: GrammarTables,
    c: Chart,
    column: int,
    item: int,
    origin: int,
    prev: int,
    child: int,
) -> int:
    """Add an entry that is known to be new, and let it wait for its next symbol."""
    e = m[c.counts + N_ENTRIES]
    m[c.counts + N_ENTRIES] = e + 1
    m[c.item + e] = item
    m[c.origin + e] = origin
    m[c.column + e] = column
    m[c.prev + e] = prev
    m[c.child + e] = child
    m[c.marks + item] = 1
    symbol = m[t.item_next + item]
    if symbol >= 0:
        key = column * (t.n_terminals + t.n_nonterminals) + symbol
        place = slot(m, c.wait_key, c.wait_stamp, c.wait_mask, key, m[c.counts + WAIT_STAMP])
        known = m[c.wait_stamp + place] == m[c.counts + WAIT_STAMP]
        m[c.wait_next + e] = m[c.wait_head + place] if known else -1
        m[c.wait_key + place] = key
        m[c.wait_stamp + place] = m[c.counts + WAIT_STAMP]
        m[c.wait_head + place] = e
    return e


def waiting(m: Numbers, t: GrammarTables, c: Chart, column: int, symbol: int) -> int:
    """The first entry of `column` that waits for `symbol`, or -1; follow `wait_next`."""
    key = column * (t.n_terminals + t.n_nonterminals) + symbol
    place = slot(m, c.wait_key, c.wait_stamp, c.wait_mask, key, m[c.counts + WAIT_STAMP])
    return m[c.wait_head + place] if m[c.wait_stamp + place] == m[c.counts + WAIT_STAMP] else -1


def add(
    m: Numbers,
    t: GrammarTables,
    c: Chart,
    column: int,
    item: int,
    origin: int,
    prev: int,
    child: int,
) -> bool:
    """Add an entry to the current column unless it is there; False if there is no room."""
    key = origin * (t.n_items + 2) + item
    place = slot(m, c.seen_key, c.seen_stamp, c.seen_mask, key, m[c.counts + SEEN_STAMP])
    if m[c.seen_stamp + place] == m[c.counts + SEEN_STAMP]:
        return True
    e = m[c.counts + N_ENTRIES]
    if e >= c.entries or e - m[c.column_start + column] >= c.widest:
        return False
    m[c.seen_key + place] = key
    m[c.seen_stamp + place] = m[c.counts + SEEN_STAMP]
    append(m, t, c, column, item, origin, prev, child)
    return True


def predict(m: Numbers, t: GrammarTables, base: int, nonterminal: int, stack: int) -> None:
    """Flag, in the row at `base`, a non-terminal and all that its rules can start with.

    This is the paper's left expansion. `stack` has room for all non-terminals.
    """
    if m[base + nonterminal]:
        return
    m[base + nonterminal] = 1
    m[stack + 0] = nonterminal
    top = 1
    while top:
        top -= 1
        current = m[stack + top]
        for i in range(m[t.corners_start + current], m[t.corners_start + current + 1]):
            first = m[t.corners + i]
            if not m[base + first]:
                m[base + first] = 1
                m[stack + top] = first
                top += 1


def row_of(m: Numbers, t: GrammarTables, c: Chart, column: int) -> int:
    """Where the flags of the non-terminals predicted in a column begin."""
    return c.predicted + m[c.row + column] * t.n_nonterminals


def add_empty(m: Numbers, t: GrammarTables, c: Chart, column: int) -> bool:
    """Complete the empty rules of everything predicted in this column."""
    base = row_of(m, t, c, column)
    for i in range(t.n_empty):
        rule = m[t.empty_rules + i]
        if m[base + m[t.rule_lhs + rule]] and not add(
            m, t, c, column, m[t.item_start + rule], column, -1, -1
        ):
            return False
    return True


def complete(m: Numbers, t: GrammarTables, c: Chart, column: int, e: int) -> bool:
    """Advance all that waits, at the origin of the completed entry e, for its left-hand side."""
    lhs = m[t.rule_lhs + m[t.item_rule + m[c.item + e]]]
    symbol = lhs + t.n_terminals
    origin = m[c.origin + e]
    w = waiting(m, t, c, origin, symbol)
    while w >= 0:
        if not add(m, t, c, column, m[c.item + w] + 1, m[c.origin + w], w, e):
            return False
        w = m[c.wait_next + w]
    base = row_of(m, t, c, origin)
    for i in range(m[t.uses_start + symbol], m[t.uses_start + symbol + 1]):
        rule = m[t.uses + i]
        if m[base + m[t.rule_lhs + rule]] and not add(
            m, t, c, column, m[t.item_start + rule] + 1, origin, -1, e
        ):
            return False
    return True


def close(m: Numbers, t: GrammarTables, c: Chart, column: int) -> bool:
    """Complete and predict until the column no longer grows; False if there is no room."""
    first = m[c.column_start + column]
    done = first
    while True:
        while done < m[c.counts + N_ENTRIES]:
            item = m[c.item + done]
            symbol = m[t.item_next + item]
            if symbol >= t.n_terminals:
                predict(m, t, row_of(m, t, c, column), symbol - t.n_terminals, c.scratch)
            elif symbol < 0 and item < t.n_items and not complete(m, t, c, column, done):
                return False
            done += 1
        if t.n_empty == 0:
            return True
        if not add_empty(m, t, c, column):
            return False
        for e in range(first, done):
            again = m[c.origin + e] == column and m[t.item_next + m[c.item + e]] < 0
            if again and m[c.item + e] < t.n_items and not complete(m, t, c, column, e):
                return False
        if done == m[c.counts + N_ENTRIES]:
            return True


def scan(m: Numbers, t: GrammarTables, c: Chart, column: int, token: int) -> bool:
    """Start the next column with all that advances over `token`; False if there is no room."""
    w = waiting(m, t, c, column, token)
    while w >= 0:
        if not add(m, t, c, column + 1, m[c.item + w] + 1, m[c.origin + w], w, -1):
            return False
        w = m[c.wait_next + w]
    base = row_of(m, t, c, column)
    for i in range(m[t.uses_start + token], m[t.uses_start + token + 1]):
        rule = m[t.uses + i]
        if m[base + m[t.rule_lhs + rule]] and not add(
            m, t, c, column + 1, m[t.item_start + rule] + 1, column, -1, -1
        ):
            return False
    return True


@entry
def begin(m: Numbers, c: Chart) -> None:
    """Empty the chart for the next input, without touching its arrays."""
    m[c.counts + N_ENTRIES] = 0
    m[c.counts + SEEN_STAMP] += 1
    m[c.counts + WAIT_STAMP] += 1
    m[c.column_start + 0] = 0


def finish_column(m: Numbers, c: Chart, column: int) -> None:
    m[c.column_start + column + 1] = m[c.counts + N_ENTRIES]
    m[c.counts + SEEN_STAMP] += 1


@entry
def recognize(m: Numbers, t: GrammarTables, c: Chart, tokens: Numbers, column: int, n: int) -> int:
    """Build the columns after `column` for the tokens from there to `n`.

    Column -1 stands for an empty chart. Returns the last column that exists: n, or the index of
    the first token that no viable prefix continues with. FULL - column says that the arrays are
    too small for that column; enlarge them (`rehash`) and call again with the column before it.
    """
    while True:
        following = column + 1
        m[c.row + following] = following
        m[c.column_start + following] = m[c.counts + N_ENTRIES]
        if column < 0:
            fits = add(m, t, c, 0, t.n_items, 0, -1, -1)
        elif column == n:
            return n
        else:
            fits = tokens[column] >= 0
            if fits:
                fits = scan(m, t, c, column, tokens[column])
                if fits and m[c.counts + N_ENTRIES] == m[c.column_start + following]:
                    return column
            else:
                return column
        if not fits or not close(m, t, c, following):
            m[c.counts + N_ENTRIES] = m[c.column_start + following]
            m[c.counts + SEEN_STAMP] += 1
            return FULL - following
        finish_column(m, c, following)
        column = following


@entry
def rehash(m: Numbers, t: GrammarTables, c: Chart) -> None:
    """Fill the waiting lists of enlarged arrays from their entries."""
    n = m[c.counts + N_ENTRIES]
    m[c.counts + N_ENTRIES] = 0
    m[c.counts + WAIT_STAMP] += 1
    for e in range(n):
        append(
            m, t, c, m[c.column + e], m[c.item + e], m[c.origin + e], m[c.prev + e], m[c.child + e]
        )
