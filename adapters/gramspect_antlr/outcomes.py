"""What ANTLR did with some inputs: from the numbers that cross from Java to traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramspect.adapter_api import ErrorKind, Grammar, LLTrace, Networks, Undecided, Way

__all__ = ["DIFFERS", "Decoder", "Outcome", "Rejection"]

ACCEPTED, SYNTAX_ERROR, LEXICAL_ERROR, UNDECIDED = range(4)

DIFFERS = (
    " (read as a context-free grammar, the grammar accepts this input; ANTLR's order of"
    " alternatives or a precedence rejects it)"
)
"""After ANTLR's message where the chart has no error."""


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
_Decision = NDArray[np.int32] | Rejection | Undecided
"""The pairs of elements of an accepted input, each with whether a token was read."""

Numbers = NDArray[np.int64]


class Decoder:
    """Reads results in the form that ``Runner.java`` describes."""

    def __init__(self, grammar: Grammar, networks: Networks, rules: Sequence[str]) -> None:
        self._grammar = grammar
        self._ways = _Ways(networks)
        self._rules = rules

    @property
    def n_pairs(self) -> int:
        """How many pairs of elements are known: results begin with the next one."""
        return self._ways.n_known

    def outcomes(self, results: Any, n_inputs: int) -> Iterator[Outcome]:
        """What happened to each of the inputs."""
        self.learn(np.asarray(results.pairs()).tolist())
        decisions = self._decisions(results, n_inputs)
        return (self._accepted(d) if isinstance(d, np.ndarray) else d for d in decisions)

    def decisions(self, results: Any, n_inputs: int) -> Iterator[Rejection | Undecided | None]:
        """The same, but only None for inputs that are accepted."""
        decisions = self._decisions(results, n_inputs)
        return (None if isinstance(d, np.ndarray) else d for d in decisions)

    def _decisions(self, results: Any, n_inputs: int) -> Iterator[_Decision]:
        numbers = _Cursor(np.asarray(results.numbers()))
        messages = map(str, results.messages())
        return (self._decision(numbers, messages) for _ in range(n_inputs))

    def learn(self, pairs: Sequence[int]) -> None:
        """Pairs of elements that follow each other, in the order of their numbers.

        Raises:
            NoWay: two of them cannot.
        """
        self._ways.learn(pairs)

    def outcome(self, numbers: NDArray[np.int32], message: str) -> Outcome:
        """What happened to one input; the message counts unless it was accepted."""
        decision = self._decision(_Cursor(numbers), iter([message]))
        return self._accepted(decision) if isinstance(decision, np.ndarray) else decision

    def _decision(self, numbers: _Cursor, messages: Iterator[str]) -> _Decision:
        outcome = numbers.one()
        if outcome == ACCEPTED:
            return numbers.rows(1)
        message = next(messages)
        if outcome == UNDECIDED:
            return Undecided(message)
        token, line, column = numbers.one(), numbers.one(), numbers.one()
        tokens = numbers.rows(3).tolist()
        return Rejection(
            message=message,
            kind=ErrorKind.LEXICAL if outcome == LEXICAL_ERROR else ErrorKind.SYNTAX,
            token=token,
            line=line,
            column=column,
            types=tokens[::3],
            lines=tokens[1::3],
            columns=tokens[2::3],
            rules=tuple(self._rules[rule] for rule in numbers.rows(1).tolist()),
        )

    def _accepted(self, seen: NDArray[np.int32]) -> LLTrace:
        rules, entered, current = self._ways.of(seen >> 1, seen & 1 != 0)
        return LLTrace(
            self._grammar,
            _distinct(self._grammar.n_rules, rules),
            _distinct(self._grammar.n_items, entered, current),
        )


def _distinct(limit: int, *numbers: Numbers) -> tuple[int, ...]:
    """The distinct numbers among some below a limit."""
    seen = np.zeros(limit, np.bool_)
    for some in numbers:
        seen[some] = True
    return tuple(np.flatnonzero(seen).tolist())


class _Ways:
    """The ways between elements (`Networks`) as arrays, by the numbers of the pairs."""

    def __init__(self, networks: Networks) -> None:
        self._networks = networks
        self._known: list[Way] = []
        self._rules = self._entered = self._current = _Lists([])

    @property
    def n_known(self) -> int:
        return len(self._known)

    def learn(self, pairs: Sequence[int]) -> None:
        """Pairs of elements that follow each other, in the order of their numbers."""
        if not pairs:
            return
        known = [*self._known, *map(self._networks.way, pairs[::2], pairs[1::2])]
        self._rules = _Lists([way.rules for way in known])
        self._entered = _Lists([way.entered for way in known])
        self._current = _Lists([way.current for way in known])
        self._known = known  # last, so that an interrupted call learns them again

    def of(
        self, pairs: NDArray[np.int32], consumed: NDArray[np.bool_]
    ) -> tuple[Numbers, Numbers, Numbers]:
        """The rules and items entered, and the items current while a token is consumed."""
        return (
            self._rules.of(pairs),
            self._entered.of(pairs),
            self._current.of(pairs[consumed]),
        )


class _Lists:
    """Lists of numbers, one after the other."""

    def __init__(self, lists: Sequence[Sequence[int]]) -> None:
        sizes = np.fromiter(map(len, lists), np.int64, len(lists))
        self._sizes, self._starts = sizes, np.cumsum(sizes) - sizes
        self._numbers = np.fromiter(chain.from_iterable(lists), np.int64, int(sizes.sum()))

    def of(self, places: NDArray[np.int32]) -> Numbers:
        """The numbers of the lists at these places."""
        sizes = self._sizes[places]
        shifts = self._starts[places] - (np.cumsum(sizes) - sizes)
        found: Numbers = self._numbers[np.repeat(shifts, sizes) + np.arange(sizes.sum())]
        return found


class _Cursor:
    """Reads numbers one after the other."""

    def __init__(self, numbers: NDArray[np.int32]) -> None:
        self._numbers = numbers
        self._at = 0

    def one(self) -> int:
        """The next number."""
        self._at += 1
        return int(self._numbers[self._at - 1])

    def rows(self, width: int) -> NDArray[np.int32]:
        """A number of rows, and then the numbers in them."""
        size = width * self.one()
        self._at += size
        return self._numbers[self._at - size : self._at]
