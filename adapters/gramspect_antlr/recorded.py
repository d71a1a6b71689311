"""Reads what the agent has recorded of a generated parser (``org.gramspect.agent.antlr``).

The agent knows the states of the parser's automaton only. They are those of the automaton that the
ANTLR tool makes here from the grammar; what stands before which state is known here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gramspect.adapter_api import (
    ChartTrace,
    Definition,
    Grammar,
    GramspectError,
    Networks,
    NoWay,
    Trace,
    Undecided,
)
from gramspect_antlr.outcomes import Decoder, Rejection

__all__ = ["RecordedParses"]

_END = 0
"""Stands for the end of a rule; 0 is a rule's start state, which nothing follows."""

_OTHER_CODE = "the parser's own code has led it where its grammar does not go"

Charting = Callable[[Rejection, Grammar], ChartTrace]


class RecordedParses:
    """The recorded parses of one parser.

    Args:
        java: ``LoadedGrammar``.
        definitions: the rules as they are written, in ANTLR's order.
        charted: makes the trace of a rejected input.
    """

    def __init__(
        self,
        java: Any,
        grammar: Grammar,
        definitions: Sequence[Definition],
        charted: Charting,
    ) -> None:
        self._java = java
        self._grammar = grammar
        self._networks = Networks(grammar, definitions, foreign=1)
        self._rules = rules = [definition.name for definition in definitions]
        self._charted = charted
        self._decoders: dict[int, Decoder] = {}
        self._strange: dict[int, set[int]] = {}
        places = java.places()
        self._size = int(places.size())
        self._starts = {int(state): rule for rule, state in enumerate(places.starts)}
        self._own = {
            name: [str(state) for state in states]
            for name, states in zip(rules, places.states, strict=True)
        }

    def check_identity(self, identity: object) -> str | None:
        """In words, how the recorded parser differs; None if it does not."""
        try:
            assert isinstance(identity, Mapping)
            recorded = {str(name): list(states) for name, _, states in identity["rules"]}
        except (AssertionError, KeyError, TypeError, ValueError):
            return "what it says about its parser cannot be understood"
        for name in [*recorded, *self._own]:
            if name not in self._own:
                return f"it has a rule {name}"
            if name not in recorded:
                return f"it has no rule {name}"
        if list(recorded) != list(self._own):
            return "its rules are in another order"
        for name, states in recorded.items():
            if states != self._own[name]:
                return f"its rule {name} is another"
        return None

    def learn(self, entries: object) -> None:
        """Pairs of elements that the agent has numbered."""
        try:
            assert isinstance(entries, Mapping)
            record, first, codes = entries["record"], entries["first"], entries["pairs"]
            if first == 0:
                self._decoders[record] = self._decoder()
                self._strange[record] = set()
            self._decoders[record].learn(self._known_ways(record, self._elements(codes)))
        except (AssertionError, KeyError, TypeError, ValueError) as problem:
            raise GramspectError(f"a table of a recorded run is broken: {problem!r}") from problem

    def trace_of(self, outcome: object, text: str | None) -> Trace:
        """What happened in a recorded parse."""
        try:
            assert isinstance(outcome, Mapping)
            decoder = self._decoders.get(outcome["record"]) or self._decoder()
            found = decoder.outcome(
                np.array(outcome["numbers"], np.int32), str(outcome.get("message", ""))
            )
            start = self._rules[outcome["start"]]
            strange = self._strange.get(outcome["record"], set())
        except (AssertionError, IndexError, KeyError, TypeError, ValueError) as problem:
            raise GramspectError(f"a parse of a recorded run is broken: {problem!r}") from problem
        if isinstance(found, Rejection):
            return self._charted(found, self._started(start))
        if strange and any(pair >> 1 in strange for pair in outcome["numbers"][2:]):
            return Undecided(_OTHER_CODE)
        return found

    def _decoder(self) -> Decoder:
        return Decoder(self._grammar, self._networks, self._rules)

    def _started(self, rule: str) -> Grammar:
        """The grammar with the start rule of a parse."""
        grammar = self._grammar
        start = grammar.symbol(rule)
        return grammar if start == grammar.start else replace(grammar, start=start)

    def _known_ways(self, record: int, elements: Sequence[int]) -> list[int]:
        """The pairs with a foreign one for each that the grammar does not have."""
        foreign = self._networks.n_elements - 1
        first = self._decoders[record].n_pairs
        pairs: list[int] = []
        for number, pair in enumerate(zip(elements[::2], elements[1::2], strict=True), first):
            try:
                self._networks.way(*pair)
                pairs += pair
            except NoWay:
                self._strange[record].add(number)
                pairs += (foreign, foreign)
        return pairs

    def _elements(self, codes: Sequence[int]) -> list[int]:
        """The elements for pairs of the agent's codes (``ParseRecord.java``)."""
        size, rules = self._size, len(self._rules)
        read = [(code % size, code // size - 2 if code >= size else 0) for code in codes]
        elements = np.asarray(
            self._java.elements([number for pair in read for number in pair])
        ).tolist()
        n = self._networks.n_elements
        for place, code in enumerate(codes):
            if place % 2 and code == _END:
                elements[place] = n + rules
            elif not place % 2 and code in self._starts:
                elements[place] = n + self._starts[code]
        foreign = n - 1
        return [foreign if element < 0 else element for element in elements]
