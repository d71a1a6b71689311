"""Short texts of token patterns.

A pattern is a network of states: edges read one character of a set, or nothing, or whatever another
part of the network reads (ANTLR's fragments, which may be recursive). Regular expressions are
networks without such calls (`gramspect.generation.texts.regular`).

Texts come in the order of their lengths by a best-first search whose estimate is exact (A*: Hart,
Nilsson and Raphael 1968): the least number of characters from a state to the end of its part,
computed first, for calls as in Knuth 1977 ("A generalization of Dijkstra's algorithm").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from heapq import heappop, heappush
from itertools import chain, count
from string import ascii_letters, ascii_lowercase, digits, punctuation
from typing import NamedTuple

__all__ = ["PREFERRED", "Network", "preferred"]

_KINDS = (ascii_lowercase, "123456789", ascii_letters, f"_{digits}", punctuation, " ", "\t\n\r")

PREFERRED = "".join(dict.fromkeys(chain.from_iterable(_KINDS)))
"""All characters of ASCII that texts are made of, the most readable first."""

_ALIKE = 1e-3
"""The extra cost of a character over the one before it in `PREFERRED`; far less than 1."""

_STEPS = 20_000
"""The search for texts of one pattern ends after this many steps."""

_DEEP = 20
"""How many calls may be open at a time."""


def preferred(contains: Callable[[str], bool], wide: bool = False) -> str:
    """The characters that stand for a set: its most readable kind, or with `wide` all of ASCII."""
    for kind in (PREFERRED,) if wide else _KINDS:
        found = "".join(filter(contains, kind))
        if found:
            return found
    return ""


class Edge(NamedTuple):
    """To `target`, reading one of `characters`, or one text of the part from `call`, or nothing."""

    target: int
    characters: str | None = None
    call: int | None = None


Stack = tuple[int, "Stack"] | None
"""The states where calls go on, the innermost first."""


class _Way(NamedTuple):
    """What a way through a network has read so far, and where it is."""

    cost: float
    text: str
    state: int
    stack: Stack = None


class Network:
    """States with edges; `finals` are where a pattern, or a part that is called, ends."""

    def __init__(self) -> None:
        self.edges: list[list[Edge]] = []
        self.finals: set[int] = set()

    def state(self) -> int:
        """A new state."""
        self.edges.append([])
        return len(self.edges) - 1

    def read(self, source: int, target: int, characters: str) -> None:
        """An edge for each of the characters, the most readable first."""
        if characters:
            self.edges[source].append(Edge(target, characters))

    def skip(self, source: int, target: int) -> None:
        """An edge that reads nothing."""
        self.edges[source].append(Edge(target))

    def call(self, source: int, target: int, part: int) -> None:
        """An edge that reads a text of the part that begins at a state."""
        self.edges[source].append(Edge(target, call=part))

    def texts(self, start: int) -> Iterator[str]:
        """Different texts from a state to a final one, the shortest first, perhaps without end."""
        numbers = count()
        heap: list[tuple[float, int, _Way]] = []
        given: set[str] = set()
        seen: set[tuple[str, int, Stack]] = set()

        def found(ways: Iterable[_Way]) -> None:
            for way in ways:
                rest = self._rest(way)
                if rest is not None:
                    heappush(heap, (way.cost + rest, next(numbers), way))

        found([_Way(0, "", start)])
        for _ in range(_STEPS):
            if not heap:
                return
            _, _, way = heappop(heap)
            if way.state in self.finals and way.stack is None and way.text not in given:
                given.add(way.text)
                yield way.text
            if way[1:] not in seen:
                seen.add(way[1:])
                found(self._steps(way))

    def _steps(self, way: _Way) -> Iterator[_Way]:
        """The ways that are one edge longer, or back from a call."""
        cost, text, state, stack = way
        if state in self.finals and stack is not None:
            yield _Way(cost, text, *stack)
        for target, characters, call in self.edges[state]:
            if call is not None:
                yield _Way(cost, text, call, (target, stack))
            elif characters is None:
                yield _Way(cost, text, target, stack)
            else:
                for place, character in enumerate(characters):
                    yield _Way(cost + 1 + place * _ALIKE, text + character, target, stack)

    def _rest(self, way: _Way) -> int | None:
        """The least number of characters that are still to be read; None if there is no way."""
        total, stack, depth = self._least[way.state], way.stack, 0
        while stack is not None:
            rest = self._least[stack[0]]
            depth += 1
            if rest is None or total is None or depth > _DEEP:
                return None
            total, stack = total + rest, stack[1]
        return total

    @cached_property
    def _least(self) -> list[int | None]:
        """The least number of characters from each state to the end of its part, if there is any.

        It is only right once all edges have been added.
        """
        least: list[int | None] = [None] * len(self.edges)
        waiting: list[list[int]] = [[] for _ in self.edges]
        for source, edges in enumerate(self.edges):
            for target, _, call in edges:
                waiting[target].append(source)
                if call is not None:
                    waiting[call].append(source)
        heap = [(0, state) for state in self.finals]
        while heap:
            length, state = heappop(heap)
            if least[state] is not None:
                continue
            least[state] = length
            for source in waiting[state]:
                if least[source] is None:
                    for target, characters, call in self.edges[source]:
                        rest = least[target]
                        inner = int(characters is not None) if call is None else least[call]
                        if rest is not None and inner is not None:
                            heappush(heap, (rest + inner, source))
        return least
