"""Walking back from the error: which items are partially applied, and in which derivation.

A *call* (column, A) says that non-terminal A is wanted at a column. An edge leads from a call to
the call that an item wanting it belongs to: an entry of that column with its dot before A, or a
rule that starts with A and whose left-hand side is predicted there. A path from a *leaf* (an entry
of the last column that waits for something) to the augmented rule is one maximally viable
derivation with its frontier (Raselimo and Fischer 2024, Section 2). Breadth first, the paths give
the depth of every item; the cheapest path gives the extraction `exact`.
"""

from __future__ import annotations

from typing import NamedTuple

from gramspect.kernel.earley import row_of, slot, waiting
from gramspect.kernel.entry import entry
from gramspect.kernel.tables import N_ENTRIES, Chart, GrammarTables, Memory, Numbers, hash_size

ROOT = -1
"""The parent of edges into the augmented rule."""
STEP = 1
"""The cost of one more open rule; see `SYMBOL`."""
SYMBOL = 1 << 20
"""The cost of one more token of the shortest completion: it outweighs any number of open rules."""
UNREACHED = 1 << 62

N_CALLS, N_EDGES, N_LEAVES, STAMP = 0, 1, 2, 3
"""Places in `Walk.count`."""


class Walk(NamedTuple):
    """The calls, edges and leaves reached from the last column of a chart.

    `call_key` hashes (column, non-terminal) to `call_index`; `call_column` and `call_nonterminal`
    describe a call, `depth` is its least distance from a leaf, `distance` its least cost to the
    root. The edges of call i are ``edge_start[i] .. edge_start[i + 1] - 1``; an edge goes to call
    `edge_to` (or ROOT) through `edge_item`, which is entry `edge_entry` (-1: the dot is in front).
    `layer_*` list the calls on the chosen path, `chain_item` and `chain_entry` the path itself,
    innermost first. There is room for `calls` calls, `edges` edges and `leaves` leaves.
    """

    calls: int
    edges: int
    leaves: int
    mask: int
    counts: int
    call_key: int
    call_stamp: int
    call_index: int
    call_column: int
    call_nonterminal: int
    depth: int
    distance: int
    on_layer: int
    layer_calls: int
    layer_start: int
    edge_start: int
    chain_item: int
    chain_entry: int
    edge_to: int
    edge_item: int
    edge_entry: int
    leaf: int


def walk_room(memory: Memory, calls: int, edges: int, leaves: int) -> Walk:
    """Reserve room for so many calls, edges and leaves."""
    size = hash_size(calls)
    sizes = [4, size, size, size, *[calls + 3] * 10, edges, edges, edges, leaves]
    return Walk(calls, edges, leaves, size - 1, *map(memory.room, sizes))


def call(m: Numbers, t: GrammarTables, w: Walk, column: int, nonterminal: int, depth: int) -> int:
    """The number of a call, made at `depth` if it is new; -1 if there is no room."""
    key = column * t.n_nonterminals + nonterminal
    place = slot(m, w.call_key, w.call_stamp, w.mask, key, m[w.counts + STAMP])
    if m[w.call_stamp + place] == m[w.counts + STAMP]:
        return m[w.call_index + place]
    made = m[w.counts + N_CALLS]
    if made >= w.calls:
        return -1
    m[w.counts + N_CALLS] = made + 1
    m[w.call_key + place] = key
    m[w.call_stamp + place] = m[w.counts + STAMP]
    m[w.call_index + place] = made
    m[w.call_column + made] = column
    m[w.call_nonterminal + made] = nonterminal
    m[w.depth + made] = depth
    m[w.distance + made] = UNREACHED
    m[w.on_layer + made] = 0
    return made


def is_leaf(m: Numbers, t: GrammarTables, item: int) -> bool:
    """Whether an entry of the last column waits there: for a symbol, or for the end of input."""
    return m[t.item_next + item] >= 0 or item == t.n_items + 1


def add_edge(
    m: Numbers, t: GrammarTables, c: Chart, w: Walk, source: int, item: int, entry: int
) -> bool:
    """An edge out of call `source` through an item; False if there is no room."""
    target = ROOT
    if item < t.n_items:
        column = m[c.origin + entry] if entry >= 0 else m[w.call_column + source]
        lhs = m[t.rule_lhs + m[t.item_rule + item]]
        target = call(m, t, w, column, lhs, m[w.depth + source] + 1)
        if target < 0:
            return False
    edge = m[w.counts + N_EDGES]
    if edge >= w.edges:
        return False
    m[w.counts + N_EDGES] = edge + 1
    m[w.edge_to + edge] = target
    m[w.edge_item + edge] = item
    m[w.edge_entry + edge] = entry
    return True


# explore: which calls lie on a way from the error to the root?
#
#     leaves := entries of the last column that wait for a symbol, or for the end of the input
#     calls  := for each leaf (its origin, its left-hand side)
#     for each call (column, A), in the order in which it was found:
#         for each entry of that column with its dot before A:
#             edge to (origin of the entry, left-hand side of its rule), or to the root
#         for each rule B -> A ... where B is predicted in that column:
#             edge to (column, B), or to the root
#         calls at the end of new edges are appended
#
# Calls are found breadth first, so the distance at which one is found is its depth.
@entry
def explore(m: Numbers, t: GrammarTables, c: Chart, w: Walk, column: int) -> bool:
    """Find the leaves of the last column and every call on a way to the root; False: no room."""
    m[w.counts + N_CALLS] = 0
    m[w.counts + N_EDGES] = 0
    m[w.counts + N_LEAVES] = 0
    m[w.counts + STAMP] += 1
    for e in range(m[c.column_start + column], m[c.counts + N_ENTRIES]):
        if is_leaf(m, t, m[c.item + e]):
            if m[w.counts + N_LEAVES] >= w.leaves:
                return False
            m[w.leaf + m[w.counts + N_LEAVES]] = e
            m[w.counts + N_LEAVES] += 1
            item = m[c.item + e]
            if (
                item < t.n_items
                and call(m, t, w, m[c.origin + e], m[t.rule_lhs + m[t.item_rule + item]], 1) < 0
            ):
                return False
    current = 0
    while current < m[w.counts + N_CALLS]:
        m[w.edge_start + current] = m[w.counts + N_EDGES]
        at = m[w.call_column + current]
        symbol = m[w.call_nonterminal + current] + t.n_terminals
        e = waiting(m, t, c, at, symbol)
        while e >= 0:
            if not add_edge(m, t, c, w, current, m[c.item + e], e):
                return False
            e = m[c.wait_next + e]
        base = row_of(m, t, c, at)
        for i in range(m[t.uses_start + symbol], m[t.uses_start + symbol + 1]):
            rule = m[t.uses + i]
            if m[base + m[t.rule_lhs + rule]] and not add_edge(
                m, t, c, w, current, m[t.item_start + rule], -1
            ):
                return False
        current += 1
    m[w.edge_start + current] = m[w.counts + N_EDGES]
    return True


def relax(m: Numbers, t: GrammarTables, w: Walk) -> None:
    """The cheapest way from every call to the root (Bellman-Ford).

    Calls were found from the leaves outwards, so backwards nearly all are settled in one pass.
    """
    changed = True
    while changed:
        changed = False
        for source in range(m[w.counts + N_CALLS] - 1, -1, -1):
            for edge in range(m[w.edge_start + source], m[w.edge_start + source + 1]):
                cost = way_cost(m, t, w, edge)
                if cost < m[w.distance + source]:
                    m[w.distance + source] = cost
                    changed = True


def way_cost(m: Numbers, t: GrammarTables, w: Walk, edge: int) -> int:
    """The cost of the way to the root that starts with this edge."""
    target = m[w.edge_to + edge]
    onward = 0 if target == ROOT else m[w.distance + target]
    return (
        UNREACHED
        if onward >= UNREACHED
        else onward + m[t.rest + m[w.edge_item + edge]] * SYMBOL + STEP
    )


def leaf_call(m: Numbers, t: GrammarTables, c: Chart, w: Walk, entry: int) -> int:
    """The call that a leaf belongs to; it exists."""
    return call(m, t, w, m[c.origin + entry], m[t.rule_lhs + m[t.item_rule + m[c.item + entry]]], 1)


def leaf_cost(m: Numbers, t: GrammarTables, c: Chart, w: Walk, entry: int) -> int:
    """The cost of the cheapest chain that ends in a leaf."""
    item = m[c.item + entry]
    cost = m[t.remaining + item] * SYMBOL + STEP
    return cost if item >= t.n_items else cost + m[w.distance + leaf_call(m, t, c, w, entry)]


def cheapest_leaves(m: Numbers, t: GrammarTables, c: Chart, w: Walk) -> int:
    """Move the best leaves to the front: least cost, then lowest rule, then smallest dot.

    Items of lower rules, and within a rule smaller dots, have lower numbers. Returns how many tie.
    """
    best_cost, best_item, n = UNREACHED, -1, 0
    for i in range(m[w.counts + N_LEAVES]):
        entry = m[w.leaf + i]
        cost, item = leaf_cost(m, t, c, w, entry), m[c.item + entry]
        if n == 0 or cost < best_cost or (cost == best_cost and item < best_item):
            best_cost, best_item, n = cost, item, 0
        if cost == best_cost and item == best_item:
            m[w.leaf + i] = m[w.leaf + n]
            m[w.leaf + n] = entry
            n += 1
    return n


# choose: the cheapest way, and of equal ones that with the lower items from the error outwards.
#
#     relax: distance(call) := least cost of a way from the call to the root
#     layer := calls of the cheapest leaves; chain := [item of these leaves]
#     until the chain ends in the augmented item:
#         item  := the lowest item on a cheapest edge out of the layer; append it to the chain
#         layer := where the cheapest edges through that item lead
#     read_back: from the root to the leaf, one entry for each item of the chain
def choose(m: Numbers, t: GrammarTables, c: Chart, w: Walk) -> int:
    """Find the cheapest chain (`exact`): its items and entries, innermost first; their number.

    The last one is the augmented item. Ties go, from the error outwards, to the lower rule number
    and then the smaller dot. Calls that tie are kept together, layer by layer, until the root is
    reached; then one path is read back. A call lies on one layer only, for the steps to it are
    part of its cost.
    """
    relax(m, t, w)
    n_best = cheapest_leaves(m, t, c, w)
    m[w.chain_item + 0] = m[c.item + m[w.leaf + 0]]
    m[w.chain_entry + 0] = m[w.leaf + 0]
    if m[c.item + m[w.leaf + 0]] >= t.n_items:
        return 1
    end, layer = 0, 1
    m[w.layer_start + layer] = 0
    for i in range(n_best):
        end = put_on_layer(m, w, leaf_call(m, t, c, w, m[w.leaf + i]), layer, end)
    while True:
        m[w.layer_start + layer + 1] = end
        item = lowest_item(m, t, w, layer)
        m[w.chain_item + layer] = item
        if item >= t.n_items:
            break
        for i in range(m[w.layer_start + layer], m[w.layer_start + layer + 1]):
            source = m[w.layer_calls + i]
            for edge in range(m[w.edge_start + source], m[w.edge_start + source + 1]):
                if (
                    m[w.edge_item + edge] == item
                    and way_cost(m, t, w, edge) == m[w.distance + source]
                ):
                    end = put_on_layer(m, w, m[w.edge_to + edge], layer + 1, end)
        layer += 1
    read_back(m, t, c, w, layer, n_best)
    return layer + 1


def put_on_layer(m: Numbers, w: Walk, target: int, layer: int, end: int) -> int:
    """Add a call to the layer that ends at `end`, once; the new end."""
    if m[w.on_layer + target] == layer:
        return end
    m[w.on_layer + target] = layer
    m[w.layer_calls + end] = target
    return end + 1


def lowest_item(m: Numbers, t: GrammarTables, w: Walk, layer: int) -> int:
    """The lowest item on a cheapest way out of this layer."""
    lowest = t.n_items + 2
    for i in range(m[w.layer_start + layer], m[w.layer_start + layer + 1]):
        source = m[w.layer_calls + i]
        for edge in range(m[w.edge_start + source], m[w.edge_start + source + 1]):
            if m[w.edge_item + edge] < lowest and way_cost(m, t, w, edge) == m[w.distance + source]:
                lowest = m[w.edge_item + edge]
    return lowest


def read_back(m: Numbers, t: GrammarTables, c: Chart, w: Walk, layers: int, n_best: int) -> None:
    """Choose one entry for every item of the chain, from the root to the leaf."""
    target = ROOT
    for layer in range(layers, 0, -1):
        found = -1
        for i in range(m[w.layer_start + layer], m[w.layer_start + layer + 1]):
            source = m[w.layer_calls + i]
            for edge in range(m[w.edge_start + source], m[w.edge_start + source + 1]):
                fits = (
                    m[w.edge_to + edge] == target
                    and m[w.edge_item + edge] == m[w.chain_item + layer]
                )
                if found < 0 and fits and way_cost(m, t, w, edge) == m[w.distance + source]:
                    found = source
                    m[w.chain_entry + layer] = m[w.edge_entry + edge]
        target = found
    for i in range(n_best):
        if leaf_call(m, t, c, w, m[w.leaf + i]) == target:
            m[w.chain_entry + 0] = m[w.leaf + i]
