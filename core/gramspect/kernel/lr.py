"""An LR parser over flat tables, and its stack seen as a chart.

After the last shift of the viable prefix the entries of an LR stack are the columns of a chart: a
kernel item with the dot at d began d entries below. Closing the last column by Earley's
completion follows *every* reduction that is possible there, whatever the offending token, so what is extracted does
not depend on the lookahead of the table (LALR, canonical, default reductions).
"""

from __future__ import annotations

from typing import NamedTuple

from gramspect.kernel.tables import N_ENTRIES, Chart, GrammarTables, Numbers, flags, zeros

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
TOP, LAST_SHIFT_TOP, POSITION, N_PUSHED, N_REDUCED, N_LATE, STATE_STAMP, N_WORDS = 0, 1, 2, 3, 4, 5, 6, 7
"""Places in `Run.count`."""


class LRArrays(NamedTuple):
    """The tables of an LR parser and the item sets of its automaton.

    ``action[state * n_terminals + token]`` is 0 (error), s + 1 (shift to s) or -(r + 1) (reduce rule r; accept
    for the augmented rule). ``kernel[kernel_start[s] : kernel_start[s + 1]]`` are the kernel items of a state. What a state
    predicts, and the words of all its items, is filled in when the state is first needed (`ready`).
    """

    action: Numbers
    goto: Numbers
    kernel_start: Numbers
    kernel: Numbers
    ready: Numbers
    state_words: Numbers


class Run(NamedTuple):
    """What one parse did.

    `stack` is the state stack, `shift_stack` what it was right after the last shift. `reduced` lists,
    without repetition, the rules reduced up to that shift, `late` those reduced behind it on the last token,
    `pushed` the states pushed at any time. `count` holds their sizes.
    """

    count: Numbers
    stack: Numbers
    shift_stack: Numbers
    pushed: Numbers
    reduced: Numbers
    late: Numbers
    state_stamp: Numbers
    rule_stamp: Numbers


def run_arrays(n_states: int, n_rules: int, depth: int, n_words: int, compiled: bool) -> Run:
    """Room for stacks of so many states; `n_words` is the width of an item bit set."""

    def room(length: int) -> Numbers:
        return zeros(length, compiled)

    count = room(8)
    count[N_WORDS] = n_words
    late = depth + n_rules
    return Run(
        count, room(depth), room(depth), room(n_states), room(n_rules + 1), room(late),
        room(n_states), room(n_rules + 1),
    )  # fmt: skip


def lr_arrays(
    action: Numbers, goto: Numbers, kernel_start: Numbers, kernel: Numbers, n_words: int, compiled: bool
) -> LRArrays:
    """Tables with room for what is filled in on demand."""
    n_states = len(kernel_start) - 1
    ready = flags(n_states, compiled)
    return LRArrays(action, goto, kernel_start, kernel, ready, zeros(n_states * n_words, compiled))


@jit
def push(r: Run, state: int) -> None:
    top = r.count[TOP]
    r.stack[top] = state
    r.count[TOP] = top + 1


@jit
def note_pushed(r: Run, state: int) -> None:
    """List a state once per run."""
    if r.state_stamp[state] != r.count[STATE_STAMP]:
        r.state_stamp[state] = r.count[STATE_STAMP]
        r.pushed[r.count[N_PUSHED]] = state
        r.count[N_PUSHED] += 1


@jit
def note_reduced(r: Run, rule: int) -> None:
    """List a rule once per run."""
    if r.rule_stamp[rule] != r.count[STATE_STAMP]:
        r.rule_stamp[rule] = r.count[STATE_STAMP]
        r.reduced[r.count[N_REDUCED]] = rule
        r.count[N_REDUCED] += 1


@jit
def parse(t: GrammarTables, a: LRArrays, r: Run, tokens: Numbers, first: int, last: int) -> int:
    """Parse ``tokens[first:last]``; -1 is a token the grammar does not know.

    Returns ACCEPTED, REJECTED (`count[POSITION]` is the index of the offending token), LOOP (reductions go on for ever)
    or NO_ROOM (the stack needs more).
    """
    r.count[STATE_STAMP] += 1
    for i in range(6):
        r.count[i] = 0
    r.stack[0] = 0
    r.shift_stack[0] = 0
    r.count[TOP] = 1
    r.count[LAST_SHIFT_TOP] = 1
    note_pushed(r, 0)
    position, lowest, n_late = first, 1, 0
    patience = 1000 + 16 * len(r.state_stamp)
    while True:
        token = tokens[position] if position < last else 0
        top = r.count[TOP]
        act = a.action[r.stack[top - 1] * t.n_terminals + token] if token >= 0 else 0
        if act == 0:
            r.count[POSITION] = position - first
            r.count[N_LATE] = n_late
            return REJECTED
        if n_late > patience + 16 * r.count[LAST_SHIFT_TOP]:
            return LOOP
        if top >= len(r.stack) or n_late >= len(r.late):
            return NO_ROOM
        if act > 0:
            for i in range(n_late):
                note_reduced(r, r.late[i])
            n_late = 0
            push(r, act - 1)
            for i in range(lowest, top + 1):
                r.shift_stack[i] = r.stack[i]
            r.count[LAST_SHIFT_TOP] = top + 1
            lowest = top + 1
            position += 1
            note_pushed(r, act - 1)
            continue
        rule = -act - 1
        if rule == t.n_rules:
            for i in range(n_late):
                note_reduced(r, r.late[i])
            return ACCEPTED
        r.late[n_late] = rule
        n_late += 1
        top -= t.rule_len[rule]
        lowest = min(lowest, top)
        r.count[TOP] = top
        state = a.goto[r.stack[top - 1] * t.n_nonterminals + t.rule_lhs[rule]]
        push(r, state)
        note_pushed(r, state)


@jit
def get_ready(t: GrammarTables, a: LRArrays, c: Chart, r: Run, state: int) -> None:
    """Fill in what a state predicts and the bit set of its items."""
    if a.ready[state]:
        return
    a.ready[state] = 1
    base = state * r.count[N_WORDS]
    for i in range(a.kernel_start[state], a.kernel_start[state + 1]):
        item = a.kernel[i]
        symbol = t.item_next[item]
        if item < t.n_items:
            set_bit(a.state_words, base, item)
        if symbol >= t.n_terminals:
            predict(t, c.predicted, state, symbol - t.n_terminals, c.scratch)
    first_items(t, c, state, a.state_words, base)


@jit
def first_items(t: GrammarTables, c: Chart, row: int, words: Numbers, base: int) -> None:
    """Set the bits of the items with the dot in front that a row predicts."""
    for nonterminal in range(t.n_nonterminals):
        if c.predicted[row * t.n_nonterminals + nonterminal]:
            for i in range(t.rules_start[nonterminal], t.rules_start[nonterminal + 1]):
                set_bit(words, base, t.item_start[t.rules[i]])


@jit
def seed(t: GrammarTables, a: LRArrays, c: Chart, r: Run) -> bool:
    """Lay the stack after the last shift out as a chart and close its last column; False: no room.

    Rows of `Chart.predicted` are those of the states; the last column has the row behind them to itself.
    """
    begin(c)
    columns = r.count[LAST_SHIFT_TOP]
    if columns + 2 > len(c.row):
        return False
    own_row = len(a.ready)
    last = columns - 1
    for column in range(columns):
        state = r.shift_stack[column]
        get_ready(t, a, c, r, state)
        c.column_start[column] = c.count[N_ENTRIES]
        c.row[column] = state if column < last else own_row
        first, end = a.kernel_start[state], a.kernel_start[state + 1]
        if c.count[N_ENTRIES] + end - first > len(c.item):
            return False
        for i in range(first, end):
            item = a.kernel[i]
            origin = column - (item - t.item_start[t.item_rule[item]])
            if column < last:
                append(t, c, column, item, origin, -1, -1)
            else:
                add(t, c, column, item, origin, -1, -1)
    for i in range(own_row * t.n_nonterminals, (own_row + 1) * t.n_nonterminals):
        c.predicted[i] = 0
    if not close(t, c, last):
        return False
    finish_column(c, last)
    return True


@jit
def observe_shift(
    t: GrammarTables, a: LRArrays, c: Chart, r: Run, rejected: bool, items: Numbers, base: int
) -> None:
    """Definition 4.3: the items of every state pushed, and of those reachable at the error."""
    width = r.count[N_WORDS]
    for i in range(r.count[N_PUSHED]):
        state = r.pushed[i]
        get_ready(t, a, c, r, state)
        for word in range(width):
            items[base + word] |= a.state_words[state * width + word]
    if rejected:
        for e in range(c.column_start[r.count[LAST_SHIFT_TOP] - 1], c.count[N_ENTRIES]):
            if c.item[e] < t.n_items:
                set_bit(items, base, c.item[e])
        first_items(t, c, len(a.ready), items, base)


@jit
def observe_raw_stack(
    t: GrammarTables,
    a: LRArrays,
    c: Chart,
    r: Run,
    rules: Numbers,
    rule_base: int,
    items: Numbers,
    item_base: int,
) -> None:
    """The extraction `stack` (Raselimo and Fischer 2023, Section 5.2).

    Kernel items of every state on the stack as it is at the error, non-kernel items of the top one, and
    all that was reduced. Items of the start symbol with the dot in front count as kernel items (Section 2).
    """
    for i in range(r.count[N_LATE]):
        apply_rule(t, r.late[i], rules, rule_base, items, item_base)
    for i in range(r.count[TOP]):
        state = r.stack[i]
        get_ready(t, a, c, r, state)
        for j in range(a.kernel_start[state], a.kernel_start[state + 1]):
            item = a.kernel[j]
            if item < t.n_items:
                set_bit(rules, rule_base, t.item_rule[item])
                set_bit(items, item_base, item)
    start = t.item_next[t.n_items] - t.n_terminals
    top = r.stack[r.count[TOP] - 1]
    for nonterminal in range(t.n_nonterminals):
        if nonterminal == start or c.predicted[top * t.n_nonterminals + nonterminal]:
            for i in range(t.rules_start[nonterminal], t.rules_start[nonterminal + 1]):
                set_bit(rules, rule_base, t.rules[i])
                set_bit(items, item_base, t.item_start[t.rules[i]])


@jit
def observe(
    t: GrammarTables,
    a: LRArrays,
    c: Chart,
    w: Walk,
    s: Scratch,
    r: Run,
    rejected: bool,
    extraction: int,
    want_shift: bool,
    rules: Numbers,
    rule_base: int,
    items: Numbers,
    item_base: int,
    shifts: Numbers,
    shift_base: int,
) -> bool:
    """Write the spectra of the last run; False if the arrays have no room."""
    for i in range(r.count[N_REDUCED]):
        apply_rule(t, r.reduced[i], rules, rule_base, items, item_base)
    if rejected:
        if not seed(t, a, c, r):
            return False
        last = r.count[LAST_SHIFT_TOP] - 1
        if extraction == STACK:
            observe_raw_stack(t, a, c, r, rules, rule_base, items, item_base)
        elif not explore(t, c, w, last):
            return False
        elif extraction == EXACT:
            exact_rejected(t, c, w, s, last, rules, rule_base, items, item_base)
        else:
            all_rejected(t, c, w, s, last, rules, rule_base, items, item_base)
    if want_shift:
        observe_shift(t, a, c, r, rejected, shifts, shift_base)
    return True


@jit
def batch(
    t: GrammarTables,
    a: LRArrays,
    c: Chart,
    w: Walk,
    s: Scratch,
    r: Run,
    tokens: Numbers,
    starts: Numbers,
    first_test: int,
    last_test: int,
    extraction: int,
    kind: int,
    words: Numbers,
    width: int,
    spare: Numbers,
    outcomes: Numbers,
) -> int:
    """Run the tests ``first_test .. last_test - 1`` and write one spectrum of each.

    `kind` is 0 (rules), 1 (items) or 2 (shift items); test i owns ``words[i * width : (i + 1) * width]``, `spare` takes the
    spectra that are not wanted. Returns last_test, or the test for which the arrays have no room.
    """
    for test in range(first_test, last_test):
        outcome = parse(t, a, r, tokens, starts[test], starts[test + 1])
        if outcome == NO_ROOM:
            return test
        outcomes[test] = outcome
        if outcome == LOOP:
            continue
        base = test * width
        rejected = outcome == REJECTED
        if kind == 0:
            fits = observe(
                t, a, c, w, s, r, rejected, extraction, False, words, base, spare, 0, spare, 0
            )
        elif kind == 1:
            fits = observe(
                t, a, c, w, s, r, rejected, extraction, False, spare, 0, words, base, spare, 0
            )
        else:
            fits = observe(
                t, a, c, w, s, r, rejected, extraction, True, spare, 0, spare, 0, words, base
            )
        if not fits:
            for word in range(base, base + width):
                words[word] = 0
            return test
    return last_test
