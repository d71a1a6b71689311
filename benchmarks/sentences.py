"""Token sequences to measure with: random and systematic sentences of a grammar, mutations.

All functions are deterministic. Sentences are tuples of terminal numbers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gramspect.grammars.grammar import Grammar

__all__ = [
    "Packed",
    "Sentence",
    "context_coverage",
    "mutations",
    "pack",
    "random_sentences",
]

Sentence = tuple[int, ...]


class Packed(NamedTuple):
    """Sequences end to end: sequence i is ``tokens[starts[i] : starts[i + 1]]``."""

    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]


def pack(sentences: Iterable[Sentence]) -> Packed:
    """Sequences as `gramspect.builtin.native.NativeRecognizer.record_tokens` takes them."""
    kept = list(sentences)
    starts = np.fromiter(accumulate(map(len, kept), initial=0), np.int64, len(kept) + 1)
    tokens = np.fromiter((token for each in kept for token in each), np.int32, int(starts[-1]))
    return Packed(tokens, starts)


def random_sentences(
    grammar: Grammar, random: Random, depth: int, longest: int
) -> Iterator[Sentence]:
    """Different sentences of at most `longest` tokens, from random derivation trees.

    Every rule that can still end within `depth` levels is equally likely. Ends when new ones have
    become rare.
    """
    known: set[Sentence] = set()
    misses = 0
    while misses < 10_000:
        sentence = _derived(grammar, random, depth, longest)
        if sentence is None or sentence in known:
            misses += 1
            continue
        misses = 0
        known.add(sentence)
        yield sentence


def _derived(grammar: Grammar, random: Random, depth: int, longest: int) -> Sentence | None:
    """One random sentence, or None if it gets too long."""
    height = grammar.analysis.height
    sentence: list[int] = []
    pending = [(grammar.start, max(depth, height[grammar.start]))]
    while pending:
        symbol, levels = pending.pop()
        if grammar.is_terminal(symbol):
            sentence.append(symbol)
        else:
            fitting = [
                rule
                for rule in grammar.rules_of[symbol]
                if all(height[s] < levels for s in grammar.rules[rule].rhs)
            ]
            rhs = grammar.rules[random.choice(fitting)].rhs
            pending += [(s, levels - 1) for s in reversed(rhs)]
        if len(sentence) + len(pending) > longest:
            return None
    return tuple(sentence)


def context_coverage(grammar: Grammar) -> tuple[Sentence, ...]:
    """A short sentence for every rule in every place where its left-hand side is used.

    Context-dependent rule coverage (Lämmel, "Grammar testing", FASE 2001), each sentence once.
    """
    analysis = grammar.analysis
    contexts = _contexts(grammar)
    found: dict[Sentence, None] = {}
    for outer in grammar.rules:
        if outer.lhs not in contexts:
            continue
        left, right = contexts[outer.lhs]
        yields = [analysis.shortest_yield(s) for s in outer.rhs]
        for place, symbol in enumerate(outer.rhs):
            before = [left, *yields[:place]]
            after = [*yields[place + 1 :], right]
            for inner in grammar.rules_of.get(symbol, ()):
                middle = [analysis.shortest_yield(s) for s in grammar.rules[inner].rhs]
                found[_joined([*before, *middle, *after])] = None
        found[_joined([left, *yields, right])] = None
    return tuple(found)


def _contexts(grammar: Grammar) -> dict[int, tuple[Sentence, Sentence]]:
    """Terminals around each reachable non-terminal in a form few steps from the start."""
    found: dict[int, tuple[Sentence, Sentence]] = {grammar.start: ((), ())}
    pending = deque([grammar.start])
    while pending:
        lhs = pending.popleft()
        left, right = found[lhs]
        for rule in grammar.rules_of[lhs]:
            rhs = grammar.rules[rule].rhs
            for place, symbol in enumerate(rhs):
                if not grammar.is_terminal(symbol) and symbol not in found:
                    yields = [grammar.analysis.shortest_yield(s) for s in rhs]
                    found[symbol] = (
                        _joined([left, *yields[:place]]),
                        _joined([*yields[place + 1 :], right]),
                    )
                    pending.append(symbol)
    return found


def _joined(parts: Iterable[Sequence[int]]) -> Sentence:
    return tuple(token for part in parts for token in part)


def mutations(
    grammar: Grammar, sentences: Sequence[Sentence], random: Random
) -> Iterator[Sentence]:
    """Sentences with one token deleted, inserted, replaced or swapped with the next, without end.

    They may still belong to the language, and may repeat.
    """
    terminals = range(1, grammar.n_terminals)
    while True:
        tokens = list(random.choice(sentences))
        place = random.randrange(len(tokens) + 1)
        match random.randrange(4):
            case 0:
                del tokens[place : place + 1]
            case 1:
                tokens.insert(place, random.choice(terminals))
            case 2:
                tokens[place : place + 1] = [random.choice(terminals)]
            case _:
                tokens[place : place + 2] = tokens[place : place + 2][::-1]
        yield tuple(tokens)
