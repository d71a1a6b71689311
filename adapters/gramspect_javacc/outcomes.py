"""What a parser did with some inputs: from the numbers that cross from Java to traces.

The form of the numbers is described in ``Runner.java``, that of pairs in ``Layout.java``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramspect.adapter_api import ErrorKind, LLTrace, Networks, NoWay, Undecided, Way
from gramspect_javacc.grammar import Mapped
from gramspect_javacc.outline import Compiled

__all__ = ["Decoder", "Outcome", "Rejection", "Strange"]

ACCEPTED, SYNTAX_ERROR, LEXICAL_ERROR, UNDECIDED = range(4)


@dataclass(frozen=True, slots=True)
class Rejection:
    """What a parser says about an input that it rejects.

    `kinds` are those of the tokens up to the end of the input (0), as far as the lexer gets, or as
    the parser has asked it, without those that Java code has consumed; `lines` and `columns`, from
    1, say where they are. `token` is the index of the offending one. `is_whole` tells whether the
    end of the input is among them.
    """

    message: str
    kind: ErrorKind
    token: int
    line: int
    column: int
    kinds: Sequence[int]
    lines: Sequence[int]
    columns: Sequence[int]
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Strange:
    """An accepted input whose parse is no derivation: Java code has led elsewhere."""


Outcome = Rejection | LLTrace | Undecided | Strange

Numbers = NDArray[np.int32]


class Decoder:
    """Reads results of a `Runner`."""

    def __init__(self, mapped: Mapped, compiled: Compiled) -> None:
        self._mapped = mapped
        self._networks = Networks(mapped.grammar, mapped.definitions, mapped.foreign)
        self._widths = [len(production.sites) + 1 for production in compiled.productions]
        self._bases = [0, *accumulate(width * width for width in self._widths)]
        self._ways: dict[int, Way | None] = {}

    def outcomes(self, results: Any, n_inputs: int) -> Iterator[Outcome]:
        """What happened to each of the inputs."""
        numbers = _Cursor(np.asarray(results.numbers()))
        messages = map(str, results.messages())
        return (self._outcome(numbers, messages) for _ in range(n_inputs))

    def outcome(self, numbers: Numbers, message: str) -> Outcome:
        """What happened in a parse that the agent has recorded."""
        return self._outcome(_Cursor(numbers), iter([message]))

    def _outcome(self, numbers: _Cursor, messages: Iterator[str]) -> Outcome:
        outcome = numbers.one()
        if outcome == ACCEPTED:
            return self._accepted(numbers.rows(1).tolist())
        message = next(messages)
        if outcome == UNDECIDED:
            return Undecided(message)
        token, line, column = numbers.one(), numbers.one(), numbers.one()
        tokens = numbers.rows(3).reshape(-1, 3)
        consumed = tokens[:, 0] >= 0
        kept = tokens[consumed]
        return Rejection(
            message=message,
            kind=ErrorKind.LEXICAL if outcome == LEXICAL_ERROR else ErrorKind.SYNTAX,
            token=int(consumed[:token].sum()),
            line=line,
            column=column,
            kinds=kept[:, 0].tolist(),
            lines=kept[:, 1].tolist(),
            columns=kept[:, 2].tolist(),
            is_whole=bool((tokens[:, 0] == 0).any()),
        )

    def _accepted(self, seen: Sequence[int]) -> Outcome:
        rules: set[int] = set()
        current: set[int] = set()
        for number in seen:
            way = self._way(number >> 1)
            if way is None:
                return Strange()
            rules.update(way.rules)
            current.update(way.entered)
            if number & 1:
                current.update(way.current)
        return LLTrace(self._mapped.grammar, tuple(rules), tuple(current))

    def _way(self, pair: int) -> Way | None:
        """The way of a pair; None if the grammar has none."""
        if pair not in self._ways:
            try:
                self._ways[pair] = self._networks.way(*self._elements(pair))
            except NoWay:
                self._ways[pair] = None
        return self._ways[pair]

    def _elements(self, pair: int) -> tuple[int, int]:
        """The elements of a pair of sites, the start and the end of productions included."""
        production = int(np.searchsorted(self._bases, pair, side="right")) - 1
        before, after = divmod(pair - self._bases[production], self._widths[production])
        mapped, n = self._mapped, self._networks.n_elements
        definition = mapped.definition_of[production]
        if definition < 0:
            raise NoWay
        first = mapped.elements[production, before] if before else n + definition
        return first, mapped.elements[production, after] if after else n


class _Cursor:
    """Reads numbers one after the other."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        self._at = 0

    def one(self) -> int:
        """The next number."""
        self._at += 1
        return int(self._numbers[self._at - 1])

    def rows(self, width: int) -> Numbers:
        """A number of rows, and then the numbers in them."""
        size = width * self.one()
        self._at += size
        return self._numbers[self._at - size : self._at]
