"""What ANTLR did with some inputs: from the numbers that cross from Java to traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gramspect.grammar import Grammar
from gramspect.networks import Networks
from gramspect.trace import ErrorKind, LLTrace, Undecided

__all__ = ["DIFFERS", "Decoder", "Outcome", "Rejection"]

ACCEPTED, SYNTAX_ERROR, LEXICAL_ERROR, UNDECIDED = range(4)

DIFFERS = (
    " (read as a context-free grammar, the grammar accepts this input; ANTLR's order of"
    " alternatives or a precedence rejects it)"
)
"""Behind ANTLR's message where the chart has no error."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """What ANTLR says about an input that it rejects.

    `types` are the types of the tokens that the parser saw, the end of the input (-1) last;
    `lines` and `columns`, from 1, say where they are. `token` is the index of the offending one,
    `rules` the names of the rules that were active, innermost first: ANTLR's own idea of where the
    error is.
    """

    message: str
    kind: ErrorKind
    token: int
    line: int
    column: int
    types: Sequence[int]
    lines: Sequence[int]
    columns: Sequence[int]
    rules: tuple[str, ...]


Outcome = Rejection | LLTrace | Undecided


class Decoder:
    """Reads results in the form that ``Runner.java`` describes."""

    def __init__(self, grammar: Grammar, networks: Networks, rules: Sequence[str]) -> None:
        self._grammar = grammar
        self._networks = networks
        self._rules = rules

    def outcomes(self, results: Any, n_inputs: int) -> Iterator[Outcome]:
        """What happened to each of the inputs."""
        numbers = _Cursor(np.asarray(results.numbers()).tolist())
        messages = map(str, results.messages())
        return (self._outcome(numbers, messages) for _ in range(n_inputs))

    def _outcome(self, numbers: _Cursor, messages: Iterator[str]) -> Outcome:
        outcome = numbers.one()
        if outcome == ACCEPTED:
            return self._accepted(numbers.rows(3))
        message = next(messages)
        if outcome == UNDECIDED:
            return Undecided(message)
        token, line, column = numbers.one(), numbers.one(), numbers.one()
        tokens = numbers.rows(3)
        return Rejection(
            message=message,
            kind=ErrorKind.LEXICAL if outcome == LEXICAL_ERROR else ErrorKind.SYNTAX,
            token=token,
            line=line,
            column=column,
            types=tokens[::3],
            lines=tokens[1::3],
            columns=tokens[2::3],
            rules=tuple(self._rules[rule] for rule in numbers.rows(1)),
        )

    def _accepted(self, pairs: Sequence[int]) -> LLTrace:
        rules: set[int] = set()
        current: set[int] = set()
        for before, after, consumed in zip(pairs[::3], pairs[1::3], pairs[2::3], strict=True):
            way = self._networks.way(before, after)
            rules.update(way.rules)
            current.update(way.entered)
            if consumed:
                current.update(way.current)
        return LLTrace(self._grammar, tuple(rules), tuple(current))


class _Cursor:
    """Reads numbers one after the other."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers
        self._at = 0

    def one(self) -> int:
        """The next number."""
        self._at += 1
        return self._numbers[self._at - 1]

    def rows(self, width: int) -> Sequence[int]:
        """A number of rows, and then the numbers in them."""
        size = width * self.one()
        self._at += size
        return self._numbers[self._at - size : self._at]
