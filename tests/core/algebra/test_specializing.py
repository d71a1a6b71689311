"""Grammars of expressions, against all trees up to a size."""

from collections.abc import Callable
from functools import wraps
from random import Random

import brute
import pytest
from arithmetic import ARITHMETIC, NOTATION
from hypothesis import assume, given, reject
from hypothesis import strategies as st

import sql_like
import strategies
from cfg import Cfg
from gramspect.algebra.automaton import Product, TreeAutomaton
from gramspect.algebra.deciding import difference, emptiness, is_empty, smallest_tree
from gramspect.algebra.expressions import (
    And,
    Expression,
    Not,
    Or,
    counted,
    expression_text,
    parse_expression,
)
from gramspect.algebra.notation import Notation
from gramspect.algebra.patterns import Pattern, outline
from gramspect.algebra.specialized import Specialized, specialized
from gramspect.algebra.trees import first_tree
from gramspect.errors import GramspectError
from gramspect.generation.minimal import Minimal
from gramspect.generation.sampling import random_derivations
from gramspect.grammars.grammar import Grammar
from gramspect.recognition.chart import parse_chart
from input_algebras import combinations, five_patterns

SIZE = 6


MOST_STEPS = 100_000
"""The transitions of an automaton that is worth the time of a test."""


def of_small_automata(test: Callable[[st.DataObject], None]) -> Callable[[st.DataObject], None]:
    """Reject examples that ask for too large an automaton; they are refused, with a message."""

    @wraps(test)
    def run(data: st.DataObject) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("gramspect.algebra.automaton.MAX_STEPS", MOST_STEPS)
            try:
                test(data)
            except GramspectError as problem:
                if "ask for smaller numbers" not in str(problem):
                    raise
                reject()

    return run


def core(cfg: Cfg) -> Grammar:
    return Grammar.from_rules(cfg.rules, start=cfg.start)


def size_for(grammar: Grammar) -> int:
    """The largest size with few enough trees to look at each."""
    size = 1
    while size < SIZE and len(brute.all_trees(grammar, size + 1)) <= 300:
        size += 1
    return size


def trees_of(found: Specialized | None, size: int) -> set[brute.Rules]:
    """The trees of a specialized grammar as trees of its base."""
    if found is None:
        return set()
    costs = [int(origin is not None) for origin in found.origins]
    return {
        found.original(Pattern(found.grammar.start, tree)).rules
        for tree in brute.all_trees(found.grammar, size, costs)
    }


@given(st.data())
@of_small_automata
def test_a_grammar_has_the_trees_that_its_expression_means(data: st.DataObject) -> None:
    grammar = core(data.draw(strategies.grammars()))
    expression = data.draw(brute.expressions(grammar))
    size = size_for(grammar)
    trees = brute.all_trees(grammar, size)
    meant = brute.meant(grammar, expression, trees)
    automaton = TreeAutomaton(grammar, expression)
    assert meant == {t for t in trees if automaton.holds(Pattern(grammar.start, t))}
    assert trees_of(specialized(grammar, expression), size) == meant


# --- laws ----------------------------------------------------------------------------------


def same(grammar: Grammar, one: Expression, other: Expression) -> bool:
    return difference(grammar, one, other) is None


@given(st.data())
@of_small_automata
def test_laws_of_boolean_algebras(data: st.DataObject) -> None:
    grammar = core(data.draw(strategies.grammars()))
    both = brute.expressions(grammar)
    a, b, c = (data.draw(both) for _ in range(3))
    assert same(grammar, Not(Not(a)), a)
    assert same(grammar, Not(And((a, b))), Or((Not(a), Not(b))))
    assert same(grammar, And((a, Or((b, c)))), Or((And((a, b)), And((a, c)))))
    assert same(grammar, Or((a, And((a, b)))), a)
    assert is_empty(grammar, And((a, Not(a))))
    assert is_empty(grammar, Not(Or((a, Not(a)))))


@given(st.data())
@of_small_automata
def test_what_differs_differs_first_in_the_smallest_input(data: st.DataObject) -> None:
    grammar = core(data.draw(strategies.grammars()))
    expressions = brute.expressions(grammar)
    one, other = data.draw(expressions), data.draw(expressions)
    trees = brute.all_trees(grammar, size_for(grammar))
    first, second = (brute.meant(grammar, each, trees) for each in (one, other))
    found = difference(grammar, one, other)
    assert found is not None or first == second
    assume(found is not None)
    assert found is not None
    tree = brute.nested(grammar, grammar.start, iter(found.tree.rules))
    assert brute.holds(grammar, one, tree) == found.by_first
    assert brute.holds(grammar, other, tree) != found.by_first
    length = len(outline(grammar, found.tree).frontier)
    assert all(
        length <= len(outline(grammar, Pattern(grammar.start, each)).frontier)
        for each in first ^ second
    )


@given(st.data())
@of_small_automata
def test_what_is_empty_has_a_reason(data: st.DataObject) -> None:
    grammar = core(data.draw(strategies.grammars()))
    expression = data.draw(brute.expressions(grammar))
    if is_empty(grammar, expression):
        assert specialized(grammar, expression) is None
        assert emptiness(grammar, expression)
    else:
        tree = smallest_tree(grammar, expression)
        assert tree is not None
        assert brute.holds(
            grammar, expression, brute.nested(grammar, tree.symbol, iter(tree.rules))
        )


# --- examples ------------------------------------------------------------------------------

PATTERNS = {
    "double_paren": NOTATION.parse("((<expr>))"),
    "div_zero": NOTATION.parse("<factor> / 0 "),
    "digit_zero": NOTATION.parse("0"),
}


def parsed(text: str) -> Expression:
    return parse_expression(text, PATTERNS, NOTATION)


@pytest.mark.parametrize(
    ("text", "tokens", "meant"),
    [
        ("double_paren", "1+((2*3/4))", True),
        ("double_paren", "(1)+(2)", False),
        ("exactly 2 double_paren", "(((1)))", True),
        ("at most one double_paren", "(((1)))", False),
        ("double_paren and not div_zero", "((1/0))", False),
        ("div_zero in double_paren", "((1/0))", True),
        ("div_zero in the context of double_paren", "((1))/0", False),
        ("div_zero outside double_paren", "((1))/0", True),
        ("div_zero outside double_paren", "((1/0))", False),
        ("at least three <digit> and not '1'", "234", True),
        ("at least three <digit> and not '1'", "214", False),
        ("true and not false", "1", True),
    ],
)
def test_what_expressions_say(text: str, tokens: str, meant: bool) -> None:
    tree = first_tree(parse_chart(ARITHMETIC, [ARITHMETIC.symbol(c) for c in tokens]))
    expression = parsed(text)
    assert TreeAutomaton(ARITHMETIC, expression).holds(tree) == meant
    found = specialized(ARITHMETIC, expression)
    assert found is not None
    made = found.grammar
    assert parse_chart(made, [made.symbol(c) for c in tokens]).accepted == meant


@given(st.data())
def test_expressions_are_read_as_they_are_shown(data: st.DataObject) -> None:
    drawn = data.draw(brute.expressions(ARITHMETIC))
    names = {n.name: n.pattern for o in counted(drawn) for n in o.chain}
    again = parse_expression(expression_text(drawn), names, NOTATION)
    assert same(ARITHMETIC, again, drawn)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the expression is empty"),
        ("  ", "the expression is empty"),
        ("div_zero xor double_paren", "has 'xor' at column 10, where 'and', 'or' or the end"),
        ("div_zero & double_paren", "has '&' at column 10, where 'and', 'or' or the end"),
        ("div_zro", "names the pattern 'div_zro', which there is not; there are: double_paren"),
        ("(div_zero", "has the end at column 10, where ')' should be"),
        ("at least many div_zero", "has 'many' at column 10, where a number up to 1000"),
        ("not", "has the end at column 4, where a pattern should be"),
        ("div_zero in and", "has 'and' at column 13, where a pattern should be"),
        ("<exp>", "no non-terminal 'exp'; did you mean 'expr'?"),
        ("'2 &'", "has no tokens of the grammar arithmetic"),
        ("not " * 1000 + "div_zero", "nested more than 100 deep"),
    ],
)
def test_what_is_no_expression_is_said(text: str, said: str) -> None:
    with pytest.raises(GramspectError) as problem:
        parsed(text)
    assert said in str(problem.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("div_zero and not digit_zero", "no input has div_zero and is without digit_zero"),
        ("double_paren and div_zero and not digit_zero",
         "no input has div_zero and is without digit_zero"),
        ("not <digit>", "every input has <digit>"),
        ("at least 2 <start>", "no input has at least 2 <start>"),
        ("(exactly 1 digit_zero) and exactly 2 digit_zero",
         "no input has exactly 1 digit_zero and has exactly 2 digit_zero"),
        ("false", "no input is one of (false)"),
    ],
)  # fmt: skip
def test_why_nothing_is_meant(text: str, why: str) -> None:
    assert is_empty(ARITHMETIC, parsed(text))
    assert emptiness(ARITHMETIC, parsed(text)) == why


def test_patterns_that_occur_nowhere() -> None:
    rules = [("s", ["a"]), ("a", ["x"]), ("b", ["y"]), ("a", ["c", "x"]), ("c", ["c"])]
    grammar = Grammar.from_rules(rules)
    notation = Notation.of(grammar)
    for text, why in [
        ("'y'", "'y' occurs in no input: b is not reachable from s"),
        ("'<c> x'", "'<c> x' occurs in no input: nothing can stand for <c>, which derives no"
         " sentence"),
    ]:  # fmt: skip
        assert emptiness(grammar, parse_expression(text, {}, notation)) == why


# --- sizes ---------------------------------------------------------------------------------


def test_products_of_five_patterns_with_a_grammar_of_611_rules_stay_small() -> None:
    grammar = sql_like.grammar()
    assert grammar.n_rules == 611
    patterns = five_patterns(grammar, Random(3))
    for text, expression in combinations(patterns).items():
        found = specialized(grammar, expression)
        if found is None:  # p3 need not fit into p4
            assert "p3 in p4" in text
            continue
        assert found.grammar.n_rules < 50_000
        drawn = random_derivations(Minimal(found.grammar), Random(1))
        automaton = TreeAutomaton(grammar, expression)
        for _ in range(20):
            tree = Pattern(found.grammar.start, next(drawn).rules)
            assert automaton.holds(found.original(tree)), text


def test_numbers_that_are_too_large_are_refused() -> None:
    symbols = ("expr", "term")
    parts = tuple(parsed(f"exactly 500 <{symbol}>") for symbol in symbols)
    with pytest.raises(GramspectError, match="ask for smaller numbers, or for fewer patterns"):
        Product(TreeAutomaton(ARITHMETIC, And(parts)), most_steps=10_000)
