"""Attempts: recognition of an input with an edit, resumed at the column where it first applies.

An attempt goes on as the chart would (`gramspect.kernel.earley`), one column for each token. Its
entries and what they may do are those of `gramspect.kernel.overlay`.
"""

from __future__ import annotations

from gramspect.kernel.entry import entry
from gramspect.kernel.overlay import (
    AT,
    CLOSED,
    EFFORT,
    FIRST,
    FREE,
    FROM_START,
    LENGTH,
    MAX_DETOUR,
    N_ENTRIES,
    N_NEW,
    NOWHERE,
    RUN,
    SEEN_STAMP,
    TARGET,
    WORK,
    Overlay,
    after_dot,
    completed,
    depart,
    edited,
    feed,
    is_closed,
    is_wanted_by_base,
    put,
    want,
)
from gramspect.kernel.tables import Chart, GrammarTables, Numbers


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


def is_front(m: Numbers, t: GrammarTables, x: Overlay) -> bool:
    """Whether the edit is made at the front of a rule."""
    at = m[x.counts + AT]
    return at == m[t.item_start + m[t.item_rule + at]]


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


@entry
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


@entry
def attempts(
    m: Numbers,
    t: GrammarTables,
    c: Chart,
    x: Overlay,
    tokens: Numbers,
    first: int,
    n: int,
    jobs: Numbers,
    n_jobs: int,
    width: int,
    reached: Numbers,
) -> None:
    """Try edits, each `width` numbers of `jobs`: at, length, target, closed and detour."""
    for job in range(n_jobs):
        row = job * width
        m[x.counts + AT] = jobs[row]
        m[x.counts + LENGTH] = jobs[row + 1]
        m[x.counts + TARGET] = jobs[row + 2]
        m[x.counts + CLOSED] = jobs[row + 3]
        for i in range(MAX_DETOUR + 1):
            m[x.detour + i] = jobs[row + 4 + i]
        reached[job] = attempt(m, t, c, x, tokens, first, n)
