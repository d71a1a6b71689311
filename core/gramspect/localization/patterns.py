"""The patterns at which failing tests stop: two thousand failures may have three.

A wrongly rejected input is no sentence of the grammar, so it has no derivation tree that could be
abstracted (`gramspect.reduction.abstract`); but what the parser had read of it has one. The pattern
is the rule that had read most when the parser stopped, with its non-terminals abstract, and the
kind of token that it did not expect: ``NAME = <expr> (``. Where a system goes on that should not,
it is the grammar that stops.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import Recognizer, Tokenizing
from gramspect.recognition.trace import Observation, Verdict
from gramspect.running.observing import tokens_of
from gramspect.running.recording import Recording
from gramspect.suites.suite import TestCase

__all__ = ["Stop", "StopPattern", "next_token", "patterns_of", "stop_of", "stop_patterns"]


@dataclass(frozen=True, slots=True)
class StopPattern:
    """Failing tests, by their numbers, that stop alike.

    `text` is what the rule had read, `found` what came next: a token, the end of the input, or
    empty if that is not known. `accepted` says that a system goes on there, which the grammar does
    not.
    """

    text: str
    found: str
    tests: tuple[int, ...]
    accepted: bool = False


class Stop(NamedTuple):
    """Where one test stops: the items that wait there, what came next, and who goes on."""

    waiting: frozenset[int]
    found: str
    accepted: bool = False


def stop_patterns(recognizer: Recognizer, recording: Recording) -> tuple[StopPattern, ...]:
    """The patterns of all failing tests that the parser rejects, those with most tests first."""
    stops = {}
    for number in recording.failing_numbers:
        seen = recording.unexpected[number]
        found = _next(recognizer, recording.suite.tests[number], seen)
        stop = stop_of(seen, found)
        if stop is not None:
            stops[number] = stop
    return patterns_of(recognizer.grammar, stops)


def stop_of(seen: Observation, found: str, *, accepted: bool = False) -> Stop | None:
    """Where a rejected test stops; None if no item is known that waits there."""
    waiting = frozenset(item for item, depth in seen.active.items() if depth == 0)
    rejected = seen.verdict is Verdict.REJECTED
    return Stop(waiting, found, accepted) if rejected and waiting else None


def patterns_of(grammar: Grammar, stops: Mapping[int, Stop]) -> tuple[StopPattern, ...]:
    """The patterns of tests by where each of them stops, those with most tests first."""
    found: dict[Stop, list[int]] = {}
    for number, stop in stops.items():
        found.setdefault(stop, []).append(number)
    patterns = [
        StopPattern(_read(grammar, stop.waiting), stop.found, tuple(tests), stop.accepted)
        for stop, tests in found.items()
    ]
    return tuple(sorted(patterns, key=lambda one: (-len(one.tests), one.tests)))


def _read(grammar: Grammar, waiting: frozenset[int]) -> str:
    """What the rule with most before its dot has read."""
    splits = [grammar.split_item(item) for item in waiting]
    rule, dot = min(splits, key=lambda split: (-split[1], split[0]))
    return " ".join(_shown(grammar, grammar.rules[rule].rhs[:dot]))


def _shown(grammar: Grammar, symbols: tuple[int, ...]) -> Iterator[str]:
    for index in symbols:
        symbol = grammar.symbols[index]
        yield symbol.display if symbol.terminal else f"<{symbol.display}>"


def _next(recognizer: Recognizer, test: TestCase, seen: Observation) -> str:
    """The kind of token at which the parser stopped."""
    if seen.error is None or not isinstance(recognizer, Tokenizing):
        return ""
    tokens = tokens_of(recognizer, test)
    return "" if tokens is None else next_token(recognizer.grammar, tokens, seen.error.token)


def next_token(grammar: Grammar, tokens: Sequence[int], place: int) -> str:
    """The kind of token at a place; empty if it is not known."""
    if place >= len(tokens):
        return "the end" if place == len(tokens) else ""
    return grammar.symbols[tokens[place]].display if tokens[place] > 0 else ""
