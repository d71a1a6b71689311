"""Texts for the terminals of a Lark grammar, from their patterns.

A text counts if Lark's basic lexer makes that terminal of it. If it makes other terminals of all
the texts, the first text stands for the terminal: a contextual or dynamic lexer would read it so
where the parser expects this terminal. Terminals that are only declared, such as those of an
indenter, have none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any

from lark import Lark
from lark.lexer import BasicLexer, LexerThread, PatternStr, TerminalDef

from gramspect.adapter_api import fitting, regex_texts
from gramspect_lark.inputs import Sequences
from gramspect_lark.lexing import basic_lexer
from gramspect_lark.subject import Subject

__all__ = ["TerminalSamples"]

_OF_OWN = 200
"""How many texts of a terminal are tried."""


class TerminalSamples:
    """Finds texts for the terminals of one parser."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._lark: Lark = subject.lark

    def of(self, terminal: int, limit: int) -> list[str]:
        """Up to a number of texts, the shortest first; for a parser of token names, the name."""
        if isinstance(self._subject.inputs, Sequences):
            return [self._subject.grammar.symbols[terminal].name]
        name = self._subject.correspondence.names[terminal]
        definition = self._definitions.get(name)
        if definition is None:
            return []
        found = fitting(self._candidates(definition), lambda text: self._reads(text, name), limit)
        return found or list(islice(self._texts(definition, wide=False), 1))

    def _candidates(self, terminal: TerminalDef) -> Iterator[str]:
        for wide in (False, True):
            yield from islice(self._texts(terminal, wide=wide), _OF_OWN)

    def _texts(self, terminal: TerminalDef, *, wide: bool) -> Iterator[str]:
        pattern = terminal.pattern
        if isinstance(pattern, PatternStr) and not pattern.flags:
            return iter([pattern.value])
        flags = self._lark.lexer_conf.g_regex_flags
        return filter(None, regex_texts(pattern.to_regexp(), flags, wide=wide))

    @cached_property
    def _definitions(self) -> Mapping[str, TerminalDef]:
        return {terminal.name: terminal for terminal in self._lark.lexer_conf.terminals}

    @cached_property
    def _lexer(self) -> BasicLexer:
        return basic_lexer(self._lark.lexer_conf)

    def _reads(self, text: str, name: str) -> bool:
        try:
            thread: Any = LexerThread.from_text(self._lexer, text)
            return [token.type for token in thread.lex(None)] == [name]
        except Exception:  # Lark's own, or that of a callback
            return False
