"""Texts for the tokens of a PLY lexer, from its patterns.

A token's texts are those of the rule of that name, or the token is a literal character. Words that
a function tells apart (``t_ID`` with a table of reserved words) have no rule: their texts are
looked for among the tables of words that the lexer's functions use, and tried in the spellings of
the token's name. What counts in the end is what the lexer makes of a text.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain, islice, product
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from gramspect.adapter_api import alternatives, fitting
from gramspect_ply.attributes import attributes_of

__all__ = ["LexerSamples", "lexers_within"]

_INITIAL = "INITIAL"
"""The state in which PLY's lexers begin."""

_OF_OTHERS = 5
"""How many texts of each other rule are tried for a token without a rule."""


class _Rule(NamedTuple):
    """A rule in a state of a lexer, with the type of its tokens (None: it makes none)."""

    state: str
    token: str | None
    texts: Iterator[str]


class LexerSamples:
    """Finds texts for the tokens of PLY lexers; `reads` says what tokens a text consists of."""

    def __init__(
        self, lexers: Callable[[], Iterable[object]], reads: Callable[[str], list[str] | None]
    ) -> None:
        self._find = lexers
        self._reads = reads

    @cached_property
    def _lexers(self) -> list[Any]:
        """Look for the lexers only now: some parsers make theirs in their first parse."""
        self._reads("")
        return list(self._find())

    def of(self, token: str, limit: int) -> list[str]:
        """Up to a number of texts of a token.

        If the lexer reads none of them by itself, because it needs to be in some state, this is the
        first text of the token's own rule.
        """
        for source in self._sources(token):
            found = fitting(source, lambda text: self._reads(text) == [token], limit)
            if found:
                return found
        return fitting(self._own(token, wide=False), lambda _: True, 1)

    def _sources(self, token: str) -> Iterator[Iterable[str]]:
        """Where texts may come from, the best first; the others count if there is none."""
        if any(token in (lexer.lexliterals or "") for lexer in self._lexers):
            yield [token]
        yield self._words.get(token, ())
        yield self._own(token, wide=False)
        yield self._own(token, wide=True)
        names = [name for name in (token, token.partition("_")[2]) if name]
        yield [form for n in names for form in (n.lower(), n, n.capitalize(), n.upper())]
        yield (text for rule in self._rules(wide=False) for text in islice(rule.texts, _OF_OTHERS))
        yield self._across_states()

    def _own(self, token: str, *, wide: bool) -> Iterator[str]:
        return chain.from_iterable(r.texts for r in self._rules(wide=wide) if r.token == token)

    def _across_states(self) -> Iterator[str]:
        """Texts of a rule that begins a state, perhaps one inside, and one that ends it."""
        by_state: dict[str, list[str]] = {}
        for rule in self._rules(wide=False):
            by_state.setdefault(rule.state, []).extend(islice(rule.texts, 1))
        for state, inside in by_state.items():
            if state != _INITIAL:
                for parts in product(by_state.get(_INITIAL, ()), ("", *inside), inside):
                    yield "".join(parts)

    def _rules(self, *, wide: bool) -> Iterator[_Rule]:
        for lexer in self._lexers:
            for state, masters in lexer.lexstatere.items():
                for expression, rules in masters:
                    groups = alternatives(expression.pattern, expression.flags, wide=wide)
                    for group, texts in groups:
                        yield _Rule(state, rules[group][1] if rules[group] else None, texts)

    @cached_property
    def _words(self) -> Mapping[str, list[str]]:
        """By token, the words that tables within reach of the lexer's functions give that type."""
        found: dict[str, list[str]] = {}
        for table in self._tables():
            for word, token in list(table.items()):
                if isinstance(word, str) and isinstance(token, str):
                    found.setdefault(token, []).append(word)
        return found

    def _tables(self) -> Iterator[dict[Any, Any]]:
        functions = (
            rule[0]
            for lexer in self._lexers
            for masters in lexer.lexstatere.values()
            for _, rules in masters
            for rule in rules
            if rule and rule[0]
        )
        spaces: dict[int, Mapping[str, object]] = {}
        for function in functions:
            owner = getattr(function, "__self__", None)
            plain = inspect.unwrap(getattr(function, "__func__", function))
            if isinstance(plain, FunctionType):
                spaces[id(plain.__globals__)] = plain.__globals__
            if owner is not None:
                spaces |= {id(vars(c)): vars(c) for c in type(owner).__mro__}
                spaces[id(owner)] = attributes_of(owner)
        for space in spaces.values():
            yield from (value for value in list(space.values()) if type(value) is dict)


def lexers_within(things: Iterable[object]) -> list[object]:
    """The lexers that PLY made among objects, their attributes, and the attributes of those."""
    found: dict[int, object] = {}
    pending = [(thing, 0) for thing in things]
    for thing, depth in pending:
        if thing is None or isinstance(thing, type | ModuleType | FunctionType):
            continue
        held = attributes_of(thing)
        if "lexstatere" in held:
            found[id(thing)] = thing
        elif depth < 2:
            pending.extend((value, depth + 1) for value in list(held.values()))
    return list(found.values())
