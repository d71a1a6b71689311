"""A Lark parser and what is known of it: the core grammar, and which of its rules are Lark's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate

from lark import Lark, Token

from gramspect.adapter_api import UNKNOWN, Grammar, LexedText, Lexeme, Splice
from gramspect_lark.correspondence import Correspondence, LarkRule
from gramspect_lark.definitions import Definitions
from gramspect_lark.inputs import Inputs
from gramspect_lark.lexing import Followers, GuidedLexer, basic_lexer
from gramspect_lark.splicing import Stretch

__all__ = ["Subject", "lark_rules"]


def lark_rules(lark: Lark) -> list[LarkRule]:
    """The rules of a Lark object by the names of their symbols."""
    return [
        LarkRule(str(rule.origin.name), tuple(str(symbol.name) for symbol in rule.expansion))
        for rule in lark.rules
    ]


@dataclass(frozen=True, eq=False)
class Subject:
    """The parser under observation. `start` is one of the start symbols of `lark`."""

    lark: Lark
    start: str
    correspondence: Correspondence
    inputs: Inputs
    definitions: Definitions | None = None

    @property
    def grammar(self) -> Grammar:
        return self.correspondence.grammar

    @cached_property
    def terminals(self) -> Mapping[str, int]:
        """The terminals of the core grammar by Lark's names."""
        names = self.correspondence.names
        return {names[symbol.index]: symbol.index for symbol in self.grammar.terminals}

    def terminals_of(self, tokens: Iterable[Token] | None) -> list[int] | None:
        """The terminals of tokens."""
        if tokens is None:
            return None
        return [self.terminals.get(token.type, UNKNOWN) for token in tokens]

    def stretches(self, splices: Iterable[Splice]) -> list[Stretch]:
        """Splices with Lark's names of their terminals."""
        names = self.correspondence.names
        return [
            Stretch(s.start, s.end, None if s.terminal is None else names[s.terminal])
            for s in splices
        ]

    def lexing(
        self, tokens: Iterable[Token], failed: int | None, accepted: bool | None = None
    ) -> LexedText:
        """Tokens with their places; those without one stand at the end of the one before."""
        lexemes: list[Lexeme] = []
        place = 0
        for token in tokens:
            start, end = place, place
            if token.start_pos is not None and token.end_pos is not None:
                start, end = max(place, token.start_pos), max(place, token.end_pos)
            lexemes.append(Lexeme(self.terminals.get(token.type, UNKNOWN), start, end))
            place = end
        return LexedText(lexemes, failed, accepted)

    @cached_property
    def guided(self) -> GuidedLexer:
        """Lark's basic lexer where a token says which may come next."""
        conf = self.lark.lexer_conf
        return GuidedLexer(basic_lexer(conf), conf, self.followers)

    @cached_property
    def followers(self) -> Followers:
        """Which terminals may follow each, by Lark's names.

        A token that a post-lexer puts in has no text, so what may follow it may also follow the
        token before it.
        """
        names = {number: name for name, number in self.terminals.items()}
        bits = self.grammar.analysis.follow_bits
        own = {name: bits[number] for name, number in self.terminals.items()}
        textless = own.keys() - self.lark.lexer_conf.terminals_by_name.keys()
        hidden = unseen = 0
        for name in textless:
            hidden |= 1 << self.terminals[name]
            unseen |= own[name]

        @cache  # many keywords have the same followers
        def members(found: int) -> frozenset[str]:
            found |= unseen if found & hidden else 0
            return frozenset(other for index, other in names.items() if found >> index & 1)

        return {name: members(found) for name, found in own.items()}

    def keywords(self, text: str) -> list[int]:
        """The terminals that are one text, this one."""
        return [t for pattern, is_word, t in self._patterns if is_word and pattern.fullmatch(text)]

    def matching(self, text: str) -> list[int]:
        """The terminals that match a text as a whole."""
        return [terminal for pattern, _, terminal in self._patterns if pattern.fullmatch(text)]

    @cached_property
    def _patterns(self) -> Sequence[tuple[re.Pattern[str], bool, int]]:
        """The pattern of each terminal, and whether it is one text."""
        conf = self.lark.lexer_conf
        return [
            (
                conf.re_module.compile(terminal.pattern.to_regexp(), conf.g_regex_flags),
                terminal.pattern.type == "str",
                self.terminals[terminal.name],
            )
            for terminal in conf.terminals
            if terminal.name in self.terminals
        ]

    @cached_property
    def first(self) -> list[int]:
        """The first item of each of Lark's rules, and after them the number of items."""
        lengths = (len(rule.expansion) + 1 for rule in self.correspondence.lark_rules)
        return list(accumulate(lengths, initial=0))

    @cached_property
    def items(self) -> list[frozenset[int]]:
        """What each of Lark's items may stand for in the core grammar."""
        return [items for rule in self.correspondence.items for items in rule]
