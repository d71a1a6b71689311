"""Which terminals a lexical error has to do with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from lark.lexer import PatternStr, TerminalDef

from gramspect.adapter_api import Diagnostic, Span
from gramspect_lark.prefixes import furthest
from gramspect_lark.subject import Subject

__all__ = ["LexicalSuspects"]

_SHOWN = 40
"""Characters of an unfinished token that messages show."""


class LexicalSuspects:
    """The terminals of a parser, asked about places where none of them matches."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    def at(self, text: str, place: int) -> Iterator[Diagnostic]:
        """The terminals that match what was read; if none does, those that name the character.

        The place of each is that of its definition.
        """
        reached = {t.name: self._reached(t, text, place) for t in self._terminals}
        best = max(reached.values(), default=place)
        if best > place:
            read = text[place:best][-_SHOWN:]
            where = f"the lexer stops at {_character(text, best)} after {read!r}"
            for name, end in reached.items():
                if end == best:
                    message = f"{where}; {self._shown(name)} could go on with this"
                    yield Diagnostic("lexer", message, self._span(name))
            return
        where = f"the lexer stops at {_character(text, place)}, which begins no token"
        naming = [t for t in self._terminals if text[place : place + 1] in _characters(t)]
        for terminal in naming:
            name = self._shown(terminal.name)
            yield Diagnostic("lexer", f"{where}; {name} has it", self._span(terminal.name))
        if not naming:
            yield Diagnostic("lexer", f"{where} and which no terminal names")

    @cached_property
    def _terminals(self) -> list[TerminalDef]:
        return list(self._subject.lark.lexer_conf.terminals)

    def _reached(self, terminal: TerminalDef, text: str, place: int) -> int:
        flags = self._subject.lark.lexer_conf.g_regex_flags
        try:
            return furthest(terminal.pattern.to_regexp(), flags, text, place)
        except re.error:  # one for the module regex
            return place

    def _shown(self, name: str) -> str:
        """A terminal as the user knows it: a pattern without a name as it is written."""
        symbol = self._subject.terminals.get(name)
        if symbol is None or not name.startswith("__"):
            return name
        return self._subject.grammar.symbols[symbol].display

    def _span(self, name: str) -> Span | None:
        definitions = self._subject.definitions
        if definitions is None:
            return None
        found = definitions.imported(name) or definitions.span(name)
        symbol = self._subject.terminals.get(name)
        return found or (None if symbol is None else self._subject.grammar.symbols[symbol].span)


def _character(text: str, place: int) -> str:
    return "the end of the input" if place >= len(text) else repr(text[place])


def _characters(terminal: TerminalDef) -> str:
    """The characters that a terminal names, those of its regular expression as written."""
    pattern = terminal.pattern
    return pattern.value if isinstance(pattern, PatternStr) else pattern.to_regexp()
