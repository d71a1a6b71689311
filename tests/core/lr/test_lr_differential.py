"""LR tables against PLY's, and against constructions straight from the definitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from ply import yacc

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import END, Associativity
from gramspect.lr import LRAutomaton, LRTable, canonical_table, lalr_table, slr_table
from gramspect.lr.counting import count_conflicts

LEVELS = st.sampled_from([Associativity.LEFT, Associativity.RIGHT, Associativity.NONASSOC])

Rules = list[tuple[str, list[str]]]


@st.composite
def rule_lists(draw: DrawFn) -> Rules:
    """Rules of any shape: cycles, useless symbols and languages without sentences included."""
    nonterminals = "SABCD"[: draw(st.integers(1, 5))]
    terminals = "abcd"[: draw(st.integers(1, 4))]
    symbols = st.sampled_from(nonterminals + terminals)
    one = st.tuples(st.sampled_from(nonterminals), st.lists(symbols, max_size=4))
    first = draw(st.lists(symbols, max_size=4))
    rules = [("S", first), *draw(st.lists(one, max_size=11))]
    used = {lhs for lhs, _ in rules}
    # What has no rule would become a terminal; PLY knows no duplicated rules.
    known = [(lhs, tuple(x for x in rhs if x in used or x in terminals)) for lhs, rhs in rules]
    return [(lhs, list(rhs)) for lhs, rhs in dict.fromkeys(known)]


@st.composite
def grammars(draw: DrawFn) -> Grammar:
    """Grammars whose tokens have no precedence, or all of them have one."""
    rules = draw(rule_lists())
    tokens = sorted({x for _, rhs in rules for x in rhs if x.islower()})
    levels: list[tuple[Associativity, list[str]]] = []
    if tokens and draw(st.booleans()):
        order = draw(st.permutations(tokens))
        cut = draw(st.integers(0, len(order)))
        parts = [part for part in (order[:cut], order[cut:]) if part]
        levels = [(draw(LEVELS), part) for part in parts]
    chosen = {}
    if levels:
        numbers = st.integers(0, len(rules) - 1)
        chosen = draw(st.dictionaries(numbers, st.sampled_from(tokens), max_size=2))
    return Grammar.from_rules(rules, start="S", precedence=levels, rule_precedence=chosen)


# --- PLY -----------------------------------------------------------------------------------


class PlyTable(yacc.LRGeneratedTable):
    """A table that PLY generates; `states` are its item sets."""

    def lr0_items(self) -> list[list[yacc.LRItem]]:
        self.states = super().lr0_items()
        return self.states


def ply_table(grammar: Grammar, method: str) -> PlyTable:
    """The table that PLY makes of a grammar."""
    names = [symbol.name for symbol in grammar.symbols]
    built = yacc.Grammar([symbol.name for symbol in grammar.terminals])
    for terminal, precedence in grammar.precedence.items():
        built.set_precedence(names[terminal], str(precedence.associativity), precedence.level)
    for line, rule in enumerate(grammar.rules, start=1):
        syms = [names[s] for s in rule.rhs]
        if rule.precedence is not None:
            syms += ["%prec", names[rule.precedence]]
        built.add_production(names[rule.lhs], syms, line=line)
    built.set_start(names[grammar.start])
    return PlyTable(built, method)


def rebuilt(grammar: Grammar, table: yacc.LRTable) -> LRAutomaton:
    """The automaton behind a PLY table."""
    transitions = [
        {
            grammar.symbol(name): target
            for name, target in (*table.lr_action[s].items(), *table.lr_goto.get(s, {}).items())
            if target is not None and target > 0
        }
        for s in range(len(table.lr_action))
    ]
    return LRAutomaton.from_transitions(grammar, transitions)


def actions(
    grammar: Grammar, row: Mapping[str, int | None], state_of: Mapping[int, int]
) -> list[int]:
    """A row of a PLY table, coded and numbered as in ours."""
    found = [0] * grammar.n_terminals
    for name, action in row.items():
        if action is not None:
            terminal = grammar.symbol(name)
            if action > 0:
                found[terminal] = state_of[action] + 1
            else:
                found[terminal] = action if action else -(grammar.n_rules + 1)
    return found


def assert_equal_tables(ours: LRTable, theirs: yacc.LRTable) -> None:
    """Equal tables up to the numbering of states.

    PLY may have one state several times, as it tells item sets apart by their order, and settles
    a token of three items one after the other in the order in which it meets them; both are left
    out.
    """
    grammar, automaton = ours.grammar, ours.automaton
    foreign = rebuilt(grammar, theirs)
    number = {kernel: state for state, kernel in enumerate(automaton.kernels)}
    assert set(foreign.kernels) - {()} <= set(number)
    state_of = {s: number[kernel] for s, kernel in enumerate(foreign.kernels) if kernel}
    contested: dict[tuple[int, int], set[int]] = {}
    for conflict in ours.conflicts:
        contested.setdefault((conflict.state, conflict.lookahead), set()).update(conflict.items)
    for theirs_state, state in state_of.items():
        if foreign.kernels.count(automaton.kernels[state]) > 1:
            continue
        expected = actions(grammar, theirs.lr_action[theirs_state], state_of)
        for terminal, action in enumerate(expected):
            if len(contested.get((state, terminal), ())) <= 2:
                assert ours.action[state, terminal] == action
        gotos = theirs.lr_goto.get(theirs_state, {}).items()
        row = {grammar.symbol(name) - grammar.n_terminals: state_of[s] for name, s in gotos}
        assert {x: ours.goto[ours.goto[state] + x] for x in row} == row
        assert sum(s >= grammar.n_terminals for s in automaton.transitions[state]) == len(row)


def compare_with_ply(grammar: Grammar, ours: LRTable, method: str) -> None:
    try:
        theirs = ply_table(grammar, method)
    except yacc.LALRError:  # a reduction that competes with accepting
        accept = -(grammar.n_rules + 1)
        assert any(c.action == accept for c in ours.conflicts)
        return
    if method == "LALR" and not lookaheads_are_equal(ours, theirs):
        return
    assert_equal_tables(ours, theirs)


def lookaheads_are_equal(ours: LRTable, theirs: PlyTable) -> bool:
    """Whether PLY reduces on the same tokens, conflicts set aside.

    PLY's sets can be too large: where a state predicts a non-terminal and also holds a kernel item
    of it, PLY follows that item as if its rule began in this state.
    """
    grammar = ours.grammar
    number = {kernel: state for state, kernel in enumerate(ours.automaton.kernels)}
    found: list[set[tuple[int, int]]] = [set() for _ in number]
    for theirs_state, items in enumerate(theirs.states):
        state = number[kernel_of(grammar, items)]
        for item in items:
            if item.len == item.lr_index + 1 and item.number:
                tokens = item.lookaheads.get(theirs_state, ())
                found[state] |= {(item.number - 1, grammar.symbol(name)) for name in tokens}
    equal = True
    for state, theirs_pairs in enumerate(found):
        pairs = {(r, t) for r, t in possible(ours, state) if r < grammar.n_rules}
        assert pairs <= theirs_pairs
        equal &= pairs == theirs_pairs
    return equal


def kernel_of(grammar: Grammar, items: Sequence[yacc.LRItem]) -> tuple[int, ...]:
    """The kernel of a PLY item set; PLY counts rules from 1, 0 being the augmenting one."""
    start = grammar.n_items
    augmented = [start + i.lr_index for i in items if not i.number]
    advanced = (i for i in items if i.number and i.lr_index)
    return tuple(sorted([*augmented, *(grammar.item(i.number - 1, i.lr_index) for i in advanced)]))


@given(grammars())
def test_lalr_tables_equal_those_of_ply(grammar: Grammar) -> None:
    compare_with_ply(grammar, lalr_table(grammar), "LALR")


@given(grammars())
def test_slr_tables_equal_those_of_ply(grammar: Grammar) -> None:
    assume(grammar.analysis.reachable >= {s.index for s in grammar.nonterminals})
    compare_with_ply(grammar, slr_table(grammar), "SLR")


# --- the definition of canonical LR(1) -----------------------------------------------------

LR1Item = tuple[int, int | None]
"""An item with one lookahead. Each item is also there with None, so that none vanishes where no
lookahead is left because no sentence can follow."""


class Definition:
    """Canonical LR(1) from the book: closures of sets of items with one lookahead each."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.rhs = [*(rule.rhs for rule in grammar.rules), (grammar.start,)]
        self.states: list[frozenset[LR1Item]] = []
        self.transitions: list[dict[int, int]] = []
        self._first = self._fixpoint()
        self._build()

    def _split(self, item: int) -> tuple[int, int]:
        n = self.grammar.n_items
        return (self.grammar.n_rules, item - n) if item >= n else self.grammar.split_item(item)

    def _after(self, item: int) -> tuple[int, ...]:
        rule, dot = self._split(item)
        return self.rhs[rule][dot:]

    def _fixpoint(self) -> list[set[int | None]]:
        """First sets; None in one stands for the empty word."""
        n = self.grammar.n_terminals
        first: list[set[int | None]] = [
            {s} if s < n else set() for s in range(len(self.grammar.symbols))
        ]
        while True:
            before = [set(found) for found in first]
            for rule in self.grammar.rules:
                first[rule.lhs] |= self._first_of(first, rule.rhs)
            if first == before:
                return first

    @staticmethod
    def _first_of(first: list[set[int | None]], phrase: Sequence[int]) -> set[int | None]:
        found: set[int | None] = set()
        for symbol in phrase:
            found |= first[symbol] - {None}
            if None not in first[symbol]:
                return found
        return found | {None}

    def _closure(self, kernel: set[LR1Item]) -> frozenset[LR1Item]:
        found, waiting = set(kernel), list(kernel)
        while waiting:
            item, lookahead = waiting.pop()
            after = self._after(item)
            if not after or after[0] < self.grammar.n_terminals:
                continue
            behind = self._first_of(self._first, after[1:])
            lookaheads = (behind - {None}) | ({lookahead} if None in behind else set()) | {None}
            for rule in self.grammar.rules_of[after[0]]:
                new = {(self.grammar.item(rule, 0), a) for a in lookaheads} - found
                found |= new
                waiting += new
        return frozenset(found)

    def _build(self) -> None:
        start = self.grammar.n_items
        self.states.append(self._closure({(start, END), (start, None)}))
        number = {self.states[0]: 0}
        for state in self.states:
            targets: dict[int, int] = {}
            for symbol in sorted({self._after(i)[0] for i, _ in state if self._after(i)}):
                moved = {(i + 1, a) for i, a in state if self._after(i)[:1] == (symbol,)}
                target = self._closure(moved)
                if target not in number:
                    number[target] = len(self.states)
                    self.states.append(target)
                targets[symbol] = number[target]
            self.transitions.append(targets)

    def kernel(self, state: int) -> tuple[int, ...]:
        items = {i for i, _ in self.states[state]}
        start = self.grammar.n_items
        return tuple(sorted(i for i in items if i == start or self._split(i)[1]))

    def reductions(self, state: int) -> set[tuple[int, int]]:
        """Rules (``n_rules`` for accepting) with the terminals on which they are reduced."""
        complete = ((i, a) for i, a in self.states[state] if a is not None and not self._after(i))
        return {(self._split(i)[0], a) for i, a in complete}


def possible(table: LRTable, state: int) -> set[tuple[int, int]]:
    """The reductions that a table has or has had to give up, with their lookaheads."""
    row = table.action[state]
    found = {(-int(row[t]) - 1, int(t)) for t in np.flatnonzero(row < 0)}
    contested = [c for c in table.conflicts if c.state == state]
    return found | {(rule, c.lookahead) for c in contested for rule in c.rules}


@given(rule_lists())
def test_canonical_tables_follow_the_definition(rules: Rules) -> None:
    grammar = Grammar.from_rules(rules, start="S")
    table, definition = canonical_table(grammar), Definition(grammar)
    automaton = table.automaton
    assert list(automaton.transitions) == definition.transitions
    for state in range(automaton.n_states):
        assert automaton.kernels[state] == definition.kernel(state)
        assert possible(table, state) == definition.reductions(state)


@given(rule_lists())
def test_lalr_tables_are_canonical_ones_merged(rules: Rules) -> None:
    grammar = Grammar.from_rules(rules, start="S")
    table, definition = lalr_table(grammar), Definition(grammar)
    merged: dict[tuple[int, ...], set[tuple[int, int]]] = {}
    for state in range(len(definition.states)):
        found = merged.setdefault(definition.kernel(state), set())
        found |= definition.reductions(state)
    ours = {k: possible(table, state) for state, k in enumerate(table.automaton.kernels)}
    assert ours == merged


@given(rule_lists())
def test_automata_are_rebuilt_from_their_transitions(rules: Rules) -> None:
    grammar = Grammar.from_rules(rules, start="S")
    for automaton in (LRAutomaton.lr0(grammar), canonical_table(grammar).automaton):
        again = LRAutomaton.from_transitions(grammar, automaton.transitions)
        assert again.kernels == automaton.kernels


# --- a real parser -------------------------------------------------------------------------


def test_the_c_parser_of_pycparser() -> None:
    from pycparser.c_parser import CParser

    parser = CParser().cparser
    texts = [production.str.split() for production in parser.productions]
    grammar = Grammar.from_rules(
        [(lhs, [x for x in rhs if x != "<empty>"]) for lhs, _, *rhs in texts[1:]],
        start=texts[0][-1],
        precedence=[(Associativity(kind), names) for kind, *names in CParser.precedence],
    )

    class Table:
        lr_action, lr_goto = parser.action, parser.goto

    ours = lalr_table(grammar)
    foreign = rebuilt(grammar, Table)
    assert set(foreign.kernels) == set(ours.automaton.kernels)
    assert foreign.n_states - ours.automaton.n_states <= 10  # PLY's doubles
    assert_equal_tables(ours, Table)


# --- the kernel ----------------------------------------------------------------------------


@given(grammars())
def test_conflicts_are_counted_as_they_are_resolved(grammar: Grammar) -> None:
    expected = len(lalr_table(grammar).unresolved)
    assert count_conflicts(grammar, compiled=True) == expected
    assert count_conflicts(grammar, compiled=False) == expected


def test_more_states_than_items() -> None:
    """The states are subsets of the letters: the first room for them is too small."""
    letters = "abcdefghi"
    rules = [("S", [f"X{letter}"]) for letter in letters]
    for letter in letters:
        rules += [(f"X{letter}", [other, f"X{letter}"]) for other in letters if other != letter]
        rules += [(f"X{letter}", [letter, "end"]), (f"X{letter}", ["end"])]
    grammar = Grammar.from_rules(rules, start="S")
    table = lalr_table(grammar)
    assert table.automaton.n_states > grammar.n_items + 64
    assert len(table.unresolved) > 0
    assert count_conflicts(grammar, compiled=True) == len(table.unresolved)
