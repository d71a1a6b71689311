"""JavaCC parsers for core grammars, over sequences of token names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gramspect.adapter_api import (
    UNKNOWN,
    AdapterError,
    ChartTrace,
    Grammar,
    SourceText,
    TokenSequence,
    Trace,
    Undecided,
    joined,
    parse_chart,
    rejected_sequence,
)
from gramspect.adapter_api import SequenceRecognizer as Sequences
from gramspect_javacc.grammar import Mapped, map_grammar
from gramspect_javacc.loading import call_java
from gramspect_javacc.messages import read_messages
from gramspect_javacc.outcomes import Decoder, Outcome, Rejection, Strange
from gramspect_javacc.outline import Compiled, read_outline
from gramspect_javacc.reading import read_javacc
from gramspect_javacc.recognizer import DIFFERS
from gramspect_javacc.writing import ENTRY, Written, write

__all__ = ["SequenceRecognizer"]


class SequenceRecognizer(Sequences):
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

    def parsed(self, sequences: Sequence[TokenSequence]) -> list[Trace]:
        """Parse many sequences in one crossing into Java."""
        terminals, starts = joined(sequences)
        kinds = np.where(terminals == UNKNOWN, np.int32(self._grammar.n_terminals), terminals)
        results = self._java.runKinds(kinds, starts)
        outcomes = self._decoder.outcomes(results, len(sequences))
        return [_traced(o, s) for o, s in zip(outcomes, sequences, strict=True)]


def _traced(outcome: Outcome, tokens: TokenSequence) -> Trace:
    if isinstance(outcome, Strange):
        chart = parse_chart(tokens.grammar, tokens.terminals)
        return ChartTrace(chart) if chart.accepted else Undecided("no derivation was found")
    if isinstance(outcome, Rejection):
        return rejected_sequence(tokens, outcome.token, DIFFERS)
    return outcome


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
