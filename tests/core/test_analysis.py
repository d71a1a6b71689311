"""The analyses: worked values, and properties against the definitions written out naively."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toy
from gramspect.errors import GrammarError
from gramspect.grammars.analysis import UNPRODUCTIVE
from gramspect.grammars.diagnostics import diagnose
from gramspect.grammars.ebnf import Alternative, Block, Definition, Reference
from gramspect.grammars.grammar import Grammar, expand
from gramspect.grammars.symbols import END, Diagnostic, Operator
from gramspect.grammars.units import deriving_alone

MAX_LENGTH = 4


@st.composite
def grammars(draw: st.DrawFn) -> Grammar:
    """Any grammar of up to ten rules, useless symbols, cycles and duplicates included."""
    rhs = st.lists(st.sampled_from("SABCabc"), max_size=3)
    rules = draw(st.lists(st.tuples(st.sampled_from("SABC"), rhs), max_size=9))
    return Grammar.from_rules([("S", draw(rhs)), *rules])


# --- the definitions -----------------------------------------------------------------------


def words(grammar: Grammar) -> dict[int, set[tuple[int, ...]]]:
    """All words of up to MAX_LENGTH tokens that each symbol derives."""
    found: dict[int, set[tuple[int, ...]]] = {
        s.index: {(s.index,)} if s.terminal else set() for s in grammar.symbols
    }
    size = -1
    while size != (size := sum(map(len, found.values()))):
        for rule in grammar.rules:
            parts: set[tuple[int, ...]] = {()}
            for symbol in rule.rhs:
                joined = {a + b for a, b in product(parts, found[symbol])}
                parts = {word for word in joined if len(word) <= MAX_LENGTH}
            found[rule.lhs] |= parts
    return found


def productive_rounds(grammar: Grammar) -> dict[int, int]:
    """The height of the shallowest derivation of each productive symbol."""
    height = {s.index: 0 for s in grammar.symbols if s.terminal}
    for level in range(1, len(grammar.symbols) + 1):
        ready = {rule.lhs for rule in grammar.rules if all(s in height for s in rule.rhs)}
        height |= dict.fromkeys(ready - height.keys(), level)
    return height


def least_lengths(grammar: Grammar) -> dict[int, int]:
    """The length of a shortest word of each productive symbol."""
    least = {s.index: 1 for s in grammar.symbols if s.terminal}
    for _ in grammar.symbols:
        for rule in grammar.rules:
            if all(s in least for s in rule.rhs):
                total = sum(least[s] for s in rule.rhs)
                least[rule.lhs] = min(least.get(rule.lhs, total), total)
    return least


def transitive(pairs: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    found = set(pairs)
    while more := {(a, d) for a, b in found for c, d in found if b == c} - found:
        found |= more
    return found


def corners(grammar: Grammar, nullable: set[int], *, right: bool = False) -> set[tuple[int, int]]:
    """``(A, X)`` where ``A =>+ X beta`` (or ``beta X``)."""
    pairs = set()
    for rule in grammar.rules:
        rhs = rule.rhs[::-1] if right else rule.rhs
        for i, symbol in enumerate(rhs):
            if set(rhs[:i]) <= nullable:
                pairs.add((rule.lhs, symbol))
    return transitive(pairs)


def neighbours(grammar: Grammar, nullable: set[int], reachable: set[int]) -> set[tuple[int, int]]:
    """``(X, Y)`` where ``$start $end =>* alpha X Y beta``."""
    pairs = {(grammar.start, END)}
    for rule in grammar.rules:
        for j in range(len(rule.rhs)):
            for i in range(j):
                if rule.lhs in reachable and set(rule.rhs[i + 1 : j]) <= nullable:
                    pairs.add((rule.rhs[i], rule.rhs[j]))
    begins = corners(grammar, nullable)
    ends = corners(grammar, nullable, right=True)
    pairs |= {(z, y) for x, y in pairs for a, z in ends if a == x}
    return pairs | {(x, z) for x, y in pairs for a, z in begins if a == y}


# --- properties ----------------------------------------------------------------------------


@given(grammars())
def test_nullable_and_productive(grammar: Grammar) -> None:
    language = words(grammar)
    nonterminals = {s.index for s in grammar.nonterminals}
    assert grammar.analysis.nullable == {s for s in nonterminals if () in language[s]}
    assert grammar.analysis.productive == productive_rounds(grammar).keys()


@given(grammars())
def test_reachable(grammar: Grammar) -> None:
    uses = transitive((rule.lhs, symbol) for rule in grammar.rules for symbol in rule.rhs)
    expected = {grammar.start} | {y for x, y in uses if x == grammar.start}
    assert grammar.analysis.reachable == expected


@given(grammars())
def test_first_and_last(grammar: Grammar) -> None:
    nullable = set(grammar.analysis.nullable)
    begins = corners(grammar, nullable)
    ends = corners(grammar, nullable, right=True)
    for symbol in range(len(grammar.symbols)):
        if grammar.is_terminal(symbol):
            assert grammar.analysis.first(symbol) == grammar.analysis.last(symbol) == {symbol}
        else:
            firsts = {y for x, y in begins if x == symbol and grammar.is_terminal(y)}
            lasts = {y for x, y in ends if x == symbol and grammar.is_terminal(y)}
            assert grammar.analysis.first(symbol) == firsts
            assert grammar.analysis.last(symbol) == lasts


@given(grammars())
def test_follow_and_precede(grammar: Grammar) -> None:
    analysis = grammar.analysis
    pairs = neighbours(grammar, set(analysis.nullable), set(analysis.reachable))
    for symbol in range(len(grammar.symbols)):
        after = {y for x, y in pairs if x == symbol and grammar.is_terminal(y)}
        before = {x for x, y in pairs if y == symbol and grammar.is_terminal(x)}
        assert analysis.follow(symbol) == after
        assert analysis.precede(symbol) == before


@given(grammars())
def test_adjacency_holds_in_every_short_sentence(grammar: Grammar) -> None:
    analysis = grammar.analysis
    for word in words(grammar)[grammar.start]:
        for left, right in zip(word, (*word, END)[1:], strict=True):
            assert right in analysis.follow(left)
            assert left in analysis.precede(right)
        if word:
            assert word[0] in analysis.first(grammar.start)
            assert word[-1] in analysis.last(grammar.start)


@given(grammars(), st.data())
def test_first_of(grammar: Grammar, data: st.DataObject) -> None:
    symbols = data.draw(st.lists(st.integers(1, len(grammar.symbols) - 1), max_size=3))
    analysis = grammar.analysis
    expected: set[int] = set()
    empty = True
    for symbol in symbols:
        if empty:
            expected |= analysis.first(symbol)
        empty = empty and symbol in analysis.nullable
    assert analysis.first_of(symbols) == (frozenset(expected), empty)


@given(grammars(), st.data())
def test_left_expansion(grammar: Grammar, data: st.DataObject) -> None:
    rules = data.draw(st.sets(st.integers(0, grammar.n_rules - 1)))
    expected = set(rules)
    while True:
        leftmost = {grammar.rules[r].rhs[0] for r in expected if grammar.rules[r].rhs}
        grown = expected | {rule.index for rule in grammar.rules if rule.lhs in leftmost}
        if grown == expected:
            break
        expected = grown
    assert grammar.analysis.left_expansion(rules) == expected


@given(grammars())
def test_recursion(grammar: Grammar) -> None:
    analysis = grammar.analysis
    begins = corners(grammar, set(analysis.nullable))
    assert analysis.left_recursive == {x for x, y in begins if x == y}
    alone = transitive(
        (rule.lhs, symbol)
        for rule in grammar.rules
        for i, symbol in enumerate(rule.rhs)
        if {*rule.rhs[:i], *rule.rhs[i + 1 :]} <= analysis.nullable
    )
    assert analysis.cyclic == {x for x, y in alone if x == y}


@given(grammars())
def test_shortest(grammar: Grammar) -> None:
    analysis = grammar.analysis
    lengths = least_lengths(grammar)
    language = words(grammar)
    for symbol, length in enumerate(analysis.shortest_length):
        assert length == lengths.get(symbol, UNPRODUCTIVE)
        if symbol not in lengths:
            assert symbol not in analysis.shortest_rule
            continue
        word = analysis.shortest_yield(symbol)
        assert len(word) == length
        assert length > MAX_LENGTH or word in language[symbol]


@given(grammars())
def test_shortest_rule_is_the_first_that_attains_the_length(grammar: Grammar) -> None:
    analysis = grammar.analysis
    length = analysis.shortest_length
    for symbol, chosen in analysis.shortest_rule.items():
        attaining = [
            rule
            for rule in grammar.rules_of[symbol]
            if sum(length[s] for s in grammar.rules[rule].rhs) == length[symbol]
        ]
        assert chosen in attaining
        assert chosen == attaining[0] or symbol in analysis.cyclic


@given(grammars())
def test_shallowest(grammar: Grammar) -> None:
    analysis = grammar.analysis
    heights = productive_rounds(grammar)
    language = words(grammar)
    for symbol, height in enumerate(analysis.height):
        assert height == heights.get(symbol, UNPRODUCTIVE)
    for symbol, rule in analysis.shallowest_rule.items():
        first = next(
            r
            for r in grammar.rules_of[symbol]
            if 1 + max((analysis.height[s] for s in grammar.rules[r].rhs), default=0)
            == analysis.height[symbol]
        )
        assert rule == first
        word = analysis.shallowest_yield(symbol)
        assert len(word) > MAX_LENGTH or word in language[symbol]


# --- worked values -------------------------------------------------------------------------


def names(grammar: Grammar, symbols: Iterable[int]) -> set[str]:
    return {grammar.symbols[s].name for s in symbols}


def test_toy_adjacency() -> None:
    grammar = toy.toy()
    analysis = grammar.analysis
    stmt, block, expr = (grammar.symbol(name) for name in ("stmt", "block", "expr"))
    assert names(grammar, analysis.first(stmt)) == {"sleep", "if", "while", "id", "{"}
    assert names(grammar, analysis.last(stmt)) == {"sleep", "}", "id", "num", ")"}
    assert names(grammar, analysis.follow(stmt)) == {";", "else"}
    assert names(grammar, analysis.precede(stmt)) == {"{", ";", "then", "else"}
    assert names(grammar, analysis.follow(block)) == {".", ";", "else"}
    assert names(grammar, analysis.follow(expr)) == {"=", "+", ")", "then", "do", ";", "else"}
    assert analysis.follow(grammar.start) == {END}
    assert names(grammar, analysis.precede(END)) == {"."}
    assert analysis.nullable == frozenset()
    assert names(grammar, analysis.left_recursive) == {"expr"}
    assert analysis.cyclic == frozenset()
    assert analysis.reachable == frozenset(range(1, len(grammar.symbols)))


def test_toy_left_expansion() -> None:
    grammar = toy.toy()
    label = {rule.label: rule.index for rule in grammar.rules}
    stmts = {label[f"stmt:{i}"] for i in range(1, 6)} | {label[f"block:{i}"] for i in range(1, 5)}
    assert grammar.analysis.left_expansion({label["stmts:2"]}) == stmts | {label["stmts:2"]}
    assert grammar.analysis.left_expansion({label["block:4"]}) == {label["block:4"]}
    assert grammar.analysis.left_expansion(()) == frozenset()


def test_left_expansion_does_not_skip_nullable_symbols() -> None:
    grammar = toy.grammar("s -> a b\na ->\nb -> x")
    assert grammar.analysis.left_expansion({0}) == {0, 1}


def test_toy_least_derivations() -> None:
    grammar = toy.toy()
    analysis = grammar.analysis
    spelled = [grammar.symbols[s].name for s in analysis.shortest_yield(grammar.start)]
    assert spelled == ["program", "id", "=", "{", "}", "."]
    assert analysis.shortest_length[grammar.symbol("decls")] == 5
    assert grammar.rules[analysis.shortest_rule[grammar.symbol("expr")]].label == "expr:4"
    assert analysis.height[grammar.start] == 2
    assert analysis.height[grammar.symbol("decls")] == 3
    assert analysis.shallowest_yield(grammar.start) == analysis.shortest_yield(grammar.start)


def test_shortest_and_shallowest_differ() -> None:
    grammar = toy.grammar("s -> a\ns -> x y\na -> b\nb -> c\nc -> x")
    analysis = grammar.analysis
    assert names(grammar, analysis.shortest_yield(grammar.start)) == {"x"}
    assert names(grammar, analysis.shallowest_yield(grammar.start)) == {"x", "y"}


def test_shortest_rule_leads_out_of_a_cycle() -> None:
    grammar = toy.grammar("s -> s\ns -> t\nt -> s\nt -> x\nt -> y")
    analysis = grammar.analysis
    assert [grammar.rules[r].label for r in analysis.shortest_rule.values()] == ["s:2", "t:2"]
    assert names(grammar, analysis.shortest_yield(grammar.start)) == {"x"}


def test_unproductive_symbols_have_no_yield() -> None:
    grammar = toy.grammar("s -> a\na -> x a")
    assert grammar.analysis.shortest_length[grammar.start] == UNPRODUCTIVE
    for spell in (grammar.analysis.shortest_yield, grammar.analysis.shallowest_yield):
        with pytest.raises(GrammarError, match="'s' has no yield of fewer than 1,000,000 tokens"):
            spell(grammar.start)


# --- size ----------------------------------------------------------------------------------


def test_exponential_yields_are_capped() -> None:
    doubling = "\n".join(f"n{i} -> n{i + 1} n{i + 1}" for i in range(200))
    grammar = toy.grammar(f"{doubling}\nn200 -> x")
    analysis = grammar.analysis
    assert analysis.shortest_length[grammar.start] == UNPRODUCTIVE
    assert analysis.shortest_length[grammar.symbol("n190")] == 2**10
    assert analysis.height[grammar.start] == 201
    assert grammar.start in analysis.productive
    with pytest.raises(GrammarError, match="no yield"):
        analysis.shallowest_yield(grammar.start)
    assert len(analysis.shallowest_yield(grammar.symbol("n195"))) == 2**5


def test_the_empty_word_of_an_exponential_derivation() -> None:
    doubling = "\n".join(f"n{i} -> n{i + 1} n{i + 1}" for i in range(200))
    grammar = toy.grammar(f"{doubling}\nn200 ->")
    assert grammar.analysis.shortest_yield(grammar.start) == ()
    assert grammar.analysis.shallowest_yield(grammar.start) == ()


def test_long_chains() -> None:
    n = 3000
    chain = "\n".join(f"n{i} -> n{i + 1} t{i}" for i in range(n))
    grammar = toy.grammar(f"{chain}\nn{n} -> n0\nn{n} ->")
    analysis = grammar.analysis
    assert len(analysis.left_recursive) == n + 1
    assert len(analysis.left_expansion({0})) == n + 2
    assert names(grammar, analysis.first(grammar.start)) == {f"t{n - 1}"}
    assert names(grammar, analysis.follow(grammar.start)) == {"$end", f"t{n - 1}"}
    assert analysis.height[grammar.start] == n + 1
    assert len(analysis.shortest_yield(grammar.start)) == n


# --- diagnostics ---------------------------------------------------------------------------


def test_diagnostics() -> None:
    grammar = toy.grammar(
        """
        s -> a x
        s -> y
        s -> a x
        a -> a z
        b -> x
        c -> d
        d -> c
        d -> y
        """
    )
    assert [(d.code, d.message) for d in diagnose(grammar)] == [
        ("duplicate-rule", "s:3 is the same rule as s:1: s -> a x"),
        ("unreachable", "'b' is not reachable from the start symbol 's'"),
        ("unreachable", "'c' is not reachable from the start symbol 's'"),
        ("unreachable", "'d' is not reachable from the start symbol 's'"),
        (
            "unproductive",
            "'a' derives no sentence: each of its alternatives needs a symbol that derives none",
        ),
        ("cyclic", "'c' can derive itself, so its sentences have infinitely many derivations"),
        ("cyclic", "'d' can derive itself, so its sentences have infinitely many derivations"),
    ]


def test_diagnostics_of_the_toy_grammar() -> None:
    assert diagnose(toy.toy()) == ()


def test_diagnostics_of_helpers_and_readers() -> None:
    noted = Diagnostic("undefined", "'q' has no rule")
    option = Block(Operator.OPTION, (Alternative((Reference("x"),)),))
    star = Block(Operator.STAR, (Alternative((option,)),))
    grammar = expand(
        [Definition("s", (Alternative((star,)),)), Definition("t", ())], diagnostics=[noted]
    )
    assert [str(d) for d in diagnose(grammar)] == [
        "'q' has no rule",
        "'t' is not reachable from the start symbol 's'",
        "'t' derives no sentence: it has no alternative",
        "'( x? )*' in 's' can repeat the empty word,"
        " so its sentences have infinitely many derivations",
    ]


def test_an_empty_language() -> None:
    (found,) = diagnose(toy.grammar("s -> x s"))
    assert found.message.endswith("derives none, so the language is empty")


@given(grammars())
def test_what_derives_a_symbol_alone(grammar: Grammar) -> None:
    """By one rule after the other, whose other symbols may be empty, until nothing is added."""
    nullable = grammar.analysis.nullable
    for symbol in range(len(grammar.symbols)):
        found = {symbol}
        for _ in grammar.symbols:
            for rule in grammar.rules:
                for place, one in enumerate(rule.rhs):
                    others = rule.rhs[:place] + rule.rhs[place + 1 :]
                    if one in found and nullable.issuperset(others):
                        found.add(rule.lhs)
        assert deriving_alone(grammar, symbol) == found - {symbol}
