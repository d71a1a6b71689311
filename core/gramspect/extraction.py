"""What a spectrum is: from a trace to an observation.

For an accepted input: the rules of the derivation the parser took, and all their items (Raselimo and Fischer
2023, Definitions 3.1 and 4.1). For a rejected one with the maximal viable prefix u the definitions (3.2, 4.2) leave a
choice of derivation, and gramspect offers three extractions:

* `exact`: the maximally viable derivation with the shortest completion; of those the one with the fewest open
  rules; further ties go, from the error outwards, to the lower rule number, then to the smaller dot. To it comes the closure of
  its frontier.
* `all`: the union over every maximally viable derivation.
* `stack`: what the paper's extension of CUP collects (Section 5.2); LR parsers only.

Shift items (Definition 4.3) are, for an LR parser, all items of every state pushed while the viable prefix is consumed and of
every state that reductions lead to behind it; for a chart, all items of every Earley set. LR shift items are a subset of the
chart's, because the lookahead rules some reductions out.

The work is done in `gramspect.kernel`; an LR stack is first laid out as a chart (`gramspect.kernel.lr`), so there is one
walk back from the error for both.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from weakref import WeakKeyDictionary

from gramspect.chart import Chart, tables_of
from gramspect.errors import GramspectError
from gramspect.kernel import load, lr
from gramspect.kernel.lr import LRArrays
from gramspect.kernel.tables import as_array
from gramspect.kernel.walk import N_CALLS, N_LEAVES
from gramspect.kernel.workspace import LRSpace, WalkSpace, elements, n_words
from gramspect.lr.automaton import LRAutomaton
from gramspect.trace import (
    ChartTrace,
    Extraction,
    LRTrace,
    Observation,
    Trace,
    Undecided,
    Verdict,
)

__all__ = ["EXTRACTION_CODE", "lr_arrays", "observe"]

EXTRACTION_CODE = {Extraction.EXACT: lr.EXACT, Extraction.ALL: lr.ALL, Extraction.STACK: lr.STACK}
"""The extractions as the kernel numbers them."""

_SPACES: WeakKeyDictionary[LRAutomaton, LRSpace] = WeakKeyDictionary()


def observe(trace: Trace, extraction: Extraction = Extraction.EXACT) -> Observation:
    """The spectra of one test.

    Raises:
        GramspectError: `stack` is asked of a parser that is no LR parser.
    """
    if isinstance(trace, Undecided):
        return Observation(Verdict.UNDECIDED, reason=trace.reason)
    if isinstance(trace, LRTrace):
        return _observe_lr(trace, extraction)
    return _observe_chart(trace, extraction)


# --- LR parsers --------------------------------------------------------------------------


def _observe_lr(trace: LRTrace, extraction: Extraction) -> Observation:
    space = _space(trace.automaton)
    rejected = trace.error is not None
    while True:
        rules = space.words(space.tables.n_rules)
        items, shifts = space.words(space.tables.n_items), space.words(space.tables.n_items)
        if _set_run(space, trace) and lr.observe(
            space.tables, space.lr, space.chart, space.walk, space.scratch, space.run,
            rejected, EXTRACTION_CODE[extraction], True, rules, 0, items, 0, shifts, 0,
        ):  # fmt: skip
            break
        space.grow()
    active: dict[int, int] = {}
    predicted: dict[int, int] = {}
    if rejected:
        space.explore(len(trace.stack) - 1)
        active, predicted = _active(space), _predicted(space)
    return Observation(
        Verdict.REJECTED if rejected else Verdict.ACCEPTED,
        trace.error,
        frozenset(elements(rules)),
        frozenset(elements(items)),
        frozenset(elements(shifts)),
        active,
        predicted,
    )


def _space(automaton: LRAutomaton) -> LRSpace:
    """Room to work in, kept with the automaton so that each state is looked at once."""
    space = _SPACES.get(automaton)
    if space is None:
        tables = tables_of(automaton.grammar)
        space = LRSpace(tables, lr_arrays(automaton, [], [], compiled=False), compiled=False)
        _SPACES[automaton] = space
    return space


def lr_arrays(
    automaton: LRAutomaton, action: lr.Numbers, goto: lr.Numbers, *, compiled: bool
) -> LRArrays:
    """An automaton, and the tables of its parser if there are any, as flat arrays."""
    starts = accumulate((len(kernel) for kernel in automaton.kernels), initial=0)
    kernels = (item for kernel in automaton.kernels for item in kernel)
    return lr.lr_arrays(
        action,
        goto,
        as_array(starts, compiled),
        as_array(kernels, compiled),
        n_words(automaton.grammar.n_items),
        compiled,
    )


def _set_run(space: LRSpace, trace: LRTrace) -> bool:
    """Put a trace where the kernel leaves its own runs; False if there is no room for it."""
    run = space.run
    late = dict.fromkeys(trace.late_reduced)
    longest = max(len(trace.stack), len(trace.error_stack), len(late))
    if longest + 2 > len(run.stack):
        return False
    pushed, reduced = dict.fromkeys(trace.pushed), dict.fromkeys(trace.reduced)
    for values, place in (
        (trace.error_stack, run.stack),
        (trace.stack, run.shift_stack),
        (pushed, run.pushed),
        (reduced, run.reduced),
        (late, run.late),
    ):
        for index, value in enumerate(values):
            place[index] = value
    run.count[lr.TOP] = len(trace.error_stack)
    run.count[lr.LAST_SHIFT_TOP] = len(trace.stack)
    run.count[lr.N_PUSHED] = len(pushed)
    run.count[lr.N_REDUCED] = len(reduced)
    run.count[lr.N_LATE] = len(late)
    return True


# --- charts ------------------------------------------------------------------------------


def _observe_chart(trace: ChartTrace, extraction: Extraction) -> Observation:
    if extraction is Extraction.STACK:
        raise GramspectError(
            "the extraction 'stack' needs the stack of an LR parser; use 'exact' or 'all'"
        )
    chart = trace.chart
    space = WalkSpace(chart.tables, chart.arrays, chart.compiled)
    kernel = load("spectra", chart.compiled)
    every = extraction is Extraction.ALL
    rules, items = space.words(chart.tables.n_rules), space.words(chart.tables.n_items)
    active: dict[int, int] = {}
    predicted: dict[int, int] = {}
    parts = (chart.tables, chart.arrays)
    if trace.error is None:
        kernel.accepted(*parts, space.scratch, chart.end, every, rules, 0, items, 0)
    else:
        space.explore(chart.end)
        extract = kernel.all_rejected if every else kernel.exact_rejected
        extract(*parts, space.walk, space.scratch, 0, rules, 0, items, 0)
        active, predicted = _active(space), _predicted(space)
    return Observation(
        Verdict.ACCEPTED if trace.error is None else Verdict.REJECTED,
        trace.error,
        frozenset(elements(rules)),
        frozenset(elements(items)),
        frozenset(_items_of_sets(chart)),
        active,
        predicted,
    )


def _items_of_sets(chart: Chart) -> Iterator[int]:
    """Every item of every Earley set (Definition 4.3)."""
    tables, arrays = chart.tables, chart.arrays
    yield from (item for item in range(tables.n_items) if arrays.marks[item])
    size = (chart.end + 1) * tables.n_nonterminals
    flags = bytes(arrays.predicted[:size])
    for nonterminal in range(tables.n_nonterminals):
        if any(flags[nonterminal :: tables.n_nonterminals]):
            for index in range(tables.rules_start[nonterminal], tables.rules_start[nonterminal + 1]):
                yield tables.item_start[tables.rules[index]]


# --- where the parse stopped -------------------------------------------------------------


def _active(space: WalkSpace) -> dict[int, int]:
    """The items of every chain with their least depth, after `explore`."""
    tables, walk = space.tables, space.walk
    found = {
        space.chart.item[walk.leaf[i]]: 0
        for i in range(walk.count[N_LEAVES])
        if space.chart.item[walk.leaf[i]] < tables.n_items
    }
    for call in range(walk.count[N_CALLS]):
        for edge in range(walk.edge_start[call], walk.edge_start[call + 1]):
            item, depth = walk.edge_item[edge], walk.depth[call]
            if item < tables.n_items and depth < found.get(item, depth + 1):
                found[item] = depth
    return {int(item): int(depth) for item, depth in found.items()}


def _predicted(space: WalkSpace) -> dict[int, int]:
    """The items that could start at the error with their distance below it, after `explore`."""
    tables, walk = space.tables, space.walk
    leaves = (space.chart.item[walk.leaf[i]] for i in range(walk.count[N_LEAVES]))
    wanted = {tables.item_next[item] - tables.n_terminals for item in leaves}
    level = {nonterminal for nonterminal in wanted if nonterminal >= 0}
    known: set[int] = set()
    found: dict[int, int] = {}
    distance = 0
    while level:
        distance += 1
        known |= level
        below: set[int] = set()
        for nonterminal in level:
            for index in range(tables.rules_start[nonterminal], tables.rules_start[nonterminal + 1]):
                item = tables.item_start[tables.rules[index]]
                found[int(item)] = distance
                below.add(tables.item_next[item] - tables.n_terminals)
        level = {nonterminal for nonterminal in below if nonterminal >= 0} - known
    return found
