"""Token rules changed where they stop: what is read then, against regular expressions."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramspect.lexer_faults.mended import mended
from gramspect.lexical.automaton import Automaton
from gramspect.lexical.nearness import Way
from gramspect.lexical.regular import add_regex, of_regex

PATTERNS = ("[ab]+", "a(ba)*", '"[^"\\n]*"', "[0-9]+(\\.[0-9]+)?", "(a|b,)+;")


@given(st.sampled_from(PATTERNS), st.text('ab0.,;"-~', max_size=12), st.integers(0, 3))
def test_a_token_without_what_was_put_in_is_one_of_the_rule(
    pattern: str, text: str, start: int
) -> None:
    for one in mended(of_regex(pattern, "T"), text, min(start, len(text)), 100):
        put_in = {step.place for step in one.steps if step.way is Way.PUT_IN}
        places = range(min(start, len(text)), one.end)
        left = "".join(text[place] for place in places if place not in put_in)
        assert [step.place for step in one.steps] == list(places)
        assert re.fullmatch(pattern, left), (left, one)


@pytest.mark.parametrize(
    ("pattern", "text", "end"),
    [
        ("[a-z]+", "one-two-three.", 13),
        ("[a-z]+", "one-two-three.four-five", 13),  # a second change would be another one
        ('"([^"\\\\]|\\\\")*"', '"\\n \\t"', None),
        ("[a-z]+", "one-two", None),  # put in once: an alignment has it
        ("[a-z]+", "-one-two", None),  # nothing is read before it
    ],
)
def test_what_is_put_in_several_times(pattern: str, text: str, end: int | None) -> None:
    found = [one for one in mended(of_regex(pattern, "T"), text, 0, 100) if one.n_changes == 1]
    assert max((one.end for one in found), default=None) == end


def pairs() -> Automaton:
    """``KEY=VALUE,KEY=VALUE`` where values are words, or as `part` reads them."""
    automaton = Automaton()
    state = add_regex(automaton, automaton.start, "[a-z]+=", 0, ("PAIRS",))
    state = add_regex(automaton, state, "[a-z]+", 0, ("PAIRS", "VALUE"))
    comma = add_regex(automaton, state, ",[a-z]+=", 0, ("PAIRS",))
    second = add_regex(automaton, comma, "[a-z]+", 0, ("PAIRS", "VALUE"))
    automaton.skip(second, state)
    automaton.final = state
    return automaton


def test_something_else_in_the_place_of_a_named_part() -> None:
    """The part is written twice in the automaton, and is changed in both places."""
    text = "a=1,b=22,c=x,d=3 "
    (one,) = [one for one in mended(pairs(), text, 0, 100) if one.end == len(text) - 1]
    changed = [(s.way, text[s.place]) for s in one.steps if s.way is not Way.READ]
    assert changed == [(Way.IN_PLACE, digit) for digit in "1223"]
    assert {s.edge.chain for s in one.steps if s.way is Way.IN_PLACE and s.edge} == {
        ("PAIRS", "VALUE")
    }
    assert (one.n_changes, one.n_used) == (1, 3)
