"""A token rule changed at the place where it stops, and read on with that change.

A fault in a token rule often shows several times in one token: `foo-bar-baz` where `-` is missing
from a set, a list of records each of which has a number where the rule wants text in quotes. An
alignment (`gramspect.lexical.nearness`) counts every such place, and then they cost too much. So
the automaton gets, at the states that it has where its longest match stops, what would let it go
on: the characters there, or these in the place of a part that has a name. With that it reads the
text again, and what was changed once counts once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, product

from gramspect.lexical.automaton import Automaton, Chain, Edge, members
from gramspect.lexical.characters import CharSet
from gramspect.lexical.nearness import Alignment, End, Step, Way, alignment

__all__ = ["Mended", "mended"]

_NUMBER, _WORD = re.compile(r"[0-9]+"), re.compile(r"\w+")
_DIGITS = CharSet.of([(48, 57)])
_LETTERS = CharSet.of([(48, 57), (65, 90), (95, 95), (97, 122)])
MOST_STATES = 20_000
"""Automata with more states are not changed."""
MOST_ENDS = 3
"""How many ends of a token, the longest ones, are looked at for each change."""


@dataclass(frozen=True)
class Mended:
    """A rule that reads a text up to `end` once it is changed at one place, or at several.

    `steps` are those of the unchanged rule, where what the changes read is put in or in place.
    These are used `n_used` times.
    """

    end: int
    steps: tuple[Step, ...]
    n_changes: int
    n_used: int


def mended(automaton: Automaton, text: str, start: int, window: int) -> Iterator[Mended]:
    """The tokens that a rule reads from `start` on if it is changed where its longest match stops.

    Left out are those whose change is used a single time to put something in: an alignment has
    them. In the place of a named part stands a word or a number.
    """
    longest = alignment(automaton, text, start, 0, window)
    stop = start + len(longest.columns) - 1
    states = longest.columns[-1].read[0]
    if stop == len(text) or automaton.n_states > MOST_STATES:
        return
    for characters, in_place in product(_read_there(text, stop), (False, True)):
        if not (text[stop].isalnum() if in_place else stop > start):
            continue
        changed = _Changed(automaton, states, characters, in_place=in_place)
        aligned = alignment(changed.automaton, text, start, 0, window)
        ends = [end for end in aligned.ends() if end.place > stop]
        for end in _likely(ends):
            steps = changed.steps(aligned, end)
            runs = [used for used, _ in groupby(map(_change, steps)) if used is not None]
            if len(runs) > 1 or any(runs):
                yield Mended(end.place, tuple(steps), len(set(runs)), len(runs))


def _change(step: Step) -> Chain | None:
    """The change by which a step reads, if by one: the part in whose place; none is empty."""
    if step.way is Way.READ:
        return None
    return () if step.edge is None else step.edge.chain


def _read_there(text: str, stop: int) -> Iterator[CharSet]:
    """What a change may read at a place: the character, and its kind if it is of a word."""
    yield CharSet.single(text[stop])
    if _NUMBER.match(text, stop):
        yield _DIGITS
    elif _WORD.match(text, stop):
        yield _LETTERS


def _likely(ends: list[End]) -> list[End]:
    """The longest ones after which the rule cannot go on."""
    places = {end.place for end in ends}
    return [end for end in reversed(ends) if end.place + 1 not in places][:MOST_ENDS]


class _Changed:
    """An automaton that, in some states, also reads characters: once or several in a row.

    After them it is in the same state, or, `in_place`, where a named part ends that begins there or
    before.
    """

    def __init__(
        self, automaton: Automaton, states: int, characters: CharSet, *, in_place: bool
    ) -> None:
        self.before = automaton
        self.automaton = Automaton()
        self.automaton.edges = list(automaton.edges)
        self.automaton.skips = [list(skips) for skips in automaton.skips]
        self.automaton.start, self.automaton.final = automaton.start, automaton.final
        self.automaton.exact = automaton.exact
        self.replaced: dict[int, Edge | None] = {}
        states = self._alike(states)
        if in_place:
            for edge, ends in self._parts(states):
                self._add(edge.source, ends, characters, edge)
        else:
            for state in members(states):
                self._add(state, [state], characters, None)

    def _add(self, state: int, ends: list[int], characters: CharSet, part: Edge | None) -> None:
        new = self.automaton.state()
        self.replaced[new] = part
        chain = part.chain if part is not None else ()
        self.automaton.read(state, new, characters, chain)
        self.automaton.read(new, new, characters, chain)
        self.automaton.skips[new] += ends

    def _alike(self, states: int) -> int:
        """These states and those with the same edges: of a part that is called twice both."""
        reads = self.before.reads
        known = {reads[state] for state in members(states)}
        for state, edges in enumerate(reads):
            if edges and edges in known:
                states |= 1 << state
        return states

    def _parts(self, states: int) -> Iterator[tuple[Edge, list[int]]]:
        """The named parts that begin in some states: an edge that does, and where the part ends."""
        found: dict[tuple[int, tuple[str, ...]], Edge] = {}
        for edge in self.before.edges:
            if states >> edge.source & 1 and len(edge.chain) > 1:
                found.setdefault((edge.source, edge.chain), edge)
        for (state, chain), edge in found.items():
            if ends := self._ends(state, chain):
                yield edge, ends

    def _ends(self, state: int, chain: tuple[str, ...]) -> list[int]:
        """The states in which a part that begins in one may have come to its end."""
        closures, edges_from = self.before.closures, self.before.edges_from
        seen, pending, ends = {state}, [state], []
        while pending:
            inside = closures[pending.pop()]
            for source in members(inside):
                outside = any(e.chain[: len(chain)] != chain for e in edges_from[source])
                if source != state and (outside or source == self.before.final):
                    ends.append(source)
                for edge in edges_from[source]:
                    if edge.chain[: len(chain)] == chain and edge.target not in seen:
                        seen.add(edge.target)
                        pending.append(edge.target)
        return sorted(set(ends) - set(members(closures[state])))

    def steps(self, aligned: Alignment, end: End) -> list[Step]:
        """The steps of the unchanged automaton, and where it was changed."""
        found = []
        for step in aligned.steps(end):
            target = step.edge.target if step.edge is not None else -1
            if target not in self.replaced:
                found.append(step)
            elif (part := self.replaced[target]) is None:
                found.append(Step(Way.PUT_IN, step.place, None))
            else:
                found.append(Step(Way.IN_PLACE, step.place, part))
        return found
