"""Generated tests, each with its derivation and what it was made for."""

from __future__ import annotations

from typing import NamedTuple

from gramspect.generation.derivation import Derivation
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.seeding import Mutation
from gramspect.suites.suite import Expectation

__all__ = ["GeneratedTest", "PathMutation", "RuleMutation", "TokenMutation"]


class TokenMutation(NamedTuple):
    """One token of a sentence deleted, inserted, replaced or swapped with the next.

    `position` is the token's index in the sentence (for an insertion that of the token it is put
    before), `token` the terminal inserted or put in place of another, else None. `error` is the
    index of the token, in the mutated sequence, at which the error must be reported at the
    latest; the number of tokens stands for the end.
    """

    operator: Mutation
    position: int
    token: int | None
    error: int

    def describe(self, grammar: Grammar, sentence: tuple[int, ...]) -> str:
        """The mutation in words; `sentence` is what was mutated."""
        here = [_shown(grammar, symbol) for symbol in sentence[self.position : self.position + 2]]
        new = "" if self.token is None else _shown(grammar, self.token)
        match self.operator:
            case Mutation.DELETION:
                return f"deleted token {self.position + 1}, {here[0]}"
            case Mutation.INSERTION:
                where = f"token {self.position + 1}" if here else "the end"
                return f"inserted {new} before {where}"
            case Mutation.SUBSTITUTION:
                return f"replaced token {self.position + 1}, {here[0]}, by {new}"
            case _:
                return f"swapped tokens {self.position + 1} and {self.position + 2}"


class RuleMutation(NamedTuple):
    """One symbol of a rule deleted, inserted or replaced, in one application of the rule.

    The symbol is, or was, after the dot of `item`; `symbol` is the one inserted or put in place of
    another, else None. `node` is the index of the application in the left parse, `error` as in
    `TokenMutation`.
    """

    operator: Mutation
    item: int
    symbol: int | None
    node: int
    error: int

    def rhs(self, grammar: Grammar) -> tuple[int, ...]:
        """The mutated right-hand side."""
        rule, dot = grammar.split_item(self.item)
        rhs = grammar.rules[rule].rhs
        new = () if self.symbol is None else (self.symbol,)
        kept = dot if self.operator is Mutation.INSERTION else dot + 1
        return (*rhs[:dot], *new, *rhs[kept:])

    def describe(self, grammar: Grammar) -> str:
        """The mutation in words, such as ``stmt:2: deleted 'then' before position 2``."""
        rule, dot = grammar.split_item(self.item)
        described = grammar.rules[rule]
        new = "" if self.symbol is None else _shown(grammar, self.symbol)
        match self.operator:
            case Mutation.DELETION:
                done = f"deleted {_shown(grammar, described.rhs[dot])} at position {dot}"
            case Mutation.INSERTION:
                done = f"inserted {new} at position {dot}"
            case _:
                old = _shown(grammar, described.rhs[dot])
                done = f"replaced {old} by {new} at position {dot}"
        return f"{described.label}: {done}"


class PathMutation(NamedTuple):
    """A path of an LR graph mutated: tokens taken out of a sentence, or put in, or both.

    `of` is ``edge``, where they are one token, or ``stack``, where they are what rules derive.
    `position` is the index of the first token taken out, or of the one that others are put before.
    `error` is as in `TokenMutation`.
    """

    of: str
    operator: Mutation
    position: int
    removed: tuple[int, ...]
    inserted: tuple[int, ...]
    error: int

    def describe(self, grammar: Grammar) -> str:
        """The mutation in words, such as ``replaced 'x' at token 3 by '(' 'x' ')'``."""
        old, new = (
            " ".join(_shown(grammar, token) for token in tokens)
            for tokens in (self.removed, self.inserted)
        )
        where = f"token {self.position + 1}"
        match self.operator:
            case Mutation.DELETION:
                return f"deleted {old} at {where}"
            case Mutation.INSERTION:
                return f"inserted {new} before {where}"
            case _:
                return f"replaced {old or 'nothing'} at {where} by {new}"


class GeneratedTest(NamedTuple):
    """A test of a generated suite.

    `tokens` are terminals. `derivation` is that of the sentence, for a mutated one that of the
    sentence before; for a rule mutation it is the derivation with the mutated rule, which has the
    number of the rule it was made from. `criterion` and `target` say what the sentence was made
    for.
    """

    tokens: tuple[int, ...]
    derivation: Derivation
    criterion: str
    target: str
    expectation: Expectation = Expectation.ACCEPT
    mutation: TokenMutation | RuleMutation | PathMutation | None = None


def _shown(grammar: Grammar, symbol: int) -> str:
    """The symbol as the user writes it, in quotes."""
    text = grammar.symbols[symbol].display
    return text if text[:1] in ("'", '"') else f"'{text}'"
