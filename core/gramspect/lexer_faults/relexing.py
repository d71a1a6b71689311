"""The text of a failing input as the tool reads it when some stretches are told to be tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gramspect.effort import spend
from gramspect.grammars.grammar import Grammar
from gramspect.lexical.rules import LexedText, Splice
from gramspect.recognition.chart import Chart, parse_chart
from gramspect.recognition.recognizer import TokenRuleKnowing
from gramspect.suites.suite import TestCase

__all__ = ["Reading", "Relexer"]

STEPS_PER_CHARACTER = 20
"""The cost, for every character, of reading a text again."""


@dataclass(frozen=True)
class Reading:
    """A text as it is read with some stretches told; `chart` ends before token number `token`."""

    lexing: LexedText
    chart: Chart
    offset: int
    accepted: bool

    @property
    def token(self) -> int:
        return self.chart.end

    @property
    def at_lexer(self) -> bool:
        """Whether it is the lexer that cannot go on."""
        return self.lexing.failed is not None and self.token == len(self.lexing.lexemes)


@dataclass(frozen=True)
class Relexer:
    """Reads the text of one test again, for one grammar."""

    recognizer: TokenRuleKnowing
    grammar: Grammar
    test: TestCase

    @property
    def text(self) -> str:
        return self.test.text

    def read(self, lexing: LexedText) -> Reading:
        """How far a text is read that the lexer has made tokens of."""
        spend(STEPS_PER_CHARACTER * len(self.text))
        terminals = [lexeme.terminal for lexeme in lexing.lexemes]
        chart = parse_chart(self.grammar, terminals)
        if chart.end < len(terminals):
            offset = lexing.lexemes[chart.end].start
        else:
            offset = len(self.text) if lexing.failed is None else lexing.failed
        accepted = chart.accepted if lexing.accepted is None else lexing.accepted
        return Reading(lexing, chart, offset, accepted and lexing.failed is None)

    def spliced(self, splices: Sequence[Splice]) -> Reading | None:
        """How far the text is read with these stretches told; none if the tool cannot tell."""
        lexing = self.recognizer.lexing(self.test, splices)
        return None if lexing is None else self.read(lexing)
