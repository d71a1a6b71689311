"""How near a stretch of text is to the texts that a token rule reads.

The text is aligned with the automaton, as in the approximate matching of regular expressions (Wu
and Manber 1992): characters may be put in, read in place of others, and edges may be passed over.
The cost counts the places where the rule would have to be changed, not the characters: a run of
characters that are put in costs as much as one change, and a little for its length.

Costs are whole numbers, `UNIT` to one change, so that sets of states can be kept by cost as bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from gramspect.lexical.automaton import Automaton, Edge, members

__all__ = [
    "UNIT",
    "Alignment",
    "End",
    "Step",
    "Way",
    "alignment",
    "begins_with",
    "put_in_cost",
    "reads",
]

UNIT = 20
"""The cost of one change."""
IN_RUN = 6
"""The cost of the second and every further character that is replaced or passed over."""
IN_OTHER_CASE = 12
"""The cost of a letter that is read in place of the same in the other case."""
LONGEST_GAP = 80
"""After this many characters from the start nothing is put in any more."""
Levels = list[int]
"""Sets of states, by cost."""


class Way(StrEnum):
    """How a character, or an edge, was dealt with."""

    READ = "read"
    PUT_IN = "put in"
    IN_PLACE = "in place"
    IN_CASE = "in the other case"
    PASSED = "passed"


class Step(NamedTuple):
    """One step of an alignment: the place in the text, and the edge that was taken or passed."""

    way: Way
    place: int
    edge: Edge | None


class End(NamedTuple):
    """A place where the token may end, and what it costs."""

    place: int
    cost: int


class _Column(NamedTuple):
    """The states that are reached before a character, by how the last one was dealt with."""

    read: Levels
    put_in: Levels
    in_place: Levels
    passed: Levels

    def all_at(self, cost: int) -> int:
        return self.read[cost] | self.put_in[cost] | self.in_place[cost] | self.passed[cost]


class _Stepper:
    """Sets of states from sets of states, remembered."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self._read: dict[tuple[int, str], int] = {}
        self._passed: dict[int, int] = {}

    def read(self, states: int, character: str) -> int:
        """Where the states lead by a character."""
        key = states, character
        if key not in self._read:
            closures, found = self.automaton.closures, 0
            for edge in self._edges(states):
                if not found >> edge.target & 1 and character in edge.characters:
                    found |= closures[edge.target]
            self._read[key] = found
        return self._read[key]

    def read_in_case(self, states: int, character: str) -> int:
        """Where they lead only by the same letter in the other case."""
        other = character.swapcase()
        if other == character or len(other) > 1:
            return 0
        return self.read(states, other) & ~self.read(states, character)

    def passed(self, states: int) -> int:
        """Where they lead by any edge."""
        if states not in self._passed:
            closures, found = self.automaton.closures, 0
            for edge in self._edges(states):
                found |= closures[edge.target]
            self._passed[states] = found
        return self._passed[states]

    def _edges(self, states: int) -> Iterator[Edge]:
        for state in members(states):
            yield from self.automaton.edges_from[state]


@dataclass
class Alignment:
    """A text, from a place on, with what each of its stretches costs."""

    automaton: Automaton
    text: str
    start: int
    columns: list[_Column]
    limit: int

    def ends(self) -> list[End]:
        """Where the token may end, at the least cost of each place."""
        final, found = self.automaton.final, []
        for index, column in enumerate(self.columns):
            for cost in range(self.limit + 1):
                if column.all_at(cost) >> final & 1:
                    if index:
                        found.append(End(self.start + index, cost))
                    break
        return found

    def steps(self, end: End) -> list[Step]:
        """The steps of a cheapest alignment that ends there, in order."""
        found: list[Step] = []
        index, cost, state = end.place - self.start, end.cost, self.automaton.final
        way = _way(self.columns[index], cost, state)
        if end.place == len(self.text) and self.columns[index].passed[cost] >> state & 1:
            way = Way.PASSED  # what should have come is not there
        while True:
            column = self.columns[index]
            if way is Way.PASSED:
                edge, paid = self._passing(column, cost, state)
                found.append(Step(Way.PASSED, self.start + index, edge))
                cost, state = cost - paid, edge.source
                way = Way.PASSED if paid == IN_RUN else Way.READ
                continue
            if index == 0:
                break
            index -= 1
            column, character = self.columns[index], self.text[self.start + index]
            place = self.start + index
            if way is Way.PUT_IN:
                found.append(Step(Way.PUT_IN, place, None))
                before = cost - put_in_cost(character)
                if before >= 0 and column.put_in[before] >> state & 1:
                    cost = before
                else:
                    cost, way = before - UNIT, Way.READ
            elif way is Way.IN_PLACE:
                edge, paid = self._in_place(column, cost, state)
                found.append(Step(Way.IN_PLACE, place, edge))
                cost, state = cost - paid, edge.source
                way = Way.IN_PLACE if paid == IN_RUN else Way.READ
            else:
                edge, paid = self._reading(column, cost, state, character)
                found.append(Step(Way.IN_CASE if paid else Way.READ, place, edge))
                cost, state = cost - paid, edge.source
                way = _way(column, cost, state)
        return found[::-1]

    # --- steps backwards ---------------------------------------------------------------------

    def _into(self, state: int) -> Iterator[Edge]:
        closures = self.automaton.closures
        return (edge for edge in self.automaton.edges if closures[edge.target] >> state & 1)

    def _reading(self, column: _Column, cost: int, state: int, character: str) -> tuple[Edge, int]:
        for paid, letter in ((0, character), (IN_OTHER_CASE, character.swapcase())):
            states = column.all_at(cost - paid) if paid <= cost else 0
            for edge in self._into(state):
                if states >> edge.source & 1 and letter in edge.characters:
                    return edge, paid
        raise AssertionError("a state was not reached at that cost")

    def _in_place(self, column: _Column, cost: int, state: int) -> tuple[Edge, int]:
        return self._leading(state, (column.in_place, cost - IN_RUN), (column.read, cost - UNIT))

    def _passing(self, column: _Column, cost: int, state: int) -> tuple[Edge, int]:
        return self._leading(state, (column.passed, cost - IN_RUN), (column.read, cost - UNIT))

    def _leading(
        self, state: int, in_run: tuple[Levels, int], begun: tuple[Levels, int]
    ) -> tuple[Edge, int]:
        for (levels, cost), paid in ((in_run, IN_RUN), (begun, UNIT)):
            if cost >= 0:
                for edge in self._into(state):
                    if levels[cost] >> edge.source & 1:
                        return edge, paid
        raise AssertionError("an alignment has no beginning")


def alignment(automaton: Automaton, text: str, start: int, limit: int, window: int) -> Alignment:
    """Align a text, from `start` on, at most `window` characters of it.

    Costs above `limit` (in `UNIT` parts of a change) are left out.
    """
    stepper = _stepper(automaton)
    first = _empty(limit)
    first.read[0] = automaton.closures[automaton.start]
    columns = [first]
    last = min(len(text), start + window)
    for place in range(start, last + 1):
        column = columns[-1]
        _pass_over(column, stepper, limit)
        if place == last:
            break
        following = _next(column, stepper, text[place], limit, place - start < LONGEST_GAP)
        if not any(map(any, following)):
            break
        columns.append(following)
    return Alignment(automaton, text, start, columns, limit)


def reads(automaton: Automaton, text: str) -> bool:
    """Whether it reads the whole text as it is."""
    return bool(_states_after(automaton, text) >> automaton.final & 1) and bool(text)


def begins_with(automaton: Automaton, text: str) -> bool:
    """Whether something that it reads begins with the text."""
    return bool(_states_after(automaton, text))


def _states_after(automaton: Automaton, text: str) -> int:
    stepper, states = _stepper(automaton), automaton.closures[automaton.start]
    for character in text:
        states = stepper.read(states, character)
        if not states:
            break
    return states


def _next(column: _Column, stepper: _Stepper, character: str, limit: int, more: bool) -> _Column:
    """The column after a character; `more` says whether characters may still be put in."""
    found = _empty(limit)
    length, seen = put_in_cost(character), 0
    for cost in range(limit + 1):
        states = column.all_at(cost)
        if states:
            new = stepper.read(states, character) & ~seen
            found.read[cost] |= new
            seen |= new
            _add(found.read, cost + IN_OTHER_CASE, stepper.read_in_case(states, character) & ~seen)
        if not more:
            continue
        _add(found.put_in, cost + length, column.put_in[cost])
        _add(found.in_place, cost + IN_RUN, stepper.passed(column.in_place[cost]))
        if column.read[cost]:
            _add(found.put_in, cost + UNIT + length, column.read[cost])
            _add(found.in_place, cost + UNIT, stepper.passed(column.read[cost]))
    _without_dearer(found.put_in)
    _without_dearer(found.in_place)
    return found


def _pass_over(column: _Column, stepper: _Stepper, limit: int) -> None:
    """Add the states that are reached by passing over edges."""
    for cost in range(limit + 1):
        if column.read[cost]:
            _add(column.passed, cost + UNIT, stepper.passed(column.read[cost]))
        if column.passed[cost]:
            _add(column.passed, cost + IN_RUN, stepper.passed(column.passed[cost]))
    _without_dearer(column.passed)


def _empty(limit: int) -> _Column:
    return _Column(*([0] * (limit + 1) for _ in range(4)))


def _add(levels: Levels, cost: int, states: int) -> None:
    if states and cost < len(levels):
        levels[cost] |= states


def _without_dearer(levels: Levels) -> None:
    """Keep each state at its least cost only."""
    seen = 0
    for cost, states in enumerate(levels):
        if states:
            levels[cost] = states & ~seen
            seen |= states


def _way(column: _Column, cost: int, state: int) -> Way:
    """How a state was reached; read if there are several ways."""
    ways = (Way.READ, Way.PUT_IN, Way.IN_PLACE, Way.PASSED)
    for way, levels in zip(ways, column, strict=True):
        if levels[cost] >> state & 1:
            return way
    raise AssertionError("a state was not reached at that cost")


def put_in_cost(character: str) -> int:
    """The cost of putting in one more character."""
    if character.isalnum() or character == "_":
        return 1
    if character == "\n":
        return UNIT
    return 6 if character.isspace() else 4


def _stepper(automaton: Automaton) -> _Stepper:
    """The stepper of an automaton, made once as long as that lives."""
    known = automaton.__dict__.get("_stepper")
    if known is None:
        known = automaton.__dict__["_stepper"] = _Stepper(automaton)
    found: _Stepper = known
    return found
