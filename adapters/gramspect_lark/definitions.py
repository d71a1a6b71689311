"""From the texts of a Lark grammar to the definitions that core expands.

Names become what Lark calls them: imported ones carry the name of their grammar, literals are
terminals with names of their own, and a template is a rule for each way in which it is used.
``x ~ n..m`` becomes n times x and nested options for the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter

from gramspect.adapter_api import (
    Alternative,
    Block,
    Definition,
    Operator,
    Reference,
    Span,
    Substitute,
    Token,
)
from gramspect.adapter_api import (
    Element as CoreElement,
)
from gramspect_lark.sources import LoadedText
from gramspect_lark.syntax import (
    Branch,
    Element,
    Group,
    Import,
    Literal,
    Name,
    Range,
    Statement,
    Usage,
    all_elements,
)

__all__ = ["Definitions", "TerminalDefinition", "TooMuchRepeated"]

MAX_REPEATED = 50
"""From here on Lark has other rules for ``x ~ n..m``, which it does not share."""


class TooMuchRepeated(Exception):
    """A repetition with large bounds."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """A rule or terminal under its final name, with the text that it is from."""

    name: Name
    parameters: tuple[str, ...]
    branches: tuple[tuple[Branch, LoadedText], ...]
    text: str
    priority: tuple[Span, int] | None


@dataclass(frozen=True, slots=True)
class TerminalDefinition:
    """What a terminal is: its branches with the texts that they are from, and how it is written.

    One that comes with Lark has the place where it is imported.
    """

    branches: tuple[tuple[Branch, LoadedText], ...]
    span: Span
    text: str
    priority: tuple[Span, int] | None

    @property
    def is_library(self) -> bool:
        """Whether it comes with Lark, so that no user can change it."""
        return all(text.is_library for _, text in self.branches)


@dataclass
class Definitions:
    """The rules of a grammar.

    `terminal_of` gives Lark's name of a literal or range, as it is written.
    """

    texts: Sequence[LoadedText]
    terminal_of: Callable[[Literal | Range], str] = attrgetter("text")
    _rules: dict[str, _Rule] = field(default_factory=dict, init=False)
    _declared: dict[str, Span] = field(default_factory=dict, init=False)
    _made: dict[str, Definition] = field(default_factory=dict, init=False)
    _tokens: dict[str, Token] = field(default_factory=dict, init=False)
    _pending: list[tuple[str, str, tuple[Reference, ...]]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        for text in self.texts:
            for name in text.content.declared:
                self._declared[text.renamed(name.text)] = name.span
            for statement in text.content.statements:
                self._enter(statement, text)

    def _enter(self, statement: Statement, text: LoadedText) -> None:
        name = text.renamed(statement.name.text)
        branches = tuple((branch, text) for branch in statement.branches)
        if statement.how == "extend" and name in self._rules:
            known = self._rules[name]
            self._rules[name] = replace(known, branches=known.branches + branches)
        else:
            self._rules[name] = _Rule(
                statement.name,
                statement.parameters,
                branches,
                statement.text,
                statement.priority,
            )

    # --- results -------------------------------------------------------------------------

    def definitions(self, start: str) -> list[Definition]:
        """The rules of the main grammar in order, then what they need of others."""
        own = [s for s in self.texts[-1].content.statements if not s.name.is_terminal]
        names = [s.name.text for s in own if not s.how and not s.parameters]
        for name in (*names, start):
            self._wanted(name, name, ())
        while self._pending:
            self._make(*self._pending.pop(0))
        return list(self._made.values())

    def tokens(self) -> list[Token]:
        """The terminals that the definitions use, with the places of their definitions."""
        return list(self._tokens.values())

    def terminal_definitions(self) -> dict[str, TerminalDefinition]:
        """The terminals that are defined by a name, by Lark's names."""
        found = {}
        for name, rule in self._rules.items():
            if rule.name.is_terminal:
                span = rule.name.span.to(rule.branches[-1][0].span)
                made = TerminalDefinition(rule.branches, span, rule.text, rule.priority)
                found[name] = replace(made, span=self.imported(name) or span)
        return found

    @cached_property
    def _imported(self) -> Mapping[str, tuple[Import, Name]]:
        """The names that are imported from Lark's own grammars, with the statements and places."""
        library = {
            text.renamed(statement.name.text)
            for text in self.texts
            if text.is_library
            for statement in text.content.statements
        }
        return {
            text.renamed(name.text): (statement, name)
            for text in self.texts
            if not text.is_library
            for statement in text.content.imports
            for name in statement.names
            if text.renamed(name.text) in library
        }

    def regexps(self) -> dict[str, tuple[Literal, list[str]]]:
        """The regular expressions in rules, by Lark's names, with the rules that have them.

        Of equal ones the first.
        """
        found: dict[str, tuple[Literal, list[str]]] = {}
        for name, rule in self._rules.items():
            for branch, _ in () if rule.name.is_terminal else rule.branches:
                for element in all_elements(branch):
                    if isinstance(element, Literal) and element.text.startswith("/"):
                        _, rules = found.setdefault(self.terminal_of(element), (element, []))
                        rules.append(name)
        return {name: one for name, one in found.items() if name not in self._rules}

    def imported(self, name: str) -> Span | None:
        """Where a rule or terminal is imported from Lark's own grammars, if it is."""
        return self._imported[name][1].span if name in self._imported else None

    def substitutes(self, name: str) -> Iterator[Substitute]:
        """What could be imported from the same grammar in the place of a terminal.

        Those that are made of it come first. A list of imports is not changed: Lark knows no other
        names in one.
        """
        statement, called = self._imported.get(name, (None, None))
        library = next((t for t in self.texts if t.is_library and self._defines(t, name)), None)
        if statement is None or called is None or statement.own is None or library is None:
            return
        own = statement.own
        as_called = "" if called is not own else f" -> {called.text}"
        terminals = [s for s in library.content.statements if s.name.is_terminal]
        for one in sorted(terminals, key=lambda s: not _is_made_of(s, own.text)):
            if one.name.text != own.text:
                words = f"import {one.name.text} instead of {own.text}"
                written = ((own.span, f"{one.name.text}{as_called}"),)
                yield Substitute(library.renamed(one.name.text), words, written)

    @staticmethod
    def _defines(text: LoadedText, name: str) -> bool:
        return any(text.renamed(s.name.text) == name for s in text.content.statements)

    def users(self, terminal: str) -> Iterator[str]:
        """The rules that use a terminal by its name."""
        for name, rule in self._rules.items():
            if not rule.name.is_terminal and self.use(terminal, name) is not None:
                yield name

    def span(self, name: str) -> Span | None:
        """Where a rule or terminal is defined."""
        if name in self._rules:
            return self._rules[name].name.span
        return self._declared.get(name)

    def use(self, name: str, inside: str) -> Span | None:
        """Where the definition of `inside` uses a name."""
        rule = self._rules.get(inside)
        for branch, text in () if rule is None else rule.branches:
            for element in all_elements(branch):
                if isinstance(element, Name) and text.renamed(element.text) == name:
                    return element.span
        return None

    # --- rules -----------------------------------------------------------------------------

    def _wanted(self, instance: str, name: str, arguments: tuple[Reference, ...]) -> None:
        if instance not in self._made and name in self._rules:
            self._made[instance] = Definition(instance, ())
            self._pending.append((instance, name, arguments))

    def _make(self, instance: str, name: str, arguments: tuple[Reference, ...]) -> None:
        rule = self._rules[name]
        bound = dict(zip(rule.parameters, arguments, strict=False))
        alternatives = []
        for branch, text in rule.branches:
            alternatives += self._alternatives(branch, text, bound)
        self._made[instance] = Definition(instance, tuple(alternatives), rule.name.span)

    def _alternatives(
        self, branch: Branch, text: LoadedText, bound: Mapping[str, Reference]
    ) -> list[Alternative]:
        elements = tuple(self._element(e, text, bound) for e in branch.elements)
        return [Alternative(elements, branch.span)]

    def _element(
        self, element: Element, text: LoadedText, bound: Mapping[str, Reference]
    ) -> CoreElement:
        if isinstance(element, Group):
            return self._group(element, text, bound)
        return self._reference(element, text, bound)

    def _group(self, group: Group, text: LoadedText, bound: Mapping[str, Reference]) -> Block:
        alternatives = tuple(
            alternative
            for branch in group.branches
            for alternative in self._alternatives(branch, text, bound)
        )
        if group.bounds is not None:
            return _repeated(alternatives, *group.bounds, group.span, group.text)
        shown = group.text if group.operator is Operator.OPTION and group.text else None
        return Block(group.operator, alternatives, group.span, shown)

    def _reference(
        self, element: Element, text: LoadedText, bound: Mapping[str, Reference]
    ) -> Reference:
        if isinstance(element, Literal | Range):
            name = self.terminal_of(element)
            shown = element.text
            spellings = (shown[1:-1],) if shown[:1] == shown[-1:] == '"' else ()
            place = self._rules[name].name.span if name in self._rules else element.span
            display = name if name in self._rules else shown
            self._tokens.setdefault(name, Token(name, place, display, spellings))
            return Reference(name, element.span, shown)
        if isinstance(element, Usage):
            return self._template(element, text, bound)
        assert isinstance(element, Name)
        if element.text in bound:
            return replace(bound[element.text], span=element.span)
        name = text.renamed(element.text)
        if element.is_terminal:
            self._tokens.setdefault(name, Token(name, self.span(name), name))
        else:
            self._wanted(name, name, ())
        return Reference(name, element.span)

    def _template(
        self, usage: Usage, text: LoadedText, bound: Mapping[str, Reference]
    ) -> Reference:
        given = bound.get(usage.name.text)
        name = text.renamed(usage.name.text) if given is None else given.name
        arguments = tuple(self._reference(a, text, bound) for a in usage.arguments)
        instance = f"{name}{{{','.join(a.name for a in arguments)}}}"
        self._wanted(instance, name, arguments)
        return Reference(instance, usage.span)


def _repeated(
    alternatives: tuple[Alternative, ...], least: int, most: int, span: Span, text: str
) -> Block:
    """``x ~ least..most`` as ``x x (x (x)?)?``."""
    if most >= MAX_REPEATED:
        raise TooMuchRepeated(text)
    once: CoreElement
    if len(alternatives) == 1 and len(alternatives[0].elements) == 1:
        once = alternatives[0].elements[0]
    else:
        once = Block(Operator.GROUP, alternatives, span)
    rest: tuple[CoreElement, ...] = ()
    for _ in range(most - least):
        rest = (Block(Operator.OPTION, (Alternative((once, *rest), span),), span),)
    return Block(Operator.GROUP, (Alternative((once,) * least + rest, span),), span, text)


def _is_made_of(statement: Statement, name: str) -> bool:
    """Whether a definition names another one."""
    elements = (element for branch in statement.branches for element in all_elements(branch))
    return any(isinstance(element, Name) and element.text == name for element in elements)
