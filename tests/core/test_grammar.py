"""The grammar model: numbering, labels, names, edits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toy
from gramspect.errors import GrammarError
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import END, Associativity, Precedence


def test_numbering() -> None:
    grammar = toy.grammar("s -> a t b\ns ->\nt -> c")
    assert [s.name for s in grammar.symbols] == ["$end", "a", "b", "c", "s", "t"]
    assert [s.index for s in grammar.symbols] == list(range(6))
    assert grammar.symbols[END].name == "$end"
    assert (grammar.n_terminals, grammar.n_nonterminals, grammar.n_rules) == (4, 2, 3)
    assert [s.name for s in grammar.terminals] == ["a", "b", "c"]
    assert [s.name for s in grammar.nonterminals] == ["s", "t"]
    assert [rule.rhs for rule in grammar.rules] == [(1, 5, 2), (), (3,)]
    assert grammar.rules_of == {4: (0, 1), 5: (2,)}
    assert grammar.item_start == (0, 4, 5, 7)
    assert grammar.n_items == 7


rhs = st.lists(st.sampled_from("SAab"), max_size=4)


@given(st.lists(st.tuples(st.sampled_from("SA"), rhs), min_size=1))
def test_items_and_rules_match(rules: list[tuple[str, list[str]]]) -> None:
    grammar = Grammar.from_rules(rules)
    expected = [(r, dot) for r, (_, symbols) in enumerate(rules) for dot in range(len(symbols) + 1)]
    assert [grammar.split_item(item) for item in range(grammar.n_items)] == expected
    assert [grammar.item(r, dot) for r, dot in expected] == list(range(grammar.n_items))
    for (lhs, symbols), rule in zip(rules, grammar.rules, strict=True):
        assert grammar.symbols[rule.lhs].name == lhs
        assert [grammar.symbols[s].name for s in rule.rhs] == symbols
        assert grammar.rules[grammar.rules_of[rule.lhs][rule.alternative - 1]] is rule
        assert rule.label == f"{lhs}:{rule.alternative}"


def test_labels_of_the_paper() -> None:
    grammar = toy.toy()
    assert [rule.label for rule in grammar.rules if rule.lhs == grammar.symbol("stmt")] == [
        "stmt:1",
        "stmt:2",
        "stmt:3",
        "stmt:4",
        "stmt:5",
    ]
    item = grammar.item(next(r.index for r in grammar.rules if r.label == "stmt:3"), 2)
    assert grammar.item_label(item) == "stmt:3:2"
    assert grammar.item_text(item) == "stmt -> while expr • do block"
    assert grammar.item_text(item, mark="_") == "stmt -> while expr _ do block"
    assert grammar.rule_text(grammar.split_item(item)[0]) == "stmt -> while expr do block"
    assert grammar.item_span(item) is None


def test_names() -> None:
    grammar = toy.toy()
    assert grammar.symbols[grammar.symbol("stmt")].name == "stmt"
    assert grammar.token("while") == grammar.symbol("while")
    assert grammar.token("stmt") is None
    assert grammar.token("$end") is None
    assert grammar.token("nothing") is None
    with pytest.raises(GrammarError, match="the grammar grammar has no symbol 'nothing'"):
        grammar.symbol("nothing")


def test_start() -> None:
    rules = [("s", ["t"]), ("t", ["a"])]
    assert Grammar.from_rules(rules).start == 2
    assert Grammar.from_rules(rules, start="t").start == 3
    with pytest.raises(GrammarError, match="the start symbol 'a' has no rule"):
        Grammar.from_rules(rules, start="a")
    with pytest.raises(GrammarError, match="the grammar empty has no rules"):
        Grammar.from_rules([], name="empty")


EXPRESSIONS = [
    ("e", ["e", "+", "e"]),
    ("e", ["e", "*", "e"]),
    ("e", ["-", "e"]),
    ("e", ["(", "e", ")"]),
    ("e", ["e", "?"]),
]


def expressions() -> Grammar:
    levels = [
        (Associativity.LEFT, ["+", "-"]),
        (Associativity.LEFT, ["*"]),
        (Associativity.RIGHT, ["UMINUS"]),
    ]
    return Grammar.from_rules(EXPRESSIONS, precedence=levels, rule_precedence={2: "UMINUS"})


def rule_precedences(grammar: Grammar) -> list[str | None]:
    return [
        None if rule.precedence is None else grammar.symbols[rule.precedence].name
        for rule in grammar.rules
    ]


def test_precedence() -> None:
    grammar = expressions()
    assert grammar.precedence == {
        grammar.symbol("+"): Precedence(1, Associativity.LEFT),
        grammar.symbol("-"): Precedence(1, Associativity.LEFT),
        grammar.symbol("*"): Precedence(2, Associativity.LEFT),
        grammar.symbol("UMINUS"): Precedence(3, Associativity.RIGHT),
    }
    assert rule_precedences(grammar) == ["+", "*", "UMINUS", None, None]


def test_edited_rules_take_the_precedence_of_their_last_token_anew() -> None:
    grammar = expressions()
    plus, times, minus = (grammar.symbol(name) for name in "+*-")
    first, _, negation, parentheses, _ = grammar.rules

    def precedence(edited: int | None) -> str | None:
        return None if edited is None else grammar.symbols[edited].name

    def edited(rule: int, rhs: tuple[int, ...]) -> str | None:
        spans = (None,) * len(rhs)
        return precedence(grammar.edited(grammar.rules[rule], rhs, spans).precedence)

    e = grammar.start
    assert edited(first.index, (e, times, e)) == "*"
    assert edited(first.index, (e, e)) is None
    assert edited(negation.index, (plus, e)) == "UMINUS"
    assert edited(parentheses.index, (minus, e)) == "-"


def test_with_rules_numbers_and_labels_anew() -> None:
    grammar = toy.grammar("s -> a\ns -> b\ns -> c\nt -> d")
    shorter = grammar.with_rules(rule for rule in grammar.rules if rule.label != "s:2")
    assert [(r.index, r.label, r.alternative) for r in shorter.rules] == [
        (0, "s:1", 1),
        (1, "s:2", 2),
        (2, "t:1", 1),
    ]
    assert [shorter.rule_text(r) for r in range(3)] == ["s -> a", "s -> c", "t -> d"]
    assert shorter.symbols is grammar.symbols
    assert shorter.n_items == 6
    assert shorter.rules[0] is grammar.rules[0]
    assert [rule.label for rule in grammar.rules] == ["s:1", "s:2", "s:3", "t:1"]
