"""Many tests at once, their spectra added up: only the counts are kept, no matrix.

A *slot* stands for each bit of the three spectra of a test, which lie one after the other in
`Output`: slot ``32 * w + b`` for bit b of word w, counted from `Output.rules`.
"""

from __future__ import annotations

from gramspect.kernel.batch import Errors, is_kept, keep, place_in
from gramspect.kernel.entry import entry
from gramspect.kernel.lr import LAST_SHIFT_TOP, LOOP, NO_ROOM, REJECTED, LRTables, Run, parse
from gramspect.kernel.spectra import Scratch
from gramspect.kernel.stack import EVERY, ITEMS, RULES, SHIFTS, STACK, observe_error, observe_run
from gramspect.kernel.tables import Chart, GrammarTables, Narrow, Numbers, Output
from gramspect.kernel.walk import Walk


def explain_all(
    m: Numbers,
    t: GrammarTables,
    a: LRTables,
    c: Chart,
    w: Walk,
    s: Scratch,
    r: Run,
    e: Errors,
    extraction: int,
    o: Output,
    n_words: int,
) -> int:
    """Where all spectra of the error of the last run are; -1 if there is no room to find them."""
    keepable = extraction != STACK and m[r.counts + LAST_SHIFT_TOP] <= e.deepest
    place = place_in(m, e, r)
    if keepable and is_kept(m, e, r, place):
        return place + 2 + e.deepest
    for word in range(n_words):
        m[o.rules + word] = 0
    if not observe_error(m, t, a, c, w, s, r, extraction, EVERY, o):
        return -1
    if keepable:
        keep(m, e, r, place, o.rules, n_words)
    return o.rules


@entry
def count(
    m: Numbers,
    t: GrammarTables,
    a: LRTables,
    c: Chart,
    w: Walk,
    s: Scratch,
    r: Run,
    e: Errors,
    o: Output,
    action: Narrow,
    goto: Narrow,
    tokens: Narrow,
    starts: Numbers,
    chosen: Numbers,
    first: int,
    last: int,
    extraction: int,
    expected: Numbers,
    group: Numbers,
    tallies: Numbers,
    outcomes: Numbers,
) -> int:
    """Run the tests ``chosen[first:last]`` and count what they execute.

    ``tallies[(2 * group[test] + failing) * n_slots + slot]`` counts the tests of a group that fail,
    or pass, and have the bit of the slot. ``outcomes[test]`` is that of `parse`; a parse without
    an end counts for nothing. Returns last, or the number in `chosen` of the test for which the
    memory has no room; it has been counted for nothing then.
    """
    m[e.batch] += 1
    n_words = o.shifts + a.width - o.rules
    for number in range(first, last):
        test = chosen[number]
        outcome = parse(m, t, a, r, action, goto, tokens, starts[test], starts[test + 1])
        if outcome == NO_ROOM:
            return number
        outcomes[test] = outcome
        if outcome == LOOP:
            continue
        rejected = outcome == REJECTED
        error = explain_all(m, t, a, c, w, s, r, e, extraction, o, n_words) if rejected else 0
        if error < 0:
            return number
        if error != o.rules:
            for word in range(n_words):
                m[o.rules + word] = m[error + word] if error else 0
        late = rejected and extraction == STACK
        observe_run(m, t, a, c, r, RULES, late, o.rules)
        observe_run(m, t, a, c, r, ITEMS, late, o.items)
        observe_run(m, t, a, c, r, SHIFTS, late, o.shifts)
        failing = 1 if (1 if rejected else 0) != expected[test] else 0
        base = (2 * group[test] + failing) * 32 * n_words
        for word in range(n_words):
            bits = m[o.rules + word]
            for bit in range(32):  # without a branch: this is most of the work
                tallies[base + 32 * word + bit] += bits >> bit & 1
    return last
