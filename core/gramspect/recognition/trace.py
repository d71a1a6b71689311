"""The record that adapters make of one test, and the observation that core derives from it.

An adapter only *hooks* a parser: it reports a trace. One module, `gramspect.spectrum.extraction`,
decides what a spectrum is: it turns a trace into an `Observation`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gramspect.grammars.grammar import Grammar
    from gramspect.lr.automaton import LRAutomaton
    from gramspect.recognition.chart import Chart

__all__ = [
    "ChartTrace",
    "ErrorKind",
    "Extraction",
    "LLTrace",
    "LRTrace",
    "Observation",
    "ParseError",
    "Trace",
    "Undecided",
    "Verdict",
]


class Verdict(StrEnum):
    """What the system under test says about an input."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"


class ErrorKind(StrEnum):
    """Who rejected the input."""

    SYNTAX = "syntax"
    LEXICAL = "lexical"


class Extraction(StrEnum):
    """Which derivations of a rejected input count (see `gramspect.spectrum.extraction`)."""

    EXACT = "exact"
    ALL = "all"
    STACK = "stack"


@dataclass(frozen=True, slots=True)
class ParseError:
    """Where and why an input was rejected.

    `token` counts the tokens of the viable prefix, that is, it is the index of the offending token
    (from 0; the number of tokens if the input ends too early). `line` and `column` count from 1
    and are None where the input has no text.
    """

    token: int
    message: str
    line: int | None = None
    column: int | None = None
    kind: ErrorKind = ErrorKind.SYNTAX


@dataclass(frozen=True, slots=True)
class LRTrace:
    """A run of an LR parser, up to the first error.

    `pushed` holds the states pushed up to and with the last *shift* (all of them if the input is
    accepted), in any order and at least once each, the start state included; `reduced` the rules
    reduced up to then. For a rejected input `stack` is the state stack right after that shift
    (start state first), `error_stack` the one on which the error was found, and `late_reduced` the
    rules reduced between the two on the offending token, which only the extraction `stack` counts.
    """

    automaton: LRAutomaton
    pushed: tuple[int, ...]
    reduced: tuple[int, ...]
    error: ParseError | None = None
    stack: tuple[int, ...] = ()
    error_stack: tuple[int, ...] = ()
    late_reduced: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LLTrace:
    """A run of a top-down parser that accepted its input.

    `rules` are those of the derivation that the parser took, `current` the items that were on its
    stack while some token was consumed: the one whose dot was before the token, and of each of its
    callers the one whose dot was before the callee. Both in any order and at least once each.

    A top-down parser may give up before it has entered the rule where the error is (a prediction
    that fails), so for a rejected input the chart of its tokens is the trace (`ChartTrace`).
    """

    grammar: Grammar
    rules: tuple[int, ...]
    current: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChartTrace:
    """The Earley sets of an input, up to the first error."""

    chart: Chart
    error: ParseError | None = None


@dataclass(frozen=True, slots=True)
class Undecided:
    """A parse that did not finish: time limit, crash, an exception of the user's code."""

    reason: str


Trace = LRTrace | LLTrace | ChartTrace | Undecided


@dataclass(frozen=True, slots=True)
class Observation:
    """The spectra of one test.

    `rules`, `items` and `shift_items` hold the numbers of the executed elements. For a rejected
    test `active` maps every item that is partially applied in some maximally viable derivation to
    its depth (0: it waits where the error is, 1: its caller, ...), and `predicted` the items that
    could start at the error to their distance below it (1: called by an active item, 2: by one of
    those, ...).
    """

    verdict: Verdict
    error: ParseError | None = None
    rules: frozenset[int] = frozenset()
    items: frozenset[int] = frozenset()
    shift_items: frozenset[int] = frozenset()
    active: Mapping[int, int] = field(default_factory=dict)
    predicted: Mapping[int, int] = field(default_factory=dict)
    reason: str = ""
