"""Fault seeding: which mutants there are, and that each knows where its one fault is."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toy
from gramspect.grammars.ebnf import Alternative, Block, Definition, Reference
from gramspect.grammars.grammar import Grammar, expand
from gramspect.grammars.seeding import Mutant, Mutation, mutants, sample
from gramspect.grammars.symbols import END, Associativity, Operator, Rule
from gramspect.source import SourceText, Span

SYMBOL_EDITS = (
    Mutation.DELETION,
    Mutation.INSERTION,
    Mutation.SUBSTITUTION,
    Mutation.TRANSPOSITION,
)

Text = tuple[int, tuple[int, ...]]


@st.composite
def grammars(draw: st.DrawFn) -> Grammar:
    """Any grammar of up to seven rules, duplicates and nullable symbols included."""
    rhs = st.lists(st.sampled_from("SABab"), max_size=3)
    rules = draw(st.lists(st.tuples(st.sampled_from("SAB"), rhs), max_size=6))
    return Grammar.from_rules([("S", draw(rhs)), *rules])


def texts(grammar: Grammar) -> Counter[Text]:
    return Counter((rule.lhs, rule.rhs) for rule in grammar.rules)


def edits(grammar: Grammar, operator: Mutation, rule: Rule) -> set[tuple[int, ...]]:
    """What an operator makes of a right-hand side, by its definition."""
    rhs = rule.rhs
    symbols = range(1, len(grammar.symbols))
    positions = range(len(rhs))
    match operator:
        case Mutation.DELETION:
            return {rhs[:i] + rhs[i + 1 :] for i in positions}
        case Mutation.INSERTION:
            return {(*rhs[:i], s, *rhs[i:]) for i in range(len(rhs) + 1) for s in symbols}
        case Mutation.SUBSTITUTION:
            return {(*rhs[:i], s, *rhs[i + 1 :]) for i in positions for s in symbols}
        case _:
            return {(*rhs[:i], rhs[i + 1], rhs[i], *rhs[i + 2 :]) for i in positions[:-1]}


def expected(grammar: Grammar, operator: Mutation) -> Counter[frozenset[Text]]:
    """The mutants as sets of rules, counted once for each rule edited."""
    known = texts(grammar)
    found: Counter[frozenset[Text]] = Counter()

    def note(changed: Counter[Text]) -> None:
        found[frozenset(changed.elements())] += 1

    for rule in grammar.rules:
        old = (rule.lhs, rule.rhs)
        if operator in SYMBOL_EDITS:
            for rhs in edits(grammar, operator, rule):
                new = (rule.lhs, rhs)
                if new not in known and rhs != (rule.lhs,):
                    note(known - Counter([old]) + Counter([new]))
        elif operator is Mutation.DELETED_ALTERNATIVE:
            alone = len(grammar.rules_of[rule.lhs]) == 1
            if known[old] == 1 and not alone:
                note(known - Counter([old]))
    if operator is Mutation.EMPTY_ALTERNATIVE:
        for symbol in grammar.nonterminals:
            if symbol.index not in grammar.analysis.nullable:
                note(known + Counter([(symbol.index, ())]))
    return found


# --- properties ----------------------------------------------------------------------------


@pytest.mark.parametrize("operator", Mutation)
@given(grammar=grammars())
def test_the_mutants_are_those_of_the_definition(operator: Mutation, grammar: Grammar) -> None:
    found = Counter(frozenset(texts(m.grammar)) for m in mutants(grammar, [operator]))
    assert found == expected(grammar, operator)


@given(grammars())
def test_every_mutant_differs_from_the_original_in_one_rule(grammar: Grammar) -> None:
    original = texts(grammar)
    for mutant in mutants(grammar):
        mutated = texts(mutant.grammar)
        assert set(mutated) != set(original)
        gone, new = original - mutated, mutated - original
        assert (gone.total(), new.total()) == {
            Mutation.EMPTY_ALTERNATIVE: (0, 1),
            Mutation.DELETED_ALTERNATIVE: (1, 0),
        }.get(mutant.operator, (1, 1))
        assert {lhs for lhs, _ in gone + new} == {mutant.nonterminal}


@given(grammars())
def test_the_fault_is_where_the_mutant_says(grammar: Grammar) -> None:
    for mutant in mutants(grammar, SYMBOL_EDITS):
        assert mutant.rule == mutant.original_rule
        assert mutant.rule is not None
        assert mutant.item is not None
        assert mutant.original_item is not None
        old, new = grammar.rules[mutant.rule], mutant.grammar.rules[mutant.rule]
        rule, dot = mutant.grammar.split_item(mutant.item)
        assert (rule, dot) == (mutant.rule, mutant.dot)
        assert grammar.split_item(mutant.original_item) == (rule, dot)
        assert mutant.label == new.label == old.label
        assert mutant.position_one == (dot == 0)
        before, width_old, width_new = {
            Mutation.DELETION: (dot, 1, 0),
            Mutation.INSERTION: (dot, 0, 1),
            Mutation.SUBSTITUTION: (dot, 1, 1),
            Mutation.TRANSPOSITION: (dot, 2, 2),
        }[mutant.operator]
        assert new.rhs[:before] == old.rhs[:before]
        assert new.rhs[before + width_new :] == old.rhs[before + width_old :]
        edited = new.rhs[before : before + width_new]
        if mutant.operator is Mutation.TRANSPOSITION:
            assert edited == old.rhs[before : before + 2][::-1]
        else:
            assert edited == (() if mutant.symbol is None else (mutant.symbol,))


@given(grammars())
def test_no_rule_is_duplicated_or_trivial(grammar: Grammar) -> None:
    original = texts(grammar)
    for mutant in mutants(grammar):
        for (lhs, rhs), count in (texts(mutant.grammar) - original).items():
            assert count == 1
            assert (lhs, rhs) not in original
            assert rhs != (lhs,)
            assert END not in rhs


@given(grammars(), st.integers(0, 20), st.integers())
def test_samples(grammar: Grammar, count: int, seed: int) -> None:
    everything = set(mutants(grammar))
    drawn = sample(grammar, count, seed)
    assert len(drawn) == len(set(drawn)) == min(count, len(everything))
    assert set(drawn) <= everything
    assert sample(grammar, count, seed) == drawn
    assert sample(grammar, count + 1, seed)[: len(drawn)] == drawn
    assert set(sample(grammar, len(everything), seed)) == everything


@given(grammars(), st.sets(st.sampled_from(Mutation)))
def test_operators_can_be_chosen(grammar: Grammar, chosen: set[Mutation]) -> None:
    selected = [m for m in mutants(grammar) if m.operator in chosen]
    assert list(mutants(grammar, chosen)) == selected
    assert set(sample(grammar, len(selected), 1, chosen)) == set(selected)


# --- counts --------------------------------------------------------------------------------


def test_counts_by_arithmetic() -> None:
    """Without repeated symbols and near-duplicates the numbers are closed formulas."""
    grammar = toy.grammar("s -> a b c\ns -> d t\nt -> e f g h")
    symbols = len(grammar.symbols) - 1
    lengths = [len(rule.rhs) for rule in grammar.rules]
    counts = Counter(mutant.operator for mutant in mutants(grammar))
    assert counts == {
        Mutation.DELETION: sum(lengths),
        Mutation.INSERTION: sum((n + 1) * symbols - n for n in lengths),
        Mutation.SUBSTITUTION: sum(n * (symbols - 1) for n in lengths),
        Mutation.TRANSPOSITION: sum(n - 1 for n in lengths),
        Mutation.EMPTY_ALTERNATIVE: 2,
        Mutation.DELETED_ALTERNATIVE: 2,
    }


def test_counts_of_the_toy_grammar() -> None:
    """The formulas, less the edits that give another alternative or ``A -> A``."""
    grammar = toy.toy()
    symbols, rules, occurrences = 29, 22, 59
    assert len(grammar.symbols) - 1 == symbols
    assert sum(len(rule.rhs) for rule in grammar.rules) == occurrences
    # block:1 -> 2 and 3, block:2 -> 4, block:3 -> 4, decls:1 -> 2, stmts:1 -> 2, and back again
    shorter = longer = 6
    # block:2 and 3, stmt:1 and 5, type:1 and 2, expr:1 and 2, expr:4 and 5, each way
    same_length = 10
    trivial = 6  # stmt:1, stmt:5, type:1, type:2, expr:4, expr:5
    assert Counter(mutant.operator for mutant in mutants(grammar)) == {
        Mutation.DELETION: occurrences - shorter,
        Mutation.INSERTION: (occurrences + rules) * symbols - occurrences - longer,
        Mutation.SUBSTITUTION: occurrences * (symbols - 1) - same_length - trivial,
        Mutation.TRANSPOSITION: occurrences - rules,
        Mutation.EMPTY_ALTERNATIVE: 8,
        Mutation.DELETED_ALTERNATIVE: 20,
    }


def test_equivalent_edits_are_made_once() -> None:
    grammar = toy.grammar("s -> a a b")
    assert [m.dot for m in mutants(grammar, [Mutation.DELETION])] == [0, 2]
    inserted = [m for m in mutants(grammar, [Mutation.INSERTION]) if m.symbol == 1]
    assert [(m.dot, m.grammar.rules[0].rhs) for m in inserted] == [
        (0, (1, 1, 1, 2)),
        (3, (1, 1, 2, 1)),
    ]
    assert [m.dot for m in mutants(grammar, [Mutation.TRANSPOSITION])] == [1]


# --- single mutants ------------------------------------------------------------------------


def find(grammar: Grammar, description: str) -> Mutant:
    (found,) = [m for m in mutants(grammar) if m.description == description]
    return found


@pytest.mark.parametrize(
    ("description", "item", "text", "position_one"),
    [
        (
            "stmt:2: deleted 'else' before position 4",
            "stmt:2:4",
            "stmt -> if expr then stmt • stmt",
            False,
        ),
        ("stmt:4: deleted 'id' before position 0", "stmt:4:0", "stmt -> • = expr", True),
        ("expr:4: inserted 'num' at position 1", "expr:4:1", "expr -> id • num", False),
        ("expr:4: inserted 'num' at position 0", "expr:4:0", "expr -> • num id", True),
        (
            "stmt:3: replaced 'block' by 'stmt' at position 3",
            "stmt:3:3",
            "stmt -> while expr do • stmt",
            False,
        ),
        (
            "decl:1: swapped 'id' and ':' at position 1",
            "decl:1:1",
            "decl -> var • : id type",
            False,
        ),
        ("type:3: added an empty alternative", "type:3:0", "type -> •", False),
    ],
)
def test_description_and_place(description: str, item: str, text: str, position_one: bool) -> None:
    mutant = find(toy.toy(), description)
    assert mutant.item is not None
    assert mutant.grammar.item_label(mutant.item) == item
    assert mutant.grammar.item_text(mutant.item) == text
    assert mutant.position_one is position_one
    assert mutant.label == item.rsplit(":", 1)[0]


def test_a_deleted_alternative_blames_the_nonterminal() -> None:
    grammar = toy.toy()
    mutant = find(grammar, "stmt: deleted alternative 2, stmt -> if expr then stmt else stmt")
    assert (mutant.rule, mutant.dot, mutant.item, mutant.original_item) == (None,) * 4
    assert mutant.nonterminal == grammar.symbol("stmt")
    assert mutant.original_rule is not None
    assert grammar.rules[mutant.original_rule].label == "stmt:2"
    assert not mutant.position_one
    kept = [mutant.grammar.rule_text(r) for r in mutant.grammar.rules_of[mutant.nonterminal]]
    assert kept == [
        "stmt -> sleep",
        "stmt -> while expr do block",
        "stmt -> id = expr",
        "stmt -> block",
    ]
    assert mutant.grammar.rules[mutant.grammar.rules_of[mutant.nonterminal][1]].label == "stmt:2"


def test_an_empty_alternative_is_the_last_of_its_nonterminal() -> None:
    grammar = toy.toy()
    mutant = find(grammar, "decls:3: added an empty alternative")
    assert mutant.rule is not None
    assert mutant.rule == grammar.rules_of[grammar.symbol("decls")][-1] + 1
    assert mutant.grammar.rules[mutant.rule].rhs == ()
    assert (mutant.original_rule, mutant.original_dot, mutant.original_item) == (None,) * 3
    assert [r.index for r in mutant.grammar.rules] == list(range(grammar.n_rules + 1))


def test_the_only_alternative_is_not_deleted() -> None:
    grammar = toy.grammar("s -> a t\nt -> b\nt -> b\nt -> c")
    deleted = [m.description for m in mutants(grammar, [Mutation.DELETED_ALTERNATIVE])]
    assert deleted == ["t: deleted alternative 3, t -> c"]


def test_helpers_are_mutated_and_blamed_on_their_owner() -> None:
    star = Block(Operator.STAR, (Alternative((Reference("a"), Reference("b"))),))
    grammar = expand([Definition("s", (Alternative((Reference("x"), star)),))])
    mutant = find(grammar, "s:1.1.1:1: deleted 'b' before position 1")
    assert mutant.item is not None
    assert mutant.grammar.item_text(mutant.item) == "s -> x ( a • )*"
    assert mutant.grammar.user_nonterminal(mutant.nonterminal) == grammar.start
    unused = find(grammar, "s:1: deleted '( a b )*' before position 1")
    inner = grammar.symbol("s:1.1.1")
    assert unused.grammar.user_nonterminal(inner) == grammar.start
    assert unused.grammar.rule_text(1) == "( a b )* ->"


# --- what a mutated grammar keeps ----------------------------------------------------------


def spanned() -> Grammar:
    text = SourceText("g.y", "s: a b c | d;")
    place = {name: text.span(i, i + 1) for i, name in enumerate(text.text) if name in "abcd"}
    first = Alternative(tuple(Reference(x, place[x]) for x in "abc"), text.span(3, 8))
    second = Alternative((Reference("d", place["d"]),), place["d"])
    return expand([Definition("s", (first, second), text.span(0, 1))])


@pytest.mark.parametrize(
    ("description", "spans"),
    [
        ("s:1: deleted 'b' before position 1", [(4, 5), (8, 9)]),
        ("s:1: inserted 'd' at position 0", [(4, 4), (4, 5), (6, 7), (8, 9)]),
        ("s:1: inserted 'd' at position 2", [(4, 5), (6, 7), (7, 7), (8, 9)]),
        ("s:1: inserted 'd' at position 3", [(4, 5), (6, 7), (8, 9), (9, 9)]),
        ("s:1: replaced 'b' by 'd' at position 1", [(4, 5), (6, 7), (8, 9)]),
        ("s:1: swapped 'a' and 'b' at position 0", [(4, 5), (6, 7), (8, 9)]),
    ],
)
def test_spans(description: str, spans: list[tuple[int, int]]) -> None:
    grammar = spanned()
    mutant = find(grammar, description)
    rule = mutant.grammar.rules[0]
    assert rule.rhs_spans == tuple(Span("g.y", 1, start, 1, end) for start, end in spans)
    assert rule.span == grammar.rules[0].span
    assert mutant.grammar.rules[1] is grammar.rules[1]
    assert mutant.item is not None
    assert mutant.dot is not None
    assert mutant.grammar.item_span(mutant.item) == rule.rhs_spans[mutant.dot]


def test_span_of_an_empty_alternative() -> None:
    mutant = find(spanned(), "s:3: added an empty alternative")
    assert mutant.item is not None
    assert mutant.grammar.item_span(mutant.item) == Span("g.y", 1, 13, 1, 13)


def test_precedence_moves_with_the_last_token() -> None:
    grammar = Grammar.from_rules(
        [("e", ["e", "+", "e"]), ("e", ["-", "e"]), ("e", ["x"])],
        precedence=[(Associativity.LEFT, ["+"]), (Associativity.RIGHT, ["-"])],
        rule_precedence={1: "+"},
    )
    plus, minus = grammar.symbol("+"), grammar.symbol("-")
    assert find(grammar, "e:1: deleted '+' before position 1").grammar.rules[0].precedence is None
    swapped = find(grammar, "e:1: replaced '+' by '-' at position 1")
    assert swapped.grammar.rules[0].precedence == minus
    explicit = find(grammar, "e:2: inserted '-' at position 2")
    assert explicit.grammar.rules[1].precedence == plus


def test_order_is_by_operator_rule_position_and_symbol() -> None:
    order = list(Mutation)
    keys = [
        (order.index(m.operator), m.original_rule or 0, m.dot or 0, m.symbol or 0)
        for m in mutants(toy.toy())
        if m.operator is not Mutation.EMPTY_ALTERNATIVE
    ]
    assert keys == sorted(keys)


def test_large_grammars_are_not_enumerated() -> None:
    """About 250 million edits, of which only a few are looked at."""
    rules = [(f"n{i}", [f"n{(i + 1) % 5_000}", f"t{i}"]) for i in range(5_000)]
    grammar = Grammar.from_rules(rules)
    assert len(sample(grammar, 50, seed=1)) == 50
    assert len(list(islice(mutants(grammar), 100))) == 100
