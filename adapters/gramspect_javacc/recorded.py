"""Reads what the agent has recorded of a JavaCC parser (``org.gramspect.agent.javacc``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gramspect.adapter_api import Grammar, GramspectError, Trace
from gramspect_javacc.loading import LoadedParser
from gramspect_javacc.outcomes import Decoder, Rejection, Strange

__all__ = ["RecordedParses"]

Charting = Callable[[Rejection, Grammar], Trace]
Deriving = Callable[[Sequence[int], Grammar], Trace]


class RecordedParses:
    """The recorded parses of one parser.

    Args:
        loaded: the parser as it is here.
        decoder: reads outcomes.
        charted: makes the trace of a rejected input, for a grammar with the start of its parse.
        derived: makes that of the kinds of an accepted one whose parse is no derivation.
    """

    def __init__(
        self, loaded: LoadedParser, decoder: Decoder, charted: Charting, derived: Deriving
    ) -> None:
        self._productions = loaded.compiled.productions
        self._digests = [int(number) for number in loaded.compiled.java.digests()]
        self._grammar = loaded.mapped.grammar
        self._decoder = decoder
        self._charted = charted
        self._derived = derived

    def check_identity(self, identity: object) -> str | None:
        """In words, how the recorded parser differs; None if it does not."""
        if not isinstance(identity, list):
            return "what it says about its parser cannot be understood"
        if len(identity) != len(self._digests):
            return f"its parser has {len(identity)} productions, this one {len(self._digests)}"
        pairs = zip(identity, self._digests, self._productions, strict=True)
        other = next((p.name for theirs, own, p in pairs if theirs != own), None)
        return None if other is None else f"its production {other} is another"

    def trace_of(self, outcome: object) -> Trace:
        """What happened in a recorded parse."""
        try:
            assert isinstance(outcome, Mapping)
            numbers = np.array(outcome["numbers"], np.int32)
            found = self._decoder.outcome(numbers, str(outcome.get("message", "")))
            start = self._productions[outcome["start"]].name
            tokens = list(outcome.get("tokens", ()))
        except (AssertionError, IndexError, KeyError, TypeError, ValueError) as problem:
            raise GramspectError(f"a parse of a recorded run is broken: {problem!r}") from problem
        if isinstance(found, Rejection):
            return self._charted(found, self._started(start))
        if isinstance(found, Strange):
            return self._derived(tokens, self._started(start))
        return found

    def _started(self, production: str) -> Grammar:
        """The grammar with the start of a parse."""
        grammar = self._grammar
        start = grammar.symbol(production)
        return grammar if start == grammar.start else replace(grammar, start=start)
