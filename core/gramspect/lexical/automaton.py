"""Automata of token rules, whose edges know in which rule they were written.

An automaton has one start and one final state. An edge reads one character of a set, or nothing. It
carries the *chain* of rules that it lies in, the token rule first, then the fragment that was
called, and so on: so a report can blame the definition in which something is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from gramspect.lexical.characters import CharSet

if TYPE_CHECKING:
    from gramspect.lexical.parts import Part

__all__ = ["Automaton", "Chain", "Edge", "members"]

Chain = tuple[str, ...]
"""The names of the rules that an edge lies in, the outermost first."""


class Edge(NamedTuple):
    """From `source` to `target`, reading one of `characters`.

    `path` leads from the definition down to the part that reads them, where definitions are known
    as they are written (`gramspect.lexical.parts`).
    """

    source: int
    target: int
    characters: CharSet
    chain: Chain
    path: tuple[Part, ...] = ()


class Automaton:
    """States with edges. Whoever builds one adds states and edges, then leaves it alone."""

    def __init__(self) -> None:
        self.edges: list[Edge] = []
        self.skips: list[list[int]] = []
        self.start = self.state()
        self.final = self.start
        self.exact = True
        """False if something is left out that restricts what is read (lookahead, references)."""

    @property
    def n_states(self) -> int:
        return len(self.skips)

    def state(self) -> int:
        """A new state."""
        self.skips.append([])
        return len(self.skips) - 1

    def read(
        self,
        source: int,
        target: int,
        characters: CharSet,
        chain: Chain,
        path: tuple[Part, ...] = (),
    ) -> None:
        """An edge that reads one character."""
        self.edges.append(Edge(source, target, characters, chain, path))

    def skip(self, source: int, target: int) -> None:
        """An edge that reads nothing."""
        self.skips[source].append(target)

    # --- properties of the built automaton --------------------------------------------------------

    @cached_property
    def closures(self) -> list[int]:
        """For each state those that are reached without reading, itself too, as bits."""
        found = []
        for state in range(self.n_states):
            seen, pending = 1 << state, [state]
            while pending:
                for target in self.skips[pending.pop()]:
                    if not seen >> target & 1:
                        seen |= 1 << target
                        pending.append(target)
            found.append(seen)
        return found

    @cached_property
    def edges_from(self) -> list[list[Edge]]:
        """The edges that read, by source."""
        found: list[list[Edge]] = [[] for _ in range(self.n_states)]
        for edge in self.edges:
            found[edge.source].append(edge)
        return found

    @cached_property
    def reads(self) -> list[frozenset[tuple[Chain, CharSet]]]:
        """What each state reads next, with the rules in which that is written."""
        edges_from = self.edges_from
        return [
            frozenset((e.chain, e.characters) for one in members(states) for e in edges_from[one])
            for states in self.closures
        ]

    @cached_property
    def single(self) -> bool:
        """Whether it reads nothing but single characters."""
        ends = (source for edge in self.edges for source in members(self.closures[edge.target]))
        return not any(self.edges_from[state] for state in ends)

    @cached_property
    def within(self) -> str | None:
        """The rule, called by the one that is read, in which all is written that it reads."""
        inner = {edge.chain[1] if len(edge.chain) > 1 else None for edge in self.edges}
        return inner.pop() if len(inner) == 1 else None

    @cached_property
    def words(self) -> tuple[str, ...] | None:
        """The words, if the rule is a list of words (letters in both cases count once); else
        None."""
        found: list[str] = []
        for word in self._words(self.start, "", 0):
            if word is None or len(found) == _MOST_WORDS:
                return None
            found.append(word)
        return tuple(dict.fromkeys(found))

    def _words(self, state: int, read: str, depth: int) -> Iterator[str | None]:
        if depth > _LONGEST_WORD:
            yield None
            return
        closure = self.closures[state]
        if closure >> self.final & 1:
            yield read
        for source in members(closure):
            for edge in self.edges_from[source]:
                ranges = edge.characters.ranges
                if not ranges:
                    continue  # nothing is read: a small letter where all input is made capital
                letters = {chr(code).casefold() for pair in ranges for code in pair}
                signs = edge.characters.signs
                if not signs and (edge.characters.size > 2 or len(letters) > 1):
                    yield None
                    return
                for letter in signs or (chr(ranges[0][0]),):
                    yield from self._words(edge.target, read + letter, depth + 1)


_MOST_WORDS, _LONGEST_WORD = 300, 40


def members(states: int) -> Iterator[int]:
    """The states of a set that is kept as bits, in order."""
    while states:
        lowest = states & -states
        yield lowest.bit_length() - 1
        states ^= lowest
