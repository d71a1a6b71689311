"""The token rules of a JavaCC grammar, as its file has them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from gramspect.adapter_api import Pattern, Span, TokenRule, automaton_of
from gramspect_javacc.grammar import Mapped
from gramspect_javacc.patterns import read_body
from gramspect_javacc.syntax import JavaccFile
from gramspect_javacc.syntax import TokenRule as Written

__all__ = ["LexerRules"]

_REST = re.compile(r"[ \t]*(?://[^\n]*)?\n")
"""What may stand on a line after a rule that has the line for itself."""
_REMARK = re.compile(r"[ \t]*//[^\n]*")
_ANYWHERE = ("DEFAULT", "*")
"""The lexical states in which lexers begin: what only others drop may not stand anywhere."""


class LexerRules:
    """The token rules of one grammar file; `mapped` knows the terminals that they make."""

    def __init__(self, file: JavaccFile, mapped: Mapped) -> None:
        self._source = file.source
        self._mapped = mapped
        self._any_case = file.options.get("IGNORE_CASE", "").lower() == "true"
        self._written: dict[str, Written] = {}
        for rule in file.token_rules:
            self._written.setdefault(rule.name or self._text(rule), rule)

    @cached_property
    def all(self) -> Sequence[TokenRule]:
        """The rules in the order of the file, private ones too."""
        return [self._rule(name, rule) for name, rule in self._written.items()]

    def pattern(self, name: str) -> Pattern | None:
        """A rule as it is written; None if that is not understood."""
        return self._patterns.get(name)

    @cached_property
    def _patterns(self) -> dict[str, Pattern | None]:
        return {name: self._read(name, rule) for name, rule in self._written.items()}

    def _text(self, rule: Written) -> str:
        return " ".join(self._source.text[rule.start : rule.end].split())

    def _rule(self, name: str, rule: Written) -> TokenRule:
        dropped = rule.kind in ("SKIP", "SPECIAL_TOKEN") and not rule.private
        terminal = None if dropped or rule.private else self._terminal(rule)
        return TokenRule(
            name,
            None if rule.kind == "MORE" else automaton_of(name, self.pattern),
            frozenset(() if terminal is None else (terminal,)),
            dropped and not set(rule.states).isdisjoint(_ANYWHERE),
            self._source.span(rule.start, rule.end),
            self._text(rule),
        )

    def _terminal(self, rule: Written) -> int | None:
        """The terminal of a rule: by its label, its text in quotes, or all of it."""
        literal = None if rule.literal is None else f'"{rule.literal}"'
        known = map(
            self._mapped.grammar.token, filter(None, (rule.name, literal, self._text(rule)))
        )
        return next((terminal for terminal in known if terminal is not None), None)

    def _read(self, name: str, rule: Written) -> Pattern | None:
        any_case = rule.ignore_case or self._any_case
        in_brackets = self._source.text.startswith("<", rule.start)
        body = read_body(self._source, rule.body, in_brackets=in_brackets, ignore_case=any_case)
        if body is None:
            return None
        folding = None
        if rule.kind_end is not None and not any_case:
            folding = self._source.span(rule.kind_end, rule.kind_end), " [IGNORE_CASE]"
        end = max(rule.end, rule.last)
        remark = _REMARK.match(self._source.text, end)
        named = self._source.span(rule.start, remark.end() if remark else end)
        section = (rule.kind, rule.states, any_case)
        movable = self._movable(rule)
        return Pattern(name, named, body, ordered=movable, any_case=folding, section=section)

    def _movable(self, rule: Written) -> tuple[Span, str] | None:
        """What goes where a rule goes, and the rule as it may stand behind another one."""
        text = self._source.text
        if rule.alone is None or not text.startswith("<", rule.start):
            return None
        start, end = rule.alone
        line = text.rfind("\n", 0, start) + 1
        rest = _REST.match(text, end)
        own, before = f"| {text[rule.start : rule.last]}", " "
        if rest is not None and not text[line:start].strip():
            before = f"\n{text[line:start]}"
            start, end = line, rest.end()
        return self._source.span(start, end), f"{before}{own}"
