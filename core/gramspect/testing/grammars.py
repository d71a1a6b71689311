"""Hypothesis strategies for small grammars of every shape, and for words to try on them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from gramspect.grammars.grammar import Grammar
from gramspect.lr.tables import lalr_table

__all__ = [
    "FOREIGN",
    "NONTERMINALS",
    "TERMINALS",
    "Rules",
    "grammars",
    "is_lalr1",
    "is_ll1",
    "rule_sets",
    "sentences",
    "words",
]

NONTERMINALS = "SABCD"
TERMINALS = "abcd"
FOREIGN = "z"
"""A token that no grammar has."""

Rules = tuple[tuple[str, tuple[str, ...]], ...]
"""Left- and right-hand sides; a symbol without a rule is a terminal."""


@st.composite
def rule_sets(draw: DrawFn, keep: Callable[[Rules], bool] | None = None) -> Rules:
    """Rules of 1 to 5 non-terminals and 1 to 4 terminals, of whatever shape, ``S`` the start.

    They grow from a tree, in which every non-terminal has one rule and occurs once, by up to ten
    rules of whatever shape. So there are epsilon and unit rules, left, right and hidden recursion,
    cycles and ambiguity; every symbol is productive and reachable. With `keep`, a rule is taken
    only if the grammar has that property afterwards (the tree, which derives a single word, must
    have it, as LR(1) grammars do).
    """
    nonterminals = NONTERMINALS[: draw(st.integers(1, len(NONTERMINALS)))]
    terminals = TERMINALS[: draw(st.integers(1, len(TERMINALS)))]
    rules = draw(_trees(nonterminals, terminals))
    symbols = st.sampled_from(nonterminals + terminals)
    beginnings = st.sampled_from(["", *nonterminals, *terminals, *terminals])
    for _ in range(draw(st.integers(0, 10))):
        beginning = draw(beginnings)
        rhs = (beginning, *draw(st.lists(symbols, max_size=3))) if beginning else ()
        first = draw(st.booleans())
        rule = (draw(st.sampled_from(nonterminals)), rhs)
        grown = [rule, *rules] if first else [*rules, rule]
        if keep is None or keep(_in_order(grown)):
            rules = grown
    return _in_order(rules)


@st.composite
def _trees(draw: DrawFn, nonterminals: str, terminals: str) -> list[tuple[str, tuple[str, ...]]]:
    """One rule for each non-terminal, which occurs once, in the rule of an earlier one."""
    bodies = {x: draw(st.lists(st.sampled_from(terminals), max_size=3)) for x in nonterminals}
    for i, x in enumerate(nonterminals[1:], start=1):
        body = bodies[draw(st.sampled_from(nonterminals[:i]))]
        body.insert(draw(st.integers(0, len(body))), x)
    return [(x, tuple(body)) for x, body in bodies.items()]


def _in_order(rules: list[tuple[str, tuple[str, ...]]]) -> Rules:
    """The rules, those of one non-terminal next to each other."""
    return tuple(sorted(rules, key=lambda rule: NONTERMINALS.index(rule[0])))


def grammars(keep: Callable[[Grammar], bool] | None = None) -> SearchStrategy[Grammar]:
    """Grammars of such rules; with `keep`, those that have a property."""
    kept = None if keep is None else lambda rules: keep(_grammar(rules))
    return rule_sets(kept).map(_grammar)


def _grammar(rules: Rules) -> Grammar:
    return Grammar.from_rules(rules, start=NONTERMINALS[0])


@st.composite
def words(draw: DrawFn, grammar: Grammar, max_size: int = 8) -> tuple[str, ...]:
    """Sentences, damaged sentences, and anything else, the empty word included."""
    known = sorted(s.name for s in grammar.terminals if s.index)
    tokens = st.sampled_from([*known, FOREIGN])
    kind = draw(st.sampled_from(["sentence", "damaged", "any"]))
    if kind == "any":
        return tuple(draw(st.lists(tokens, max_size=max_size)))
    word = draw(sentences(grammar))[:max_size]
    if kind == "damaged":
        for _ in range(draw(st.integers(1, 2))):
            at = draw(st.integers(0, len(word)))
            inserted = tuple(draw(st.lists(tokens, max_size=1)))
            word = word[:at] + inserted + word[at + draw(st.integers(0, 1)) :]
    return word


@st.composite
def sentences(draw: DrawFn, grammar: Grammar, max_choices: int = 12) -> tuple[str, ...]:
    """Sentences by leftmost derivation: chosen rules first, then the shortest way to the end."""
    form = [grammar.start]
    done: list[int] = []
    for _ in range(max_choices):
        while form and grammar.is_terminal(form[0]):
            done.append(form.pop(0))
        if not form:
            break
        rule = draw(st.sampled_from(grammar.rules_of[form.pop(0)]))
        form = [*grammar.rules[rule].rhs, *form]
    for symbol in form:
        done += grammar.analysis.shortest_yield(symbol)
    return tuple(grammar.symbols[terminal].name for terminal in done)


def is_lalr1(grammar: Grammar) -> bool:
    """Whether its LALR(1) tables have no conflict."""
    return not lalr_table(grammar).conflicts


def is_ll1(grammar: Grammar) -> bool:
    """Whether one token decides between the rules of every non-terminal, none left-recursive."""
    analysis = grammar.analysis

    def predicted(rule: int) -> frozenset[int]:
        first, empty = analysis.first_of(grammar.rules[rule].rhs)
        return first | analysis.follow(grammar.rules[rule].lhs) if empty else first

    return not analysis.left_recursive and not any(
        predicted(one) & predicted(other)
        for symbol in grammar.nonterminals
        for one, other in combinations(grammar.rules_of[symbol.index], 2)
    )
