"""LR graphs: the push and pop edges of an LR automaton (Rossouw and Fischer 2023, Section 3).

The vertices are the states of an automaton and one more, the sink, that the end of the input leads
to. There are two kinds of edges:

* a *push edge* ``q -X-> q'`` for every transition, terminal or non-terminal, and one labelled
  ``$end`` from the accepting state to the sink;
* a *pop edge* ``q =A/n=> p`` for every reduction: q has the item ``A -> alpha .`` with n symbols,
  and a path of push edges labelled alpha leads from p to q. The edge is followed by the push edge
  ``p -A->``, its *goto*.

All reductions are kept whatever the conflicts, and lookaheads play no role. A pop edge is counted
for each rule, so two rules that derive the same from the same non-terminal have two. It is
determined by its goto and its rule: the *reduction path* of a pop edge is the push edges labelled
alpha from p, the pop edge, and the goto.

Edges are numbers: push edges first, by source and then symbol, then pop edges, by goto and then
rule. Tables are flat arrays.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from gramspect.errors import GrammarError
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import END
from gramspect.lr.automaton import MAX_STATES, AutomatonTooLarge, LRAutomaton
from gramspect.lr.canonical import canonical_automaton
from gramspect.lr.lalr import Reductions, lalr_reductions

__all__ = ["AutomatonKind", "Flags", "Ints", "LRGraph", "lr_graph", "rows_of"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


class AutomatonKind(StrEnum):
    """What an LR graph is made of. Those of LR(0) and LALR(1) have the same edges."""

    LR0 = "lr0"
    LALR1 = "lalr1"
    LR1 = "lr1"


@dataclass(frozen=True, eq=False)
class LRGraph:
    """An LR graph; see the module.

    Attributes:
        automaton: the states.
        kind: what the automaton is.
        lookaheads: for each state the tokens that each of its rules can be reduced on: LALR(1)
            sets, those of the states themselves for canonical LR(1).
        source, target: the vertices of each edge.
        label: of push edges the symbol, of pop edges the rule.
        n_push: how many push edges there are.
        push_start: push edges of vertex v are ``push_start[v] .. push_start[v + 1] - 1``.
        pop_goto: the goto of each pop edge (index: its number less `n_push`).
        path_start, path: the push edges of each pop edge's reduction path, which are
            ``path[path_start[i] : path_start[i + 1]]``.
    """

    automaton: LRAutomaton
    kind: AutomatonKind
    lookaheads: Reductions = field(repr=False)
    source: Ints = field(repr=False)
    target: Ints = field(repr=False)
    label: Ints = field(repr=False)
    n_push: int
    push_start: Ints = field(repr=False)
    pop_goto: Ints = field(repr=False)
    path_start: Ints = field(repr=False)
    path: Ints = field(repr=False)

    @property
    def grammar(self) -> Grammar:
        return self.automaton.grammar

    @property
    def n_vertices(self) -> int:
        """The states and the sink."""
        return self.automaton.n_states + 1

    @property
    def start(self) -> int:
        """The source vertex: the start state."""
        return self.automaton.start

    @property
    def sink(self) -> int:
        """The vertex that the end of the input leads to."""
        return self.automaton.n_states

    @property
    def n_edges(self) -> int:
        return len(self.source)

    @property
    def n_pop(self) -> int:
        return self.n_edges - self.n_push

    # --- neighbours ----------------------------------------------------------------------

    @cached_property
    def _pushes(self) -> dict[tuple[int, int], int]:
        """The push edge of each source and label."""
        ends = self.source[: self.n_push].tolist(), self.label[: self.n_push].tolist()
        return {key: edge for edge, key in enumerate(zip(*ends, strict=True))}

    def push(self, vertex: int, symbol: int) -> int:
        """The push edge from a vertex labelled with a symbol; -1 if there is none."""
        return self._pushes.get((vertex, symbol), -1)

    @cached_property
    def last(self) -> int:
        """The push edge to the sink."""
        return int(np.flatnonzero(self.target[: self.n_push] == self.sink)[0])

    @cached_property
    def root(self) -> int:
        """The goto that all derivations end with: from the source, by the start symbol."""
        return self.push(self.start, self.grammar.start)

    @cached_property
    def pop_start(self) -> Ints:
        """Pop edges with goto e are ``pop_start[e] .. pop_start[e + 1] - 1``, counted from 0."""
        return _starts(self.pop_goto, self.n_push)

    @cached_property
    def first_pop(self) -> list[int]:
        """The first pop edge with each goto, or where it would be."""
        return list(map(int, self.n_push + self.pop_start))

    @cached_property
    def is_goto(self) -> Flags:
        """Which push edges have a non-terminal."""
        return self.label[: self.n_push] >= self.grammar.n_terminals

    @cached_property
    def successors(self) -> tuple[Ints, Ints]:
        """The edges that leave each vertex: where they start in the list, and the list."""
        return _rows(self.source, self.n_vertices)

    @cached_property
    def predecessors(self) -> tuple[Ints, Ints]:
        """The edges that enter each vertex: where they start in the list, and the list."""
        return _rows(self.target, self.n_vertices)

    # --- what sentences can use ----------------------------------------------------------

    @cached_property
    def useful(self) -> Flags:
        """The edges that some accepting path uses.

        The others have to do with symbols that derive no sentence. An edge of a reduced grammar is
        always useful: a state stands for viable prefixes, and each of them begins a sentence.
        """
        productive = np.zeros(len(self.grammar.symbols), np.bool_)
        productive[list(self.grammar.analysis.productive)] = True
        rules = np.array([productive[list(r.rhs)].all() for r in self.grammar.rules], np.bool_)
        usable = rules[self.label[self.n_push :]]
        found = np.zeros(self.n_edges, np.bool_)
        frontier = np.array([self.root] if productive[self.grammar.start] else [], np.int64)
        while len(frontier):
            found[frontier] = True
            pops = rows_of(self.pop_start, frontier)
            pops = pops[usable[pops]]
            found[self.n_push + pops] = True
            edges = np.unique(self.path[rows_of(self.path_start, pops)])
            terminal = ~self.is_goto[edges]
            found[edges[terminal]] = True
            frontier = edges[~terminal & ~found[edges]]
        found[self.last] = productive[self.grammar.start]
        return found

    # --- names ---------------------------------------------------------------------------

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The vertices as the paper names them: ``q_init``, ``q1``, ``q2``, ..., ``q_acc``.

        They are numbered breadth first, non-terminals before terminals, and those in the order of
        the grammar; that gives the numbers of the paper's Figures 1 and 4.
        """
        place = self._first_use
        order = [self.start]
        known = {self.start, self.sink}
        for vertex in order:  # grows while it is walked
            edges = range(self.push_start[vertex], self.push_start[vertex + 1])
            for edge in sorted(edges, key=lambda e: place[int(self.label[e])]):
                target = int(self.target[edge])
                if target not in known:
                    known.add(target)
                    order.append(target)
        found = ["q_acc"] * self.n_vertices
        for number, vertex in enumerate(order):
            found[vertex] = f"q{number}" if number else "q_init"
        return tuple(found)

    @cached_property
    def _first_use(self) -> dict[int, tuple[bool, int]]:
        """What symbols are sorted by: their kind, and where they first occur in the rules."""
        grammar = self.grammar
        found = {END: (True, -1)}
        for symbol in (s for rule in grammar.rules for s in (rule.lhs, *rule.rhs)):
            found.setdefault(symbol, (grammar.is_terminal(symbol), len(found)))
        return found

    def edge_label(self, edge: int) -> str:
        """``D`` or ``'['`` for a push edge, ``D/4`` for a pop edge, ``$`` for the last one."""
        grammar = self.grammar
        number = int(self.label[edge])
        if edge >= self.n_push:
            rule = grammar.rules[number]
            return f"{grammar.symbols[rule.lhs].display}/{len(rule.rhs)}"
        return "$" if number == END else grammar.symbols[number].display

    def edge_text(self, edge: int) -> str:
        """An edge on one line: ``q3 -]-> q4``, ``q4 =D/4=> q2``."""
        line = "=" if edge >= self.n_push else "-"
        names = self.names
        source, target = names[int(self.source[edge])], names[int(self.target[edge])]
        return f"{source} {line}{self.edge_label(edge)}{line}> {target}"

    def path_text(self, edges: list[int]) -> str:
        """A path on one line; an edge that does not begin where the one before ends is marked
        with ``...``."""
        words: list[str] = []
        at = -1
        for edge in edges:
            source = int(self.source[edge])
            if source != at:
                words += [*(["..."] if words else []), self.names[source]]
            line = "=" if edge >= self.n_push else "-"
            at = int(self.target[edge])
            words += [f"{line}{self.edge_label(edge)}{line}>", self.names[at]]
        return " ".join(words)

    # --- paths ---------------------------------------------------------------------------

    def reduction_path(self, pop: int) -> list[int]:
        """The edges of a reduction path; `pop` counts pop edges from 0."""
        edges = self.path[self.path_start[pop] : self.path_start[pop + 1]]
        return [*edges.tolist(), self.n_push + pop, int(self.pop_goto[pop])]

    def accepting_path(self, left_parse: Iterable[int]) -> list[int]:
        """The edges of the path of a sentence, given by the rules of its derivation in preorder."""
        grammar = self.grammar
        rules = iter(left_parse)
        path: list[int] = []
        # What is still to come, the next on top: a symbol, or the end of a rule begun at a vertex.
        pending: list[tuple[int, int]] = [(-1, grammar.start)]
        at = self.start
        while pending:
            origin, number = pending.pop()
            if origin >= 0:
                rule = grammar.rules[number]
                goto = self.push(origin, rule.lhs)
                path += [self.n_push + int(self.pop_start[goto]) + rule.alternative - 1, goto]
                at = int(self.target[goto])
            elif grammar.is_terminal(number):
                edge = self.push(at, number)
                path.append(edge)
                at = int(self.target[edge])
            else:
                rule = grammar.rules[next(rules)]
                pending.append((at, rule.index))
                pending.extend((-1, symbol) for symbol in reversed(rule.rhs))
        return [*path, self.last]


@lru_cache(maxsize=1)
def lr_graph(
    grammar: Grammar,
    kind: AutomatonKind = AutomatonKind.LR0,
    max_states: int = MAX_STATES,
) -> LRGraph:
    """The LR graph of a grammar over one of its automata; the last one is remembered.

    Raises:
        GrammarError: there are more than `max_states` states, there is no memory for them, or the
            start symbol has no rule.
    """
    if not grammar.rules_of.get(grammar.start):
        name = grammar.symbols[grammar.start].display
        raise GrammarError(f"the start symbol {name!r} has no rule", None)
    try:
        if kind is AutomatonKind.LR1:
            automaton, lookaheads = canonical_automaton(grammar, max_states)
        else:
            automaton = LRAutomaton.lr0(grammar, max_states)
            lookaheads = lalr_reductions(automaton)
    except AutomatonTooLarge as problem:
        smaller = kind is AutomatonKind.LR1 and problem.kind != "LR(0)"
        advice = "the LR(0) automaton is smaller" if smaller else "take criteria without a graph"
        raise GrammarError(f"{problem.reason}; {advice}") from None
    try:
        return _graph(automaton, kind, lookaheads)
    except MemoryError:
        raise GrammarError(
            f"there is not enough memory for the LR graph of the grammar {grammar.name}, "
            f"whose automaton has {automaton.n_states:,} states"
        ) from None


def _graph(automaton: LRAutomaton, kind: AutomatonKind, lookaheads: Reductions) -> LRGraph:
    grammar = automaton.grammar
    n_vertices = automaton.n_states + 1
    source, symbol, target = _push_edges(automaton)
    keys = source * len(grammar.symbols) + symbol
    goto, rule = _gotos_with_rules(grammar, symbol)
    # All reduction paths are walked at once, one symbol further each time.
    rhs_start, rhs = _flat([r.rhs for r in grammar.rules])
    length = (rhs_start[1:] - rhs_start[:-1])[rule]
    path_start = np.concatenate([[0], np.cumsum(length)])
    path = np.zeros(path_start[-1], np.int64)
    at = source[goto]
    for position in range(int(length.max(initial=0))):
        longer = np.flatnonzero(length > position)
        symbols = rhs[rhs_start[rule[longer]] + position]
        edges = np.searchsorted(keys, at[longer] * len(grammar.symbols) + symbols)
        path[path_start[longer] + position] = edges
        at[longer] = target[edges]
    return LRGraph(
        automaton,
        kind,
        lookaheads,
        np.concatenate([source, at]),
        np.concatenate([target, source[goto]]),
        np.concatenate([symbol, rule]),
        len(source),
        _starts(source, n_vertices),
        goto,
        path_start,
        path,
    )


def _push_edges(automaton: LRAutomaton) -> tuple[Ints, Ints, Ints]:
    """Source, symbol and target of all push edges, by source and symbol."""
    transitions = automaton.transitions
    n = sum(map(len, transitions)) + 1
    sizes = np.fromiter(map(len, transitions), np.int64, len(transitions))
    final, sink = automaton.accept_state, automaton.n_states
    assert final is not None
    source = np.append(np.repeat(np.arange(len(transitions)), sizes), final)
    symbol = np.fromiter((s for targets in transitions for s in targets), np.int64, n - 1)
    target = np.fromiter((t for targets in transitions for t in targets.values()), np.int64, n - 1)
    symbol, target = np.append(symbol, END), np.append(target, sink)
    order = np.lexsort((symbol, source))
    return source[order], symbol[order], target[order]


def _gotos_with_rules(grammar: Grammar, symbol: Ints) -> tuple[Ints, Ints]:
    """Every push edge by a non-terminal with every rule of it: the pop edges."""
    start, rules = _flat([grammar.rules_of.get(s, ()) for s in range(len(grammar.symbols))])
    edges = np.flatnonzero(symbol >= grammar.n_terminals)
    sizes = (start[1:] - start[:-1])[symbol[edges]]
    return np.repeat(edges, sizes), rules[rows_of(start, symbol[edges])]


def _flat(rows: list[tuple[int, ...]]) -> tuple[Ints, Ints]:
    """A ragged table: where its rows start, and its values."""
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    start = np.concatenate([[0], np.cumsum(sizes)])
    return start, np.fromiter((value for row in rows for value in row), np.int64, int(start[-1]))


def rows_of(start: Ints, rows: Ints) -> Ints:
    """The indices of all values in some rows of a ragged table, row by row."""
    sizes = start[rows + 1] - start[rows]
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    offsets: Ints = np.repeat(start[rows] - (ends - sizes), sizes)
    return offsets + np.arange(total)


def _starts(keys: Ints, n: int) -> Ints:
    """Where the values with the keys 0 .. n begin in an ascending list of keys."""
    return np.asarray(np.searchsorted(keys, np.arange(n + 1)), np.int64)


def _rows(keys: Ints, n: int) -> tuple[Ints, Ints]:
    """The indices with each key: where they start in the list, and the list."""
    order = np.argsort(keys, kind="stable")
    return _starts(keys[order], n), order
