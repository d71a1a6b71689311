"""Negative tests from rules: one symbol of a rule changed so that what it derives is no sentence.

The rule mutation of Raselimo, Taljaard and Fischer (2019). With left(I) and right(I) the terminals
that can stand to the left and to the right of the dot of an item I (`Adjacency.left`, `right`):

* deletion of X in ``A -> alpha X beta``: every a in left(A -> alpha . beta) and b in
  right(A -> alpha . beta) make a poisoned pair;
* insertion of X in ``A -> alpha beta``: the same holds at the dot of ``A -> alpha . X beta``, or
  of ``A -> alpha X . beta``;
* substitution of Y by X likewise.

Then nothing is a sentence that is derived with the mutated rule in one place. Each mutation gives
one test: the rule embedded minimally, all symbols derived minimally.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from gramspect.generation.adjacency import Adjacency
from gramspect.generation.generated import GeneratedTest, RuleMutation
from gramspect.generation.minimal import Minimal, joined
from gramspect.grammar import Rule
from gramspect.seeding import Mutation
from gramspect.suite import Expectation

__all__ = ["RULE_OPERATORS", "RuleMutator"]

RULE_OPERATORS = (Mutation.DELETION, Mutation.INSERTION, Mutation.SUBSTITUTION)

CRITERION = "mutated-rule"
"""The criterion that these tests are made for."""


class _Change(NamedTuple):
    """Symbols from the dot on are replaced: `removed` of them by `inserted`.

    The poisoned pairs are behind so many symbols of the changed right-hand side.
    """

    operator: Mutation
    dot: int
    removed: int
    inserted: tuple[int, ...]
    boundary: int


class RuleMutator:
    """Makes all tests with a mutated rule that are negative for certain.

    `silent` are terminals without a text of their own (`Adjacency`); tests may contain them.
    """

    def __init__(
        self,
        minimal: Minimal,
        silent: Collection[int] = (),
        operators: Collection[Mutation] = RULE_OPERATORS,
    ) -> None:
        self.minimal = minimal
        self.adjacency = Adjacency(minimal.grammar, silent)
        self.operators = operators

    def mutants(self) -> Iterator[GeneratedTest]:
        """All tests: by rule, then position, operator and symbol."""
        for index in self.minimal.rules:
            rule = self.minimal.grammar.rules[index]
            for dot in range(len(rule.rhs) + 1):
                for change in self._changes(rule, dot):
                    yield self._test(rule, change)

    def _changes(self, rule: Rule, dot: int) -> Iterator[_Change]:
        alpha, beta = rule.rhs[:dot], rule.rhs[dot:]
        if Mutation.DELETION in self.operators and beta:
            left = self.adjacency.left(rule.lhs, alpha)
            if not self.adjacency.after_any(left) & self.adjacency.right(rule.lhs, beta[1:]):
                yield _Change(Mutation.DELETION, dot, 1, (), dot)
        if Mutation.INSERTION in self.operators:
            yield from self._filled(rule, dot, 0)
        if Mutation.SUBSTITUTION in self.operators and beta:
            yield from self._filled(rule, dot, 1)

    def _filled(self, rule: Rule, dot: int, removed: int) -> Iterator[_Change]:
        """Insertions, or substitutions of the symbol behind the dot."""
        adjacency = self.adjacency
        operator = Mutation.SUBSTITUTION if removed else Mutation.INSERTION
        alpha, beta = rule.rhs[:dot], rule.rhs[dot + removed :]
        expected = adjacency.after_any(adjacency.left(rule.lhs, alpha))
        prepared = adjacency.before_any(adjacency.right(rule.lhs, beta))
        for symbol in self.minimal.symbols:
            if not expected & adjacency.right(rule.lhs, (symbol, *beta)):
                yield _Change(operator, dot, removed, (symbol,), dot)
            elif not prepared & adjacency.left(rule.lhs, (*alpha, symbol)):
                yield _Change(operator, dot, removed, (symbol,), dot + 1)

    def _test(self, rule: Rule, change: _Change) -> GeneratedTest:
        minimal = self.minimal
        rhs = _changed(rule.rhs, change)
        context = minimal.context(rule.lhs)
        derivation = context.filled(minimal.grown(rule.index, rhs))
        before = joined(map(minimal.part, rhs[: change.boundary])).tokens
        mutation = RuleMutation(
            change.operator,
            minimal.grammar.item(rule.index, change.dot),
            change.inserted[0] if change.inserted else None,
            len(context.rules_before),
            len(context.tokens_before) + len(before),
        )
        return GeneratedTest(
            derivation.tokens, derivation, CRITERION, rule.label, Expectation.REJECT, mutation
        )


def _changed(rhs: Sequence[int], change: _Change) -> tuple[int, ...]:
    return (*rhs[: change.dot], *change.inserted, *rhs[change.dot + change.removed :])
