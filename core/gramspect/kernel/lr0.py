"""The states and transitions of the LR(0) automaton of a grammar (Knuth 1965).

`gramspect.lr.automaton` finds the same with Python's dictionaries. Here they are numbers in one
memory, for `gramspect.kernel.lalr`.
"""

from __future__ import annotations

from typing import NamedTuple

from gramspect.kernel.entry import entry
from gramspect.kernel.tables import Memory, Numbers, hash_size

N_STATES, N_ITEMS, N_EDGES, N_GOTOS, N_REDUCTIONS, N_LINKS, N_SYMBOLS, N_PREDICTED = (
    0, 1, 2, 3, 4, 5, 6, 7,
)  # fmt: skip
"""Places in `States.counts`. The last three are of the state that is being left."""


class Rules(NamedTuple):
    """A grammar. Rule ``n_rules`` is the augmented one, its items are the last two.

    Between ``item_start[r]`` and ``item_start[r + 1]`` are the items of rule r, `item_next` is the
    symbol after the dot or -1. Between ``rules_start[x]`` and ``rules_start[x + 1]`` `rules` lists
    the rules of non-terminal x, counted from 0. `tail` is the first place in a rule behind which
    nothing but `nullable` symbols stand. Levels are 0 where there is no precedence.
    """

    n_terminals: int
    n_symbols: int
    n_rules: int
    n_items: int
    start: int
    item_start: int
    item_next: int
    item_rule: int
    rules_start: int
    rules: int
    tail: int
    nullable: int
    rule_level: int
    token_level: int
    side: int


class States(NamedTuple):
    """The LR(0) automaton, with room for so many of each.

    Ragged tables: `kernel` has the items of a state from ``kernel_start[s]`` on, `edge_symbol` and
    `edge_target` its transitions, `reduction` the rules that may be reduced in it, ascending.
    `state_slot` and `edge_slot` are hash tables of numbers plus one. ``edge_goto[e]`` is the number
    of an edge among the gotos.

    The rest belongs to the state that is being left: the links of a symbol are a list of the items
    that it leads to, from ``first_link[symbol]`` on; 0 is none.
    """

    states: int
    items: int
    edges: int
    reductions: int
    state_mask: int
    edge_mask: int
    counts: int
    kernel_start: int
    kernel: int
    edge_start: int
    edge_symbol: int
    edge_target: int
    edge_goto: int
    reduction_start: int
    reduction: int
    state_slot: int
    edge_slot: int
    first_link: int
    last_link: int
    link_item: int
    link_next: int
    symbols: int
    predicted: int
    predicted_in: int


def states_room(memory: Memory, g: Rules, states: int) -> States:
    """Reserve room for so many states, and for as much beside them as grammars need."""
    items, edges, reductions = 6 * states + g.n_items, 16 * states, 4 * states
    slots, edge_slots = hash_size(states), hash_size(edges)
    symbols, links = g.n_symbols, g.n_items + 3
    sizes = [
        N_PREDICTED + 1, states + 2, items, states + 2, edges, edges, edges, states + 2, reductions,
        slots, edge_slots, symbols, symbols, links, links, symbols, symbols, symbols,
    ]  # fmt: skip
    masks = slots - 1, edge_slots - 1
    return States(states, items, edges, reductions, *masks, *map(memory.room, sizes))


@entry
def automaton(m: Numbers, g: Rules, s: States) -> bool:
    """Find all states; False if there is no room for them."""
    m[s.kernel] = g.n_items
    m[s.kernel_start + 1] = 1
    m[s.counts + N_ITEMS] = 1
    m[s.counts + N_STATES] = 1
    state = 0
    while state < m[s.counts + N_STATES]:
        if not leave(m, g, s, state):
            return False
        state += 1
    return True


def leave(m: Numbers, g: Rules, s: States, state: int) -> bool:
    """Find the transitions of a state and its reductions; False if there is no room."""
    counts = s.counts
    m[counts + N_LINKS] = 0
    m[counts + N_SYMBOLS] = 0
    m[counts + N_PREDICTED] = 0
    m[s.reduction_start + state + 1] = m[counts + N_REDUCTIONS]
    for k in range(m[s.kernel_start + state], m[s.kernel_start + state + 1]):
        if not note_item(m, g, s, state, m[s.kernel + k]):
            return False
    seen = 0
    while seen < m[counts + N_PREDICTED]:
        nonterminal = m[s.predicted + seen]
        seen += 1
        for k in range(m[g.rules_start + nonterminal], m[g.rules_start + nonterminal + 1]):
            if not note_item(m, g, s, state, m[g.item_start + m[g.rules + k]]):
                return False
    if m[counts + N_EDGES] + m[counts + N_SYMBOLS] > s.edges:
        return False
    for k in range(m[counts + N_SYMBOLS]):
        symbol = m[s.symbols + k]
        target = successor(m, s, symbol)
        if target < 0:
            return False
        add_edge(m, g, s, state, symbol, target)
    m[s.edge_start + state + 1] = m[counts + N_EDGES]
    return True


def note_item(m: Numbers, g: Rules, s: States, state: int, item: int) -> bool:
    """List an item of a state with the symbol after its dot; False if there is no room."""
    counts = s.counts
    symbol = m[g.item_next + item]
    if symbol < 0:
        return add_reduction(m, s, state, m[g.item_rule + item])
    link = m[counts + N_LINKS] + 1
    m[counts + N_LINKS] = link
    m[s.link_item + link] = item + 1
    m[s.link_next + link] = 0
    if m[s.first_link + symbol]:
        m[s.link_next + m[s.last_link + symbol]] = link
    else:
        m[s.first_link + symbol] = link
        m[s.symbols + m[counts + N_SYMBOLS]] = symbol
        m[counts + N_SYMBOLS] += 1
    m[s.last_link + symbol] = link
    nonterminal = symbol - g.n_terminals
    if nonterminal >= 0 and m[s.predicted_in + nonterminal] != state + 1:
        m[s.predicted_in + nonterminal] = state + 1
        m[s.predicted + m[counts + N_PREDICTED]] = nonterminal
        m[counts + N_PREDICTED] += 1
    return True


def add_reduction(m: Numbers, s: States, state: int, rule: int) -> bool:
    """List a rule that may be reduced, in ascending order; False if there is no room."""
    place = m[s.counts + N_REDUCTIONS]
    if place == s.reductions:
        return False
    while place > m[s.reduction_start + state] and m[s.reduction + place - 1] > rule:
        m[s.reduction + place] = m[s.reduction + place - 1]
        place -= 1
    m[s.reduction + place] = rule
    m[s.counts + N_REDUCTIONS] += 1
    m[s.reduction_start + state + 1] = m[s.counts + N_REDUCTIONS]
    return True


def successor(m: Numbers, s: States, symbol: int) -> int:
    """The state that a symbol leads to, which may be new; -1 if there is no room."""
    first = m[s.counts + N_ITEMS]
    end = first
    link = m[s.first_link + symbol]
    m[s.first_link + symbol] = 0
    while link:
        if end == s.items:
            return -1
        place, item = end, m[s.link_item + link]
        while place > first and m[s.kernel + place - 1] > item:
            m[s.kernel + place] = m[s.kernel + place - 1]
            place -= 1
        m[s.kernel + place] = item
        end += 1
        link = m[s.link_next + link]
    return numbered(m, s, first, end)


def numbered(m: Numbers, s: States, first: int, end: int) -> int:
    """The state with the kernel ``[first, end)``, the last one; -1 if there is no room for it."""
    slot = 0
    for k in range(first, end):
        slot = (slot * 1000003 ^ m[s.kernel + k]) & 0x3FFFFFFF
    slot = slot & s.state_mask
    while m[s.state_slot + slot]:
        known = m[s.state_slot + slot] - 1
        if is_kernel(m, s, known, first, end):
            return known
        slot = (slot + 1) & s.state_mask
    state = m[s.counts + N_STATES]
    if state == s.states:
        return -1
    m[s.state_slot + slot] = state + 1
    m[s.counts + N_STATES] = state + 1
    m[s.counts + N_ITEMS] = end
    m[s.kernel_start + state + 1] = end
    return state


def is_kernel(m: Numbers, s: States, state: int, first: int, end: int) -> bool:
    """Whether a state has this kernel."""
    other, size = m[s.kernel_start + state], end - first
    if m[s.kernel_start + state + 1] - other != size:
        return False
    same = 0
    while same < size and m[s.kernel + other + same] == m[s.kernel + first + same]:
        same += 1
    return same == size


def add_edge(m: Numbers, g: Rules, s: States, state: int, symbol: int, target: int) -> None:
    edge = m[s.counts + N_EDGES]
    m[s.counts + N_EDGES] = edge + 1
    m[s.edge_symbol + edge] = symbol
    m[s.edge_target + edge] = target
    if symbol >= g.n_terminals:
        m[s.edge_goto + edge] = m[s.counts + N_GOTOS]
        m[s.counts + N_GOTOS] += 1
    m[s.edge_slot + edge_place(m, g, s, state, symbol)] = edge + 1


def edge_place(m: Numbers, g: Rules, s: States, state: int, symbol: int) -> int:
    """Where the transition of a state by a symbol is in the hash table, or would be."""
    slot = ((state * g.n_symbols + symbol) * 2654435761 >> 12) & s.edge_mask
    first, end = m[s.edge_start + state], m[s.edge_start + state + 1]
    while m[s.edge_slot + slot]:
        edge = m[s.edge_slot + slot] - 1
        if first <= edge < end and m[s.edge_symbol + edge] == symbol:
            return slot
        slot = (slot + 1) & s.edge_mask
    return slot


def edge_at(m: Numbers, g: Rules, s: States, state: int, symbol: int) -> int:
    """The transition of a state by a symbol; -1 if there is none."""
    return m[s.edge_slot + edge_place(m, g, s, state, symbol)] - 1
