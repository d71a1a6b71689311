"""Negative tests from sentences: one token changed so that a poisoned pair arises.

The word mutation of Raselimo, Taljaard and Fischer (2019, "Breaking parsers: mutation-based
generation of programs with guaranteed syntax errors"): with the sentence ``u a b c d v``

* deletion of b gives ``a c``, insertion of x before c ``b x c``, substitution of b by x ``a x c``
  and transposition of b and c ``a c b d``;
* the outcome is no sentence if one of its new pairs is poisoned (`Adjacency`).

No oracle is needed, and the second token of the leftmost such pair is where a parser must report
the error at the latest. Beginning and end of the sentence count as a token on the outer sides.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from random import Random
from typing import NamedTuple

from gramspect.generation.adjacency import Adjacency
from gramspect.generation.generated import GeneratedTest, TokenMutation
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.seeding import Mutation
from gramspect.grammars.symbols import END
from gramspect.suites.suite import Expectation

__all__ = ["TOKEN_OPERATORS", "TokenMutator"]

TOKEN_OPERATORS = (
    Mutation.DELETION,
    Mutation.INSERTION,
    Mutation.SUBSTITUTION,
    Mutation.TRANSPOSITION,
)


class _Edit(NamedTuple):
    """Tokens from `position` on are replaced: `removed` of them by `inserted`."""

    operator: Mutation
    position: int
    removed: int
    inserted: tuple[int, ...]
    error: int


class TokenMutator:
    """Makes all mutants of a sentence that cannot be sentences.

    `without` are terminals that are not inserted. `silent` ones have no text of their own
    (`Adjacency`); those that end a sentence are dropped. `adjacency` says what is poisoned, if not
    the grammar itself.
    """

    def __init__(
        self,
        grammar: Grammar,
        silent: Collection[int] = (),
        without: Collection[int] = (),
        operators: Collection[Mutation] = TOKEN_OPERATORS,
        adjacency: Adjacency | None = None,
    ) -> None:
        self.grammar = grammar
        self.operators = operators
        self._silent = frozenset(silent)
        left_out = self._silent.union(without)
        self.tokens = tuple(t for t in range(1, grammar.n_terminals) if t not in left_out)
        self.adjacency = adjacency or Adjacency(grammar, silent)

    def mutants(
        self, test: GeneratedTest, at_most: int | None = None, random: Random | None = None
    ) -> Iterator[GeneratedTest]:
        """The mutants of a positive test: by operator, then position and token.

        With `at_most`, that many of them are drawn at random, in the same order.
        """
        sentence, derivation, criterion, target, *_ = test
        while sentence and sentence[-1] in self._silent:
            sentence = sentence[:-1]
        edits = self._edits(sentence)
        if at_most is not None:
            edits = _some(list(edits), at_most, random or Random(0))
        for operator, position, removed, inserted, error in edits:
            yield GeneratedTest(
                sentence[:position] + inserted + sentence[position + removed :],
                derivation,
                criterion,
                target,
                Expectation.REJECT,
                TokenMutation(
                    operator,
                    position,
                    inserted[0] if inserted and removed < 2 else None,
                    error,
                ),
            )

    def _edits(self, sentence: tuple[int, ...]) -> Iterator[_Edit]:
        framed = (END, *sentence, END)
        for operator in TOKEN_OPERATORS:
            if operator in self.operators:
                yield from self._by_operator[operator](framed)

    @cached_property
    def _by_operator(self) -> dict[Mutation, Callable[[tuple[int, ...]], Iterator[_Edit]]]:
        return {
            Mutation.DELETION: self._deletions,
            Mutation.INSERTION: self._insertions,
            Mutation.SUBSTITUTION: self._substitutions,
            Mutation.TRANSPOSITION: self._transpositions,
        }

    def _deletions(self, framed: tuple[int, ...]) -> Iterator[_Edit]:
        for at in range(len(framed) - 2):
            if self.adjacency.poisoned(framed[at], framed[at + 2]):
                yield _Edit(Mutation.DELETION, at, 1, (), at)

    def _insertions(self, framed: tuple[int, ...]) -> Iterator[_Edit]:
        for at in range(len(framed) - 1):
            for token, error in self._between(framed[at], framed[at + 1]):
                yield _Edit(Mutation.INSERTION, at, 0, (token,), at + error)

    def _substitutions(self, framed: tuple[int, ...]) -> Iterator[_Edit]:
        for at in range(len(framed) - 2):
            for token, error in self._between(framed[at], framed[at + 2]):
                if token != framed[at + 1]:
                    yield _Edit(Mutation.SUBSTITUTION, at, 1, (token,), at + error)

    def _between(self, left: int, right: int) -> Iterator[tuple[int, int]]:
        """The tokens that make a poisoned pair between two others, and with which: 0 or 1."""
        after, before = self.adjacency.after[left], self.adjacency.before[right]
        for token in self.tokens:
            if not after >> token & 1:
                yield token, 0
            elif not before >> token & 1:
                yield token, 1

    def _transpositions(self, framed: tuple[int, ...]) -> Iterator[_Edit]:
        poisoned = self.adjacency.poisoned
        for at in range(len(framed) - 3):
            a, b, c, d = framed[at : at + 4]
            if b == c:
                continue
            pairs = ((a, c), (c, b), (b, d))
            error = next((i for i, pair in enumerate(pairs) if poisoned(*pair)), None)
            if error is not None:
                yield _Edit(Mutation.TRANSPOSITION, at, 2, (c, b), at + error)


def _some(edits: list[_Edit], number: int, random: Random) -> Iterator[_Edit]:
    chosen = random.sample(range(len(edits)), min(number, len(edits)))
    return (edits[index] for index in sorted(chosen))
