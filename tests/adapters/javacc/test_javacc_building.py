"""Core grammars as JavaCC parsers, compared with the chart."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from gramspect.builtin.chart import ChartRecognizer
from gramspect.errors import AdapterError
from gramspect.grammars.ebnf import Alternative, Block, Definition, Element, Reference
from gramspect.grammars.grammar import Grammar, expand
from gramspect.grammars.seeding import mutants
from gramspect.grammars.symbols import Operator
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.trace import ErrorKind, LLTrace, Verdict
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import Expectation, TestCase
from gramspect_javacc import adapter

FIXTURES = Path(__file__).parents[3] / "fixtures"


def case(*tokens: str) -> TestCase:
    return TestCase("test", Expectation.ACCEPT, " ".join(tokens), tokens=tokens)


def sequence(*elements: Element | str) -> Alternative:
    return Alternative(tuple(Reference(e) if isinstance(e, str) else e for e in elements))


def block(operator: Operator, *alternatives: Alternative) -> Block:
    return Block(operator, alternatives)


BLOCKS = expand(
    [
        Definition(
            "s",
            (
                sequence(
                    block(Operator.STAR, sequence("item", ";")),
                    block(Operator.OPTION, sequence("x"), sequence("y", "y")),
                    block(Operator.PLUS, sequence("p"), sequence("q")),
                    block(Operator.GROUP, sequence("k"), sequence("l", "l")),
                ),
            ),
        ),
        Definition("item", (sequence(), sequence("a", block(Operator.STAR, sequence("b"))))),
    ]
)


def agree(grammar: Grammar, tests: list[TestCase]) -> None:
    """Whether JavaCC and the chart see the same."""
    chart = ChartRecognizer(grammar)
    for test, trace in zip(tests, adapter.build(grammar).traces(tests), strict=True):
        found, expected = observe(trace), observe(chart.trace(test))
        assert (found.verdict, found.error) == (expected.verdict, expected.error)
        assert (found.rules, found.items) == (expected.rules, expected.items)
        assert (found.active, found.predicted) == (expected.active, expected.predicted)
        assert found.shift_items <= expected.shift_items
        assert isinstance(trace, LLTrace) == (found.verdict is Verdict.ACCEPTED)


def test_blocks() -> None:
    source = random.Random(4)
    letters = ["a", "b", ";", "x", "y", "p", "q", "k", "l"]
    words = [source.choices(letters, k=source.randrange(9)) for _ in range(150)]
    words += ["a b b ; ; a ; y y p q p l l".split(), "p k".split(), "; x q k".split()]
    agree(BLOCKS, [case(*word) for word in words])


def test_the_grammar_of_a_file_is_built_again() -> None:
    """What was read of a .jj file, with its blocks, is a grammar as any other."""
    loaded = adapter.load(str(FIXTURES / "javacc" / "Toy.jj"), LoadOptions())
    built = adapter.build(loaded.grammar)
    text = "program id = { while id do { } ; if id then sleep else sleep ; } ."
    tokens = loaded.tokens(TestCase("t", Expectation.ACCEPT, text))
    assert tokens is not None
    names = [loaded.grammar.symbols[token].name for token in tokens]
    found = observe(built.trace(case(*names)))
    expected = observe(loaded.trace(TestCase("t", Expectation.ACCEPT, text)))
    assert (found.verdict, found.rules, found.items) == (
        expected.verdict, expected.rules, expected.items,
    )  # fmt: skip


LISTS = Grammar.from_rules(
    [
        ("s", ["items", "tail"]),
        ("items", []),
        ("items", ["item", "items"]),
        ("item", ["a"]),
        ("item", ["(", "items", ")"]),
        ("tail", []),
        ("tail", ["b", "tail"]),
    ]
)


@pytest.mark.slow
def test_mutants_reject_what_the_chart_rejects() -> None:
    """Ordered choice accepts less, never more; where it accepts, the rules derive the input."""
    source = random.Random(5)
    built = agreed = 0
    for mutant in source.sample(list(mutants(LISTS)), 25):
        try:
            system = adapter.build(mutant.grammar)
        except AdapterError:
            continue
        built += 1
        tests = [case(*source.choices(["a", "b", "(", ")"], k=n)) for n in range(6)]
        chart = ChartRecognizer(mutant.grammar)
        for test, trace in zip(tests, system.traces(tests), strict=True):
            found, expected = observe(trace), observe(chart.trace(test))
            agreed += found.verdict is expected.verdict
            if found.verdict is Verdict.ACCEPTED:
                assert expected.verdict is Verdict.ACCEPTED
            elif expected.verdict is Verdict.REJECTED:
                assert found.error is not None
                assert expected.error is not None
                assert found.error.token == expected.error.token
    assert built > 10
    assert agreed > 5 * built


def test_conflicts_are_noted() -> None:
    grammar = Grammar.from_rules(
        [("s", ["x", "t"]), ("x", []), ("x", ["a", "x"]), ("t", ["a"]), ("t", ["b", "a"]),
         ("t", ["v"]), ("v", ["a", "b"]), ("t", ["u"]), ("u", ["b"]), ("u", ["c"])]
    )  # fmt: skip
    never, choice = adapter.build(grammar).grammar.diagnostics
    assert {note.code for note in (never, choice)} == {"choice-conflict"}
    assert never.message == (
        "in t: JavaCC never chooses v, as earlier alternatives begin with the same tokens"
    )
    assert "in t: JavaCC: Choice conflict involving two expansions" in choice.message
    assert 'prefix is: "b"' in choice.message
    assert not grammar.diagnostics


def test_the_first_alternative_wins() -> None:
    grammar = Grammar.from_rules([("s", ["a", "b"]), ("s", ["t"]), ("t", ["a", "c"])])
    system = adapter.build(grammar)
    (second,) = (observe(trace) for trace in system.traces([case("a", "c")]))
    assert second.verdict is Verdict.REJECTED
    assert second.error is not None
    assert second.error.token == 1
    assert "the grammar accepts this input" in second.error.message


@pytest.mark.parametrize(
    "texts",
    [
        ("a b", "a c"),
        ("a b d", "a c d", "a d", "c"),
        ("a", "a b", "", "b a"),
        ("a b c d", "a c", "a b", "d"),
        ("a a", "a", "a a a b", "b b"),
        ("b", "t a c", "t c", "t d", "a"),
        ("t b", "t t", "t"),
    ],
)
def test_alternatives_that_begin_alike(texts: tuple[str, ...]) -> None:
    """What they share is written once, so that JavaCC need not choose before it."""
    rules = [("s", text.split()) for text in texts]
    grammar = Grammar.from_rules([*rules, ("t", ["d"]), ("t", ["c", "d"])])
    words = [word for n in range(5) for word in product("abcd", repeat=n)]
    tests = [case(*word) for word in words]
    system, chart = adapter.build(grammar), ChartRecognizer(grammar)
    assert not system.grammar.diagnostics
    accepted = 0
    for test, trace in zip(tests, system.traces(tests), strict=True):
        found, expected = observe(trace), observe(chart.trace(test))
        assert (found.verdict, found.error) == (expected.verdict, expected.error)
        assert (found.rules, found.items) == (expected.rules, expected.items)
        accepted += found.verdict is Verdict.ACCEPTED
    assert accepted >= len(texts)


def test_unknown_words_are_lexical_errors() -> None:
    observation = observe(adapter.build(LISTS).trace(case("a", "zzz")))
    assert observation.error is not None
    assert (observation.error.kind, observation.error.token) == (ErrorKind.LEXICAL, 1)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ([("a", ["a", "x"]), ("a", ["x"])], 'Left recursion detected: "a... --> a..."'),
        (
            [("a", ["b", "x"]), ("a", ["x"]), ("b", ["a", "y"])],
            'Left recursion detected: "a... --> b... --> a..." ',
        ),
    ],
)
def test_left_recursion(rules: list[tuple[str, list[str]]], message: str) -> None:
    with pytest.raises(AdapterError) as caught:
        adapter.build(Grammar.from_rules(rules))
    assert message.strip() in str(caught.value)
    assert "\n" not in str(caught.value)


def test_tokens_with_odd_names() -> None:
    names = ["\\", '"', "é", "STRANGE", "T1", "EOF", "<EOF>", "\u2028"]
    grammar = Grammar.from_rules([("s", names)])
    assert observe(adapter.build(grammar).trace(case(*names))).verdict is Verdict.ACCEPTED


def test_an_option_that_an_edit_repeats() -> None:
    grammar = expand([Definition("s", (sequence("a", block(Operator.OPTION, sequence("x"))),))])
    (option,) = (s.index for s in grammar.nonterminals if s.operator is Operator.OPTION)
    once = grammar.rules[grammar.rules_of[option][0]]
    again = replace(once, rhs=(option, *once.rhs), rhs_spans=(None, *once.rhs_spans))
    rules = [r for rule in grammar.rules for r in ((rule, again) if rule is once else (rule,))]
    numbered = tuple(replace(rule, index=place) for place, rule in enumerate(rules))
    built = adapter.build(replace(grammar, rules=numbered))
    tests = [case("a"), case("a", "x"), case("a", "x", "x", "x"), case("a", "a")]
    verdicts = [observe(trace).verdict for trace in built.traces(tests)]
    assert verdicts == [*[Verdict.ACCEPTED] * 3, Verdict.REJECTED]


def test_helpers_that_contain_each_other_are_productions() -> None:
    """An edit can replace what a helper stands for by the helper around it."""
    inner = block(Operator.GROUP, sequence("x"), sequence("y", "y"))
    grammar = expand(
        [Definition("s", (sequence("a", block(Operator.OPTION, sequence("b", inner))),))]
    )
    option, group = (
        next(s.index for s in grammar.nonterminals if s.operator is operator)
        for operator in (Operator.OPTION, Operator.GROUP)
    )
    changed = [
        replace(rule, rhs=(*rule.rhs[:-1], option))
        if rule.rhs[-1:] == (group,)
        else replace(rule, rhs=(rule.rhs[0], group))
        if rule.rhs[-1:] == (option,)
        else rule
        for rule in grammar.rules
    ]
    built = adapter.build(replace(grammar, rules=tuple(changed)))
    (trace,) = built.traces([case("a", "x")])
    assert observe(trace).verdict is Verdict.ACCEPTED
