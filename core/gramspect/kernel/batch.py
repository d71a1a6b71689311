"""Many tests at once: each is parsed, and its spectrum written.

Tests are often mutations of a few sentences, and stacks recur even where tests do not. The elements
that an error adds depend on the stack alone, so they are kept for the next test with the same
stack.
"""

from __future__ import annotations

from typing import NamedTuple

from gramspect.kernel.entry import entry
from gramspect.kernel.lr import LAST_SHIFT_TOP, LOOP, NO_ROOM, REJECTED, LRTables, Run, parse
from gramspect.kernel.spectra import Scratch
from gramspect.kernel.stack import ITEMS, RULES, SHIFTS, STACK, observe_error, observe_run
from gramspect.kernel.tables import Chart, GrammarTables, Memory, Narrow, Numbers, Output
from gramspect.kernel.walk import Walk


class Errors(NamedTuple):
    """The errors that were explained in this batch, by their stacks: stacks often recur.

    There are ``mask + 1`` places; a new stack overwrites the one in its place. In the `size`
    numbers of a place are the number of the batch, that of the states, at most `deepest` states,
    and the words of the spectrum that the error alone brings. ``m[batch]`` is the current batch.
    """

    mask: int
    deepest: int
    size: int
    batch: int
    places: int


def errors_room(memory: Memory, width: int, n_places: int, deepest: int) -> Errors:
    """Reserve room for so many errors, a power of two, after stacks of up to `deepest` states."""
    size = 2 + deepest + width
    return Errors(n_places - 1, deepest, size, memory.room(1), memory.room(n_places * size))


def place_in(m: Numbers, e: Errors, r: Run) -> int:
    """The place for the error after `Run.shift_stack`."""
    mixed = 0
    for i in range(m[r.counts + LAST_SHIFT_TOP]):
        mixed = (mixed * 31 + m[r.shift_stack + i]) & 0xFFFFFFF
    return e.places + ((mixed ^ mixed >> 13) & e.mask) * e.size


def is_kept(m: Numbers, e: Errors, r: Run, place: int) -> bool:
    """Whether a place holds the error after `Run.shift_stack`."""
    n = m[r.counts + LAST_SHIFT_TOP]
    same = m[place] == m[e.batch] and m[place + 1] == n
    i = 0
    while same and i < n:
        same = m[place + 2 + i] == m[r.shift_stack + i]
        i += 1
    return same


def keep(m: Numbers, e: Errors, r: Run, place: int, found: int, width: int) -> None:
    """Put the error after `Run.shift_stack` in its place."""
    n = m[r.counts + LAST_SHIFT_TOP]
    m[place] = m[e.batch]
    m[place + 1] = n
    for i in range(n):
        m[place + 2 + i] = m[r.shift_stack + i]
    for word in range(width):
        m[place + 2 + e.deepest + word] = m[found + word]


def explain(
    m: Numbers,
    t: GrammarTables,
    a: LRTables,
    c: Chart,
    w: Walk,
    s: Scratch,
    r: Run,
    e: Errors,
    extraction: int,
    kind: int,
    o: Output,
    found: int,
) -> int:
    """Where the spectrum of the error of the last run is; -1 if there is no room to find it.

    Where it is not kept, that is `found`, the place of the spectrum of that kind.
    """
    by_shift_stack = extraction != STACK or kind == SHIFTS
    keepable = by_shift_stack and m[r.counts + LAST_SHIFT_TOP] <= e.deepest
    place = place_in(m, e, r)
    if keepable and is_kept(m, e, r, place):
        return place + 2 + e.deepest
    for word in range(o.rules, o.shifts + a.width):
        m[word] = 0
    if not observe_error(m, t, a, c, w, s, r, extraction, kind, o):
        return -1
    if keepable:
        keep(m, e, r, place, found, a.width)
    return found


@entry
def batch(
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
    first_test: int,
    last_test: int,
    extraction: int,
    kind: int,
    words: Numbers,
    width: int,
    outcomes: Numbers,
) -> int:
    """Run the tests ``first_test .. last_test - 1`` and write one spectrum of each.

    Test i owns the `width` words from ``words[i * width]`` on. Returns last_test, or the test for
    which the memory has no room.
    """
    m[e.batch] += 1
    found = o.rules if kind == RULES else (o.items if kind == ITEMS else o.shifts)
    for test in range(first_test, last_test):
        outcome = parse(m, t, a, r, action, goto, tokens, starts[test], starts[test + 1])
        if outcome == NO_ROOM:
            return test
        outcomes[test] = outcome
        if outcome == LOOP:
            continue
        rejected = outcome == REJECTED
        error = explain(m, t, a, c, w, s, r, e, extraction, kind, o, found) if rejected else 0
        if error < 0:
            return test
        for word in range(width):
            m[found + word] = m[error + word] if error else 0
        late = rejected and extraction == STACK
        observe_run(m, t, a, c, r, kind, late, found)
        for word in range(width):
            words[test * width + word] = m[found + word]
    return last_test
