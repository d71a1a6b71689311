"""Negative tests from mutated paths of an LR graph, as sequences that nobody has to enumerate.

The mutations of Rossouw and Fischer (2023, Section 6). All of them put a *phrase* into a *slot* of
a sentence, that is, between two of its places:

* *edge* mutations insert a token, put another one in the place of a token, or leave it out;
* *stack* mutations do the same with reduction paths: the phrases are the minimal yields of all
  reduction paths, the slots what a rule derives in the sentence.

For insertions a slot is empty, for deletions the phrase is. A mutation is made where an analysis
(`gramspect.lrgraph.analyses`) is certain that the outcome is no sentence: by what can come before
the slot, the phrase, and the token after the slot.

Mutations are counted as triples of a sentence, a slot and a phrase. Reduction paths with the same
yield are one phrase, rules that derive the same part of a sentence one slot. Two mutations can
still have the same outcome, as when a token is inserted before or after itself.

A slot's mutations depend only on the context before it and the token after it. So all mutations of
a slot are counted at once, and any one of a suite is found by bisection.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gramspect.grammars.grammar import Grammar
from gramspect.grammars.seeding import Mutation
from gramspect.grammars.symbols import END
from gramspect.lrgraph.analyses import DEAD, Analysis

__all__ = ["PATH_OPERATORS", "Block", "Mutations", "Phrase", "Sentences", "Slots"]

Phrase = tuple[int, ...]
Ints = NDArray[np.int64]

PATH_OPERATORS = (Mutation.INSERTION, Mutation.SUBSTITUTION, Mutation.DELETION)

_BATCH = 1024
"""How many slots are looked up at once."""

_KEPT = 10_000
"""How many kinds of slots have their phrases remembered."""


class Sentences:
    """Sentences with the contexts of an analysis before each of their places.

    `derivations` are their left parses.
    """

    def __init__(
        self,
        grammar: Grammar,
        words: Sequence[Phrase],
        derivations: Sequence[Sequence[int]],
        analysis: Analysis,
    ) -> None:
        self.grammar = grammar
        self.words = words
        self.derivations = derivations
        self.analysis = analysis

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def start(self) -> Ints:
        """Where the places of each sentence begin in tables: it has one more than tokens."""
        return np.fromiter(accumulate((len(word) + 1 for word in self.words), initial=0), np.int64)

    @cached_property
    def following(self) -> Ints:
        """The token after each place, `END` at the end."""
        tokens = (token for word in self.words for token in (*word, END))
        return np.fromiter(tokens, np.int64, int(self.start[-1]))

    @cached_property
    def contexts(self) -> Ints:
        """The context before each place."""
        found = np.zeros(self.start[-1], np.int64)
        start = self.start.tolist()
        for index in sorted(range(len(self.words)), key=self.words.__getitem__):
            found[start[index] : start[index + 1]] = self.analysis.contexts(self.words[index])
        return found

    @cached_property
    def empty_slots(self) -> Slots:
        """One at each place."""
        places = np.arange(self.start[-1])
        return Slots(places, places)

    @cached_property
    def token_slots(self) -> Slots:
        """One for each token."""
        places = np.flatnonzero(self.following != END)
        return Slots(places, places + 1)

    @cached_property
    def rule_slots(self) -> Slots:
        """The stretches of sentences that the rules of the derivations derive, each once."""
        spans: list[int] = []
        width = int(max(map(len, self.words), default=0)) + 1
        starts = self.start.tolist()
        for offset, rules in zip(starts, self.derivations, strict=False):
            spans += [(offset + first) * width + length for first, length in self._spans(rules)]
        packed = np.array(spans, np.int64)
        return Slots(packed // width, packed // width + packed % width)

    def _spans(self, rules: Sequence[int]) -> list[tuple[int, int]]:
        """Where what each rule of a left parse derives begins, and how long it is; sorted."""
        sides, n_terminals = self._sides, self.grammar.n_terminals
        lengths: list[int] = []  # the trees to the right, the next one on top
        found = [0] * len(rules)
        for index in range(len(rules) - 1, -1, -1):
            total, n_inner = sides[rules[index]]
            for _ in range(n_inner):
                total += lengths.pop()
            lengths.append(total)
            found[index] = total
        spans = set()
        at, rhs_of = 0, self._rhs
        pending: list[int] = []
        for index, rule in enumerate(rules):
            while pending and pending[-1] < n_terminals:
                at += 1
                pending.pop()
            if pending:
                pending.pop()
            spans.add((at, found[index]))
            pending += rhs_of[rule]
        return sorted(spans)

    @cached_property
    def _sides(self) -> list[tuple[int, int]]:
        """How many terminals and non-terminals each rule has."""
        n_inner = [sum(s >= self.grammar.n_terminals for s in r.rhs) for r in self.grammar.rules]
        return [(len(r.rhs) - n, n) for r, n in zip(self.grammar.rules, n_inner, strict=True)]

    @cached_property
    def _rhs(self) -> list[tuple[int, ...]]:
        return [rule.rhs[::-1] for rule in self.grammar.rules]


class Slots(NamedTuple):
    """Stretches of sentences, by the first place and the last one."""

    first: Ints
    last: Ints

    def not_empty(self) -> Slots:
        """The stretches that have a token."""
        kept = self.first < self.last
        return Slots(self.first[kept], self.last[kept])


class Block(NamedTuple):
    """Mutations of one slot, the tokens `first` to `last` of a sentence."""

    sentence: int
    first: int
    last: int
    phrases: Sequence[int]


@dataclass(eq=False)
class Mutations:
    """All mutations of one kind, in the order of sentences, slots and phrases.

    Attributes:
        of: ``edge`` or ``stack``.
        operator: the kind of change. sentences: the sentences that are mutated. slots: the
            stretches that are replaced. phrases: the tokens that may be put there. left_only: the
            token after a slot does not count.
    """

    of: str
    operator: Mutation
    sentences: Sentences
    slots: Slots
    phrases: Sequence[Phrase]
    left_only: bool = False

    def __post_init__(self) -> None:
        self._allowed = lru_cache(_KEPT)(self._all_allowed)

    @property
    def name(self) -> str:
        """The kind, such as ``edge-insertion``."""
        return f"{self.of}-{self.operator}"

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def blocks(self, first: int = 0, end: int | None = None) -> Iterator[Block]:
        """The mutations numbered `first` to `end` - 1, those of a slot together."""
        end = len(self) if end is None else min(end, len(self))
        if first >= end:
            return
        at = int(np.searchsorted(self._ends, first, side="right"))
        stop = int(np.searchsorted(self._ends, end, side="left")) + 1
        start = self.sentences.start
        for behind, context, token, sentence, left, right in self._slot_rows(at, stop):
            phrases = self._allowed(context, token)
            if not phrases:
                continue
            before = behind - len(phrases)
            if before < first or behind > end:
                phrases = phrases[max(0, first - before) : end - before]
            offset = int(start[sentence])
            yield Block(sentence, left - offset, right - offset, phrases)

    def _slot_rows(self, at: int, stop: int) -> Iterator[tuple[int, int, int, int, int, int]]:
        """The rows of the tables for some slots, a few of them in memory at a time.

        These are the number of mutations up to and with it, the context before it, the token after
        it, its sentence, and its first and last place.
        """
        contexts, following = self.sentences.contexts, self.sentences.following
        for some in range(at, stop, _BATCH):
            batch = slice(some, min(some + _BATCH, stop))
            first, last = self.slots.first[batch], self.slots.last[batch]
            yield from zip(
                self._ends[batch].tolist(),
                contexts[first].tolist(),
                following[last].tolist(),
                self._sentence_of(first).tolist(),
                first.tolist(),
                last.tolist(),
                strict=True,
            )

    def __getitem__(self, index: int) -> Block:
        """One mutation."""
        if not 0 <= index < len(self):
            raise IndexError(index)
        return next(self.blocks(index, index + 1))

    def error(self, block: Block, phrase: int) -> int:
        """The index of the token, in the outcome, at which an error must be reported at the latest.

        That is the first token that cannot come next as far as the analysis knows.
        """
        analysis = self.sentences.analysis
        place = int(self.sentences.start[block.sentence]) + block.first
        context = int(self.sentences.contexts[place])
        for offset, token in enumerate(self.phrases[phrase]):
            context = analysis.step(context, token)
            if context == DEAD:
                return block.first + offset
        return block.first + len(self.phrases[phrase])

    # --- counting ------------------------------------------------------------------------

    @cached_property
    def _ends(self) -> Ints:
        """How many mutations there are up to and with each slot."""
        contexts = self.sentences.contexts[self.slots.first]
        known, rows = np.unique(contexts, return_inverse=True)
        counts = np.zeros((len(known), self.sentences.grammar.n_terminals), np.int32)
        for row, context in enumerate(known.tolist()):
            counts[row] = self._counts(context)
        return np.cumsum(counts[rows, self.sentences.following[self.slots.last]], dtype=np.int64)

    def _counts(self, context: int) -> Ints:
        """For each token how many phrases are allowed between a context and the token."""
        n_terminals = self.sentences.grammar.n_terminals
        found = np.full(n_terminals, len(self.phrases), np.int64)
        for behind, number in Counter(self._behind(context)).items():
            found -= number * _unpacked(self._follow(behind), n_terminals)
        return found

    def _follow(self, context: int) -> int:
        """The tokens that can come after a phrase."""
        return -(context != DEAD) if self.left_only else self.sentences.analysis.follow(context)

    def _behind(self, context: int) -> list[int]:
        """The context after each phrase."""
        step = self.sentences.analysis.step
        found = []
        for phrase in self.phrases:
            behind = context
            for token in phrase:
                behind = step(behind, token)
                if behind == DEAD:
                    break
            found.append(behind)
        return found

    def _all_allowed(self, context: int, token: int) -> list[int]:
        """The phrases that make no sentence between a context and a token."""
        return [
            number
            for number, behind in enumerate(self._behind(context))
            if not self._follow(behind) >> token & 1
        ]

    def _sentence_of(self, places: Ints) -> Ints:
        return np.searchsorted(self.sentences.start, places, side="right") - 1


def _unpacked(bits: int, n: int) -> Ints:
    """The lowest `n` bits of a number, the lowest first."""
    bits &= (1 << n) - 1
    packed = np.frombuffer(bits.to_bytes(-(-n // 8), "little"), np.uint8)
    return np.unpackbits(packed, bitorder="little")[:n].astype(np.int64)
