"""Grammars whose every sentence has a pattern: the constructions for one pattern, at least once.

They are those of Gopinath ("Specializing Grammars for Inducing Faults"), under the same names:
where a symbol can be inserted, the grammar that insists on it, the grammar of a pattern, and the
two together. What the general way makes for ``at least 1`` (`gramspect.algebra.specialized`) has
the same trees; these grammars are smaller and can be read, as every non-terminal of theirs says
what it insists on: ``expr F1`` is an ``expr`` with the fault F1 somewhere in it. Of patterns that
fix texts of tokens they are made in their `gramspect.algebra.texts.TextGrammar`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from gramspect.algebra.making import Draft, made
from gramspect.algebra.patterns import ABSTRACT, Pattern, outline
from gramspect.errors import GrammarError
from gramspect.generation.minimal import Minimal
from gramspect.generation.sampling import Sampling, random_derivations
from gramspect.grammars.grammar import Grammar

__all__ = [
    "TRIALS", "at_least_one_grammar", "grammar_gc", "insertion_grammar", "pattern_grammar",
    "reachable_nonterminals", "reachable_positions", "recovered_pattern",
    "smallest_evocative_subtree", "smallest_part",
]  # fmt: skip

TRIALS: Final = 100
"""How many inputs of a pattern are tried before it counts as one of the failure."""

_Key = tuple[int, str]
"""A non-terminal of the base, and what marks it; nothing if it is as it was."""


def reachable_nonterminals(grammar: Grammar) -> Mapping[int, frozenset[int]]:
    """For each non-terminal those in the trees below it, itself only if it is below itself."""
    below = {
        symbol: {s for r in rules for s in grammar.rules[r].rhs if not grammar.is_terminal(s)}
        for symbol, rules in grammar.rules_of.items()
    }
    found = {}
    for symbol, first in below.items():
        seen, pending = set(first), list(first)
        while pending:
            new = below[pending.pop()] - seen
            seen |= new
            pending.extend(new)
        found[symbol] = frozenset(seen)
    return found


def reachable_positions(grammar: Grammar, symbol: int) -> Mapping[int, tuple[int, ...]]:
    """The places where a tree can have `symbol`: for each rule the positions of the non-terminals
    that are it or that reach it. Rules without such a place are left out."""
    reaching = {symbol} | {s for s, below in reachable_nonterminals(grammar).items()
                           if symbol in below}  # fmt: skip
    found = {
        rule.index: tuple(i for i, s in enumerate(rule.rhs) if s in reaching)
        for rule in grammar.rules
    }
    return {rule: positions for rule, positions in found.items() if positions}


def insertion_grammar(grammar: Grammar, symbol: int, mark: str = "F1") -> Grammar:
    """The sentences whose trees have `symbol` somewhere.

    A marked non-terminal insists on it: each of its rules has one marked non-terminal, and
    ``symbol F1`` may also be any `symbol`.

    Raises:
        GrammarError: the symbol is not reachable from the start symbol.
    """
    drafts = _insertions(grammar, symbol, mark)
    drafts.append(Draft((symbol, mark), ((symbol, ""),), None))
    return _put_together(grammar, drafts, mark, f"insertions of {grammar.symbols[symbol].display}")


def pattern_grammar(grammar: Grammar, pattern: Pattern, mark: str = "F1") -> Grammar:
    """The sentences that are derived from a pattern.

    Every concrete node of it has a non-terminal of its own, ``factor F1`` at the root and
    ``factor F1.2`` for node 2; abstract ones are non-terminals of the base, whose rules follow.
    """
    drafts = [*_of_pattern(grammar, pattern, mark), *_unmarked(grammar)]
    start = (pattern.symbol, mark if pattern.rules[0] != ABSTRACT else "")
    found, _ = made(
        grammar, start, _used(start, drafts), _named(grammar), f"{grammar.name}: {mark}"
    )
    return found


def recovered_pattern(found: Grammar, grammar: Grammar, mark: str = "F1") -> Pattern:
    """The pattern that `pattern_grammar` was made of.

    Rules of the base with the same right-hand side are not told apart; the first is taken.

    Raises:
        GrammarError: the grammar is not one of a pattern.
    """
    first: dict[tuple[int, tuple[int, ...]], int] = {}
    for rule in grammar.rules:
        first.setdefault((rule.lhs, rule.rhs), rule.index)

    def unmarked(symbol: int) -> int:
        name = found.symbols[symbol].name
        return grammar.symbol(name.partition(f" {mark}")[0])

    rules = []
    pending = [found.start]
    while pending:
        symbol = pending.pop()
        if f" {mark}" not in found.symbols[symbol].name:
            rules.append(ABSTRACT)
            continue
        alternatives = found.rules_of[symbol]
        rhs = found.rules[alternatives[0]].rhs
        key = unmarked(symbol), tuple(s if found.is_terminal(s) else unmarked(s) for s in rhs)
        if len(alternatives) != 1 or key not in first:
            raise GrammarError(f"{found.name} is no grammar of a pattern of {grammar.name}")
        rules.append(first[key])
        pending += [s for s in reversed(rhs) if not found.is_terminal(s)]
    return Pattern(unmarked(found.start), tuple(rules))


def grammar_gc(grammar: Grammar) -> Grammar:
    """The grammar without rules that no sentence uses, and without non-terminals that have none.

    Raises:
        GrammarError: the start symbol derives no sentence.
    """
    if grammar.start not in grammar.analysis.productive:
        name = grammar.symbols[grammar.start].display
        raise GrammarError(f"the start symbol {name!r} of {grammar.name} derives no sentence")
    start = (grammar.start, "")
    found, _ = made(grammar, start, _used(start, _unmarked(grammar)), _named(grammar), grammar.name)
    return found


def at_least_one_grammar(grammar: Grammar, pattern: Pattern, mark: str = "F1") -> Grammar:
    """The sentences whose trees have the pattern somewhere: it takes the place of the symbol in
    the insertion grammar.

    Raises:
        GrammarError: the pattern occurs in no sentence.
    """
    if pattern.rules == (ABSTRACT,):
        return insertion_grammar(grammar, pattern.symbol, mark)
    drafts = [*_of_pattern(grammar, pattern, mark), *_insertions(grammar, pattern.symbol, mark)]
    return _put_together(grammar, drafts, mark, f"at least one {mark}")


def smallest_evocative_subtree(
    grammar: Grammar,
    pattern: Pattern,
    fails: Callable[[tuple[int, ...]], bool],
    *,
    trials: int = TRIALS,
    seed: int = 0,
) -> Pattern:
    """The smallest part of a pattern that is enough for the failure, wherever it stands.

    From the root on, the first child that is enough is gone down to. A part is enough if all of
    `trials` random sentences that have it somewhere fail; so it is known with that confidence only.

    Args:
        grammar: the grammar of the pattern.
        pattern: a pattern all of whose instances fail.
        fails: whether an input, as terminals, fails.
        trials: how many sentences are tried for each part.
        seed: draws the sentences.
    """

    def is_enough(part: Pattern) -> bool:
        found = at_least_one_grammar(grammar, part)
        drawn = random_derivations(Minimal(found), Random(seed), Sampling())
        return all(fails(next(drawn).tokens) for _ in range(trials))

    return smallest_part(grammar, pattern, is_enough)


def smallest_part(
    grammar: Grammar, pattern: Pattern, is_enough: Callable[[Pattern], bool]
) -> Pattern:
    """The smallest part of a pattern that is enough: from the root on, the first child that is
    enough, and that is not abstract, is gone down to."""
    shape = outline(grammar, pattern)
    node = 0
    while True:
        for child in shape.children(node):
            if pattern.rules[child] != ABSTRACT and is_enough(pattern.subtree(shape, child)):
                node = child
                break
        else:
            return pattern.subtree(shape, node)


# --- rules ---------------------------------------------------------------------------------


def _unmarked(grammar: Grammar) -> list[Draft[_Key]]:
    """The rules of the base."""
    return [
        Draft(
            (rule.lhs, ""),
            tuple(s if grammar.is_terminal(s) else (s, "") for s in rule.rhs),
            rule.index,
        )
        for rule in grammar.rules
    ]


def _insertions(grammar: Grammar, symbol: int, mark: str) -> list[Draft[_Key]]:
    """Rules that lead to a marked `symbol`."""
    found = []
    for rule, positions in reachable_positions(grammar, symbol).items():
        lhs, rhs = grammar.rules[rule].lhs, grammar.rules[rule].rhs
        for position in positions:
            marked = tuple(
                s if grammar.is_terminal(s) else (s, mark if i == position else "")
                for i, s in enumerate(rhs)
            )
            found.append(Draft((lhs, mark), marked, rule))
    return found


def _of_pattern(grammar: Grammar, pattern: Pattern, mark: str) -> list[Draft[_Key]]:
    """A rule for each concrete node."""
    assert not pattern.texts, "texts of tokens are rules of a TextGrammar"
    shape = outline(grammar, pattern)

    def key(node: int) -> _Key:
        if pattern.rules[node] == ABSTRACT:
            return shape.symbols[node], ""
        return shape.symbols[node], f"{mark}.{node}" if node else mark

    found: list[Draft[_Key]] = []
    for node, rule in enumerate(pattern.rules):
        if rule != ABSTRACT:
            rhs: list[_Key | int] = list(grammar.rules[rule].rhs)
            for child in shape.children(node):
                rhs[shape.positions[child]] = key(child)
            found.append(Draft(key(node), tuple(rhs), rule))
    return found


def _put_together(grammar: Grammar, drafts: list[Draft[_Key]], mark: str, what: str) -> Grammar:
    """The grammar of marked rules and those of the base, as far as sentences use them."""
    start = (grammar.start, mark)
    used = _used(start, [*drafts, *_unmarked(grammar)])
    if not used:
        raise GrammarError(f"no sentence of the grammar {grammar.name} has {what}")
    found, _ = made(grammar, start, used, _named(grammar), f"{grammar.name}: {what}")
    return found


def _used(start: _Key, drafts: list[Draft[_Key]]) -> list[Draft[_Key]]:
    """The rules that derivations of sentences use."""
    productive: set[_Key] = set()
    changed = True
    while changed:
        changed = False
        for draft in drafts:
            if draft.lhs not in productive and all(
                isinstance(key, int) or key in productive for key in draft.rhs
            ):
                productive.add(draft.lhs)
                changed = True
    whole = [d for d in drafts if all(isinstance(k, int) or k in productive for k in d.rhs)]
    by_lhs: dict[_Key, list[Draft[_Key]]] = {}
    for draft in whole:
        by_lhs.setdefault(draft.lhs, []).append(draft)
    known, pending, found = {start}, [start], []
    for key in pending:
        for draft in by_lhs.get(key, ()):
            found.append(draft)
            new = dict.fromkeys(k for k in draft.rhs if not isinstance(k, int) and k not in known)
            known |= new.keys()
            pending.extend(new)
    return found


def _named(grammar: Grammar) -> Callable[[_Key], tuple[int, str]]:
    def named(key: _Key) -> tuple[int, str]:
        symbol, mark = key
        name = grammar.symbols[symbol].name
        return symbol, f"{name} {mark}" if mark else name

    return named
