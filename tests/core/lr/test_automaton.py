"""LR(0) automata, and automata rebuilt from transitions."""

from __future__ import annotations

import random

import pytest

from gramspect.errors import AdapterError, GrammarError
from gramspect.grammars.grammar import Grammar
from gramspect.lr import LRAutomaton, canonical_table
from gramspect.lr.automaton import AutomatonTooLarge, growing

EXPRESSION = [
    ("E", ["E", "+", "T"]),
    ("E", ["T"]),
    ("T", ["T", "*", "F"]),
    ("T", ["F"]),
    ("F", ["(", "E", ")"]),
    ("F", ["id"]),
]
"""Aho, Lam, Sethi and Ullman 2006, grammar 4.1."""


@pytest.fixture
def expression() -> Grammar:
    return Grammar.from_rules(EXPRESSION)


def texts(grammar: Grammar, items: tuple[int, ...]) -> list[str]:
    augmented = ["$accept -> • S", "$accept -> S •"]
    n = grammar.n_items
    return [augmented[i - n] if i >= n else grammar.item_text(i) for i in items]


def walk(automaton: LRAutomaton, *names: str) -> int:
    state = automaton.start
    for name in names:
        state = automaton.transitions[state][automaton.grammar.symbol(name)]
    return state


def test_lr0_kernels_of_the_expression_grammar(expression: Grammar) -> None:
    automaton = LRAutomaton.lr0(expression)
    assert sorted(texts(expression, kernel) for kernel in automaton.kernels) == sorted(
        [
            ["$accept -> • S"],
            ["E -> E • + T", "$accept -> S •"],
            ["E -> T •", "T -> T • * F"],
            ["T -> F •"],
            ["F -> ( • E )"],
            ["F -> id •"],
            ["E -> E + • T"],
            ["T -> T * • F"],
            ["E -> E • + T", "F -> ( E • )"],
            ["E -> E + T •", "T -> T • * F"],
            ["T -> T * F •"],
            ["F -> ( E ) •"],
        ]
    )


def test_closure_and_predicted(expression: Grammar) -> None:
    automaton = LRAutomaton.lr0(expression)
    after_plus = walk(automaton, "E", "+")
    assert texts(expression, automaton.closure(after_plus)) == [
        "E -> E + • T",
        "T -> • T * F",
        "T -> • F",
        "F -> • ( E )",
        "F -> • id",
    ]
    names = [expression.symbols[s].name for s in automaton.predicted(after_plus)]
    assert names == ["T", "F"]
    assert automaton.predicted(walk(automaton, "id")) == ()


def test_states_are_numbered_breadth_first(expression: Grammar) -> None:
    automaton = LRAutomaton.lr0(expression)
    seen = [0]
    for targets in automaton.transitions:
        assert list(targets) == sorted(targets)
        seen += [target for target in targets.values() if target not in seen]
    assert seen == list(range(automaton.n_states))


def test_example_is_a_shortest_way_to_the_state(expression: Grammar) -> None:
    automaton = LRAutomaton.lr0(expression)

    def example(*path: str) -> list[str]:
        found = automaton.example(walk(automaton, *path))
        return [expression.symbols[s].name for s in found]

    assert example() == []
    assert example("T", "*", "F") == ["id", "*", "id"]
    assert example("(", "E", "+", "T") == ["id", "+", "id"]  # the state does not know the bracket


def test_example_prefers_few_tokens_to_few_symbols() -> None:
    rules = [("S", ["a", "a", "D"]), ("S", ["B", "B", "B", "D"]), ("B", []), ("D", ["x"])]
    grammar = Grammar.from_rules(rules)
    automaton = LRAutomaton.lr0(grammar)
    after_x = walk(automaton, "a", "a", "x")
    assert after_x == walk(automaton, "B", "B", "B", "x")
    assert automaton.example(after_x) == (grammar.symbol("x"),)


def test_example_names_what_derives_no_sentence() -> None:
    grammar = Grammar.from_rules([("S", ["A", "b"]), ("A", ["a", "A"])])
    automaton = LRAutomaton.lr0(grammar)
    names = [grammar.symbols[s].name for s in automaton.example(walk(automaton, "A", "b"))]
    assert names == ["A", "b"]


@pytest.mark.parametrize("table", ["lr0", "canonical"])
def test_from_transitions_rebuilds_every_kernel(expression: Grammar, table: str) -> None:
    built = LRAutomaton.lr0(expression) if table == "lr0" else canonical_table(expression).automaton
    order = list(range(built.n_states))
    random.Random(1).shuffle(order)
    renumbered: list[dict[int, int]] = [{} for _ in order]
    for state, targets in enumerate(built.transitions):
        renumbered[order[state]] = {symbol: order[target] for symbol, target in targets.items()}
    rebuilt = LRAutomaton.from_transitions(expression, renumbered, start=order[0])
    assert [rebuilt.kernels[order[s]] for s in range(built.n_states)] == list(built.kernels)
    assert rebuilt.start == order[0]
    assert rebuilt.closure(order[0]) == built.closure(0)
    assert rebuilt.example(order[-1]) == built.example(built.n_states - 1)


def test_from_transitions_bears_missing_edges_and_unreachable_states() -> None:
    grammar = Grammar.from_rules([("S", ["S", "+", "S"]), ("S", ["a"])])
    full = LRAutomaton.lr0(grammar)
    after_sum = walk(full, "S", "+", "S")
    transitions = [dict(targets) for targets in full.transitions]
    del transitions[after_sum][grammar.symbol("+")]  # as %left resolves it
    transitions.append({grammar.symbol("a"): 0})
    rebuilt = LRAutomaton.from_transitions(grammar, transitions)
    assert rebuilt.kernels == (*full.kernels, ())
    assert rebuilt.transitions == tuple(transitions)
    assert rebuilt.closure(full.n_states) == rebuilt.predicted(full.n_states) == ()
    assert rebuilt.example(full.n_states) == ()


def test_from_transitions_leaves_out_what_an_incomplete_grammar_does_not_allow() -> None:
    """Also to states that are reached by other ways: after b no rule begins with x any more."""
    rules = [("S", ["a", "B"]), ("S", ["b", "A"]), ("A", ["B", "z"]), ("A", ["y"]), ("B", ["x"])]
    whole = Grammar.from_rules(rules)
    full = LRAutomaton.lr0(whole)
    after_b, lost = walk(full, "b"), walk(full, "b", "B")
    assert walk(full, "b", "x") == walk(full, "a", "x")
    partial = whole.with_rules([rule for rule in whole.rules if rule.label != "A:1"])
    with pytest.raises(AdapterError, match=f"state {after_b} cannot read 'x'"):
        LRAutomaton.from_transitions(partial, full.transitions)
    rebuilt = LRAutomaton.from_transitions(partial, full.transitions, complete=False)
    expected = [dict(targets) for targets in full.transitions]
    expected[after_b] = {whole.symbol(name): walk(full, "b", name) for name in ("y", "A")}
    expected[lost] = {}
    assert rebuilt.transitions == tuple(expected)
    assert [s for s, kernel in enumerate(rebuilt.kernels) if not kernel] == [
        lost,
        walk(full, "b", "B", "z"),
    ]


@pytest.mark.parametrize(
    ("state", "symbol", "target", "message"),
    [
        (0, "+", 1, "state 0 cannot read '+'"),
        (0, "T", 0, "state 0 has two item sets"),
        (0, "T", 99, "state 0 cannot read 'T'"),
        (0, "T", -1, "state 0 cannot read 'T'"),
    ],
)
def test_from_transitions_refuses_foreign_tables(
    expression: Grammar, state: int, symbol: str, target: int, message: str
) -> None:
    transitions = [dict(targets) for targets in LRAutomaton.lr0(expression).transitions]
    transitions[state][expression.symbol(symbol)] = target
    with pytest.raises(AdapterError, match="do not match the grammar") as caught:
        LRAutomaton.from_transitions(expression, transitions)
    assert message in str(caught.value)


def test_from_transitions_refuses_unknown_symbols_and_start(expression: Grammar) -> None:
    for symbol in (-1, len(expression.symbols)):
        with pytest.raises(AdapterError, match=f"state 0 cannot read symbol {symbol};"):
            LRAutomaton.from_transitions(expression, [{symbol: 0}])
    for start in (-1, 1, 3):
        with pytest.raises(AdapterError, match=f"no state {start}, which should be the first"):
            LRAutomaton.from_transitions(expression, [{}], start=start)


def test_exponential_automata_are_refused() -> None:
    # The n-th token from the end is b: a deterministic automaton has 2**n states.
    n = 30
    chain = [(f"A{i}", [t, f"A{i + 1}"]) for i in range(1, n) for t in "ab"]
    rules = [("S", ["a", "S"]), ("S", ["b", "S"]), ("S", ["b", "A1"]), *chain, (f"A{n}", [])]
    grammar = Grammar.from_rules(rules)
    with pytest.raises(GrammarError, match=r"the LR\(0\) automaton .* more than 1,000 states"):
        LRAutomaton.lr0(grammar, max_states=1000)
    with pytest.raises(GrammarError, match="more than 13 states"):
        canonical_table(Grammar.from_rules(EXPRESSION), max_states=13)
    assert canonical_table(Grammar.from_rules(EXPRESSION), max_states=22).conflicts == ()


def test_an_automaton_that_is_too_large_says_which_and_why(expression: Grammar) -> None:
    with pytest.raises(AutomatonTooLarge) as many:
        LRAutomaton.lr0(expression, max_states=11)
    start = "the LR(0) automaton of the grammar grammar"
    assert (many.value.kind, many.value.reason) == ("LR(0)", f"{start} has more than 11 states")
    assert LRAutomaton.lr0(expression, max_states=12).n_states == 12
    with pytest.raises(AutomatonTooLarge) as large, growing(expression, "LR(0)", [0] * 1234, 9999):
        raise MemoryError
    assert large.value.kind == "LR(0)"
    assert large.value.reason == (
        f"there is not enough memory for {start}, which has more than 1,234 states"
    )
    for problem in (many.value, large.value):
        assert str(problem).startswith(f"{problem.reason}; use a chart parser for it, or LALR(1)")


def test_long_chains_and_rules() -> None:
    n = 2000
    chain = [(f"A{i}", [f"A{i + 1}"]) for i in range(n)]
    grammar = Grammar.from_rules([*chain, (f"A{n}", ["x"] * n)])
    automaton = LRAutomaton.lr0(grammar)
    assert automaton.n_states == 1 + (n + 1) + n
    assert len(automaton.predicted(0)) == n + 1
    assert len(automaton.example(walk(automaton, *["x"] * n))) == n
