"""Tables of small grammars, checked by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Associativity
from gramspect.lr import LRTable, canonical_table, lalr_table, lr0_table, slr_table

ALL = [lr0_table, slr_table, lalr_table, canonical_table]

PAIR = [("S", ["C", "C"]), ("C", ["c", "C"]), ("C", ["d"])]
"""Aho, Lam, Sethi and Ullman 2006, grammar 4.55."""

ASSIGNMENT = [
    ("S", ["L", "=", "R"]),
    ("S", ["R"]),
    ("L", ["*", "R"]),
    ("L", ["id"]),
    ("R", ["L"]),
]
"""Grammar 4.49 there: LALR(1), not SLR(1)."""

CROSSED = [
    ("S", ["a", "A", "d"]),
    ("S", ["b", "B", "d"]),
    ("S", ["a", "B", "e"]),
    ("S", ["b", "A", "e"]),
    ("A", ["c"]),
    ("B", ["c"]),
]
"""Example 4.58 there: LR(1), not LALR(1)."""

EXPRESSION = [
    ("E", ["E", "+", "T"]),
    ("E", ["T"]),
    ("T", ["T", "*", "F"]),
    ("T", ["F"]),
    ("F", ["(", "E", ")"]),
    ("F", ["id"]),
]


def run(table: LRTable, *names: str) -> list[int] | None:
    """The rules that a parser reduces on these tokens, None on an error."""
    grammar = table.grammar
    tokens = [*(grammar.symbol(name) for name in names), 0]
    stack, reduced, position = [0], [], 0
    while True:
        action = int(table.action[stack[-1], tokens[position]])
        if action > 0:
            stack.append(action - 1)
            position += 1
        elif action == 0:
            return None
        elif action == -(grammar.n_rules + 1):
            return reduced
        else:
            rule = grammar.rules[-action - 1]
            reduced.append(rule.index)
            del stack[len(stack) - len(rule.rhs) :]
            row = table.goto[stack[-1]]
            stack.append(int(table.goto[row + rule.lhs - grammar.n_terminals]))


def test_canonical_table_of_the_pair_grammar() -> None:
    table = canonical_table(Grammar.from_rules(PAIR))
    accept = -4
    assert table.action.tolist() == [  # end, c, d
        [0, 2, 3],
        [0, 2, 3],
        [0, -3, -3],
        [accept, 0, 0],
        [0, 7, 8],
        [0, -2, -2],
        [0, 7, 8],
        [-3, 0, 0],
        [-1, 0, 0],
        [-2, 0, 0],
    ]
    starts = [10, 11, 13, 13, 12, 14, 13, 15, 15, 15]
    assert table.goto.tolist() == [*starts, 3, 4, 5, 8, 9]  # S and C, then C of three states
    assert (table.action.dtype, table.goto.dtype) == (np.int32, np.int32)
    assert table.conflicts == ()


def test_lalr_table_of_the_pair_grammar() -> None:
    table = lalr_table(Grammar.from_rules(PAIR))
    assert table.action.tolist() == [
        [0, 2, 3],
        [0, 2, 3],
        [-3, -3, -3],
        [-4, 0, 0],
        [0, 2, 3],
        [-2, -2, -2],
        [-1, 0, 0],
    ]
    assert table.goto.tolist() == [7, 8, 10, 10, 9, 11, 11, 3, 4, 5, 6]


def test_the_lr0_table_of_the_pair_grammar_reduces_whatever_comes() -> None:
    assert lr0_table(Grammar.from_rules(PAIR)).action.tolist() == [
        [0, 2, 3],
        [0, 2, 3],
        [-3, -3, -3],
        [-4, 0, 0],
        [0, 2, 3],
        [-2, -2, -2],
        [-1, -1, -1],
    ]


@pytest.mark.parametrize(
    ("rules", "lr0_states", "lr1_states", "conflict_free"),
    [
        (PAIR, 7, 10, {"lr0", "slr", "lalr", "canonical"}),
        (EXPRESSION, 12, 22, {"slr", "lalr", "canonical"}),
        (ASSIGNMENT, 10, 14, {"lalr", "canonical"}),
        (CROSSED, 13, 14, {"canonical"}),
    ],
)
def test_which_methods_suffice(
    rules: list[tuple[str, list[str]]],
    lr0_states: int,
    lr1_states: int,
    conflict_free: set[str],
) -> None:
    tables = [make(Grammar.from_rules(rules)) for make in ALL]
    assert {table.method for table in tables if not table.conflicts} == conflict_free
    assert [t.automaton.n_states for t in tables] == [*[lr0_states] * 3, lr1_states]


def test_lalr_lookaheads_of_the_assignment_grammar() -> None:
    grammar = Grammar.from_rules(ASSIGNMENT)
    slr = slr_table(grammar)
    (conflict,) = slr.conflicts
    assert [grammar.item_text(i) for i in conflict.items] == ["S -> L • = R", "R -> L •"]
    assert conflict.lookahead == grammar.symbol("=")
    row = lalr_table(grammar).action[conflict.state]
    assert row[grammar.symbol("=")] > 0
    assert row[0] == -(4 + 1)


def test_reductions_through_nullable_tails() -> None:
    # B is followed by what follows S, as C and D can both be empty.
    rules = [
        ("S", ["a", "B", "C", "D"]),
        ("B", ["b"]),
        ("C", ["c"]),
        ("C", []),
        ("D", []),
        ("D", ["d"]),
    ]
    grammar = Grammar.from_rules(rules)
    table = lalr_table(grammar)
    after_b = table.automaton.transitions[table.automaton.transitions[0][grammar.symbol("a")]][
        grammar.symbol("b")
    ]
    reduces = {grammar.symbols[t].name for t in np.flatnonzero(table.action[after_b] == -2)}
    assert reduces == {"$end", "c", "d"}
    for word in ("a b", "a b c", "a b d", "a b c d"):
        assert run(table, *word.split()) is not None
    assert run(table, "a", "b", "d", "c") is None


@pytest.mark.parametrize("make", [lalr_table, canonical_table])
def test_precedence_builds_the_right_derivation(make: Callable[[Grammar], LRTable]) -> None:
    grammar = Grammar.from_rules(
        [
            ("E", ["E", "+", "E"]),
            ("E", ["E", "*", "E"]),
            ("E", ["E", "^", "E"]),
            ("E", ["E", "<", "E"]),
            ("E", ["-", "E"]),
            ("E", ["n"]),
        ],
        precedence=[
            (Associativity.NONASSOC, ["<"]),
            (Associativity.LEFT, ["+", "-"]),
            (Associativity.LEFT, ["*"]),
            (Associativity.LEFT, ["NEG"]),
            (Associativity.RIGHT, ["^"]),
        ],
        rule_precedence={4: "NEG"},
    )
    table = make(grammar)
    add, multiply, power, less, negate, n = range(6)

    def reduced(text: str) -> list[int] | None:
        return run(table, *text.split())

    assert reduced("n + n * n") == [n, n, n, multiply, add]
    assert reduced("n * n + n") == [n, n, multiply, n, add]
    assert reduced("n + n + n") == [n, n, add, n, add]
    assert reduced("n ^ n ^ n") == [n, n, n, power, power]
    assert reduced("- n * n") == [n, negate, n, multiply]
    assert reduced("- n ^ n") == [n, n, power, negate]
    assert reduced("n + n < n") == [n, n, add, n, less]
    assert reduced("n < n < n") is None
    assert table.unresolved == ()


ODD = {
    "cyclic": ([("S", ["S"]), ("S", ["a"])], [1]),
    "mutually cyclic": ([("S", ["A"]), ("A", ["S"]), ("A", ["a"])], [2, 0]),
    "unproductive": ([("S", ["a"]), ("S", ["A", "b"]), ("A", ["a", "A"])], [0]),
    "unreachable": ([("S", ["a"]), ("Z", ["b", "Z"]), ("Z", [])], [0]),
    "duplicated rule": ([("S", ["a"]), ("S", ["a"])], [0]),
}


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("name", ODD)
def test_odd_grammars(make: Callable[[Grammar], LRTable], name: str) -> None:
    rules, reduced = ODD[name]
    table = make(Grammar.from_rules(rules))
    assert run(table, "a") == reduced


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("rhs", [["S"], ["S", "a"], ["a", "S"], ["S", "S"]])
def test_a_grammar_without_sentences_rejects_everything(
    make: Callable[[Grammar], LRTable], rhs: list[str]
) -> None:
    table = make(Grammar.from_rules([("S", rhs)]))
    tokens = ["a"] if "a" in rhs else []
    assert run(table) is None
    assert run(table, *tokens) is None


@pytest.mark.parametrize("make", [lalr_table, canonical_table])
def test_the_empty_grammar_accepts_the_empty_word(make: Callable[[Grammar], LRTable]) -> None:
    assert run(make(Grammar.from_rules([("S", [])]))) == [0]


@pytest.mark.parametrize("make", [lalr_table, canonical_table])
def test_deep_and_wide_grammars(make: Callable[[Grammar], LRTable]) -> None:
    n = 1000
    chain = [(f"A{i}", [f"A{i + 1}", f"N{i}"]) for i in range(n)]
    empty = [(f"N{i}", []) for i in range(n)]
    table = make(Grammar.from_rules([*chain, *empty, (f"A{n}", ["x"])]))
    assert table.conflicts == ()
    assert run(table, "x") is not None
    wide = make(Grammar.from_rules([("S", ["N"] * n), ("N", []), ("S", ["x"])]))
    assert run(wide) == [1] * n + [0]


def test_goto_table_of_unit_rules_is_linear() -> None:
    n = 3000
    chain = [(f"A{i}", [f"A{i + 1}"]) for i in range(n)]
    table = lalr_table(Grammar.from_rules([*chain, (f"A{n}", ["x"])]))
    assert table.goto.size == table.automaton.n_states + n + 1
    assert run(table, "x") == list(range(n, -1, -1))


def test_tables_are_deterministic() -> None:
    one, other = (canonical_table(Grammar.from_rules(EXPRESSION)) for _ in range(2))
    assert np.array_equal(one.action, other.action)
    assert np.array_equal(one.goto, other.goto)
    assert one.automaton.transitions == other.automaton.transitions
