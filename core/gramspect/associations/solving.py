"""Inputs that have some paths and not others, found exactly.

That a derivation tree has a path is what a tree automaton can decide, so the trees that fulfil a
conjunction are those of a grammar: that of the inputs times the automaton. Its non-terminals are
the old ones with the nodes above, as far as they are the beginning of a path that is asked for, and
with the paths that still must come below. It is made from the root down, and a rule after whose
last node a forbidden path would be complete is left out. If nothing is left, no tree fulfils the
conjunction.

Where Havrikov, Kampmann and Zeller (2024, Section 5.3) search and may end without a result, this
says for certain that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from random import Random

from gramspect.algebra.constructions import reachable_nonterminals
from gramspect.algebra.making import Draft, made
from gramspect.associations.features import Path
from gramspect.associations.states import PathStates
from gramspect.errors import GramspectError
from gramspect.generation.derivation import Derivation
from gramspect.generation.kpaths_graph import GrammarGraph
from gramspect.generation.minimal import Minimal
from gramspect.generation.sampling import Sampling, random_derivations
from gramspect.grammars.grammar import Grammar
from gramspect.lr import lalr_table

__all__ = ["Constraint", "Feasibility", "Solver", "feasibility"]

MOST_RULES = 200_000
"""The most rules of a grammar that is made."""

_Key = tuple[int, Path, frozenset[int]]
"""A symbol, the nodes above it that matter, and the numbers of the paths that must come below."""


@dataclass(frozen=True)
class Constraint:
    """Paths that a derivation tree must have, and paths that it must not have."""

    required: tuple[Path, ...]
    forbidden: tuple[Path, ...]


class Feasibility:
    """What is known about the inputs that fulfil a constraint.

    Attributes:
        impossible: no input fulfils it, for certain.
        reason: why not, or why that is not certain; empty if some do.
    """

    def __init__(self, impossible: bool, reason: str) -> None:
        self.impossible = impossible
        self.reason = reason


class Solver:
    """The derivation trees that fulfil a constraint.

    Attributes:
        grammar: the grammar of just these trees; None if there is none.

    Raises:
        GramspectError: that grammar would be too large.
    """

    def __init__(self, graph: GrammarGraph, constraint: Constraint) -> None:
        self.graph = graph
        self.constraint = constraint
        self._states = PathStates(graph, (*constraint.required, *constraint.forbidden))
        self._below = _nodes_below(graph)
        self.grammar: Grammar | None = None
        self._origins: tuple[int | None, ...] = ()
        base = graph.grammar
        start = (base.start, (), frozenset(range(len(constraint.required))))
        found, origins = made(base, start, self._drafts(start), self._named, base.name)
        if found.start in found.analysis.productive:
            self.grammar, self._origins = found, origins

    def derivations(self, random: Random, sampling: Sampling | None = None) -> Iterator[Derivation]:
        """Derivations that fulfil the constraint, of the base: a smallest one, then random ones.

        They come without end, some again and again; there are none if nothing fulfils it.
        """
        if self.grammar is None:
            return
        minimal = Minimal(self.grammar)
        smallest = minimal.part(self.grammar.start)
        yield self._of_base(Derivation(smallest.rules, smallest.tokens))
        for found in random_derivations(minimal, random, sampling):
            yield self._of_base(found)

    def _of_base(self, found: Derivation) -> Derivation:
        rules = [self._origins[rule] for rule in found.rules]
        return Derivation(tuple(rule for rule in rules if rule is not None), found.tokens)

    def _named(self, key: _Key) -> tuple[int, str]:
        symbol, above, needed = key
        marks = f"{'.'.join(map(str, above))} {'.'.join(map(str, sorted(needed)))}"
        return symbol, f"{self.graph.grammar.symbols[symbol].name} {marks}"

    # --- the product -----------------------------------------------------------------------

    def _drafts(self, start: _Key) -> list[Draft[_Key]]:
        """The rules of all non-terminals that are reached."""
        known, pending, found = {start}, [start], list[Draft[_Key]]()
        while pending:
            for draft in self._of(pending.pop()):
                found.append(draft)
                if len(found) > MOST_RULES:
                    raise GramspectError(
                        f"the constraint asks too much: its grammar has more than {MOST_RULES:,}"
                        " rules; use gramspect associate with a smaller -k"
                    )
                new = {key for key in draft.rhs if not isinstance(key, int)} - known
                known |= new
                pending += new
        return found

    def _of(self, key: _Key) -> Iterator[Draft[_Key]]:
        """The rules of one non-terminal: for each of the base, the ways to share what must come."""
        symbol, above, needed = key
        grammar = self.graph.grammar
        for rule in self.graph.rules_of[symbol]:
            rhs = grammar.rules[rule].rhs
            states, complete = self._states.below(rule, above)
            if any(number >= len(self.constraint.required) for number in complete):
                continue
            left = sorted(needed - complete)
            places = [dot for dot, s in enumerate(rhs) if not grammar.is_terminal(s)]
            choices = [
                [dot for dot in places if self._can_come(rhs[dot], states[dot], number)]
                for number in left
            ]
            for chosen in product(*choices):
                shares: dict[int, set[int]] = {dot: set() for dot in places}
                for number, dot in zip(left, chosen, strict=True):
                    shares[dot].add(number)
                made_of: list[_Key | int] = [
                    (s, states[dot], frozenset(shares[dot])) if dot in shares else s
                    for dot, s in enumerate(rhs)
                ]
                yield Draft(key, tuple(made_of), rule)

    def _can_come(self, symbol: int, state: Path, number: int) -> bool:
        """Whether a path can still end below a symbol, as far as its last node tells."""
        return self._states.paths[number][-1] in self._below[symbol]


def _nodes_below(graph: GrammarGraph) -> dict[int, frozenset[int]]:
    """The nodes in all trees below each non-terminal."""
    grammar = graph.grammar
    own: dict[int, set[int]] = {
        symbol: {
            graph.node_of[grammar.item(rule, dot)]
            for rule in rules
            for dot in range(len(grammar.rules[rule].rhs))
        }
        - {-1}
        for symbol, rules in graph.rules_of.items()
    }
    return {
        symbol: frozenset(own[symbol].union(*(own[each] for each in below)))
        for symbol, below in reachable_nonterminals(grammar).items()
    }


def feasibility(graph: GrammarGraph, constraint: Constraint) -> Feasibility:
    """Whether some input fulfils a constraint.

    For an input that has one tree that is known. If it has several, it has a path if one of them
    has, so what no tree fulfils is impossible if even one of the paths that must be there cannot,
    or if the grammar is not ambiguous: there is a conflict in its LALR(1) tables if it is.

    Raises:
        GramspectError: the constraint asks too much.
    """
    if Solver(graph, constraint).grammar is not None:
        return Feasibility(False, "")
    for path in constraint.required:
        if Solver(graph, Constraint((path,), constraint.forbidden)).grammar is None:
            return Feasibility(True, "no derivation tree has what it asks for")
    if not lalr_table(graph.grammar).conflicts:
        return Feasibility(True, "no derivation tree has all that it asks for")
    return Feasibility(
        False, "no derivation tree has all that it asks for; an input with several may"
    )
