"""How conflicts are resolved, and what they say about themselves."""

from __future__ import annotations

import pytest

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Associativity
from gramspect.lr import Conflict, LRTable, Reason, canonical_table, lalr_table
from gramspect.lr.tables import n_lalr_conflicts

LEFT, RIGHT = Associativity.LEFT, Associativity.RIGHT
NONASSOC, NONE = Associativity.NONASSOC, Associativity.NONE

SUM = [("E", ["E", "+", "E"]), ("E", ["n"])]
REDUCE_SUM = -1


def only(table: LRTable) -> Conflict:
    (conflict,) = table.conflicts
    assert conflict.action == table.action[conflict.state, conflict.lookahead]
    return conflict


def test_dangling_else() -> None:
    grammar = Grammar.from_rules(
        [
            ("stmt", ["if", "expr", "then", "stmt"]),
            ("stmt", ["if", "expr", "then", "stmt", "else", "stmt"]),
            ("stmt", ["other"]),
            ("expr", ["id"]),
        ]
    )
    table = lalr_table(grammar)
    conflict = only(table)
    assert (conflict.kind, conflict.reason) == ("shift/reduce", Reason.SHIFT_FIRST)
    assert not conflict.by_precedence
    assert table.unresolved == (conflict,)
    assert conflict.action == conflict.target + 1
    assert conflict.rules == (0,)
    assert str(conflict) == "\n".join(
        [
            f"shift/reduce conflict in state {conflict.state} on else:",
            "    stmt -> if expr then stmt •  [stmt:1:4]",
            "    stmt -> if expr then stmt • else stmt  [stmt:2:4]",
            "  for instance after: if id then other • else",
            f"  resolved: shift to state {conflict.target}, because no precedence decides, "
            "and shifting comes before reducing",
        ]
    )


def test_canonical_conflicts_name_their_own_states() -> None:
    rules = [("S", ["i", "S"]), ("S", ["i", "S", "e", "S"]), ("S", ["x"])]
    table = canonical_table(Grammar.from_rules(rules))
    examples = [[c.automaton.grammar.symbols[s].name for s in c.example] for c in table.conflicts]
    assert examples == [["i", "i", "x"]]
    assert len(lalr_table(Grammar.from_rules(rules)).conflicts) == 1


@pytest.mark.parametrize(
    ("levels", "wins", "reason"),
    [
        ([(LEFT, ["+"])], "reduce", Reason.LEFT),
        ([(RIGHT, ["+"])], "shift", Reason.RIGHT),
        ([(NONASSOC, ["+"])], "error", Reason.NONASSOC),
        ([(NONE, ["+"])], "shift", Reason.SHIFT_FIRST),
        ([], "shift", Reason.SHIFT_FIRST),
    ],
)
def test_equal_levels(
    levels: list[tuple[Associativity, list[str]]], wins: str, reason: Reason
) -> None:
    grammar = Grammar.from_rules(SUM, precedence=levels)
    conflict = only(lalr_table(grammar))
    assert conflict.target is not None
    assert conflict.action == {"reduce": REDUCE_SUM, "shift": conflict.target + 1, "error": 0}[wins]
    assert conflict.reason is reason
    assert conflict.by_precedence == (reason is not Reason.SHIFT_FIRST)
    assert n_lalr_conflicts(grammar) == (not conflict.by_precedence)


@pytest.mark.parametrize(
    ("levels", "rule_token", "reason"),
    [
        ([(LEFT, ["+"]), (LEFT, ["HIGH"])], "HIGH", Reason.RULE_BINDS_TIGHTER),
        ([(LEFT, ["LOW"]), (LEFT, ["+"])], "LOW", Reason.TOKEN_BINDS_TIGHTER),
        ([(LEFT, ["HIGH"])], "HIGH", Reason.SHIFT_FIRST),  # the token has no level
        ([(LEFT, ["+"])], "n", Reason.SHIFT_FIRST),  # the rule has none
    ],
)
def test_levels_of_rules(
    levels: list[tuple[Associativity, list[str]]], rule_token: str, reason: Reason
) -> None:
    grammar = Grammar.from_rules(SUM, precedence=levels, rule_precedence={0: rule_token})
    assert only(lalr_table(grammar)).reason is reason


def test_the_earlier_rule_wins() -> None:
    rules = [("S", ["A"]), ("S", ["B"]), ("B", ["x"]), ("A", ["x"])]
    conflict = only(lalr_table(Grammar.from_rules(rules)))
    assert (conflict.kind, conflict.reason) == ("reduce/reduce", Reason.EARLIER_RULE)
    assert (conflict.target, conflict.rules, conflict.action) == (None, (2, 3), -3)
    assert "reduce by B -> x  [B:1], because" in str(conflict)
    assert "after: x • end of input" in str(conflict)


def test_accepting_wins() -> None:
    conflict = only(lalr_table(Grammar.from_rules([("S", ["S"]), ("S", ["x"])])))
    assert (conflict.kind, conflict.reason) == ("shift/reduce", Reason.ACCEPT_FIRST)
    assert conflict.rules == (0, 2)
    assert str(conflict).splitlines()[1:] == [
        "    S -> S •  [S:1:1]",
        "    $accept -> S •",
        "  for instance after: x • end of input",
        "  resolved: accept, because no precedence decides, and accepting comes before reducing",
    ]


THREE = [("E", ["E", "+", "E"]), ("E", ["n"]), ("E", ["E", "+", "A"]), ("A", ["E"])]
"""After ``E + E``, the first and the last rule compete with the shift of ``+``."""


@pytest.mark.parametrize(
    ("associativity", "reasons"),
    [
        (LEFT, [Reason.LEFT, Reason.EARLIER_RULE]),
        (RIGHT, [Reason.RIGHT, Reason.SHIFT_FIRST]),
        (NONASSOC, [Reason.NONASSOC, Reason.NONASSOC]),
    ],
)
def test_three_actions_on_one_token(associativity: Associativity, reasons: list[Reason]) -> None:
    table = lalr_table(Grammar.from_rules(THREE, precedence=[(associativity, ["+"])]))
    on_plus = [c for c in table.conflicts if c.lookahead == table.grammar.symbol("+")]
    assert [c.reason for c in on_plus] == reasons
    first, second = on_plus
    assert (first.rules, second.rules) == ((0,), (3,) if associativity is not LEFT else (0, 3))
    assert second.action == table.action[second.state, second.lookahead]
    (at_end,) = [c for c in table.conflicts if c.lookahead == 0]
    assert (at_end.kind, at_end.rules, at_end.action) == ("reduce/reduce", (0, 3), -1)
    assert n_lalr_conflicts(table.grammar) == len(table.unresolved)


def test_a_nonassociative_error_says_so() -> None:
    conflict = only(lalr_table(Grammar.from_rules(SUM, precedence=[(NONASSOC, ["+"])])))
    assert str(conflict).endswith(
        "resolved: the token is an error, because rule and token have the same precedence, "
        "which is non-associative"
    )


def test_the_example_of_an_empty_prefix() -> None:
    table = lalr_table(Grammar.from_rules([("S", ["A", "x"]), ("S", ["x"]), ("A", [])]))
    assert only(table).example == ()
    assert "after: (nothing) • x" in str(only(table))
