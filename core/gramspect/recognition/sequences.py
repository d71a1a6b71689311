"""Recognizers of token sequences that are run many at a time, as by a tool in a JVM."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING

import numpy as np

from gramspect.recognition.tokens import TokenSequence, sequence_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gramspect.grammars.grammar import Grammar
    from gramspect.recognition.trace import Trace
    from gramspect.suites.suite import TestCase

__all__ = ["SequenceRecognizer", "joined"]


class SequenceRecognizer(ABC):
    """A parser whose tests are sequences of token names (`gramspect.recognition.tokens`).

    A subclass has the grammar and says what happens on some sequences.
    """

    @property
    @abstractmethod
    def grammar(self) -> Grammar: ...

    @abstractmethod
    def parsed(self, sequences: Sequence[TokenSequence]) -> Sequence[Trace]:
        """What the parser does with each of the sequences."""

    def trace(self, test: TestCase) -> Trace:
        """Parse one sequence of token names."""
        return self.traces([test])[0]

    def traces(self, tests: Sequence[TestCase]) -> Sequence[Trace]:
        """Parse many sequences at once."""
        return self.parsed([sequence_of(self.grammar, test) for test in tests])

    def tokens(self, test: TestCase) -> Sequence[int]:
        """The terminals that the words of a test name."""
        return sequence_of(self.grammar, test).terminals


def joined(sequences: Sequence[TokenSequence]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The terminals of all sequences in a row, and where each begins, the end of all after them."""
    terminals = chain.from_iterable(sequence.terminals for sequence in sequences)
    starts = accumulate(map(len, sequences), initial=0)
    return np.fromiter(terminals, np.int32), np.fromiter(starts, np.int32)
