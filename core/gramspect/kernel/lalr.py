"""How many conflicts the LALR(1) table of a grammar has, counted without making the table.

`gramspect.lr` does the same with Python's sets and dictionaries, and explains it. F. DeRemer and T.
Pennello, "Efficient computation of LALR(1) look-ahead sets", ACM TOPLAS 4(4), 1982; the names
*reads*, *includes* and *lookback* are theirs. A *goto* is a transition by a non-terminal.
"""

from __future__ import annotations

from typing import NamedTuple

from gramspect.kernel.entry import entry
from gramspect.kernel.lr0 import N_EDGES, N_GOTOS, N_STATES, Rules, States, edge_at
from gramspect.kernel.tables import Memory, Numbers, n_words

UNDECIDED, SHIFT, REDUCE, ERROR = 0, 1, 2, 3
"""What the precedences of a rule and a token say; `Rules.side` has one for each terminal."""


class Lookaheads(NamedTuple):
    """Sets of terminals, `width` words each, and the relation on which they depend.

    A goto g starts in state ``origin[g]`` and is the edge ``edge[g]``. ``first[g]`` is the first
    link to a goto that it reads (or includes), 0 if there is none; `following` and `related` are
    the next link and that goto. `ends` lists where the rules of a goto lead, goto after goto.
    `follow` has a set for each goto, `lookahead` one for each reduction. The rest is what the
    search for components needs.
    """

    width: int
    origin: int
    edge: int
    first: int
    following: int
    related: int
    ends: int
    follow: int
    lookahead: int
    taken: int
    clash: int
    number: int
    lowest: int
    path: int
    node: int
    link: int


def lookaheads_room(
    memory: Memory, g: Rules, gotos: int, reductions: int, related: int, ends: int
) -> Lookaheads:
    """Reserve room for the sets of a finished automaton."""
    width, links = n_words(g.n_terminals), related + 1
    sets = [gotos * width, reductions * width, width, width]
    sizes = [*[gotos] * 3, links, links, ends, *sets, *[gotos] * 5]
    return Lookaheads(width, *map(memory.room, sizes))


# --- lookaheads ----------------------------------------------------------------------------


@entry
def n_related(m: Numbers, g: Rules, s: States) -> int:
    """At most how many pairs of gotos are related, by either relation."""
    reads, includes = 0, 0
    for edge in range(m[s.counts + N_EDGES]):
        nonterminal = m[s.edge_symbol + edge] - g.n_terminals
        if nonterminal >= 0:
            target = m[s.edge_target + edge]
            reads += m[s.edge_start + target + 1] - m[s.edge_start + target]
            for k in range(m[g.rules_start + nonterminal], m[g.rules_start + nonterminal + 1]):
                includes += length_of(m, g, m[g.rules + k]) - m[g.tail + m[g.rules + k]]
    return max(reads, includes)


@entry
def n_ends(m: Numbers, g: Rules, s: States) -> int:
    """How many rules all gotos have together."""
    found = 0
    for edge in range(m[s.counts + N_EDGES]):
        nonterminal = m[s.edge_symbol + edge] - g.n_terminals
        if nonterminal >= 0:
            found += m[g.rules_start + nonterminal + 1] - m[g.rules_start + nonterminal]
    return found


def length_of(m: Numbers, g: Rules, rule: int) -> int:
    return m[g.item_start + rule + 1] - m[g.item_start + rule] - 1


@entry
def conflicts(m: Numbers, g: Rules, s: States, o: Lookaheads) -> int:
    """The number of conflicts that no precedence decides."""
    begin(m, g, s, o)
    relate_reads(m, g, s, o)
    unite(m, s, o)
    relate_includes(m, g, s, o)
    unite(m, s, o)
    look_back(m, g, s, o)
    found = 0
    for state in range(m[s.counts + N_STATES]):
        found += conflicts_of(m, g, s, o, state)
    return found


def begin(m: Numbers, g: Rules, s: States, o: Lookaheads) -> None:
    """Number the gotos; each is followed by what can be read right after it."""
    for state in range(m[s.counts + N_STATES]):
        for edge in range(m[s.edge_start + state], m[s.edge_start + state + 1]):
            if m[s.edge_symbol + edge] >= g.n_terminals:
                goto = m[s.edge_goto + edge]
                m[o.origin + goto] = state
                m[o.edge + goto] = edge
                add_shifts(m, g, s, m[s.edge_target + edge], o.follow + goto * o.width)
    start = m[s.edge_goto + edge_at(m, g, s, 0, g.start)]
    m[o.follow + start * o.width] |= 1  # the end of the input


def add_shifts(m: Numbers, g: Rules, s: States, state: int, place: int) -> None:
    """Add the terminals that a state reads to a set."""
    for edge in range(m[s.edge_start + state], m[s.edge_start + state + 1]):
        symbol = m[s.edge_symbol + edge]
        if symbol < g.n_terminals:
            m[place + (symbol >> 5)] |= 1 << (symbol & 31)


def relate_reads(m: Numbers, g: Rules, s: States, o: Lookaheads) -> None:
    """A goto reads those that follow it by a symbol that derives nothing."""
    n_links = 0
    for goto in range(m[s.counts + N_GOTOS]):
        state = m[s.edge_target + m[o.edge + goto]]
        for edge in range(m[s.edge_start + state], m[s.edge_start + state + 1]):
            nonterminal = m[s.edge_symbol + edge] - g.n_terminals
            if nonterminal >= 0 and m[g.nullable + nonterminal]:
                n_links += 1
                relate(m, o, goto, m[s.edge_goto + edge], n_links)


def relate(m: Numbers, o: Lookaheads, goto: int, other: int, link: int) -> None:
    m[o.related + link] = other
    m[o.following + link] = m[o.first + goto]
    m[o.first + goto] = link


def relate_includes(m: Numbers, g: Rules, s: States, o: Lookaheads) -> None:
    """A goto includes that of the rule at whose end it may be; where each rule ends is noted."""
    n_links, n_found = 0, 0
    for goto in range(m[s.counts + N_GOTOS]):
        nonterminal = m[s.edge_symbol + m[o.edge + goto]] - g.n_terminals
        for k in range(m[g.rules_start + nonterminal], m[g.rules_start + nonterminal + 1]):
            rule, state = m[g.rules + k], m[o.origin + goto]
            for position in range(length_of(m, g, rule)):
                part = m[g.item_next + m[g.item_start + rule] + position]
                edge = edge_at(m, g, s, state, part)
                if position >= m[g.tail + rule] and part >= g.n_terminals:
                    n_links += 1
                    relate(m, o, m[s.edge_goto + edge], goto, n_links)
                state = m[s.edge_target + edge]
            m[o.ends + n_found] = state
            n_found += 1


def look_back(m: Numbers, g: Rules, s: States, o: Lookaheads) -> None:
    """A rule is reduced on what follows the gotos at whose rules' ends it is."""
    n_found = 0
    for goto in range(m[s.counts + N_GOTOS]):
        nonterminal = m[s.edge_symbol + m[o.edge + goto]] - g.n_terminals
        for k in range(m[g.rules_start + nonterminal], m[g.rules_start + nonterminal + 1]):
            reduction = m[s.reduction_start + m[o.ends + n_found]]
            while m[s.reduction + reduction] != m[g.rules + k]:
                reduction += 1
            add(m, o, o.lookahead + reduction * o.width, o.follow + goto * o.width)
            n_found += 1
    accepting = m[s.edge_target + edge_at(m, g, s, 0, g.start)]
    last = m[s.reduction_start + accepting + 1] - 1  # the augmented rule has the highest number
    m[o.lookahead + last * o.width] |= 1


def add(m: Numbers, o: Lookaheads, place: int, other: int) -> None:
    """Add the set at `other` to the one at `place`."""
    for word in range(o.width):
        m[place + word] |= m[other + word]


def unite(m: Numbers, s: States, o: Lookaheads) -> None:
    """Let every goto be followed by what follows those that it is related to, and end the relation.

    The components are found by Tarjan's algorithm (1972). A closed one has the number `closed`.
    """
    n_gotos, n_seen, n_path = m[s.counts + N_GOTOS], 0, 0
    closed = n_gotos + 1
    for goto in range(n_gotos):
        m[o.number + goto] = 0
    for root in range(n_gotos):
        depth = 0
        if not m[o.number + root]:
            n_seen += 1
            enter(m, o, root, n_seen, 0, n_path)
            n_path += 1
            depth = 1
        while depth:
            goto, link = m[o.node + depth - 1], m[o.link + depth - 1]
            if link:
                m[o.link + depth - 1] = m[o.following + link]
                other = m[o.related + link]
                if m[o.number + other]:
                    m[o.lowest + goto] = min(m[o.lowest + goto], m[o.number + other])
                    add(m, o, o.follow + goto * o.width, o.follow + other * o.width)
                else:
                    n_seen += 1
                    enter(m, o, other, n_seen, depth, n_path)
                    n_path += 1
                    depth += 1
                continue
            depth -= 1
            if depth:
                caller = m[o.node + depth - 1]
                m[o.lowest + caller] = min(m[o.lowest + caller], m[o.lowest + goto])
            if m[o.lowest + goto] == m[o.number + goto]:
                n_path = close(m, o, goto, n_path, closed)
            if depth:
                add(m, o, o.follow + caller * o.width, o.follow + goto * o.width)
    for goto in range(n_gotos):
        m[o.first + goto] = 0


def enter(m: Numbers, o: Lookaheads, goto: int, number: int, depth: int, n_path: int) -> None:
    m[o.number + goto] = number
    m[o.lowest + goto] = number
    m[o.path + n_path] = goto
    m[o.node + depth] = goto
    m[o.link + depth] = m[o.first + goto]


def close(m: Numbers, o: Lookaheads, root: int, n_path: int, closed: int) -> int:
    """Give all of a component what its root has; returns how long the path is without it."""
    member = -1
    while member != root:
        n_path -= 1
        member = m[o.path + n_path]
        m[o.number + member] = closed
        if member != root:
            add(m, o, o.follow + member * o.width, o.follow + root * o.width)
    return n_path


# --- conflicts -----------------------------------------------------------------------------


def conflicts_of(m: Numbers, g: Rules, s: States, o: Lookaheads, state: int) -> int:
    """The conflicts of a state that no precedence decides."""
    first, end = m[s.reduction_start + state], m[s.reduction_start + state + 1]
    if first == end:
        return 0
    for word in range(o.width):
        m[o.taken + word] = 0
        m[o.clash + word] = 0
    add_shifts(m, g, s, state, o.taken)
    for reduction in range(first, end):
        for word in range(o.width):
            seen = m[o.lookahead + reduction * o.width + word]
            m[o.clash + word] |= m[o.taken + word] & seen
            m[o.taken + word] |= seen
    found = 0
    for word in range(o.width):
        bits = m[o.clash + word]
        for bit in range(32):
            if bits >> bit & 1 and is_open(m, g, s, o, state, 32 * word + bit):
                found += 1
    return found


def is_open(m: Numbers, g: Rules, s: States, o: Lookaheads, state: int, terminal: int) -> bool:
    """Whether precedences leave several actions (`gramspect.lr.conflicts.resolve`)."""
    shift = edge_at(m, g, s, state, terminal) >= 0
    n_reducible = 0
    for reduction in range(m[s.reduction_start + state], m[s.reduction_start + state + 1]):
        if m[o.lookahead + reduction * o.width + (terminal >> 5)] >> (terminal & 31) & 1:
            said = decided(m, g, m[s.reduction + reduction], terminal) if shift else UNDECIDED
            if said == ERROR:
                return False
            if said == REDUCE:
                shift = False
            if said != SHIFT:
                n_reducible += 1
    return n_reducible + shift > 1


def decided(m: Numbers, g: Rules, rule: int, terminal: int) -> int:
    """What precedences say of reducing a rule and shifting a terminal."""
    of_rule, of_token = m[g.rule_level + rule], m[g.token_level + terminal]
    if of_rule == 0 or of_token == 0:
        return UNDECIDED
    if of_rule == of_token:
        return m[g.side + terminal]
    return REDUCE if of_rule > of_token else SHIFT
