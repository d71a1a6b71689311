"""CUP parsers over sequences of token names: those of core grammars, and of grammar files."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gramspect.adapter_api import (
    Grammar,
    TokenSequence,
    Trace,
    Undecided,
    joined,
)
from gramspect.adapter_api import SequenceRecognizer as Sequences
from gramspect_cup.outcomes import Outcome, Rejection, Stopped, outcomes
from gramspect_cup.recorded import RecordedReading
from gramspect_cup.tables import Tables
from gramspect_jvm import java_class, java_memory

__all__ = ["SequenceRecognizer"]


class SequenceRecognizer(RecordedReading, Sequences):
    """The tables of a CUP parser. Tests are sequences of token names
    (`gramspect.recognition.tokens`)."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._java = java_class("org.gramspect.cup.SequenceRunner")(tables.java)
        # The last entry is that of `UNKNOWN`, which is -1 on either side.
        self._numbers = np.array([*tables.numbers, -1], np.int32)

    @property
    def grammar(self) -> Grammar:
        return self._tables.grammar

    def parsed(self, sequences: Sequence[TokenSequence]) -> list[Trace]:
        """Parse many sequences in one crossing into Java."""
        terminals, starts = joined(sequences)
        with java_memory():
            results = self._java.run(self._numbers[terminals], starts)
        found = outcomes(results, self._tables, len(sequences))
        return [_trace(o, s) for o, s in zip(found, sequences, strict=True)]


def _trace(outcome: Outcome, tokens: TokenSequence) -> Trace:
    if isinstance(outcome, Stopped):
        return Undecided(outcome.message)
    if isinstance(outcome, Rejection):
        return outcome.with_error(tokens.error(outcome.token))
    return outcome
