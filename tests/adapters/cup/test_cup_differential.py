"""CUP against gramspect's own parser, where the conformance kit does not compare them."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from cfg import Cfg, Word
from core.test_differential import (
    EXPRESSIONS,
    as_test,
    core_grammar,
)
from examples import fewer
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Associativity
from gramspect.recognition.registry import adapter
from gramspect.recognition.trace import Extraction, Observation
from gramspect.spectrum.extraction import observe
from lr_oracle import is_lalr1
from strategies import grammars, words


def seen(observation: Observation) -> tuple[object, ...]:
    """All that an observation tells but the wording of errors."""
    return (
        observation.verdict,
        observation.error and observation.error.token,
        observation.rules,
        observation.items,
        observation.shift_items,
        observation.active,
        observation.predicted,
    )


@fewer(0.25)
@given(
    grammars(is_lalr1).flatmap(
        lambda grammar: st.tuples(
            st.just(grammar), st.lists(words(grammar), min_size=5, max_size=15)
        )
    )
)
@example((EXPRESSIONS, [("id", "+", "(", "id", ")"), ("(", "id", "*", ")"), ()]))
def test_the_stack_is_that_of_other_parsers(case: tuple[Cfg, list[Word]]) -> None:
    """CUP, like gramspect's own parser, makes no default reductions at an error."""
    cfg, inputs = case
    grammar = core_grammar(cfg)
    tests = [as_test(word) for word in inputs]
    cup, native = adapter("cup").build(grammar), adapter("native").build(grammar)
    batch = cup.traces(tests)  # type: ignore[attr-defined]
    for test, trace in zip(tests, batch, strict=True):
        expected = seen(observe(trace, Extraction.STACK))
        assert seen(observe(native.trace(test), Extraction.STACK)) == expected


OPERATORS = "+-*^"
SIDES = (Associativity.LEFT, Associativity.RIGHT, Associativity.NONASSOC)


@fewer(0.5)
@given(
    st.lists(st.sampled_from(SIDES), min_size=4, max_size=4),
    st.lists(st.integers(0, 3), min_size=4, max_size=4),
    st.sampled_from([None, "^", "!"]),
    st.lists(st.lists(st.sampled_from([*OPERATORS, *"xxx"]), max_size=9), min_size=20, max_size=30),
)
def test_precedences_are_resolved_alike(
    sides: list[Associativity], levels: list[int], unary: str | None, inputs: list[list[str]]
) -> None:
    """Where every operator has one: to CUP, a terminal without one is below all that have one."""
    precedence = [
        (side, [operator for operator, at in zip(OPERATORS, levels, strict=True) if at == level])
        for level, side in enumerate(sides)
    ]
    precedence = [(side, operators) for side, operators in precedence if operators]
    precedence.append((Associativity.RIGHT, ["!"]))
    rules = [*(("e", ["e", operator, "e"]) for operator in OPERATORS), ("e", ["-", "e"])]
    grammar = Grammar.from_rules(
        [*rules, ("e", ["x"])],
        precedence=precedence,
        rule_precedence={} if unary is None else {len(OPERATORS): unary},
    )
    tests = [as_test(tuple(word)) for word in inputs]
    cup, native = adapter("cup").build(grammar), adapter("native").build(grammar)
    batch = cup.traces(tests)  # type: ignore[attr-defined]
    for test, trace in zip(tests, batch, strict=True):
        assert seen(observe(trace)) == seen(observe(native.trace(test)))
