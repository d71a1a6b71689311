"""Negative tests from rules: one symbol of a rule changed so that what it derives is no sentence.

The rule mutation of Raselimo, Taljaard and Fischer (2019). With left(I) and right(I) the terminals
that can stand to the left and to the right of the dot of an item I (`Adjacency.left`, `right`):

* deletion of X in ``A -> alpha X beta``: every a in left(A -> alpha . beta) and b in
  right(A -> alpha . beta) make a poisoned pair;
* insertion of X in ``A -> alpha beta``: the same holds at the dot of ``A -> alpha . X beta``, or
  of ``A -> alpha X . beta``;
* substitution of Y by X likewise.

Then no derivation that uses the mutated rule in one place yields a sentence. Each mutation gives
one test: the rule embedded minimally, all symbols derived minimally.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from gramspect.generation.adjacency import Adjacency
from gramspect.generation.derivation import Around, Derivation
from gramspect.generation.generated import GeneratedTest, RuleMutation
from gramspect.generation.minimal import Minimal, sides
from gramspect.grammars.seeding import Mutation
from gramspect.grammars.symbols import Rule
from gramspect.suites.suite import Expectation

__all__ = ["RULE_OPERATORS", "RuleMutator"]

RULE_OPERATORS = (Mutation.DELETION, Mutation.INSERTION, Mutation.SUBSTITUTION)

CRITERION = "mutated-rule"
"""The criterion that these tests are made for."""


class _Gap(NamedTuple):
    """A rule with its context, derived minimally but for some symbols from the dot on."""

    rule: Rule
    operator: Mutation
    dot: int
    removed: int
    around: Around
    node: int


class RuleMutator:
    """Makes all tests with a mutated rule that are negative for certain.

    `silent` are terminals without a text of their own (`Adjacency`); tests may contain them.
    `adjacency` says what is poisoned, if not the grammar itself.
    """

    def __init__(
        self,
        minimal: Minimal,
        silent: Collection[int] = (),
        operators: Collection[Mutation] = RULE_OPERATORS,
        adjacency: Adjacency | None = None,
    ) -> None:
        self.minimal = minimal
        self.adjacency = adjacency or Adjacency(minimal.grammar, silent)
        self.operators = operators

    def mutants(self) -> Iterator[GeneratedTest]:
        """All tests: by rule, then position, operator and symbol."""
        for index in self.minimal.rules:
            rule = self.minimal.grammar.rules[index]
            for dot in range(len(rule.rhs) + 1):
                if Mutation.DELETION in self.operators and dot < len(rule.rhs):
                    yield from self._deletion(self._gap(rule, Mutation.DELETION, dot, 1))
                if Mutation.INSERTION in self.operators:
                    yield from self._filled(self._gap(rule, Mutation.INSERTION, dot, 0))
                if Mutation.SUBSTITUTION in self.operators and dot < len(rule.rhs):
                    yield from self._filled(self._gap(rule, Mutation.SUBSTITUTION, dot, 1))

    def _gap(self, rule: Rule, operator: Mutation, dot: int, removed: int) -> _Gap:
        part, context = self.minimal.part, self.minimal.context(rule.lhs)
        before, after = map(part, rule.rhs[:dot]), map(part, rule.rhs[dot + removed :])
        around = context.nested(sides(rule.index, before, after))
        return _Gap(rule, operator, dot, removed, around, len(context.rules_before))

    def _deletion(self, gap: _Gap) -> Iterator[GeneratedTest]:
        expected, _ = self._boundary(gap)
        if not expected & self.adjacency.right(gap.rule.lhs, gap.rule.rhs[gap.dot + 1 :]):
            yield self._test(gap, None, Derivation((), ()), 0)

    def _filled(self, gap: _Gap) -> Iterator[GeneratedTest]:
        """Insertions and substitutions, by symbol."""
        lhs, rhs = gap.rule.lhs, gap.rule.rhs
        alpha, beta = rhs[: gap.dot], rhs[gap.dot + gap.removed :]
        expected, prepared = self._boundary(gap)
        for symbol in self.minimal.symbols:
            part = self.minimal.part(symbol)
            if not expected & self.adjacency.right(lhs, (symbol, *beta)):
                yield self._test(gap, symbol, part, 0)
            elif not prepared & self.adjacency.left(lhs, (*alpha, symbol)):
                yield self._test(gap, symbol, part, len(part.tokens))

    def _boundary(self, gap: _Gap) -> tuple[int, int]:
        """The terminals that can stand after the left side of a gap, and before the right side."""
        adjacency, lhs, rhs = self.adjacency, gap.rule.lhs, gap.rule.rhs
        return (
            adjacency.after_any(adjacency.left(lhs, rhs[: gap.dot])),
            adjacency.before_any(adjacency.right(lhs, rhs[gap.dot + gap.removed :])),
        )

    def _test(self, gap: _Gap, symbol: int | None, part: Derivation, error: int) -> GeneratedTest:
        """The test with a symbol in the gap; `error` counts tokens from the gap's beginning."""
        derivation = gap.around.filled(part)
        item = self.minimal.grammar.item(gap.rule.index, gap.dot)
        error += len(gap.around.tokens_before)
        mutation = RuleMutation(gap.operator, item, symbol, gap.node, error)
        label = gap.rule.label
        return GeneratedTest(
            derivation.tokens, derivation, CRITERION, label, Expectation.REJECT, mutation
        )
