"""The coverage criteria: which derivations a positive test suite is made of.

All are instances of the generic cover algorithm (van Heerden, Raselimo, Sagonas and Fischer 2020;
Rossouw and Fischer 2023, Algorithm 1): every symbol X is embedded minimally, ``S =>* alpha X
omega``, X is expanded as the criterion asks, and what remains is derived minimally. What is covered
and nothing else is in the names below; with V all symbols and N the non-terminals,

* `symbol`: each X in V occurs in a derivation;
* `rule`: each rule is applied;
* `cdrc`: each rule of Y is applied at each occurrence of Y in a rule (Lämmel 2001), the start
  symbol being taken to occur in ``$accept -> S``. The same as ``step:2``;
* ``step:K``: all chains of at most K rules, each applied at an occurrence in the one before
  (``step:1`` is `rule`);
* ``k-paths:K``: all chains of K occurrences of symbols in the grammar as it is written, each below
  the one before (Havrikov and Zeller 2019; `gramspect.generation.kpaths`). ``k-paths:K:D`` closes
  trees off at random, no deeper than D;
* ``bfs:K``: from every X all derivation trees cut off at K levels: the non-terminals of a form
  are replaced at once, by all combinations of their rules; ``bfs:1`` is `rule`;
* `full-cdrc`: every rule multiplied out with all combinations of the rules of its non-terminals
  (cdrc squared), which is ``bfs:2``;
* `deriv`: each derivable pair (X, Y): Y in V occurs, one step or more, below X in N;
* `pll`: each pair (A, a) with the terminal a in first(A): A begins with a (Zelenov and Zelenova
  2005);
* `pairs`: each adjacent pair (X, Y) in V x V: ``S =>* alpha X Y omega``.

Two more cover the edges of an LR graph (`gramspect.lrgraph.graph`), which say in which context of
a parser's stack each rule is reduced:

* `pec`: each pop edge, and with them all push edges (`gramspect.generation.pop_edges`);
* `lr-bfs`: the same by breadth-first search, for small graphs (`gramspect.generation.flooding`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from functools import partial
from itertools import chain, product
from math import inf, prod
from typing import Protocol

from gramspect.errors import GramspectError
from gramspect.generation.derivation import Around, Derivation
from gramspect.generation.flooding import Flooding
from gramspect.generation.kpaths_cover import bounded_k_paths, k_paths
from gramspect.generation.minimal import Minimal
from gramspect.generation.pairs import adjacent_pairs, derivable_pairs, leading_terminals
from gramspect.generation.pop_edges import PopEdgeCover
from gramspect.lrgraph.graph import AutomatonKind, LRGraph, lr_graph

__all__ = [
    "CRITERIA",
    "FAMILIES",
    "GRAPH_CRITERIA",
    "Covering",
    "Criterion",
    "Family",
    "criterion_named",
]

Covering = tuple[Derivation, str]
"""A derivation of a sentence and what it is to cover: labels of items and rules, or symbols."""

Criterion = Callable[[Minimal], Iterator[Covering]]
"""All derivations of a suite, lazily. The same one may come several times, for other targets."""


class Family(Protocol):
    """A criterion with a parameter, a whole number from 1."""

    def __call__(self, minimal: Minimal, k: int) -> Iterator[Covering]: ...


class BoundedFamily(Protocol):
    """A criterion with a parameter and a limit on the depth of derivation trees."""

    def __call__(self, minimal: Minimal, k: int, depth: int) -> Iterator[Covering]: ...


def symbols(minimal: Minimal) -> Iterator[Covering]:
    """Symbol coverage."""
    for symbol in minimal.symbols:
        derivation = minimal.context(symbol).filled(minimal.part(symbol))
        yield derivation, minimal.grammar.symbols[symbol].display


def rules(minimal: Minimal) -> Iterator[Covering]:
    """Rule coverage (Purdom 1972, as Lämmel 2001 defines it)."""
    for rule in minimal.rules:
        yield _embedded(minimal, rule, minimal.whole(rule))


def _embedded(minimal: Minimal, rule: int, derivation: Derivation) -> Covering:
    described = minimal.grammar.rules[rule]
    return minimal.context(described.lhs).filled(derivation), described.label


def steps(minimal: Minimal, k: int) -> Iterator[Covering]:
    """All chains of at most `k` rules; those of fewer where a chain of `k` cannot contain them.

    A shorter chain is part of a longer one unless it begins at the start symbol (every other one
    is embedded somewhere) and its last rule has no non-terminal.
    """
    start = minimal.grammar.start
    for symbol in minimal.nonterminals:
        context = minimal.context(symbol)
        for length in range(1, k) if symbol == start else ():
            yield from _chains(minimal, symbol, context, "", length, ends=True)
        yield from _chains(minimal, symbol, context, "", k, ends=False)


def _chains(
    minimal: Minimal, symbol: int, context: Around, target: str, k: int, *, ends: bool
) -> Iterator[Covering]:
    """The chains of `k` rules from `symbol`; with `ends` those whose last rule is terminal."""
    grammar, found = minimal.grammar, minimal.rules_of[symbol]
    if k == 1:
        rules_before, tokens_before, rules_after, tokens_after = context
        for rule in found:
            if ends and not all(map(grammar.is_terminal, grammar.rules[rule].rhs)):
                continue
            rules, tokens = minimal.whole(rule)  # `Around.filled`, spelled out for its speed
            yield (
                Derivation(
                    rules_before + rules + rules_after, tokens_before + tokens + tokens_after
                ),
                target + grammar.rules[rule].label,
            )
        return
    for rule in found:
        for dot, inner in enumerate(grammar.rules[rule].rhs):
            if not grammar.is_terminal(inner):
                item = grammar.item(rule, dot)
                around = context.nested(minimal.around(item))
                label = f"{target}{grammar.item_label(item)} "
                yield from _chains(minimal, inner, around, label, k - 1, ends=ends)


def trees(minimal: Minimal, k: int) -> Iterator[Covering]:
    """All derivation trees of `k` levels from every non-terminal."""
    grown = _Trees(minimal, k)
    for symbol in minimal.nonterminals:
        context = minimal.context(symbol)
        for derivation in grown.of(symbol, k):
            top = " ".join(minimal.grammar.rules[r].label for r in derivation.rules[:_SHOWN])
            more = " ..." if len(derivation.rules) > _SHOWN else ""
            yield context.filled(derivation), top + more


_SHOWN = 8
"""How many rules of a tree its target names."""

_KEPT = 4096
"""How many trees of one symbol are kept in memory at once."""


class _Trees:
    """The derivation trees of so many levels below a symbol, minimal further down."""

    def __init__(self, minimal: Minimal, k: int) -> None:
        self.minimal = minimal
        self.number = [self._ones()]
        """How many trees of 0, 1, ... levels each symbol has."""
        for _ in range(k):
            self.number.append(self._numbers(self.number[-1]))

    def _ones(self) -> dict[int, int]:
        return dict.fromkeys(self.minimal.symbols, 1)

    def _numbers(self, below: dict[int, int]) -> dict[int, int]:
        rules = self.minimal.grammar.rules
        return self._ones() | {
            symbol: sum(prod(below[s] for s in rules[rule].rhs) for rule in found)
            for symbol, found in self.minimal.rules_of.items()
        }

    def of(self, symbol: int, k: int) -> Iterator[Derivation]:
        """The trees of `k` levels, at least one, from a non-terminal."""
        for rule in self.minimal.rules_of[symbol]:
            if k == 1:
                yield self.minimal.whole(rule)
                continue
            for parts in self._combined(self.minimal.grammar.rules[rule].rhs, k - 1):
                yield Derivation(
                    (rule, *chain.from_iterable([part[0] for part in parts])),
                    tuple(chain.from_iterable([part[1] for part in parts])),
                )

    def _combined(self, rhs: Sequence[int], k: int) -> Iterator[tuple[Derivation, ...]]:
        """All combinations of trees of `k` levels below the symbols of a right-hand side."""
        choices: list[list[Derivation]] = []
        for at, symbol in enumerate(rhs):
            if self.minimal.grammar.is_terminal(symbol):
                choices.append([self.minimal.part(symbol)])
            elif self.number[k][symbol] <= _KEPT:
                choices.append(list(self.of(symbol, k)))
            else:  # too many to hold: made again for each combination of those before
                for before in product(*choices):
                    for tree in self.of(symbol, k):
                        for after in self._combined(rhs[at + 1 :], k):
                            yield (*before, tree, *after)
                return
        yield from product(*choices)


def pop_edges(minimal: Minimal, graph: LRGraph) -> Iterator[Covering]:
    """All pop edges."""
    for pop, derivation in PopEdgeCover(graph, minimal):
        yield derivation, graph.edge_text(graph.n_push + pop)


def flooding(_: Minimal, graph: LRGraph) -> Iterator[Covering]:
    """All edges, breadth first; the target is the path that was completed."""
    for path, derivation in Flooding(graph):
        yield derivation, graph.path_text(path.edges())


CRITERIA: dict[str, Criterion] = {
    "symbol": symbols,
    "rule": rules,
    "cdrc": partial(steps, k=2),
    "full-cdrc": partial(trees, k=2),
    "deriv": derivable_pairs,
    "pll": leading_terminals,
    "pairs": adjacent_pairs,
}
"""The criteria by name."""

FAMILIES: dict[str, Family] = {"step": steps, "bfs": trees, "k-paths": k_paths}
"""The criteria with a parameter, which stands after a colon: ``step:3``."""

BOUNDED: dict[str, BoundedFamily] = {"k-paths": bounded_k_paths}
"""Those of them that also take a limit on depth, after another colon: ``k-paths:3:20``."""

GRAPH_CRITERIA: dict[str, Callable[[Minimal, LRGraph], Iterator[Covering]]] = {
    "pec": pop_edges,
    "lr-bfs": flooding,
}
"""Those that cover an LR graph."""

_MOST = 100
"""The largest parameter; far smaller ones give more tests than anyone can run."""

_DIGITS = 100
"""Digits that a number may have at all."""


def criterion_named(name: str, automaton: AutomatonKind = AutomatonKind.LR0) -> Criterion:
    """The criterion of that name; `automaton` is what LR graphs are made of.

    Raises:
        GramspectError: there is none, or its parameter is missing or no number from 1 to 100.
    """
    family, _, parameter = name.partition(":")
    parameter, bounded, depth = parameter.partition(":")
    if family in FAMILIES:
        if bounded and family in BOUNDED and _is_number(parameter) and _is_number(depth, inf):
            return partial(BOUNDED[family], k=int(parameter), depth=int(depth))
        if bounded or not _is_number(parameter):
            raise GramspectError(
                f"the criterion {family!r} needs a number from 1 to {_MOST}, such as {family}:3"
            )
        return partial(FAMILIES[family], k=int(parameter))
    if name in CRITERIA:
        return CRITERIA[name]
    if name in GRAPH_CRITERIA:
        return lambda minimal: GRAPH_CRITERIA[name](minimal, lr_graph(minimal.grammar, automaton))
    known = [*CRITERIA, *GRAPH_CRITERIA, *(f"{each}:K" for each in FAMILIES)]
    near = get_close_matches(family, [*CRITERIA, *GRAPH_CRITERIA, *FAMILIES], n=1)
    hint = f"did you mean {near[0]!r}? There" if near else "there"
    raise GramspectError(f"there is no criterion {name!r}; {hint} are: {', '.join(known)}")


def _is_number(text: str, most: float = _MOST) -> bool:
    """Whether a parameter is a whole number from 1."""
    is_whole = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    return is_whole and 1 <= int(text) <= most
