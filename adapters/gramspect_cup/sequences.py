"""CUP parsers over sequences of token names: those of core grammars, and of grammar files."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from gramspect.adapter_api import Grammar, TestCase, TokenSequence, Trace, Undecided, split_tokens
from gramspect_cup.outcomes import Outcome, Rejection, Stopped, outcomes
from gramspect_cup.tables import Tables
from gramspect_jvm import java_class

__all__ = ["SequenceRecognizer"]


class SequenceRecognizer:
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

    def tokens(self, test: TestCase) -> Sequence[int]:
        """The terminals that the words of a test name."""
        return self._split(test).terminals

    def trace(self, test: TestCase) -> Trace:
        """Parse one sequence of token names."""
        return self.traces([test])[0]

    def traces(self, tests: Sequence[TestCase]) -> list[Trace]:
        """Parse many sequences in one crossing into Java."""
        sequences = [self._split(test) for test in tests]
        terminals = array("i", (t for s in sequences for t in s.terminals))
        starts = array("i", accumulate(map(len, sequences), initial=0))
        numbers = self._numbers[np.asarray(terminals, np.int32)]
        results = self._java.run(numbers, np.asarray(starts))
        found = outcomes(results, self._tables, len(tests))
        return [_trace(o, s) for o, s in zip(found, sequences, strict=True)]

    def _split(self, test: TestCase) -> TokenSequence:
        return split_tokens(self.grammar, test.text if test.tokens is None else test.tokens)


def _trace(outcome: Outcome, tokens: TokenSequence) -> Trace:
    if isinstance(outcome, Stopped):
        return Undecided(outcome.message)
    if isinstance(outcome, Rejection):
        return outcome.with_error(tokens.error(outcome.token))
    return outcome
