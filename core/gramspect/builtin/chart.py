"""The adapter `chart`: any context-free grammar over token sequences, by Earley's algorithm.

It has no conflicts to resolve and no limited lookahead, so it is the reference for the other
techniques.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gramspect.builtin.native import SUFFIXES, is_glr
from gramspect.grammars.grammar import Grammar
from gramspect.grammars.symbols import Associativity, Diagnostic
from gramspect.kernel import is_compiled
from gramspect.recognition.chart import ChartTooLarge, parse_chart
from gramspect.recognition.recognizer import LoadOptions
from gramspect.recognition.tokens import TokenSequence, sequence_of
from gramspect.recognition.trace import ChartTrace, Trace, Undecided
from gramspect.suites.suite import TestCase

__all__ = ["ChartAdapter", "ChartRecognizer", "adapter"]

MOST_ENTRIES = 16_000_000
"""The most entries of a chart in compiled code, about 2 GB; plain Python, where numbers are
objects, gets a quarter of it. Only very ambiguous grammars reach this."""


_NONASSOC = (
    "the grammar declares %nonassoc, which the chart does not know: it accepts inputs such as"
    " 'a < b < c' that the parser of bison rejects; look at those with --adapter native"
)


@dataclass(frozen=True, eq=False)
class ChartRecognizer:
    """The general chart for token sequences."""

    grammar: Grammar

    def _tokens(self, test: TestCase) -> TokenSequence:
        return sequence_of(self.grammar, test)

    def tokens(self, test: TestCase) -> Sequence[int]:
        """The terminals that the words of a test name."""
        return self._tokens(test).terminals

    def trace(self, test: TestCase) -> Trace:
        """Recognize one token sequence."""
        tokens = self._tokens(test)
        most = MOST_ENTRIES if is_compiled() else MOST_ENTRIES // 4
        try:
            chart = parse_chart(self.grammar, tokens.terminals, most=most)
        except ChartTooLarge:
            return Undecided(f"the chart would have more than {most} entries; try a smaller test")
        return ChartTrace(chart, None if chart.accepted else tokens.error(chart.end))


class ChartAdapter:
    """See the module."""

    name = "chart"
    summary = "any context-free grammar (.y) over token sequences, ambiguous ones included"
    options: frozenset[str] = frozenset()

    def missing(self) -> str | None:
        return None

    def tool(self) -> str:
        return "gramspect's chart parser"

    def claims(self, source: str) -> bool:
        """Grammars of GLR parsers. `native` takes the others."""
        return source.endswith(SUFFIXES) and is_glr(source)

    def load(self, source: str, options: LoadOptions) -> ChartRecognizer:
        from gramspect.yacc import read_yacc

        grammar = read_yacc(source, start=options.start)
        ways = {one.associativity for one in grammar.precedence.values()}
        if is_glr(source) and Associativity.NONASSOC in ways:
            note = Diagnostic("nonassoc", _NONASSOC)
            grammar = replace(grammar, diagnostics=(*grammar.diagnostics, note))
        return ChartRecognizer(grammar)

    def build(self, grammar: Grammar) -> ChartRecognizer:
        return ChartRecognizer(grammar)


adapter = ChartAdapter()
