"""The patterns at which failing tests stop: two thousand failures may have three.

A wrongly rejected input is no sentence of the grammar, so it has no derivation tree that could be
abstracted (`gramspect.reduction.abstract`); but what the parser had read of it has one. The pattern
is the rule that had read most when the parser stopped, with its non-terminals abstract, and the
kind of token that it did not expect: ``NAME = <expr> (``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gramspect.grammars.grammar import Grammar
from gramspect.recognition.recognizer import Recognizer, Tokenizing
from gramspect.recognition.trace import Observation, Verdict
from gramspect.running.observing import tokens_of
from gramspect.running.recording import Recording
from gramspect.suites.suite import TestCase

__all__ = ["StopPattern", "stop_patterns"]


@dataclass(frozen=True, slots=True)
class StopPattern:
    """Failing tests, by their numbers, that stop alike.

    `text` is what the rule had read, `found` what came next: a token, the end of the input, or
    empty if that is not known.
    """

    text: str
    found: str
    tests: tuple[int, ...]


def stop_patterns(recognizer: Recognizer, recording: Recording) -> tuple[StopPattern, ...]:
    """The patterns of all failing tests that the parser rejects, those with most tests first."""
    found: dict[tuple[frozenset[int], str], list[int]] = {}
    for number in recording.failing_numbers:
        seen = recording.unexpected[number]
        waiting = frozenset(item for item, depth in seen.active.items() if depth == 0)
        if seen.verdict is Verdict.REJECTED and waiting:
            next_one = _next(recognizer, recording.suite.tests[number], seen)
            found.setdefault((waiting, next_one), []).append(number)
    grammar = recognizer.grammar
    patterns = [
        StopPattern(_read(grammar, waiting), next_one, tuple(tests))
        for (waiting, next_one), tests in found.items()
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
    if tokens is None or seen.error.token > len(tokens):
        return ""
    if seen.error.token == len(tokens):
        return "the end"
    token = tokens[seen.error.token]
    return recognizer.grammar.symbols[token].display if token > 0 else ""
