"""Earley recognition over flat arrays (Earley 1970), without items that have the dot in front.

Such items are implied by the predicted non-terminals of a column, so a column holds a few dozen
entries where a textbook chart holds hundreds. Nullable symbols need no special rule: completed empty
constituents are completed again until the column no longer grows.
"""

from __future__ import annotations

from gramspect.kernel.tables import N_ENTRIES, SEEN_STAMP, WAIT_STAMP, Chart, GrammarTables, Numbers

from .jit import jit

FULL = -1
"""The arrays have no room for this column; it was taken back."""


@jit
def slot(keys: Numbers, stamps: Numbers, key: int, stamp: int) -> int:
    """The place of `key` in an open-addressing table: it is there if stamps[place] == stamp."""
    mask = len(keys) - 1
    place = (key * 40503 ^ key >> 9) & mask
    while stamps[place] == stamp and keys[place] != key:
        place = (place + 1) & mask
    return place


@jit
def append(t: GrammarTables, c: Chart, column: int, item: int, origin: int, prev: int, child: int) -> int:
    """Add an entry that is known to be new, and let it wait for its next symbol."""
    e = c.count[N_ENTRIES]
    c.count[N_ENTRIES] = e + 1
    c.item[e] = item
    c.origin[e] = origin
    c.column[e] = column
    c.prev[e] = prev
    c.child[e] = child
    c.marks[item] = 1
    symbol = t.item_next[item]
    if symbol >= 0:
        key = column * (t.n_terminals + t.n_nonterminals) + symbol
        place = slot(c.wait_key, c.wait_stamp, key, c.count[WAIT_STAMP])
        known = c.wait_stamp[place] == c.count[WAIT_STAMP]
        c.wait_next[e] = c.wait_head[place] if known else -1
        c.wait_key[place] = key
        c.wait_stamp[place] = c.count[WAIT_STAMP]
        c.wait_head[place] = e
    return e


@jit
def waiting(t: GrammarTables, c: Chart, column: int, symbol: int) -> int:
    """The first entry of `column` that waits for `symbol`, or -1; follow `wait_next`."""
    key = column * (t.n_terminals + t.n_nonterminals) + symbol
    place = slot(c.wait_key, c.wait_stamp, key, c.count[WAIT_STAMP])
    return c.wait_head[place] if c.wait_stamp[place] == c.count[WAIT_STAMP] else -1


@jit
def add(t: GrammarTables, c: Chart, column: int, item: int, origin: int, prev: int, child: int) -> bool:
    """Add an entry to the current column unless it is there; False if there is no room."""
    key = origin * (t.n_items + 2) + item
    place = slot(c.seen_key, c.seen_stamp, key, c.count[SEEN_STAMP])
    if c.seen_stamp[place] == c.count[SEEN_STAMP]:
        return True
    if c.count[N_ENTRIES] >= len(c.item):
        return False
    c.seen_key[place] = key
    c.seen_stamp[place] = c.count[SEEN_STAMP]
    append(t, c, column, item, origin, prev, child)
    return True


@jit
def predict(t: GrammarTables, predicted: Numbers, row: int, nonterminal: int, scratch: Numbers) -> None:
    """Flag a non-terminal and all that its rules can start with (left expansion)."""
    base = row * t.n_nonterminals
    if predicted[base + nonterminal]:
        return
    predicted[base + nonterminal] = 1
    scratch[0] = nonterminal
    top = 1
    while top:
        top -= 1
        current = scratch[top]
        for i in range(t.rules_start[current], t.rules_start[current + 1]):
            first = t.item_next[t.item_start[t.rules[i]]] - t.n_terminals
            if first >= 0 and not predicted[base + first]:
                predicted[base + first] = 1
                scratch[top] = first
                top += 1


@jit
def add_empty(t: GrammarTables, c: Chart, column: int) -> bool:
    """Complete the empty rules of everything predicted in this column."""
    base = c.row[column] * t.n_nonterminals
    for i in range(len(t.empty_rules)):
        rule = t.empty_rules[i]
        if c.predicted[base + t.rule_lhs[rule]] and not add(
            t, c, column, t.item_start[rule], column, -1, -1
        ):
            return False
    return True


@jit
def complete(t: GrammarTables, c: Chart, column: int, e: int) -> bool:
    """Advance all that waits, at the origin of the completed entry e, for its left-hand side."""
    lhs = t.rule_lhs[t.item_rule[c.item[e]]]
    symbol = lhs + t.n_terminals
    origin = c.origin[e]
    w = waiting(t, c, origin, symbol)
    while w >= 0:
        if not add(t, c, column, c.item[w] + 1, c.origin[w], w, e):
            return False
        w = c.wait_next[w]
    base = c.row[origin] * t.n_nonterminals
    for i in range(t.uses_start[symbol], t.uses_start[symbol + 1]):
        rule = t.uses[i]
        if c.predicted[base + t.rule_lhs[rule]] and not add(
            t, c, column, t.item_start[rule] + 1, origin, -1, e
        ):
            return False
    return True


@jit
def close(t: GrammarTables, c: Chart, column: int) -> bool:
    """Complete and predict until the column no longer grows; False if there is no room."""
    first = c.column_start[column]
    done = first
    while True:
        while done < c.count[N_ENTRIES]:
            item = c.item[done]
            symbol = t.item_next[item]
            if symbol >= t.n_terminals:
                predict(t, c.predicted, c.row[column], symbol - t.n_terminals, c.scratch)
            elif symbol < 0 and item < t.n_items and not complete(t, c, column, done):
                return False
            done += 1
        if len(t.empty_rules) == 0:
            return True
        if not add_empty(t, c, column):
            return False
        for e in range(first, done):
            again = c.origin[e] == column and t.item_next[c.item[e]] < 0
            if again and c.item[e] < t.n_items and not complete(t, c, column, e):
                return False
        if done == c.count[N_ENTRIES]:
            return True


@jit
def scan(t: GrammarTables, c: Chart, column: int, token: int) -> bool:
    """Start the next column with all that advances over `token`; False if there is no room."""
    w = waiting(t, c, column, token)
    while w >= 0:
        if not add(t, c, column + 1, c.item[w] + 1, c.origin[w], w, -1):
            return False
        w = c.wait_next[w]
    base = c.row[column] * t.n_nonterminals
    for i in range(t.uses_start[token], t.uses_start[token + 1]):
        rule = t.uses[i]
        if c.predicted[base + t.rule_lhs[rule]] and not add(
            t, c, column + 1, t.item_start[rule] + 1, column, -1, -1
        ):
            return False
    return True


@jit
def begin(c: Chart) -> None:
    """Empty the chart for the next input, without touching its arrays."""
    c.count[N_ENTRIES] = 0
    c.count[SEEN_STAMP] += 1
    c.count[WAIT_STAMP] += 1
    c.column_start[0] = 0


@jit
def finish_column(c: Chart, column: int) -> None:
    c.column_start[column + 1] = c.count[N_ENTRIES]
    c.count[SEEN_STAMP] += 1


@jit
def recognize(t: GrammarTables, c: Chart, tokens: Numbers, column: int, n: int) -> int:
    """Build the columns behind `column` for the tokens from there to `n`.

    Column -1 stands for an empty chart. Returns the last column that exists: n, or the index
    of the first token that no viable prefix continues with. FULL - column says that the arrays are too small for that column;
    enlarge them (`rehash`) and call again with the column before it.
    """
    while True:
        following = column + 1
        c.row[following] = following
        c.column_start[following] = c.count[N_ENTRIES]
        if column < 0:
            fits = add(t, c, 0, t.n_items, 0, -1, -1)
        elif column == n:
            return n
        else:
            fits = tokens[column] >= 0
            if fits:
                fits = scan(t, c, column, tokens[column])
                if fits and c.count[N_ENTRIES] == c.column_start[following]:
                    return column
            else:
                return column
        if not fits or not close(t, c, following):
            c.count[N_ENTRIES] = c.column_start[following]
            c.count[SEEN_STAMP] += 1
            return FULL - following
        finish_column(c, following)
        column = following


@jit
def rehash(t: GrammarTables, c: Chart) -> None:
    """Fill the waiting lists of enlarged arrays from their entries."""
    n = c.count[N_ENTRIES]
    c.count[N_ENTRIES] = 0
    c.count[WAIT_STAMP] += 1
    for e in range(n):
        append(t, c, c.column[e], c.item[e], c.origin[e], c.prev[e], c.child[e])
