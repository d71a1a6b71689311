"""Walking back from the error: which items are partially applied, and in which derivation.

A *call* (column, A) says that non-terminal A is wanted at a column. An edge leads from a call to the call
that an item wanting it belongs to: an entry of that column with its dot before A, or a rule that starts with A
and whose left-hand side is predicted there. A path from a *leaf* (an entry of the last column that waits
for something) to the augmented rule is one maximally viable derivation with its frontier (Raselimo and Fischer 2023,
Section 2). Breadth first, the paths give the depth of every item; the cheapest path gives the extraction `exact`.
"""

from __future__ import annotations

from typing import NamedTuple

from gramspect.kernel.tables import N_ENTRIES, Chart, GrammarTables, Numbers, as_array, zeros

from .earley import slot, waiting
from .jit import jit

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
    describe a call, `depth` is its least distance from a leaf, `distance` its least cost to the root. The edges of call i are
    ``edge_start[i] .. edge_start[i + 1] - 1``; an edge goes to call `edge_to` (or ROOT) through `edge_item`, which is entry
    `edge_entry` (-1: the dot is in front). `layer_*` list the calls on the chosen path, `chain_item` and
    `chain_entry` the path itself, innermost first.
    """

    count: Numbers
    call_key: Numbers
    call_stamp: Numbers
    call_index: Numbers
    call_column: Numbers
    call_nonterminal: Numbers
    depth: Numbers
    distance: Numbers
    on_layer: Numbers
    layer_calls: Numbers
    layer_start: Numbers
    edge_start: Numbers
    chain_item: Numbers
    chain_entry: Numbers
    edge_to: Numbers
    edge_item: Numbers
    edge_entry: Numbers
    leaf: Numbers


def walk_arrays(calls: int, edges: int, entries: int, compiled: bool) -> Walk:
    """Room for so many calls, edges and leaves."""
    size = 1 << max(4, (2 * calls - 1).bit_length())

    def room(length: int) -> Numbers:
        return zeros(length, compiled)

    return Walk(
        as_array([0, 0, 0, 0], compiled),
        *(room(size) for _ in range(3)),
        *(room(calls + 2) for _ in range(10)),
        *(room(edges) for _ in range(3)),
        room(entries),
    )


@jit
def call(t: GrammarTables, w: Walk, column: int, nonterminal: int, depth: int) -> int:
    """The number of a call, made at `depth` if it is new; -1 if there is no room."""
    key = column * t.n_nonterminals + nonterminal
    place = slot(w.call_key, w.call_stamp, key, w.count[STAMP])
    if w.call_stamp[place] == w.count[STAMP]:
        return w.call_index[place]
    made = w.count[N_CALLS]
    if made + 2 >= len(w.depth):
        return -1
    w.count[N_CALLS] = made + 1
    w.call_key[place] = key
    w.call_stamp[place] = w.count[STAMP]
    w.call_index[place] = made
    w.call_column[made] = column
    w.call_nonterminal[made] = nonterminal
    w.depth[made] = depth
    w.distance[made] = UNREACHED
    w.on_layer[made] = 0
    return made


@jit
def is_leaf(t: GrammarTables, item: int) -> bool:
    """Whether an entry of the last column waits there: for a symbol, or for the end of input."""
    return t.item_next[item] >= 0 or item == t.n_items + 1


@jit
def add_edge(t: GrammarTables, c: Chart, w: Walk, source: int, item: int, entry: int) -> bool:
    """An edge out of call `source` through an item; False if there is no room."""
    target = ROOT
    if item < t.n_items:
        column = c.origin[entry] if entry >= 0 else w.call_column[source]
        lhs = t.rule_lhs[t.item_rule[item]]
        target = call(t, w, column, lhs, w.depth[source] + 1)
        if target < 0:
            return False
    edge = w.count[N_EDGES]
    if edge >= len(w.edge_to):
        return False
    w.count[N_EDGES] = edge + 1
    w.edge_to[edge] = target
    w.edge_item[edge] = item
    w.edge_entry[edge] = entry
    return True


@jit
def explore(t: GrammarTables, c: Chart, w: Walk, column: int) -> bool:
    """Find the leaves of the last column and every call on a way to the root; False: no room."""
    w.count[N_CALLS] = 0
    w.count[N_EDGES] = 0
    w.count[N_LEAVES] = 0
    w.count[STAMP] += 1
    for e in range(c.column_start[column], c.count[N_ENTRIES]):
        if is_leaf(t, c.item[e]):
            if w.count[N_LEAVES] >= len(w.leaf):
                return False
            w.leaf[w.count[N_LEAVES]] = e
            w.count[N_LEAVES] += 1
            item = c.item[e]
            if item < t.n_items and call(t, w, c.origin[e], t.rule_lhs[t.item_rule[item]], 1) < 0:
                return False
    current = 0
    while current < w.count[N_CALLS]:
        w.edge_start[current] = w.count[N_EDGES]
        at = w.call_column[current]
        symbol = w.call_nonterminal[current] + t.n_terminals
        e = waiting(t, c, at, symbol)
        while e >= 0:
            if not add_edge(t, c, w, current, c.item[e], e):
                return False
            e = c.wait_next[e]
        base = c.row[at] * t.n_nonterminals
        for i in range(t.uses_start[symbol], t.uses_start[symbol + 1]):
            rule = t.uses[i]
            if c.predicted[base + t.rule_lhs[rule]] and not add_edge(
                t, c, w, current, t.item_start[rule], -1
            ):
                return False
        current += 1
    w.edge_start[current] = w.count[N_EDGES]
    return True


@jit
def relax(t: GrammarTables, w: Walk) -> None:
    """The cheapest way from every call to the root (Bellman-Ford).

    Calls were found from the leaves outwards, so backwards nearly all are settled in one pass.
    """
    changed = True
    while changed:
        changed = False
        for source in range(w.count[N_CALLS] - 1, -1, -1):
            for edge in range(w.edge_start[source], w.edge_start[source + 1]):
                cost = way_cost(t, w, edge)
                if cost < w.distance[source]:
                    w.distance[source] = cost
                    changed = True


@jit
def way_cost(t: GrammarTables, w: Walk, edge: int) -> int:
    """The cost of the way to the root that starts with this edge."""
    target = w.edge_to[edge]
    onward = 0 if target == ROOT else w.distance[target]
    return UNREACHED if onward >= UNREACHED else onward + t.rest[w.edge_item[edge]] * SYMBOL + STEP


@jit
def leaf_call(t: GrammarTables, c: Chart, w: Walk, entry: int) -> int:
    """The call that a leaf belongs to; it exists."""
    return call(t, w, c.origin[entry], t.rule_lhs[t.item_rule[c.item[entry]]], 1)


@jit
def leaf_cost(t: GrammarTables, c: Chart, w: Walk, entry: int) -> int:
    """The cost of the cheapest chain that ends in a leaf."""
    item = c.item[entry]
    cost = t.remaining[item] * SYMBOL + STEP
    return cost if item >= t.n_items else cost + w.distance[leaf_call(t, c, w, entry)]


@jit
def cheapest_leaves(t: GrammarTables, c: Chart, w: Walk) -> int:
    """Move the best leaves to the front: least cost, then lowest rule, then smallest dot.

    Items of lower rules, and within a rule smaller dots, have lower numbers. Returns how many tie.
    """
    best_cost, best_item, n = UNREACHED, -1, 0
    for i in range(w.count[N_LEAVES]):
        entry = w.leaf[i]
        cost, item = leaf_cost(t, c, w, entry), c.item[entry]
        if n == 0 or cost < best_cost or (cost == best_cost and item < best_item):
            best_cost, best_item, n = cost, item, 0
        if cost == best_cost and item == best_item:
            w.leaf[i] = w.leaf[n]
            w.leaf[n] = entry
            n += 1
    return n


@jit
def choose(t: GrammarTables, c: Chart, w: Walk) -> int:
    """Find the cheapest chain (`exact`): its items and entries, innermost first; their number.

    The last one is the augmented item. Ties go, from the error outwards, to the lower rule number
    and then the smaller dot. Calls that tie are kept together, layer by layer, until the root is reached; then one
    path is read back. A call lies on one layer only, for the steps to it are part of its cost.
    """
    relax(t, w)
    n_best = cheapest_leaves(t, c, w)
    w.chain_item[0] = c.item[w.leaf[0]]
    w.chain_entry[0] = w.leaf[0]
    if c.item[w.leaf[0]] >= t.n_items:
        return 1
    end, layer = 0, 1
    w.layer_start[layer] = 0
    for i in range(n_best):
        end = put_on_layer(w, leaf_call(t, c, w, w.leaf[i]), layer, end)
    while True:
        w.layer_start[layer + 1] = end
        item = lowest_item(t, w, layer)
        w.chain_item[layer] = item
        if item >= t.n_items:
            break
        for i in range(w.layer_start[layer], w.layer_start[layer + 1]):
            source = w.layer_calls[i]
            for edge in range(w.edge_start[source], w.edge_start[source + 1]):
                if w.edge_item[edge] == item and way_cost(t, w, edge) == w.distance[source]:
                    end = put_on_layer(w, w.edge_to[edge], layer + 1, end)
        layer += 1
    read_back(t, c, w, layer, n_best)
    return layer + 1


@jit
def put_on_layer(w: Walk, target: int, layer: int, end: int) -> int:
    """Add a call to the layer that ends at `end`, once; the new end."""
    if w.on_layer[target] == layer:
        return end
    w.on_layer[target] = layer
    w.layer_calls[end] = target
    return end + 1


@jit
def lowest_item(t: GrammarTables, w: Walk, layer: int) -> int:
    """The lowest item on a cheapest way out of this layer."""
    lowest = t.n_items + 2
    for i in range(w.layer_start[layer], w.layer_start[layer + 1]):
        source = w.layer_calls[i]
        for edge in range(w.edge_start[source], w.edge_start[source + 1]):
            if w.edge_item[edge] < lowest and way_cost(t, w, edge) == w.distance[source]:
                lowest = w.edge_item[edge]
    return lowest


@jit
def read_back(t: GrammarTables, c: Chart, w: Walk, layers: int, n_best: int) -> None:
    """Choose one entry for every item of the chain, from the root to the leaf."""
    target = ROOT
    for layer in range(layers, 0, -1):
        found = -1
        for i in range(w.layer_start[layer], w.layer_start[layer + 1]):
            source = w.layer_calls[i]
            for edge in range(w.edge_start[source], w.edge_start[source + 1]):
                fits = w.edge_to[edge] == target and w.edge_item[edge] == w.chain_item[layer]
                if found < 0 and fits and way_cost(t, w, edge) == w.distance[source]:
                    found = source
                    w.chain_entry[layer] = w.edge_entry[edge]
        target = found
    for i in range(n_best):
        if leaf_call(t, c, w, w.leaf[i]) == target:
            w.chain_entry[0] = w.leaf[i]
