"""Relations between numbered things, and sets propagated along them.

A relation is a list of edges: ``edges[x]`` holds every ``y`` that ``x`` leads to.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["components", "on_cycles", "united"]


def united(base: Sequence[int], edges: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The union of `base` over all that each node leads to (DeRemer and Pennello 1982)."""
    value = list(base)
    for component in components(edges):
        bits = 0
        for node in component:
            bits |= value[node]
            for successor in edges[node]:
                bits |= value[successor]
        for node in component:
            value[node] = bits
    return tuple(value)


def on_cycles(edges: Sequence[Sequence[int]]) -> frozenset[int]:
    """The nodes that lead back to themselves."""
    return frozenset(
        node
        for component in components(edges)
        for node in component
        if len(component) > 1 or node in edges[node]
    )


def components(edges: Sequence[Sequence[int]]) -> list[list[int]]:
    """The strongly connected components, each after those it leads to (Tarjan 1972)."""
    found: list[list[int]] = []
    done = len(edges) + 1  # above all numbers, so a closed component lowers none
    number = [0] * len(edges)
    lowest = [0] * len(edges)
    path: list[int] = []
    count = 0
    for root in range(len(edges)):
        work = [(root, iter(edges[root]))] if not number[root] else []
        while work:
            node, successors = work[-1]
            if not number[node]:
                count += 1
                number[node] = lowest[node] = count
                path.append(node)
            for successor in successors:
                if not number[successor]:
                    work.append((successor, iter(edges[successor])))
                    break
                lowest[node] = min(lowest[node], number[successor])
            else:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    component: list[int] = []
                    while not component or component[-1] != node:
                        component.append(path.pop())
                    found.append(component)
                    for member in component:
                        number[member] = done
    return found
