"""The spectra of an LR parser's run; its stack seen as a chart.

After the last shift of the viable prefix the entries of an LR stack are the columns of a chart: a
kernel item with the dot at d began d entries below. Closing the last column by Earley's completion
follows *every* reduction that is possible there, whatever the offending token, so what is
extracted does not depend on the lookahead of the table (LALR, canonical, default reductions).
"""

from __future__ import annotations

from gramspect.kernel.earley import add, append, begin, close, finish_column, predict
from gramspect.kernel.entry import entry
from gramspect.kernel.lr import LAST_SHIFT_TOP, N_LATE, N_PUSHED, N_REDUCED, TOP, LRTables, Run
from gramspect.kernel.spectra import Scratch, all_rejected, exact_rejected, set_bit, set_range
from gramspect.kernel.tables import N_ENTRIES, Chart, GrammarTables, Numbers, Output
from gramspect.kernel.walk import Walk, explore

EXACT, ALL, STACK = 0, 1, 2
"""Extractions."""
RULES, ITEMS, SHIFTS, EVERY = 0, 1, 2, 3
"""Kinds of spectra."""


def get_ready(m: Numbers, t: GrammarTables, a: LRTables, c: Chart, state: int) -> None:
    """Fill in what a state predicts and the bit set of its items."""
    if m[a.ready + state]:
        return
    m[a.ready + state] = 1
    base = a.state_words + state * a.width
    row = m[a.row + state]
    predicts = False
    for i in range(m[a.kernel_start + state], m[a.kernel_start + state + 1]):
        item = m[a.kernel + i]
        symbol = m[t.item_next + item]
        if item < t.n_items:
            set_bit(m, base, item)
        if symbol >= t.n_terminals:
            predicts = True
            predict(m, t, c.predicted + row * t.n_nonterminals, symbol - t.n_terminals, c.scratch)
    if predicts:
        first_items(m, t, c, row, base)


def first_items(m: Numbers, t: GrammarTables, c: Chart, row: int, base: int) -> None:
    """Set the bits of the items with the dot in front that a row predicts."""
    for nonterminal in range(t.n_nonterminals):
        if m[c.predicted + row * t.n_nonterminals + nonterminal]:
            for i in range(m[t.rules_start + nonterminal], m[t.rules_start + nonterminal + 1]):
                set_bit(m, base, m[t.item_start + m[t.rules + i]])


def seed(m: Numbers, t: GrammarTables, a: LRTables, c: Chart, r: Run) -> bool:
    """Lay the stack after the last shift out as a chart and close its last column; False: no room.

    The rows of `Chart.predicted` are those of the states; the last column has the row after them
    to itself.
    """
    begin(m, c)
    columns = m[r.counts + LAST_SHIFT_TOP]
    if columns > c.columns:
        return False
    own_row = a.n_rows
    last = columns - 1
    for column in range(columns):
        state = m[r.shift_stack + column]
        get_ready(m, t, a, c, state)
        m[c.column_start + column] = m[c.counts + N_ENTRIES]
        m[c.row + column] = m[a.row + state] if column < last else own_row
        first, end = m[a.kernel_start + state], m[a.kernel_start + state + 1]
        if m[c.counts + N_ENTRIES] + end - first > c.entries:
            return False
        for i in range(first, end):
            item = m[a.kernel + i]
            origin = column - (item - m[t.item_start + m[t.item_rule + item]])
            if column < last:
                append(m, t, c, column, item, origin, -1, -1)
            else:
                add(m, t, c, column, item, origin, -1, -1)
    for i in range(own_row * t.n_nonterminals, (own_row + 1) * t.n_nonterminals):
        m[c.predicted + i] = 0
    if not close(m, t, c, last):
        return False
    finish_column(m, c, last)
    return True


def add_state(m: Numbers, t: GrammarTables, a: LRTables, c: Chart, state: int, base: int) -> None:
    """Add the items of a state to the bit set at `base`."""
    get_ready(m, t, a, c, state)
    for word in range(a.width):
        m[base + word] |= m[a.state_words + state * a.width + word]


def observe_run(
    m: Numbers, t: GrammarTables, a: LRTables, c: Chart, r: Run, kind: int, late: bool, base: int
) -> None:
    """Add what was reduced, or for shift items (Definition 4.3) pushed, to the bit set at `base`.

    Rules that were reduced after the last shift of a rejected input count if `late`.
    """
    if kind == SHIFTS:
        for i in range(m[r.counts + N_PUSHED]):
            add_state(m, t, a, c, m[r.pushed + i], base)
        return
    for i in range(m[r.counts + N_REDUCED]):
        add_rule(m, t, m[r.reduced + i], kind, base)
    if late:
        for i in range(m[r.counts + N_LATE]):
            add_rule(m, t, m[r.late + i], kind, base)


def add_rule(m: Numbers, t: GrammarTables, rule: int, kind: int, base: int) -> None:
    """Add a rule applied in full to a bit set of rules or of items."""
    if kind == RULES:
        set_bit(m, base, rule)
    else:
        set_range(m, base, m[t.item_start + rule], m[t.item_start + rule + 1] - 1)


def observe_last_column(
    m: Numbers, t: GrammarTables, a: LRTables, c: Chart, last: int, base: int
) -> None:
    """The shift items of every state that is reachable at the error."""
    for e in range(m[c.column_start + last], m[c.counts + N_ENTRIES]):
        if m[c.item + e] < t.n_items:
            set_bit(m, base, m[c.item + e])
    first_items(m, t, c, a.n_rows, base)


def observe_derivations(
    m: Numbers,
    t: GrammarTables,
    c: Chart,
    w: Walk,
    s: Scratch,
    last: int,
    extraction: int,
    o: Output,
) -> bool:
    """The extractions `exact` and `all`; False if the arrays have no room."""
    if not explore(m, t, c, w, last):
        return False
    if extraction == EXACT:
        exact_rejected(m, t, c, w, s, last, o)
    else:
        all_rejected(m, t, c, w, s, last, o)
    return True


def observe_raw_stack(
    m: Numbers, t: GrammarTables, a: LRTables, c: Chart, r: Run, o: Output
) -> None:
    """The extraction `stack` (Raselimo and Fischer 2024, Section 5.2), reductions left out.

    Kernel items of every state on the stack as it is at the error, non-kernel items of the top
    one. Items of the start symbol with the dot in front count as kernel items (Section 2).
    """
    for i in range(m[r.counts + TOP]):
        state = m[r.stack + i]
        get_ready(m, t, a, c, state)
        for j in range(m[a.kernel_start + state], m[a.kernel_start + state + 1]):
            item = m[a.kernel + j]
            if item < t.n_items:
                set_bit(m, o.rules, m[t.item_rule + item])
                set_bit(m, o.items, item)
    start = m[t.item_next + t.n_items] - t.n_terminals
    row = m[a.row + m[r.stack + m[r.counts + TOP] - 1]]
    for nonterminal in range(t.n_nonterminals):
        if nonterminal == start or m[c.predicted + row * t.n_nonterminals + nonterminal]:
            for i in range(m[t.rules_start + nonterminal], m[t.rules_start + nonterminal + 1]):
                set_bit(m, o.rules, m[t.rules + i])
                set_bit(m, o.items, m[t.item_start + m[t.rules + i]])


def observe_error(
    m: Numbers,
    t: GrammarTables,
    a: LRTables,
    c: Chart,
    w: Walk,
    s: Scratch,
    r: Run,
    extraction: int,
    kinds: int,
    o: Output,
) -> bool:
    """Write what the error adds to the spectra of `kinds`; False if the arrays have no room."""
    raw = extraction == STACK and kinds != SHIFTS
    if raw:
        observe_raw_stack(m, t, a, c, r, o)
        if kinds != EVERY:
            return True
    if not seed(m, t, a, c, r):
        return False
    last = m[r.counts + LAST_SHIFT_TOP] - 1
    if kinds in (SHIFTS, EVERY):
        observe_last_column(m, t, a, c, last, o.shifts)
    return raw or kinds == SHIFTS or observe_derivations(m, t, c, w, s, last, extraction, o)


@entry
def observe(
    m: Numbers,
    t: GrammarTables,
    a: LRTables,
    c: Chart,
    w: Walk,
    s: Scratch,
    r: Run,
    rejected: bool,
    extraction: int,
    o: Output,
) -> bool:
    """Write all spectra of the last run; False if the arrays have no room."""
    late = rejected and extraction == STACK
    observe_run(m, t, a, c, r, RULES, late, o.rules)
    observe_run(m, t, a, c, r, ITEMS, late, o.items)
    observe_run(m, t, a, c, r, SHIFTS, late, o.shifts)
    return not rejected or observe_error(m, t, a, c, w, s, r, extraction, EVERY, o)
