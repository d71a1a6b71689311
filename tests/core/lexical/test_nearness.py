"""How near texts are to automata, against a search for cheapest ways through the same graph."""

from __future__ import annotations

from heapq import heappop, heappush

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramspect.lexical.automaton import Automaton
from gramspect.lexical.nearness import IN_OTHER_CASE, IN_RUN, UNIT, Step, Way, alignment
from gramspect.lexical.regular import of_regex

PATTERNS = ("ab*c", "(a|bc)+", '"[^"]*"', "[0-9]+(e[0-9]+)?", "if", "[a-c]{2}x?")
LIMIT = 2 * UNIT


def length(character: str) -> int:
    if character == "\n":
        return UNIT
    if character.isspace():
        return 6
    return 1 if character.isalnum() or character == "_" else 4


def least_costs(automaton: Automaton, text: str) -> dict[int, int]:
    """The least cost of each place where a token may end: Dijkstra over place, state and run."""
    costs: dict[tuple[int, int, str], int] = {}
    pending = [(0, 0, automaton.start, "read")]
    while pending:
        cost, place, state, run = heappop(pending)
        if cost > LIMIT or costs.get((place, state, run), LIMIT + 1) <= cost:
            continue
        costs[place, state, run] = cost
        for target in automaton.skips[state]:
            heappush(pending, (cost, place, target, run))
        for edge in automaton.edges_from[state]:
            if place < len(text) and text[place] in edge.characters:
                heappush(pending, (cost, place + 1, edge.target, "read"))
            elif place < len(text) and text[place].swapcase() in edge.characters:
                heappush(pending, (cost + IN_OTHER_CASE, place + 1, edge.target, "read"))
            for way, step in (("in place", 1), ("passed", 0)):
                if run in ("read", way) and place + step <= len(text):
                    paid = IN_RUN if run == way else UNIT
                    heappush(pending, (cost + paid, place + step, edge.target, way))
        if place < len(text) and run in ("read", "put in"):
            paid = length(text[place]) + (0 if run == "put in" else UNIT)
            heappush(pending, (cost + paid, place + 1, state, "put in"))
    found: dict[int, int] = {}
    for (place, state, _), cost in costs.items():
        if state == automaton.final and place:
            found[place] = min(cost, found.get(place, cost))
    return found


def price(steps: list[Step], text: str) -> int:
    """What the steps of an alignment cost together."""
    total, last = 0, Way.READ
    for step in steps:
        if step.way is Way.PUT_IN:
            total += length(text[step.place]) + (0 if last is step.way else UNIT)
        elif step.way is Way.IN_CASE:
            total += IN_OTHER_CASE
        elif step.way is not Way.READ:
            total += IN_RUN if last is step.way else UNIT
        last = step.way
    return total


@pytest.mark.parametrize("pattern", PATTERNS)
@given(text=st.text(st.sampled_from('abBcx"0e1 iIf\n'), min_size=1, max_size=7))
def test_costs_are_the_least(pattern: str, text: str) -> None:
    automaton = of_regex(pattern, "T")
    found = alignment(automaton, text, 0, LIMIT, 100)
    assert {end.place: end.cost for end in found.ends()} == least_costs(automaton, text)


@pytest.mark.parametrize("pattern", PATTERNS)
@given(text=st.text(st.sampled_from('abBcx"0e1 iIf'), min_size=1, max_size=7))
def test_steps_lead_through_the_automaton_at_that_cost(pattern: str, text: str) -> None:
    automaton = of_regex(pattern, "T")
    found = alignment(automaton, text, 0, LIMIT, 100)
    for end in found.ends():
        steps = found.steps(end)
        assert price(steps, text) == end.cost
        taken = [step.place for step in steps if step.way is not Way.PASSED]
        assert taken == list(range(end.place))
        state = automaton.start
        for step in steps:
            if step.edge is not None:
                assert automaton.closures[state] >> step.edge.source & 1
                state = step.edge.target
                if step.way is Way.READ:
                    assert text[step.place] in step.edge.characters
        assert automaton.closures[state] >> automaton.final & 1


def test_a_run_is_one_change() -> None:
    found = alignment(of_regex(r"[a-z]+\[[a-z]+\]", "T"), "array[sub.name]", 0, LIMIT, 100)
    (whole,) = (end for end in found.ends() if end.place == 15)
    assert whole.cost == UNIT
