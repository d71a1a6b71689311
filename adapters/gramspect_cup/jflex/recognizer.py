"""CUP's tables, fed by a scanner that JFlex has made of a specification."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from gramspect.adapter_api import LexedText, Pattern, Splice, TestCase, TokenRule, fitting
from gramspect_cup.jflex.syntax import FlexFile
from gramspect_cup.jflex.tokenrules import LexerRules
from gramspect_cup.tables import Tables
from gramspect_cup.texts import TextRecognizer
from gramspect_jvm import for_java
from gramspect_jvm.offsets import from_utf16
from gramspect_jvm.splicing import Read, read_spliced

__all__ = ["FlexRecognizer"]

_FAILED = -2
_ROW = 4


class FlexRecognizer(TextRecognizer):
    """The tables of a CUP parser and a generated scanner. Tests are texts.

    `symbols` are the classes with the numbers of the terminals.
    """

    def __init__(self, tables: Tables, runner: Any, file: FlexFile, symbols: Sequence[str]) -> None:
        super().__init__(tables, runner)
        self._file = file
        self._symbols = symbols

    @cached_property
    def _rules(self) -> LexerRules:
        return LexerRules(self._file, self.grammar, self._symbols, self._alone)

    def token_rules(self) -> Sequence[TokenRule]:
        """The macros and rules of the specification."""
        return self._rules.all

    def token_pattern(self, name: str) -> Pattern | None:
        """A rule or macro as it is written; None if that is not understood."""
        return self._rules.pattern(name)

    def lexing(self, test: TestCase, splices: Sequence[Splice] = ()) -> LexedText | None:
        """The tokens of a text as the scanner makes them, some stretches read as told."""
        return read_spliced(test.text, splices, self._read)

    def _read(self, stretches: Sequence[str]) -> list[Read] | None:
        found = self._java.lexed([for_java(stretch) for stretch in stretches])
        return None if found is None else list(self._reads(stretches, found.numbers()))

    def _reads(self, stretches: Sequence[str], numbers: Any) -> Iterator[Read]:
        known = [from_utf16(stretch) for stretch in stretches]
        for number, terminal, start, end in np.asarray(numbers).reshape(-1, _ROW).tolist():
            of_grammar = None if terminal == _FAILED else self._terminal(terminal)
            yield Read(number, of_grammar, known[number](start), known[number](end))

    def lexed(self, texts: Sequence[str]) -> Sequence[Sequence[int] | None]:
        """The terminals of each text; None if the scanner fails."""
        return [self.terminals(text) for text in texts]

    def samples(self, terminal: int, limit: int) -> Sequence[str]:
        """Texts that the scanner reads as that terminal, the shortest of the first rule first."""
        for wide in (False, True):
            for texts in self._rules.texts(terminal, wide=wide):
                found = fitting(texts, lambda text: self._alone(text) == terminal, limit)
                if found:
                    return found
        return []

    def _alone(self, text: str) -> int | None:
        """The terminal that the scanner makes of a text, if it makes one of all of it."""
        read = self._read([text]) or []
        whole = len(read) == 1 and (read[0].start, read[0].end) == (0, len(text))
        return read[0].terminal if whole and read[0].terminal != -1 else None
