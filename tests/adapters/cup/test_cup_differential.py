"""CUP against the other LR parser generators, and against the definitions.

CUP, PLY, Lark and gramspect number states differently and resolve nothing here: on LALR(1)
grammars their spectra are the same.
"""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from cfg import Cfg, Word
from core.test_differential import (
    EXPRESSIONS,
    as_test,
    check_all,
    check_exact,
    core_grammar,
    numbers,
    with_words,
)
from examples import fewer
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Associativity
from gramspect.recognition.recognizer import adapter
from gramspect.recognition.trace import Extraction, Observation, Undecided
from gramspect.spectrum.extraction import observe
from lr_oracle import is_lalr1, lr_shift_items
from oracle import spectra
from strategies import grammars, words

TECHNIQUES = ("cup", "native", "ply", "lark-lalr")
NESTED = ("(",) * 300 + ("id",) + (")",) * 300


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


@fewer(0.5)
@given(
    grammars(is_lalr1).flatmap(
        lambda grammar: st.tuples(
            st.just(grammar), st.lists(words(grammar), min_size=5, max_size=15)
        )
    )
)
@example((EXPRESSIONS, [("id", "+", "(", "id", ")"), ("(", "id", "*", ")"), (), NESTED]))
def test_lr_techniques_agree(case: tuple[Cfg, list[Word]]) -> None:
    """CUP gets the words of a grammar in one batch."""
    cfg, inputs = case
    grammar = core_grammar(cfg)
    tests = [as_test(word) for word in inputs]
    cup, native, *others = (adapter(name).build(grammar) for name in TECHNIQUES)
    batch = cup.traces(tests)  # type: ignore[attr-defined]
    for test, trace in zip(tests, batch, strict=True):
        for extraction in (Extraction.EXACT, Extraction.ALL):
            expected = seen(observe(trace, extraction))
            for other in (native, *others):
                assert seen(observe(other.trace(test), extraction)) == expected
        # Default reductions, which PLY makes, are visible in this one.
        expected = seen(observe(trace, Extraction.STACK))
        assert seen(observe(native.trace(test), Extraction.STACK)) == expected


@given(with_words(grammars(is_lalr1)))
@example((EXPRESSIONS, [("id", "+", "(", "id", ")"), ("(", "id", "*", ")"), ("id", "id"), ()]))
def test_cup_agrees_with_the_oracle(case: tuple[Cfg, list[Word]]) -> None:
    cfg, inputs = case
    cup = adapter("cup").build(core_grammar(cfg))
    for word in inputs:
        expected = spectra(cfg, word)
        shift = numbers(cup.grammar, lr_shift_items(cfg, word))
        assert check_all(cup, word, expected).shift_items == shift
        assert check_exact(cup, word, cfg, expected).shift_items == shift


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


@given(grammars().flatmap(lambda g: st.tuples(st.just(g), st.lists(words(g), min_size=3))))
def test_any_grammar_is_built_and_every_parse_ends(case: tuple[Cfg, list[Word]]) -> None:
    """Conflicts are CUP's to resolve; cycles must not hang. Verdicts may differ, parses may not."""
    cfg, inputs = case
    cup = adapter("cup").build(core_grammar(cfg))
    for word in inputs:
        trace = cup.trace(as_test(word))
        if isinstance(trace, Undecided):
            assert trace.reason == "the parser does not terminate: it reduces for ever"
        else:
            observe(trace)
