"""Extraction: from a trace to an observation with its spectra.

For an accepted input: the rules of the derivation the parser took, and all their items (Raselimo
and Fischer 2024, Definitions 3.1 and 4.1). For a rejected one with the maximal viable prefix u the
definitions (3.2, 4.2) leave a choice of derivation, and gramspect offers three extractions:

* `exact`: the maximally viable derivation with the shortest completion; of those the one with the
  fewest open rules; further ties go, from the error outwards, to the lower rule number, then to
  the smaller dot. The closure of its frontier is added.
* `all`: the union over every maximally viable derivation.
* `stack`: the items that the paper's extension of CUP collects (Section 5.2); LR parsers only.

Shift items (Definition 4.3) are, for an LR parser, all items of every state pushed while the
viable prefix is consumed and of every state that reductions lead to after it; for a chart, all
items of every Earley set. LR shift items are a subset of the chart's, because the lookahead rules
some reductions out. For an LL parser they are the closures of the items on its stack whenever a
token is consumed (`gramspect.spectrum.ll`).

The work is done in `gramspect.kernel`, but for inputs that an LR parser accepts, where nothing is
to be searched. The stack of a rejected one is first laid out as a chart (`gramspect.kernel.lr`), so
there is one walk back from the error for both.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from gramspect.errors import GramspectError
from gramspect.kernel import is_compiled, lr, stack
from gramspect.kernel.walk import N_CALLS, N_LEAVES
from gramspect.kernel.workspace import LRSpace, Space
from gramspect.lr.automaton import LRAutomaton
from gramspect.recognition.trace import (
    ChartTrace,
    Extraction,
    LLTrace,
    LRTrace,
    Observation,
    Trace,
    Undecided,
    Verdict,
)
from gramspect.spectrum.ll import observe_ll

__all__ = ["EXTRACTION_CODE", "observe"]

EXTRACTION_CODE = {
    Extraction.EXACT: stack.EXACT,
    Extraction.ALL: stack.ALL,
    Extraction.STACK: stack.STACK,
}
"""The extractions as the kernel numbers them."""

_SPACES: WeakKeyDictionary[LRAutomaton, LRSpace] = WeakKeyDictionary()


def observe(trace: Trace, extraction: Extraction | None = Extraction.EXACT) -> Observation:
    """The spectra of one test; without an extraction its verdict and error only.

    Raises:
        GramspectError: `stack` is asked of a parser that is no LR parser.
    """
    if isinstance(trace, Undecided):
        return Observation(Verdict.UNDECIDED, reason=trace.reason)
    if extraction is None:
        error = None if isinstance(trace, LLTrace) else trace.error
        return Observation(Verdict.REJECTED if error else Verdict.ACCEPTED, error)
    if isinstance(trace, LRTrace):
        return _accepted_lr(trace) if trace.error is None else _rejected_lr(trace, extraction)
    if extraction is Extraction.STACK:
        raise GramspectError(
            "the extraction 'stack' needs the stack of an LR parser; use 'exact' or 'all'"
        )
    if isinstance(trace, LLTrace):
        return observe_ll(trace)
    return _observe_chart(trace, extraction)


def _accepted_lr(trace: LRTrace) -> Observation:
    """The spectra of an accepted input, which need no kernel: its rules and its states say all."""
    grammar, closure = trace.automaton.grammar, trace.automaton.closure
    rules = frozenset(trace.reduced)
    starts = grammar.item_start
    items = frozenset(i for rule in rules for i in range(starts[rule], starts[rule + 1]))
    augmented = grammar.n_items, grammar.n_items + 1
    shifts = frozenset[int]().union(*map(closure, set(trace.pushed))).difference(augmented)
    return Observation(Verdict.ACCEPTED, None, rules, items, shifts)


def _rejected_lr(trace: LRTrace, extraction: Extraction) -> Observation:
    automaton = trace.automaton
    if automaton not in _SPACES:
        _SPACES[automaton] = LRSpace(automaton.grammar, automaton.kernels, is_compiled())
    space = _SPACES[automaton]
    code = EXTRACTION_CODE[extraction]
    explored = extraction is not Extraction.STACK
    observe = space.kernel("stack").observe
    while True:
        space.clear_output()
        if _set_run(space, trace) and observe(
            space.memory, space.tables, space.lr, space.chart, space.walk, space.scratch,
            space.run, True, code, space.output,
        ) and (explored or space.explored(len(trace.stack) - 1)):  # fmt: skip
            break
        space.grow()
    shifts = frozenset(space.elements(space.output.shifts, space.tables.n_items))
    return _observation(space, trace, shifts)


def _set_run(space: LRSpace, trace: LRTrace) -> bool:
    """Put a trace where the kernel leaves its own runs; False if there is no room for it."""
    m, run = space.memory, space.run
    late = dict.fromkeys(trace.late_reduced)
    if max(len(trace.stack), len(trace.error_stack), len(late)) > run.depth:
        return False
    for values, place, size in (
        (trace.error_stack, run.stack, lr.TOP),
        (trace.stack, run.shift_stack, lr.LAST_SHIFT_TOP),
        (dict.fromkeys(trace.pushed), run.pushed, lr.N_PUSHED),
        (dict.fromkeys(trace.reduced), run.reduced, lr.N_REDUCED),
        (late, run.late, lr.N_LATE),
    ):
        for index, value in enumerate(values):
            m[place + index] = value
        m[run.counts + size] = len(values)
    return True


def _observe_chart(trace: ChartTrace, extraction: Extraction) -> Observation:
    space, end = trace.chart.space, trace.chart.end
    kernel = space.kernel("spectra")
    every = extraction is Extraction.ALL
    if trace.error is not None:
        space.explore(end)
    space.clear_output()
    parts = space.memory, space.tables, space.chart
    if trace.error is None:
        kernel.accepted(*parts, space.scratch, end, every, space.output)
    else:
        extract = kernel.all_rejected if every else kernel.exact_rejected
        extract(*parts, space.walk, space.scratch, 0, space.output)
    return _observation(space, trace, frozenset(trace.chart.items()))


def _observation(
    space: Space, trace: LRTrace | ChartTrace, shift_items: frozenset[int]
) -> Observation:
    """Read the spectra, and for a rejected test where it stopped (after `explore`)."""
    rejected = trace.error is not None
    return Observation(
        Verdict.REJECTED if rejected else Verdict.ACCEPTED,
        trace.error,
        frozenset(space.elements(space.output.rules, space.tables.n_rules)),
        frozenset(space.elements(space.output.items, space.tables.n_items)),
        shift_items,
        _active(space) if rejected else {},
        _predicted(space) if rejected else {},
    )


def _leaves(space: Space) -> set[int]:
    """The items that wait at the error."""
    m, walk = space.memory, space.walk
    leaves = range(walk.leaf, walk.leaf + m[walk.counts + N_LEAVES])
    return {int(m[space.chart.item + m[place]]) for place in leaves}


def _active(space: Space) -> dict[int, int]:
    """The items of every chain with their least depth."""
    m, walk, n_items = space.memory, space.walk, space.tables.n_items
    found = dict.fromkeys(_leaves(space), 0)
    for call in range(m[walk.counts + N_CALLS]):
        depth = int(m[walk.depth + call])
        for edge in range(m[walk.edge_start + call], m[walk.edge_start + call + 1]):
            item = int(m[walk.edge_item + edge])
            found[item] = min(depth, found.get(item, depth))
    return {item: depth for item, depth in found.items() if item < n_items}


def _predicted(space: Space) -> dict[int, int]:
    """The items that could start at the error with their distance below it."""
    grammar, m, tables = space.grammar, space.memory, space.tables
    level = {int(m[tables.item_next + item]) for item in _leaves(space)}
    found: dict[int, int] = {}
    known: set[int] = set()
    distance = 0
    while level:
        distance += 1
        known |= level
        rules = [r for symbol in level for r in grammar.rules_of.get(symbol, ())]
        found.update((grammar.item_start[rule], distance) for rule in rules)
        level = {grammar.rules[rule].rhs[0] for rule in rules if grammar.rules[rule].rhs} - known
    return found
