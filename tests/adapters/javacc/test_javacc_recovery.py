"""Expressions recovered from control flow: every expression of productions comes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramspect.recognition.recognizer import LoadOptions
from gramspect_javacc.grammar import map_grammar
from gramspect_javacc.loading import load_parser
from gramspect_javacc.recovery import Expression, Repeat, Sites, follow_of, recover


def numbered(expression: Expression) -> Expression:
    """The expression with its sites numbered from 1 in the order of the text."""
    count = 0

    def walk(e: Expression) -> Expression:
        nonlocal count
        if isinstance(e, Repeat):
            return Repeat(walk(e.body), e.optional, e.once)
        if e.kind == "site":
            count += 1
            return Sites("site", site=count)
        return Sites(e.kind, tuple(map(walk, e.parts)))

    return walk(expression)


def is_nullable(e: Expression) -> bool:
    if isinstance(e, Repeat):
        return e.optional or is_nullable(e.body)
    if e.kind == "site":
        return False
    return (any if e.kind == "or" else all)(map(is_nullable, e.parts))


def wellformed(e: Expression) -> bool:
    """What JavaCC takes: what is repeated or optional cannot be empty by itself."""
    if isinstance(e, Repeat):
        return wellformed(e.body) and not is_nullable(e.body)
    return all(map(wellformed, e.parts))


SITE = st.just(Sites("site", site=1))
EXPRESSIONS = st.recursive(
    SITE,
    lambda inner: st.one_of(
        st.builds(
            Sites,
            st.sampled_from(["then", "or"]),
            st.lists(inner, min_size=2, max_size=4).map(tuple),
        ),
        st.builds(Repeat, inner, st.booleans(), st.booleans()),
    ),
    max_leaves=14,
).filter(wellformed)


def n_sites(e: Expression) -> int:
    if isinstance(e, Repeat):
        return n_sites(e.body)
    return 1 if e.kind == "site" else sum(map(n_sites, e.parts))


@given(expression=EXPRESSIONS.map(numbered))
def test_every_expression_comes_back(expression: Expression) -> None:
    size = n_sites(expression) + 1
    follow = follow_of(expression, size)
    found, exact = recover(follow)
    assert exact
    assert follow_of(found, size) == follow
    assert n_sites(found) == size - 1


def test_shapes() -> None:
    one, two, three = (Sites("site", site=n) for n in (1, 2, 3))
    star = Repeat(Sites("then", (two, three)), optional=True, once=False)
    list_of = Sites("then", (one, star))
    assert recover(follow_of(list_of, 4)) == (list_of, True)
    option = Repeat(Sites("or", (one, two)), optional=True, once=True)
    assert recover(follow_of(option, 3)) == (option, True)


def test_what_is_no_expression() -> None:
    """1 2 3, 1 3 or 2 3, but not 3 alone: no expression has each of them once."""
    found, exact = recover([frozenset({1, 2}), frozenset({2, 3}), frozenset({3}), frozenset({0})])
    assert not exact
    assert isinstance(found, Repeat)
    assert (found.optional, found.once, n_sites(found)) == (True, False, 3)


def test_nothing_is_consumed() -> None:
    assert recover([frozenset({0})]) == (Sites("then"), True)


def test_unreachable_sites_are_left_out() -> None:
    found, exact = recover([frozenset({1}), frozenset({0}), frozenset({1})])
    assert exact
    assert found == Sites("site", site=1)


FIXTURES = Path(__file__).parents[3] / "fixtures" / "javacc"


@pytest.mark.parametrize("file", ["Toy.jj", "simpl/Simpl.jj"])
def test_grammars_come_back_from_the_code_of_their_parsers(file: str) -> None:
    """Without the file, the class gives the same rules; only their places are missing."""
    loaded = load_parser(str(FIXTURES / file), LoadOptions())
    written = loaded.mapped.grammar
    start = written.symbols[written.start].name
    recovered = map_grammar(loaded.compiled, None, start).grammar
    rules = [
        [(rule.label, grammar.rule_text(rule.index)) for rule in grammar.rules]
        for grammar in (recovered, written)
    ]
    assert rules[0] == rules[1]
    assert not recovered.diagnostics
    assert {rule.span for rule in recovered.rules} == {None}
