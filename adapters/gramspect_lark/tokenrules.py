"""The terminals of a Lark grammar as token rules, with automata made from their definitions.

Lark puts the terminals that a definition names into its regular expression, and forgets them. Here
the definitions are read as they are written, so that each part keeps its own name and place.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from lark.lexer import PatternStr, TerminalDef

from gramspect.adapter_api import (
    MOST_COPIES,
    Automaton,
    Chain,
    CharSet,
    Operator,
    Pattern,
    TokenRule,
    add_regex,
)
from gramspect_lark.definitions import Definitions, TerminalDefinition
from gramspect_lark.patterns import FLAGS, pattern_of
from gramspect_lark.sources import LoadedText
from gramspect_lark.subject import Subject
from gramspect_lark.syntax import Branch, Element, Group, Literal, Name, Range, Usage

__all__ = ["TerminalRules"]

_DEEPEST = 30


class _Unknown(Exception):
    """A definition that cannot be read as an automaton."""


class TerminalRules:
    """The terminals of one parser that have definitions in the grammar's text."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    @cached_property
    def all(self) -> Sequence[TokenRule]:
        """Those that the lexer knows, in the order of their definitions, and their fragments.

        Regular expressions in rules follow, by what Lark calls them. A terminal that comes with
        Lark is one where the user imports it, and what it is made of is a part of it.
        """
        definitions = self._subject.definitions
        if definitions is None:
            return [self._rule(t.name, self._of_pattern(t.name)) for t in self._terminals]
        known = definitions.terminal_definitions()
        lexed = [terminal.name for terminal in self._terminals if terminal.name in known]
        automata = {name: self._automaton(definitions, name) for name in lexed}
        used = {
            name
            for automaton in automata.values()
            for edge in (() if automaton is None else automaton.edges)
            for name in edge.chain
        }
        named = [
            self._rule(name, automata.get(name), definition)
            if not definition.is_library
            else self._imported(name, automata.get(name), definition, definitions)
            for name, definition in known.items()
            if name in automata or name in used
        ]
        regexps = definitions.regexps()
        unnamed = [t.name for t in self._terminals if t.name in regexps]
        return named + [self._unnamed(n, *regexps[n]) for n in unnamed]

    def pattern(self, name: str) -> Pattern | None:
        """The definition of a terminal; None if no name in the text defines it."""
        definitions = self._subject.definitions
        return None if definitions is None else pattern_of(definitions, name, self._flags)

    @property
    def _terminals(self) -> Sequence[TerminalDef]:
        return list(self._subject.lark.lexer_conf.terminals)

    def _rule(
        self,
        name: str,
        automaton: Automaton | None,
        definition: TerminalDefinition | Literal | None = None,
    ) -> TokenRule:
        terminal = self._subject.terminals.get(name)
        skipped = name in self._subject.lark.lexer_conf.ignore
        own = frozenset(() if terminal is None or skipped else (terminal,))
        if definition is None:
            return TokenRule(name, automaton, own, skipped)
        return TokenRule(name, automaton, own, skipped, definition.span, definition.text)

    def _imported(
        self,
        name: str,
        automaton: Automaton | None,
        definition: TerminalDefinition,
        definitions: Definitions,
    ) -> TokenRule:
        """A terminal that comes with Lark: only what uses it can be changed.

        Its place is that in the one rule that uses it, or else where it is imported.
        """
        rule = replace(self._rule(name, automaton, definition), fixed=True)
        users = list(definitions.users(name))
        used = definitions.use(name, users[0]) if len(users) == 1 else None
        substitutes = tuple(definitions.substitutes(name))
        inside = self._numbers(users)
        return replace(rule, span=used or rule.span, inside=inside, substitutes=substitutes)

    def _unnamed(self, name: str, written: Literal, rules: Iterable[str]) -> TokenRule:
        """A regular expression in rules."""
        rule = self._rule(name, self._of_pattern(name), written)
        return replace(rule, shown=written.text, inside=self._numbers(rules))

    def _numbers(self, rules: Iterable[str]) -> frozenset[int]:
        numbers = {s.name: s.index for s in self._subject.grammar.nonterminals}
        return frozenset(numbers[rule] for rule in rules if rule in numbers)

    def _automaton(self, definitions: Definitions, name: str) -> Automaton | None:
        try:
            return _Writer(definitions, self._flags).written(name)
        except (_Unknown, re.error, ValueError, SyntaxError):
            return self._of_pattern(name)

    def _of_pattern(self, name: str) -> Automaton | None:
        """The automaton of Lark's own pattern of a terminal."""
        automaton = Automaton()
        for terminal in self._terminals:
            if terminal.name == name:
                pattern = terminal.pattern
                text = re.escape(pattern.value) if isinstance(pattern, PatternStr) else ""
                try:
                    automaton.final = add_regex(
                        automaton, automaton.start, text or pattern.to_regexp(), self._flags,
                        (name,),
                    )  # fmt: skip
                except re.error:  # one for the module regex
                    return None
                return automaton
        return None

    @property
    def _flags(self) -> int:
        return int(self._subject.lark.lexer_conf.g_regex_flags)


class _Writer:
    """Makes one automaton from a definition and those that it names."""

    def __init__(self, definitions: Definitions, flags: int) -> None:
        self._definitions = definitions.terminal_definitions()
        self._flags = flags
        self._automaton = Automaton()

    def written(self, name: str) -> Automaton:
        automaton = self._automaton
        automaton.final = self._name(name, automaton.start, ())
        return automaton

    def _name(self, name: str, state: int, chain: Chain) -> int:
        definition: TerminalDefinition | None = self._definitions.get(name)
        if definition is None or name in chain or len(chain) > _DEEPEST:
            raise _Unknown(name)
        part = not definition.is_library or not chain
        return self._either(definition.branches, state, (*chain, name) if part else chain)

    def _either(
        self, branches: Sequence[tuple[Branch, LoadedText]], state: int, chain: Chain
    ) -> int:
        target = self._automaton.state()
        for branch, text in branches:
            end = self._behind(state)
            for element in branch.elements:
                end = self._element(element, text, end, chain)
            self._automaton.skip(end, target)
        return target

    def _element(self, element: Element, text: LoadedText, state: int, chain: Chain) -> int:
        match element:
            case Group():
                return self._group(element, text, state, chain)
            case Name():
                return self._name(text.renamed(element.text), state, chain)
            case Literal():
                return self._literal(element.text, state, chain)
            case Range():
                first, last = literal_eval(element.first), literal_eval(element.last)
                return self._read(state, CharSet(((ord(first), ord(last)),)), chain)
            case Usage():
                raise _Unknown(element.name.text)

    def _group(self, group: Group, text: LoadedText, state: int, chain: Chain) -> int:
        branches = [(branch, text) for branch in group.branches]
        if group.bounds is not None:
            return self._repeated(branches, *group.bounds, state, chain)
        match group.operator:
            case Operator.OPTION:
                return self._repeated(branches, 0, 1, state, chain)
            case Operator.STAR:
                return self._loop(branches, state, chain)
            case Operator.PLUS:
                return self._loop(branches, self._either(branches, state, chain), chain)
        return self._either(branches, state, chain)

    def _loop(self, branches: Sequence[tuple[Branch, LoadedText]], state: int, chain: Chain) -> int:
        target = self._behind(state)
        self._automaton.skip(self._either(branches, target, chain), target)
        return target

    def _repeated(
        self,
        branches: Sequence[tuple[Branch, LoadedText]],
        least: int,
        most: int,
        state: int,
        chain: Chain,
    ) -> int:
        if most > MOST_COPIES:
            raise _Unknown("a long repetition")
        for _ in range(least):
            state = self._either(branches, state, chain)
        target = self._behind(state)
        for _ in range(most - least):
            state = self._either(branches, state, chain)
            self._automaton.skip(state, target)
        return target

    def _literal(self, text: str, state: int, chain: Chain) -> int:
        """A string or a regular expression, as it is written."""
        delimiter = text[0]
        end = text.rindex(delimiter)
        flags = self._flags
        for letter in text[end + 1 :]:
            flags |= FLAGS[letter]
        if delimiter == "/":
            pattern = text[1:end].replace("\\/", "/")
            return add_regex(self._automaton, state, pattern, flags, chain)
        for character in literal_eval(text[: end + 1]):
            characters = CharSet.single(character)
            if flags & re.IGNORECASE:
                characters = characters.folded()
            state = self._read(state, characters, chain)
        return state

    def _read(self, state: int, characters: CharSet, chain: Chain) -> int:
        target = self._automaton.state()
        self._automaton.read(state, target, characters, chain)
        return target

    def _behind(self, state: int) -> int:
        target = self._automaton.state()
        self._automaton.skip(state, target)
        return target
