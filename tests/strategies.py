"""Hypothesis strategies for small reduced grammars and for words to try on them."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from cfg import Cfg, Word

NONTERMINALS = "SABCD"
TERMINALS = "abcd"
FOREIGN = "z"
"""A token that no grammar has."""


@st.composite
def grammars(draw: DrawFn, keep: Callable[[Cfg], bool] | None = None) -> Cfg:
    """Reduced grammars of 1 to 5 non-terminals and 1 to 4 terminals, of whatever shape.

    They grow from a tree, in which every non-terminal has one rule and occurs once, by up to ten
    rules of whatever shape. So there are epsilon and unit rules, left, right and hidden recursion,
    cycles and ambiguity. With `keep`, a rule is taken only if the grammar has that property
    afterwards (the tree, which derives a single word, must have it, as LR(1) grammars do).
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
        if keep is None or keep(_grammar(grown)):
            rules = grown
    return _grammar(rules)


@st.composite
def _trees(draw: DrawFn, nonterminals: str, terminals: str) -> list[tuple[str, Word]]:
    """One rule for each non-terminal, which occurs once, in the rule of an earlier one."""
    bodies = {x: draw(st.lists(st.sampled_from(terminals), max_size=3)) for x in nonterminals}
    for i, x in enumerate(nonterminals[1:], start=1):
        body = bodies[draw(st.sampled_from(nonterminals[:i]))]
        body.insert(draw(st.integers(0, len(body))), x)
    return [(x, tuple(body)) for x, body in bodies.items()]


def _grammar(rules: list[tuple[str, Word]]) -> Cfg:
    """The grammar of these rules, those of one non-terminal next to each other."""
    return Cfg(tuple(sorted(rules, key=lambda rule: NONTERMINALS.index(rule[0]))), "S")


@st.composite
def words(draw: DrawFn, grammar: Cfg, max_size: int = 8) -> Word:
    """Sentences, damaged sentences, and anything else, the empty word included."""
    tokens = st.sampled_from([*sorted(grammar.terminals), FOREIGN])
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
def sentences(draw: DrawFn, grammar: Cfg, max_choices: int = 12) -> Word:
    """Sentences by leftmost derivation: chosen rules first, then the shortest way to the end."""
    form = [grammar.start]
    done: list[str] = []
    for _ in range(max_choices):
        while form and form[0] not in grammar.nonterminals:
            done.append(form.pop(0))
        if not form:
            break
        rule = draw(st.sampled_from(grammar.rules_of(form.pop(0))))
        form = [*grammar.rhs(rule), *form]
    return (*done, *grammar.shortest_word(form))
