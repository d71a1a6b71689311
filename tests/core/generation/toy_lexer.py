"""A lexer for tests: the longest match of some expressions, the first of equals; blanks skipped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gramspect.grammars.grammar import Grammar


@dataclass
class ToyLexer:
    """Implements `gramspect.recognition.recognizer.Lexing` for patterns by the names of terminals.

    `skipped` is what may stand between tokens. `asked` counts the texts that were read.
    """

    grammar: Grammar
    patterns: Mapping[str, str]
    skipped: str = r"[ \n]+"
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    asked: int = 0

    def samples(self, terminal: int, limit: int) -> Sequence[str]:
        return self.texts.get(self.grammar.symbols[terminal].name, ())[:limit]

    def lexed(self, texts: Sequence[str]) -> list[list[int] | None]:
        self.asked += len(texts)
        return [self._tokens(text) for text in texts]

    def _tokens(self, text: str) -> list[int] | None:
        found, place = [], 0
        while place < len(text):
            ends = [(self._end(p, text, place), -n, name) for n, (name, p) in self._numbered()]
            end, _, name = max(ends)
            skipped = self._end(self.skipped, text, place)
            if max(end, skipped) == place:
                return None
            if end >= skipped:
                found.append(self.grammar.symbol(name))
            place = max(end, skipped)
        return found

    def _numbered(self) -> list[tuple[int, tuple[str, str]]]:
        return list(enumerate(self.patterns.items()))

    @staticmethod
    def _end(pattern: str, text: str, place: int) -> int:
        match = re.compile(pattern).match(text, place)
        return match.end() if match else place
