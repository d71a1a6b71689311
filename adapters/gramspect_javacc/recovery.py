"""The structure of a production, recovered from the control flow of its byte code.

What can follow what between the sites of a production is a Glushkov automaton: every site is one
position of the expression that it was generated from. Such automata reduce to an expression that
has every position once (Caron and Ziadi 2000, "Characterization of Glushkov automata"): cycles
become repetitions, then neighbours become sequences, siblings alternatives, and what can be skipped
options. Java code in a production may jump about; what does not reduce is read as any number of its
sites in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["Expression", "Repeat", "Sites", "follow_of", "recover"]

Follow = Sequence[frozenset[int]]


@dataclass(frozen=True, slots=True)
class Sites:
    """A site (``kind`` is ``site``), a sequence (``then``) or alternatives (``or``)."""

    kind: str
    parts: tuple[Expression, ...] = ()
    site: int = 0


@dataclass(frozen=True, slots=True)
class Repeat:
    """An expression once or more (``once``: once), or not at all if it is `optional`."""

    body: Expression
    optional: bool
    once: bool


Expression = Sites | Repeat

EMPTY = Sites("then")


def recover(follow: Follow) -> tuple[Expression, bool]:
    """An expression over sites, and whether it is exactly what the control flow allows.

    Args:
        follow: for the start (0) and each site (from 1) the sites that can come next, and the end
            (0).
    """
    reached = _reachable(follow)
    expression = _reduce(follow, reached)
    if expression is not None and follow_of(expression, len(follow)) == _within(follow, reached):
        return expression, True
    sites = tuple(Sites("site", site=site) for site in sorted(reached - {0}))
    if not sites:
        return EMPTY, False
    body = sites[0] if len(sites) == 1 else Sites("or", sites)
    return Repeat(body, optional=True, once=False), False


def _reachable(follow: Follow) -> set[int]:
    found = {0}
    pending = [0]
    while pending:
        new = follow[pending.pop()] - found
        found |= new
        pending += new
    return found


def _within(follow: Follow, reached: set[int]) -> list[frozenset[int]]:
    return [next_ if site in reached else frozenset() for site, next_ in enumerate(follow)]


def follow_of(expression: Expression, size: int) -> list[frozenset[int]]:
    """What can follow what in an expression, in the form that `recover` takes."""
    follow: list[set[int]] = [set() for _ in range(size)]

    def walk(e: Expression) -> tuple[set[int], set[int], bool]:
        """The sites that can come first and last, and whether the expression can be empty."""
        if isinstance(e, Repeat):
            first, last, empty = walk(e.body)
            if not e.once:
                for site in last:
                    follow[site] |= first
            return first, last, empty or e.optional
        if e.kind == "site":
            return {e.site}, {e.site}, False
        if e.kind == "or":
            parts = [walk(part) for part in e.parts]
            return (
                {site for first, _, _ in parts for site in first},
                {site for _, last, _ in parts for site in last},
                any(empty for _, _, empty in parts),
            )
        first, last, empty = set[int](), set[int](), True
        for part in e.parts:
            part_first, part_last, part_empty = walk(part)
            for site in last:
                follow[site] |= part_first
            if empty:
                first = first | part_first
            last = part_last | last if part_empty else part_last
            empty = empty and part_empty
        return first, last, empty

    first, last, empty = walk(expression)
    follow[0] |= first | ({0} if empty else set())
    for site in last:
        follow[site].add(0)
    return [frozenset(sites) for sites in follow]


# --- reduction -------------------------------------------------------------------------------

_START, _END = 0, -1


class _Graph:
    """A graph whose nodes carry expressions, between a start and an end."""

    def __init__(self, edges: dict[int, set[int]], labels: dict[int, Expression]) -> None:
        self.edges = edges
        self.labels = labels

    def into(self, node: int) -> set[int]:
        return {source for source, targets in self.edges.items() if node in targets}

    def replace(self, nodes: Sequence[int], label: Expression) -> None:
        """Make several nodes one, which keeps the number of the first."""
        kept, gone = nodes[0], set(nodes)
        before = {source for node in nodes for source in self.into(node)} - gone
        after = {target for node in nodes for target in self.edges[node]} - gone
        for node in gone:
            del self.edges[node], self.labels[node]
        for targets in self.edges.values():
            targets.difference_update(gone)
        for source in before:
            self.edges[source].add(kept)
        self.edges[kept], self.labels[kept] = after, label


def _reduce(follow: Follow, reached: set[int]) -> Expression | None:
    edges = {site: {_END if target == 0 else target for target in follow[site]} for site in reached}
    labels: dict[int, Expression] = {site: Sites("site", site=site) for site in reached - {0}}
    return _expression(_Graph(edges, labels))


def _expression(graph: _Graph) -> Expression | None:
    """The expression of a whole graph, or None if it does not reduce."""
    for orbit in list(_orbits(graph)):
        inner = _orbit(graph, orbit)
        if inner is None:
            return None
        graph.replace(sorted(orbit), Repeat(inner, optional=False, once=False))
    while len(graph.labels) > 1 or _optional(graph):
        if not _step(graph):
            return None
    if not graph.labels:
        return EMPTY if graph.edges[_START] == {_END} else None
    (node,) = graph.labels
    whole = graph.edges[_START] == {node} and graph.edges[node] == {_END}
    return graph.labels[node] if whole else None


def _orbits(graph: _Graph) -> Iterator[frozenset[int]]:
    """The maximal sets of nodes that lie on common cycles."""
    after = {node: _from(graph, node) for node in graph.labels}
    done: set[int] = set()
    for node in sorted(graph.labels):
        if node not in done and node in after[node]:
            orbit = frozenset(n for n in after[node] if n in after and node in after[n])
            done |= orbit
            yield orbit


def _from(graph: _Graph, node: int) -> set[int]:
    """Every node that a way of one edge or more leads to."""
    found: set[int] = set()
    pending = [node]
    while pending:
        new = graph.edges.get(pending.pop(), set()) - found
        found |= new
        pending += new
    return found


def _orbit(graph: _Graph, orbit: frozenset[int]) -> Expression | None:
    """What an orbit repeats: itself without the edges from its exits to its entries."""
    entries = {node for node in orbit if graph.into(node) - orbit}
    exits = {node for node in orbit if graph.edges[node] - orbit}
    edges = {
        node: graph.edges[node] & orbit - (entries if node in exits else set()) for node in orbit
    }
    for node in exits:
        edges[node].add(_END)
    edges[_START] = set(entries)
    return _expression(_Graph(edges, {node: graph.labels[node] for node in orbit}))


def _optional(graph: _Graph) -> bool:
    return len(graph.labels) == 1 and _END in graph.edges[_START]


def _step(graph: _Graph) -> bool:
    """Make one sequence, choice or option; False if there is none."""
    return _sequence(graph) or _choice(graph) or _option(graph)


def _sequence(graph: _Graph) -> bool:
    for node in sorted(graph.labels):
        targets = graph.edges[node]
        if len(targets) == 1:
            (target,) = targets
            if target in graph.labels and graph.into(target) == {node}:
                parts = (*_parts("then", graph.labels[node]), *_parts("then", graph.labels[target]))
                graph.replace((node, target), Sites("then", parts))
                return True
    return False


def _choice(graph: _Graph) -> bool:
    alike: dict[tuple[frozenset[int], frozenset[int]], list[int]] = {}
    for node in sorted(graph.labels):
        key = frozenset(graph.into(node)), frozenset(graph.edges[node])
        alike.setdefault(key, []).append(node)
    for nodes in alike.values():
        if len(nodes) > 1:
            parts = (part for n in nodes for part in _parts("or", graph.labels[n]))
            graph.replace(nodes, Sites("or", tuple(sorted(parts, key=_first_site))))
            return True
    return False


def _option(graph: _Graph) -> bool:
    """Make a node optional that can be skipped, beginning with the one that the most ways skip.

    A node that fewer ways skip may be an alternative to everything that the others are part of.
    """
    passed: dict[int, int] = {}
    for node in sorted(graph.labels):
        before, after = graph.into(node), graph.edges[node]
        if before and after and all(after <= graph.edges[source] for source in before):
            passed[node] = len(before) * len(after)
    if not passed:
        return False
    node = max(passed, key=passed.__getitem__)
    for source in graph.into(node):
        graph.edges[source] -= graph.edges[node]
    label = graph.labels[node]
    if isinstance(label, Repeat):
        graph.labels[node] = Repeat(label.body, optional=True, once=label.once)
    else:
        graph.labels[node] = Repeat(label, optional=True, once=True)
    return True


def _parts(kind: str, expression: Expression) -> tuple[Expression, ...]:
    if isinstance(expression, Sites) and expression.kind == kind:
        return expression.parts
    return (expression,)


def _first_site(expression: Expression) -> int:
    """The first site in the order of the code."""
    if isinstance(expression, Repeat):
        return _first_site(expression.body)
    return expression.site or min(map(_first_site, expression.parts), default=0)
