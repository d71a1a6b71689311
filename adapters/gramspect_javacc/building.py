"""JavaCC parsers for core grammars, over sequences of token names."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np

from gramspect.adapter_api import (
    UNKNOWN,
    AdapterError,
    ChartTrace,
    Grammar,
    SourceText,
    TestCase,
    TokenSequence,
    Trace,
    Undecided,
    chart_of_rejected,
    parse_chart,
    split_tokens,
)
from gramspect_javacc.grammar import Mapped, map_grammar
from gramspect_javacc.loading import call_java
from gramspect_javacc.messages import read_messages
from gramspect_javacc.outcomes import Decoder, Outcome, Rejection, Strange
from gramspect_javacc.outline import Compiled, read_outline
from gramspect_javacc.reading import read_javacc
from gramspect_javacc.recognizer import DIFFERS
from gramspect_javacc.writing import ENTRY, Written, write

__all__ = ["SequenceRecognizer"]


class SequenceRecognizer:
    """A core grammar run by JavaCC. Tests are sequences of token names
    (`gramspect.recognition.tokens`).

    The grammar has JavaCC's warnings of choices that one token does not decide among its
    diagnostics.
    """

    def __init__(self, grammar: Grammar) -> None:
        """Make the parser.

        Raises:
            AdapterError: JavaCC refuses the grammar (left recursion, a symbol without rules), or
                there is no Java compiler.
            MissingDependency: JPype or Java is missing.
        """
        from gramspect_jvm import java_class

        written = write(grammar)
        loader = java_class("org.gramspect.javacc.Loader")
        result = call_java(lambda: loader.build(written.text))
        messages = read_messages(str(result.printed()), grammar.name)
        if messages.errors or result.parser() is None:
            why = messages.errors[0].message if messages.errors else str(result.error())
            raise AdapterError(
                f"JavaCC cannot build the grammar {grammar.name}: "
                + written.readable(why.removeprefix("JavaCC: "))
            )
        notes = (*written.notes, *map(written.note, messages.conflicts))
        self._grammar = replace(grammar, diagnostics=(*grammar.diagnostics, *notes))
        compiled = read_outline(result.parser())
        mapped = _mapped(self._grammar, written, compiled)
        self._decoder = Decoder(mapped, compiled)
        entry = next(i for i, p in enumerate(compiled.productions) if p.name == ENTRY)
        self._java = call_java(lambda: result.parser().runner([], entry, None, False))

    @property
    def grammar(self) -> Grammar:
        return self._grammar

    def trace(self, test: TestCase) -> Trace:
        """Parse one sequence of token names."""
        return self.traces([test])[0]

    def tokens(self, test: TestCase) -> Sequence[int]:
        """The terminals that the words of a test name."""
        return self._split(test).terminals

    def _split(self, test: TestCase) -> TokenSequence:
        return split_tokens(self._grammar, test.text if test.tokens is None else test.tokens)

    def traces(self, tests: Sequence[TestCase]) -> list[Trace]:
        """Parse many sequences in one crossing into Java."""
        sequences = [self._split(test) for test in tests]
        strange = self._grammar.n_terminals
        kinds = array("i", (strange if t == UNKNOWN else t for s in sequences for t in s.terminals))
        starts = array("i", accumulate(map(len, sequences), initial=0))
        results = self._java.runKinds(np.asarray(kinds), np.asarray(starts))
        outcomes = self._decoder.outcomes(results, len(tests))
        return [self._traced(o, s) for o, s in zip(outcomes, sequences, strict=True)]

    def _traced(self, outcome: Outcome, tokens: TokenSequence) -> Trace:
        if isinstance(outcome, Strange):
            chart = parse_chart(self._grammar, tokens.terminals)
            return ChartTrace(chart) if chart.accepted else Undecided("no derivation was found")
        if not isinstance(outcome, Rejection):
            return outcome
        chart, differs = chart_of_rejected(self._grammar, tokens.terminals, outcome.token)
        error = tokens.error(chart.end)
        if differs:
            error = replace(error, message=error.message + DIFFERS)
        return ChartTrace(chart, error)


def _mapped(grammar: Grammar, written: Written, compiled: Compiled) -> Mapped:
    """The sites of the parser as elements of the grammar's definitions; the entry is foreign."""
    text = map_grammar(compiled, read_javacc(SourceText("Built.jj", written.text)), ENTRY)
    elements = {site: written.elements[element] for site, element in text.elements.items()}
    return Mapped(
        grammar,
        written.definitions,
        elements,
        text.definition_of,
        {},
        foreign=2,
    )
