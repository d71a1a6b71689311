"""An LR parser over flat tables, and its stack seen as a chart.

After the last shift of the viable prefix the entries of an LR stack are the columns of a chart: a
kernel item with the dot at d began d entries below. Closing the last column by Earley's completion
follows *every* reduction that is possible there, whatever the offending token, so what is
extracted does not depend on the lookahead of the table (LALR, canonical, default reductions).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from gramspect.kernel.tables import N_ENTRIES, Chart, GrammarTables, Memory, Numbers, Output

from .earley import add, append, begin, close, finish_column, predict
from .jit import jit
from .spectra import (
    Scratch,
    all_rejected,
    apply_rule,
    exact_rejected,
    set_bit,
)
from .walk import Walk, explore

ACCEPTED, REJECTED, LOOP, NO_ROOM = 0, 1, 2, 3
"""Outcomes of `parse`."""
EXACT, ALL, STACK = 0, 1, 2
"""Extractions."""
TOP, LAST_SHIFT_TOP, POSITION, N_PUSHED, N_REDUCED, N_LATE, RUN_STAMP = 0, 1, 2, 3, 4, 5, 6
"""Places in `Run.count`."""


class LRTables(NamedTuple):
    """The item sets of an LR automaton.

    Between ``kernel_start[s]`` and ``kernel_start[s + 1]`` `kernel` lists the kernel items of
    state s. What a state predicts (row s of `predicted`), and the bit set of all its items
    (`state_words`, each `width` words), is filled in when the state is first needed (`ready`).
    """

    n_states: int
    width: int
    kernel_start: int
    kernel: int
    ready: int
    state_words: int


class Run(NamedTuple):
    """What one parse did.

    `stack` is the state stack, `shift_stack` what it was right after the last shift. `reduced`
    lists, without repetition, the rules reduced up to that shift, `late` those reduced behind it
    on the last token, `pushed` the states pushed at any time. `counts` holds their sizes. There is
    room for stacks of `depth` states.
    """

    depth: int
    counts: int
    stack: int
    shift_stack: int
    late: int
    pushed: int
    state_stamp: int
    reduced: int
    rule_stamp: int


def lr_room(memory: Memory, kernels: Sequence[Sequence[int]], width: int) -> LRTables:
    """Put the kernels of all states; `width` is that of an item bit set."""
    n_states = len(kernels)
    return LRTables(
        n_states,
        width,
        memory.put(accumulate(map(len, kernels), initial=0)),
        memory.put(item for kernel in kernels for item in kernel),
        memory.room(n_states),
        memory.room(n_states * width),
    )


def run_room(memory: Memory, t: GrammarTables, n_states: int, depth: int) -> Run:
    """Reserve room for stacks of so many states."""
    room = memory.room
    return Run(
        depth, room(7), *(room(depth) for _ in range(3)), *(room(n_states) for _ in range(2)),
        *(room(t.n_rules + 1) for _ in range(2)),
    )  # fmt: skip


@jit
def push(m: Numbers, r: Run, state: int) -> None:
    top = m[r.counts + TOP]
    m[r.stack + top] = state
    m[r.counts + TOP] = top + 1


@jit
def note_pushed(m: Numbers, r: Run, state: int) -> None:
    """List a state once per run."""
    if m[r.state_stamp + state] != m[r.counts + RUN_STAMP]:
        m[r.state_stamp + state] = m[r.counts + RUN_STAMP]
        m[r.pushed + m[r.counts + N_PUSHED]] = state
        m[r.counts + N_PUSHED] += 1


@jit
def note_reduced(m: Numbers, r: Run, rule: int) -> None:
    """List a rule once per run."""
    if m[r.rule_stamp + rule] != m[r.counts + RUN_STAMP]:
        m[r.rule_stamp + rule] = m[r.counts + RUN_STAMP]
        m[r.reduced + m[r.counts + N_REDUCED]] = rule
        m[r.counts + N_REDUCED] += 1


@jit
def parse(
    m: Numbers,
    t: GrammarTables,
    a: LRTables,
    r: Run,
    action: Numbers,
    goto: Numbers,
    tokens: Numbers,
    first: int,
    last: int,
) -> int:
    """Parse ``tokens[first:last]``; -1 is a token the grammar does not know.

    ``action[state * n_terminals + token]`` is 0 (error), s + 1 (shift to s) or -(r + 1) (reduce
    rule r; accept for the augmented rule), ``goto[state * n_nonterminals + non-terminal]`` a
    state.

    Returns ACCEPTED, REJECTED (`counts[POSITION]` is the index of the offending token), LOOP
    (reductions go on for ever) or NO_ROOM (the stack needs more).
    """
    m[r.counts + RUN_STAMP] += 1
    for i in range(6):
        m[r.counts + i] = 0
    m[r.stack + 0] = 0
    m[r.shift_stack + 0] = 0
    m[r.counts + TOP] = 1
    m[r.counts + LAST_SHIFT_TOP] = 1
    note_pushed(m, r, 0)
    position, lowest, n_late = first, 1, 0
    patience = 1000 + 16 * a.n_states
    while True:
        token = tokens[position] if position < last else 0
        top = m[r.counts + TOP]
        act = action[m[r.stack + top - 1] * t.n_terminals + token] if token >= 0 else 0
        if act == 0:
            m[r.counts + POSITION] = position - first
            m[r.counts + N_LATE] = n_late
            return REJECTED
        if n_late > patience + 16 * m[r.counts + LAST_SHIFT_TOP]:
            return LOOP
        if top >= r.depth or n_late >= r.depth:
            return NO_ROOM
        if act > 0:
            for i in range(n_late):
                note_reduced(m, r, m[r.late + i])
            n_late = 0
            push(m, r, act - 1)
            for i in range(lowest, top + 1):
                m[r.shift_stack + i] = m[r.stack + i]
            m[r.counts + LAST_SHIFT_TOP] = top + 1
            lowest = top + 1
            position += 1
            note_pushed(m, r, act - 1)
            continue
        rule = -act - 1
        if rule == t.n_rules:
            for i in range(n_late):
                note_reduced(m, r, m[r.late + i])
            return ACCEPTED
        m[r.late + n_late] = rule
        n_late += 1
        top -= m[t.rule_len + rule]
        lowest = min(lowest, top)
        m[r.counts + TOP] = top
        state = goto[m[r.stack + top - 1] * t.n_nonterminals + m[t.rule_lhs + rule]]
        push(m, r, state)
        note_pushed(m, r, state)


@jit
def get_ready(m: Numbers, t: GrammarTables, a: LRTables, c: Chart, state: int) -> None:
    """Fill in what a state predicts and the bit set of its items."""
    if m[a.ready + state]:
        return
    m[a.ready + state] = 1
    base = a.state_words + state * a.width
    for i in range(m[a.kernel_start + state], m[a.kernel_start + state + 1]):
        item = m[a.kernel + i]
        symbol = m[t.item_next + item]
        if item < t.n_items:
            set_bit(m, base, item)
        if symbol >= t.n_terminals:
            predict(m, t, c.predicted + state * t.n_nonterminals, symbol - t.n_terminals, c.scratch)
    first_items(m, t, c, state, base)


@jit
def first_items(m: Numbers, t: GrammarTables, c: Chart, row: int, base: int) -> None:
    """Set the bits of the items with the dot in front that a row predicts."""
    for nonterminal in range(t.n_nonterminals):
        if m[c.predicted + row * t.n_nonterminals + nonterminal]:
            for i in range(m[t.rules_start + nonterminal], m[t.rules_start + nonterminal + 1]):
                set_bit(m, base, m[t.item_start + m[t.rules + i]])


@jit
def seed(m: Numbers, t: GrammarTables, a: LRTables, c: Chart, r: Run) -> bool:
    """Lay the stack after the last shift out as a chart and close its last column; False: no room.

    Rows of `Chart.predicted` are those of the states; the last column has the row behind them to
    itself.
    """
    begin(m, c)
    columns = m[r.counts + LAST_SHIFT_TOP]
    if columns > c.columns:
        return False
    own_row = a.n_states
    last = columns - 1
    for column in range(columns):
        state = m[r.shift_stack + column]
        get_ready(m, t, a, c, state)
        m[c.column_start + column] = m[c.counts + N_ENTRIES]
        m[c.row + column] = state if column < last else own_row
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


@jit
def observe_shift(
    m: Numbers, t: GrammarTables, a: LRTables, c: Chart, r: Run, rejected: bool, base: int
) -> None:
    """Definition 4.3: the items of every state pushed, and of those reachable at the error."""
    width = a.width
    for i in range(m[r.counts + N_PUSHED]):
        state = m[r.pushed + i]
        get_ready(m, t, a, c, state)
        for word in range(width):
            m[base + word] |= m[a.state_words + state * width + word]
    if rejected:
        for e in range(
            m[c.column_start + m[r.counts + LAST_SHIFT_TOP] - 1], m[c.counts + N_ENTRIES]
        ):
            if m[c.item + e] < t.n_items:
                set_bit(m, base, m[c.item + e])
        first_items(m, t, c, a.n_states, base)


@jit
def observe_raw_stack(
    m: Numbers,
    t: GrammarTables,
    a: LRTables,
    c: Chart,
    r: Run,
    o: Output,
) -> None:
    """The extraction `stack` (Raselimo and Fischer 2024, Section 5.2).

    Kernel items of every state on the stack as it is at the error, non-kernel items of the top
    one, and all that was reduced. Items of the start symbol with the dot in front count as kernel
    items (Section 2).
    """
    for i in range(m[r.counts + N_LATE]):
        apply_rule(m, t, m[r.late + i], o)
    for i in range(m[r.counts + TOP]):
        state = m[r.stack + i]
        get_ready(m, t, a, c, state)
        for j in range(m[a.kernel_start + state], m[a.kernel_start + state + 1]):
            item = m[a.kernel + j]
            if item < t.n_items:
                set_bit(m, o.rules, m[t.item_rule + item])
                set_bit(m, o.items, item)
    start = m[t.item_next + t.n_items] - t.n_terminals
    top = m[r.stack + m[r.counts + TOP] - 1]
    for nonterminal in range(t.n_nonterminals):
        if nonterminal == start or m[c.predicted + top * t.n_nonterminals + nonterminal]:
            for i in range(m[t.rules_start + nonterminal], m[t.rules_start + nonterminal + 1]):
                set_bit(m, o.rules, m[t.rules + i])
                set_bit(m, o.items, m[t.item_start + m[t.rules + i]])


@jit
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
    want_shift: bool,
    o: Output,
) -> bool:
    """Write the spectra of the last run; False if the arrays have no room."""
    for i in range(m[r.counts + N_REDUCED]):
        apply_rule(m, t, m[r.reduced + i], o)
    if rejected:
        if not seed(m, t, a, c, r):
            return False
        last = m[r.counts + LAST_SHIFT_TOP] - 1
        if extraction == STACK:
            observe_raw_stack(m, t, a, c, r, o)
        elif not explore(m, t, c, w, last):
            return False
        elif extraction == EXACT:
            exact_rejected(m, t, c, w, s, last, o)
        else:
            all_rejected(m, t, c, w, s, last, o)
    if want_shift:
        observe_shift(m, t, a, c, r, rejected, o.shifts)
    return True


@jit
def batch(
    m: Numbers,
    t: GrammarTables,
    a: LRTables,
    c: Chart,
    w: Walk,
    s: Scratch,
    r: Run,
    o: Output,
    action: Numbers,
    goto: Numbers,
    tokens: Numbers,
    starts: Numbers,
    first_test: int,
    last_test: int,
    extraction: int,
    kind: int,
    words: Numbers,
    width: int,
    outcomes: Numbers,
) -> int:
    """Run the tests ``first_test .. last_test - 1`` and write one spectrum of each.

    `kind` is 0 (rules), 1 (items) or 2 (shift items); test i owns the `width` words from
    ``words[i * width]`` on. Returns last_test, or the test for which the memory has no room.
    """
    wanted = o.rules if kind == 0 else (o.items if kind == 1 else o.shifts)
    for test in range(first_test, last_test):
        outcome = parse(m, t, a, r, action, goto, tokens, starts[test], starts[test + 1])
        if outcome == NO_ROOM:
            return test
        outcomes[test] = outcome
        if outcome == LOOP:
            continue
        for word in range(o.rules, o.shifts + a.width):
            m[word] = 0
        if not observe(m, t, a, c, w, s, r, outcome == REJECTED, extraction, kind == 2, o):
            return test
        for word in range(width):
            words[test * width + word] = m[wanted + word]
    return last_test
