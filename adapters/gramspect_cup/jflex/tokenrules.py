"""The token rules of a JFlex specification: its rules, and its macros as parts of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

from gramspect.adapter_api import (
    CharSet,
    Choice,
    Grammar,
    Leaf,
    Part,
    Pattern,
    Row,
    SourceText,
    Span,
    TokenRule,
    automaton_of,
)
from gramspect_cup.jflex.actions import Action, read_action
from gramspect_cup.jflex.expressions import read_expression
from gramspect_cup.jflex.samples import texts_of
from gramspect_cup.jflex.syntax import INITIAL, FlexFile, FlexRule, Macro

__all__ = ["LexerRules"]

_REST = re.compile(r"[ \t]*(?://[^\n]*)?(?:\n|\Z)")
"""What may stand on a line after a rule that has the line for itself."""
_LONGEST = 80
_DEEPEST = 20

Asking = Callable[[str], int | None]
"""The terminal that the scanner makes of a text alone, if it makes one of all of it."""


class LexerRules:
    """The rules of one specification.

    `symbols` are the classes with the numbers of the terminals of `grammar`; `ask` runs the
    scanner.
    """

    def __init__(
        self, file: FlexFile, grammar: Grammar, symbols: Sequence[str], ask: Asking
    ) -> None:
        self._file = file
        self._grammar = grammar
        self._ask = ask
        self._macros = {macro.name: macro for macro in file.macros}
        terminals = {symbol.name: symbol.index for symbol in grammar.terminals}
        self._actions = list(_actions(file.rules, symbols, terminals))
        self._names = self._named()
        self._rules = dict(zip(self._names, file.rules, strict=True))

    @cached_property
    def all(self) -> Sequence[TokenRule]:
        """The macros, then the rules, both in the order of the file."""
        macros = [self._macro(macro) for macro in self._macros.values()]
        rules = zip(self._names, self._file.rules, self._actions, strict=True)
        return [*macros, *(self._rule(*one) for one in rules)]

    def pattern(self, name: str) -> Pattern | None:
        """A rule or macro as it is written; None if that is not understood."""
        return self._patterns.get(name)

    @cached_property
    def _patterns(self) -> dict[str, Pattern | None]:
        found = {macro.name: self._of_macro(macro) for macro in self._macros.values()}
        return {**found, **{name: self._of_rule(n) for n, name in enumerate(self._names)}}

    # --- names -------------------------------------------------------------------------------

    def _named(self) -> list[str]:
        """What each rule is called: as the terminal that only it makes, or by its expression."""
        made = Counter(t for action in self._actions for t in action.terminals)
        names = list[str]()
        taken = {*self._macros}
        for rule, action in zip(self._file.rules, self._actions, strict=True):
            name = self._text(rule.source, rule.start, rule.end)
            if len(action.terminals) == 1 and made[(own := next(iter(action.terminals)))] == 1:
                symbol = self._grammar.symbols[own].name
                name = name if symbol in taken else symbol
            elif not self._file.is_initial(rule):
                name = f"<{','.join(rule.states)}> {name}"
            if name in taken:
                name = f"{name} in line {rule.source.position(rule.start)[0]}"
            while name in taken:
                name += "'"
            taken.add(name)
            names.append(name)
        return names

    @staticmethod
    def _text(source: SourceText, start: int, end: int) -> str:
        return " ".join(source.text[start:end].split())

    # --- token rules -------------------------------------------------------------------------

    def _macro(self, macro: Macro) -> TokenRule:
        return TokenRule(
            macro.name,
            automaton_of(macro.name, self.pattern),
            span=macro.source.span(macro.start, macro.end),
            text=self._text(macro.source, macro.start, macro.end),
        )

    def _rule(self, name: str, rule: FlexRule, action: Action) -> TokenRule:
        automaton = None if self._is_part(rule, action) else automaton_of(name, self.pattern)
        terminals = action.terminals
        if action.returns and not terminals and automaton is not None:
            text = next(texts_of(automaton), None)
            learned = None if text is None else self._ask(text)
            terminals = frozenset(() if learned is None else (learned,))
        text = self._text(rule.source, rule.start, rule.last)
        if len(text) > _LONGEST:
            text = f"{self._text(rule.source, rule.start, rule.end)} {{ ... }}"
        return TokenRule(
            name,
            automaton,
            terminals,
            action.drops and automaton is not None,
            rule.source.span(rule.start, rule.end),
            text,
        )

    def _is_part(self, rule: FlexRule, action: Action) -> bool:
        """Whether what a rule reads is no token, nor dropped as a whole.

        That is so where rules of several lexical states read a token together.
        """
        if not action.returns and not action.drops:
            return True
        return not self._file.is_initial(rule) and (
            action.drops or not self._entered_silently.isdisjoint(rule.states)
        )

    @cached_property
    def _entered_silently(self) -> frozenset[str]:
        """The states that are entered with the beginning of a token."""
        found = (action.enters for action in self._actions if not action.returns)
        return frozenset(state for states in found for state in states) - {INITIAL}

    def texts(self, terminal: int, *, wide: bool) -> Iterator[Iterator[str]]:
        """Texts of each rule that makes a terminal, with those before them that begin its token."""
        rules = self.all[len(self._macros) :]
        for rule, written in zip(rules, self._file.rules, strict=True):
            if terminal in rule.terminals and rule.automaton is not None:
                yield texts_of(rule.automaton, wide=wide)
            elif terminal in rule.terminals:
                yield from self._texts_of_parts(rule.name, written.states, wide)

    def _texts_of_parts(
        self, name: str, states: Sequence[str], wide: bool
    ) -> Iterator[Iterator[str]]:
        """Texts of a rule that ends what another rule began, and perhaps others read between."""
        parts = list(zip(self._names, self._file.rules, self._actions, strict=True))
        inside = [n for n, rule, a in parts if a.drops and set(rule.states) & set(states)]
        ends = self._few(name, wide)
        middles = ["", *(text for other in inside for text in self._few(other, wide))]
        for opening, _, action in parts:
            if not action.returns and action.enters & set(states):
                for begin in self._few(opening, wide)[:1]:
                    yield (begin + middle + end for middle in middles for end in ends)

    def _few(self, name: str, wide: bool) -> list[str]:
        automaton = automaton_of(name, self.pattern)
        return [] if automaton is None else list(islice(texts_of(automaton, wide=wide), 3))

    # --- patterns ----------------------------------------------------------------------------

    def _body(self, part: Macro | FlexRule) -> Part | None:
        return read_expression(part.source, part.words, self._single, any_case=self._file.any_case)

    def _single(self, name: str, depth: int = 0) -> CharSet | None:
        """The characters of a macro that reads single ones."""
        macro = self._macros.get(name)
        if macro is None or depth > _DEEPEST:
            return None
        body = read_expression(
            macro.source, macro.words, lambda other: self._single(other, depth + 1), any_case=False
        )
        return None if body is None else _characters(body)

    def _any_case(self) -> tuple[Span, str] | None:
        return None if self._file.any_case else (self._file.option_lines, "%ignorecase\n")

    def _of_macro(self, macro: Macro) -> Pattern | None:
        body = self._body(macro)
        named = macro.source.span(macro.start, macro.start + len(macro.name))
        return None if body is None else Pattern(macro.name, named, body, any_case=self._any_case())

    def _of_rule(self, number: int) -> Pattern | None:
        rule = self._file.rules[number]
        body = self._body(rule)
        if body is None:
            return None
        return Pattern(
            self._names[number],
            rule.source.span(rule.start, rule.end),
            body,
            ordered=self._movable(number),
            any_case=self._any_case(),
            section=(rule.source.file, rule.group),
        )

    def _movable(self, number: int) -> tuple[Span, str] | None:
        """The lines of a rule that has its lines and its action for itself."""
        rule = self._file.rules[number]
        before = self._file.rules[number - 1].action if number else ""
        text, source = rule.source.text, rule.source
        line = text.rfind("\n", 0, rule.first) + 1
        rest = _REST.match(text, rule.last)
        if rule.action is None or before is None or rest is None or text[line : rule.first].strip():
            return None
        return source.lines(source.position(rule.first)[0], source.position(rule.last)[0])


def _actions(
    rules: Sequence[FlexRule], symbols: Sequence[str], terminals: Mapping[str, int]
) -> Iterator[Action]:
    """What is done with what each rule reads: a rule without an action has that of the next one."""
    found, next_one = list[Action](), Action()
    for rule in reversed(rules):
        if rule.action is not None:
            next_one = read_action(rule.action, symbols, terminals)
        found.append(next_one)
    return reversed(found)


def _characters(part: Part) -> CharSet | None:
    """What a part reads if it reads single characters."""
    if isinstance(part, Leaf):
        return part.characters
    if isinstance(part, Row) and len(part.parts) == 1:
        return _characters(part.parts[0])
    if not isinstance(part, Choice):
        return None
    found = CharSet(())
    for row in part.rows:
        one = _characters(row)
        if one is None:
            return None
        found |= one
    return found
