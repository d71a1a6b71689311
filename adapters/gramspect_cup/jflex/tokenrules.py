"""The token rules of a JFlex specification: its rules, and its macros as parts of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from gramspect.adapter_api import (
    Call,
    CharSet,
    Choice,
    Grammar,
    Leaf,
    Part,
    Pattern,
    Row,
    SourceText,
    Span,
    Style,
    TokenRule,
    automaton_of,
)
from gramspect_cup.jflex.actions import Action, read_action
from gramspect_cup.jflex.expressions import read_expression
from gramspect_cup.jflex.samples import texts_of
from gramspect_cup.jflex.syntax import FlexFile, FlexRule, Macro
from gramspect_cup.jflex.together import Together, read_together, whole

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
        return [*macros, *map(self._rule, range(len(self._names)))]

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

    def _rule(self, number: int) -> TokenRule:
        name, rule = self._names[number], self._file.rules[number]
        action = self._actions[number]
        automaton = automaton_of(name, self.pattern) if self._reads(number) else None
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
            automaton is not None and self._drops(number),
            rule.source.span(rule.start, rule.end),
            text,
        )

    def _reads(self, number: int) -> bool:
        """Whether a rule reads a token, a part of one, or what is dropped as a whole."""
        action = self._actions[number]
        if number in self._together:
            return bool(self._together[number].begin)
        if number in self._parts:
            return True
        in_token = not self._file.is_initial(self._file.rules[number]) and action.drops
        return (action.returns or action.drops) and not in_token

    def _drops(self, number: int) -> bool:
        """Whether the parser never sees what a rule reads, which is no part of a token."""
        action = self._actions[number]
        return not action.returns and number not in self._parts

    @cached_property
    def _together(self) -> Mapping[int, Together]:
        """The tokens of several rules, as far as all of these are understood."""
        read = read_together(self._file, self._actions)
        return {
            number: Together(*(self._known(some) for some in (one.begin, one.inside)))
            for number, one in read.items()
        }

    def _known(self, numbers: Sequence[int]) -> tuple[int, ...]:
        return tuple(n for n in numbers if self._bodies[n] is not None)

    @cached_property
    def _parts(self) -> frozenset[int]:
        """The rules that read parts of tokens."""
        found = self._together.values()
        return frozenset(number for one in found for number in (*one.begin, *one.inside))

    def texts(self, terminal: int, *, wide: bool) -> Iterator[Iterator[str]]:
        """Texts of each rule that makes a terminal."""
        for rule in self.all:
            if terminal in rule.terminals and rule.automaton is not None:
                yield texts_of(rule.automaton, wide=wide)

    # --- patterns ----------------------------------------------------------------------------

    def _body(self, part: Macro | FlexRule) -> Part | None:
        return read_expression(part.source, part.words, self._single, any_case=self._file.any_case)

    @cached_property
    def _bodies(self) -> Sequence[Part | None]:
        return [self._body(rule) for rule in self._file.rules]

    def _call(self, number: int) -> Call:
        """A rule as a part of a token: what is changed beside it is written in that rule."""
        rule = self._file.rules[number]
        span = rule.source.span(rule.start, rule.end)
        return Call(span, Style.JFLEX, self._names[number])

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
        rule, body = self._file.rules[number], self._bodies[number]
        if body is None:
            return None
        read = self._together.get(number)
        if read is not None and read.begin:
            body = whole(
                body, *([self._call(n) for n in some] for some in (read.begin, read.inside))
            )
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
