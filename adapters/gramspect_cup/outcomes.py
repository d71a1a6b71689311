"""Reads what happened to tests, in the form that ``Results.java`` describes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gramspect.adapter_api import ErrorKind, LRTrace, ParseError
from gramspect_cup.tables import Tables
from gramspect_jvm import from_java

__all__ = ["Outcome", "Rejection", "Stopped", "outcomes", "recorded_outcome"]

ACCEPTED, SYNTAX_ERROR, LEXICAL_ERROR, UNDECIDED = range(4)
TOKEN = 4


@dataclass(frozen=True, slots=True)
class Rejection:
    """An input with an error.

    `trace` lacks the error; `token` is the index of the offending token. `tokens` are the tokens
    that were read, each as terminal, what is known of its place (`gramspect_cup.positions`), and
    two positions.
    """

    kind: ErrorKind
    trace: LRTrace
    token: int
    tokens: list[list[int]]
    message: str

    def with_error(self, error: ParseError) -> LRTrace:
        trace = self.trace
        return LRTrace(
            trace.automaton,
            trace.pushed,
            trace.reduced,
            error,
            trace.stack,
            trace.error_stack,
            trace.late_reduced,
        )


@dataclass(frozen=True, slots=True)
class Stopped:
    """A parse that did not finish; `rule` is the one whose action stopped it, if one did."""

    message: str
    rule: int | None


Outcome = LRTrace | Rejection | Stopped


def outcomes(results: Any, tables: Tables, n_tests: int) -> Iterator[Outcome]:
    """What happened to each of the tests."""
    numbers = _Cursor(np.asarray(results.numbers()).tolist())
    messages = map(from_java, results.messages())
    return (_outcome(numbers, messages, tables) for _ in range(n_tests))


def recorded_outcome(numbers: list[int], message: str, tables: Tables) -> Outcome:
    """What happened in one test; the message counts unless it was accepted."""
    return _outcome(_Cursor(numbers), iter([message]), tables)


def _outcome(numbers: _Cursor, messages: Iterator[str], tables: Tables) -> Outcome:
    code = numbers.one()
    if code == UNDECIDED:
        production = numbers.one()
        rule = tables.rules[production] if production >= 0 else -1
        return Stopped(next(messages), None if rule < 0 else rule)
    pushed, reduced = tuple(numbers.many()), _rules(numbers, tables)
    if code == ACCEPTED:
        return LRTrace(tables.automaton, pushed, reduced)
    token = numbers.one()
    stack, error_stack = tuple(numbers.many()), tuple(numbers.many())
    late = _rules(numbers, tables)
    seen = numbers.many()
    return Rejection(
        kind=ErrorKind.LEXICAL if code == LEXICAL_ERROR else ErrorKind.SYNTAX,
        trace=LRTrace(
            tables.automaton,
            pushed,
            reduced,
            stack=stack,
            error_stack=error_stack,
            late_reduced=late,
        ),
        token=token,
        tokens=[seen[i : i + TOKEN] for i in range(0, len(seen), TOKEN)],
        message=next(messages),
    )


def _rules(numbers: _Cursor, tables: Tables) -> tuple[int, ...]:
    return tuple(rule for p in numbers.many() if (rule := tables.rules[p]) >= 0)


class _Cursor:
    """Reads numbers one after the other."""

    def __init__(self, numbers: list[int]) -> None:
        self._numbers = numbers
        self._at = 0

    def one(self) -> int:
        """The next number."""
        self._at += 1
        return self._numbers[self._at - 1]

    def many(self) -> list[int]:
        """A number of numbers, and then these."""
        size = self.one()
        self._at += size
        return self._numbers[self._at - size : self._at]
