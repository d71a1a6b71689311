"""An LR parser over flat tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from gramspect.kernel.entry import entry
from gramspect.kernel.tables import GrammarTables, Memory, Narrow, Numbers

ACCEPTED, REJECTED, LOOP, NO_ROOM = 0, 1, 2, 3
"""Outcomes of `parse`."""
TOP, LAST_SHIFT_TOP, POSITION, N_PUSHED, N_REDUCED, N_LATE, RUN_STAMP = 0, 1, 2, 3, 4, 5, 6
"""Places in `Run.count`."""


class LRTables(NamedTuple):
    """The item sets of an LR automaton.

    Between ``kernel_start[s]`` and ``kernel_start[s + 1]`` `kernel` lists the kernel items of
    state s. What a state predicts (row ``row[s]`` of `Chart.predicted`), and the bit set of all its
    items (`state_words`, each `width` words), is filled in when the state is first needed
    (`ready`). States with the same non-terminals after the dot share one of the `n_rows`
    rows.
    """

    n_states: int
    n_rows: int
    width: int
    kernel_start: int
    kernel: int
    row: int
    ready: int
    state_words: int


class Run(NamedTuple):
    """The record of one parse.

    `stack` is the state stack, `shift_stack` what it was right after the last shift. `reduced`
    lists, without repetition, the rules reduced up to that shift, `late` those reduced after it
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


def lr_room(
    memory: Memory, kernels: Sequence[Sequence[int]], rows: Sequence[int], width: int
) -> LRTables:
    """Put the kernels and rows of all states; `width` is that of an item bit set."""
    n_states = len(kernels)
    return LRTables(
        n_states,
        1 + max(rows),
        width,
        memory.put(accumulate(map(len, kernels), initial=0)),
        memory.put(item for kernel in kernels for item in kernel),
        memory.put(rows),
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


def push(m: Numbers, r: Run, state: int) -> None:
    top = m[r.counts + TOP]
    m[r.stack + top] = state
    m[r.counts + TOP] = top + 1


def note_pushed(m: Numbers, r: Run, state: int) -> None:
    """List a state once per run."""
    if m[r.state_stamp + state] != m[r.counts + RUN_STAMP]:
        m[r.state_stamp + state] = m[r.counts + RUN_STAMP]
        m[r.pushed + m[r.counts + N_PUSHED]] = state
        m[r.counts + N_PUSHED] += 1


def note_reduced(m: Numbers, r: Run, rule: int) -> None:
    """List a rule once per run."""
    if m[r.rule_stamp + rule] != m[r.counts + RUN_STAMP]:
        m[r.rule_stamp + rule] = m[r.counts + RUN_STAMP]
        m[r.reduced + m[r.counts + N_REDUCED]] = rule
        m[r.counts + N_REDUCED] += 1


@entry
def parse(
    m: Numbers,
    t: GrammarTables,
    a: LRTables,
    r: Run,
    action: Narrow,
    goto: Narrow,
    tokens: Narrow,
    first: int,
    last: int,
) -> int:
    """Parse ``tokens[first:last]``; -1 is a token the grammar does not know.

    ``action[state * n_terminals + token]`` is 0 (error), s + 1 (shift to s) or -(r + 1) (reduce
    rule r; accept for the augmented rule), ``goto[goto[state] + non-terminal]`` a state.

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
        state = goto[goto[m[r.stack + top - 1]] + m[t.rule_lhs + rule]]
        push(m, r, state)
        note_pushed(m, r, state)
