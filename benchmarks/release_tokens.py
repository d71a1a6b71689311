"""Which token definitions of an older release are to blame for the rejection of a text.

A text that a newer release accepts has tokens, as its lexer makes them. If the older grammar
derives these, its rules are not at fault, but the definitions of tokens are. To blame are those,
fragments too, that both releases have, that differ, and that make up a token which the older lexer
does not make of the text; if there is none, the changed ones of the tokens that it makes instead,
and of what is skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from gramspect.lexical.rules import TokenRule
from gramspect.recognition.chart import ChartTooLarge, parse_chart
from gramspect.recognition.recognizer import Recognizer, TokenRuleKnowing
from gramspect.suites.suite import TestCase
from history_grammars import grammar_of, terminal_names, written

__all__ = ["TokenJudge"]

Token: TypeAlias = "tuple[str, int, int]"
"""The name of a terminal, and the text that it spans."""


@dataclass(frozen=True)
class Lexer:
    """The token rules of a release."""

    parser: TokenRuleKnowing
    names: tuple[str, ...]
    rules: tuple[TokenRule, ...]

    @classmethod
    def of(cls, parser: Recognizer) -> Lexer | None:
        if not isinstance(parser, TokenRuleKnowing):
            return None
        return cls(parser, tuple(terminal_names(parser.grammar)), tuple(parser.token_rules()))

    def tokens(self, test: TestCase) -> list[Token] | None:
        """The tokens up to where the lexer stops; None if it cannot be asked."""
        found = self.parser.lexing(test)
        if found is None:
            return None
        return [(self.names[one.terminal], one.start, one.end) for one in found.lexemes]

    def definitions(self, tokens: Iterable[Token]) -> set[str]:
        """The names of the definitions that tokens are made of."""
        wanted = {name for name, _, _ in tokens}
        rules = (r for r in self.rules if wanted & {self.names[t] for t in r.terminals})
        return {name for rule in rules for name in _parts(rule)}

    def skipping(self) -> set[str]:
        return {name for rule in self.rules if rule.skipped for name in _parts(rule)}


def _parts(rule: TokenRule) -> Iterator[str]:
    yield rule.name
    for edge in rule.automaton.edges if rule.automaton is not None else ():
        yield from edge.chain


class TokenJudge:
    """Compares the lexers of two releases."""

    def __init__(self, before: Recognizer, after: Recognizer) -> None:
        self.older, self.newer = Lexer.of(before), Lexer.of(after)
        self.grammar = grammar_of(written(before.grammar))
        self.numbers = {symbol.name: symbol.index for symbol in self.grammar.terminals}
        if self.older and self.newer:
            old = {rule.name: rule.text for rule in self.older.rules}
            new = {rule.name: rule.text for rule in self.newer.rules}
            self.changed = {name for name in old.keys() & new.keys() if old[name] != new[name]}

    def blamed(self, test: TestCase) -> tuple[str, ...]:
        """The definitions to blame; none if the rules are at fault, or nothing is known."""
        if self.older is None or self.newer is None or not self.changed:
            return ()
        wanted, made = self.newer.tokens(test), self.older.tokens(test)
        if wanted is None or made is None or not self._derived(wanted):
            return ()
        missed = set(wanted) - set(made)
        instead = set(made) - set(wanted)
        found = self.newer.definitions(missed) & self.changed
        if not found:
            found = (self.older.definitions(instead) | self.older.skipping()) & self.changed
        return tuple(sorted(found))

    def _derived(self, tokens: Iterable[Token]) -> bool:
        numbers = [self.numbers.get(name, -1) for name, _, _ in tokens]
        if -1 in numbers:
            return False
        try:
            return parse_chart(self.grammar, numbers).accepted
        except ChartTooLarge:
            return False
