"""Reads what the agent has recorded of a CUP parser (``org.gramspect.agent.cup``)."""

from __future__ import annotations

from collections.abc import Mapping

from gramspect.adapter_api import (
    END,
    ErrorKind,
    GramspectError,
    ParseError,
    Trace,
    Undecided,
)
from gramspect_cup.outcomes import Rejection, Stopped, recorded_outcome
from gramspect_cup.tables import Tables

__all__ = ["RecordedReading"]


class RecordedReading:
    """A recognizer with tables, which are also those of the parser that the agent has recorded."""

    _tables: Tables

    def check_identity(self, identity: object) -> str | None:
        """In words, how the recorded parser differs from this one; None if it does not."""
        own = [int(number) for number in self._tables.java.digests()]
        if not isinstance(identity, list) or len(identity) != len(own):
            return "what it says about its parser cannot be understood"
        return None if identity == own else "its parser has other tables"

    def learn(self, entries: object) -> None:
        """Nothing is learned: states and productions have CUP's numbers."""

    def trace_of(self, outcome: object, text: str | None) -> Trace:
        """What happened in a parse that the agent has recorded."""
        try:
            assert isinstance(outcome, Mapping)
            message = str(outcome.get("message", ""))
            found = recorded_outcome(list(outcome["numbers"]), message, self._tables)
        except (AssertionError, IndexError, KeyError, TypeError) as problem:
            raise GramspectError(f"a parse of a recorded run is broken: {problem!r}") from problem
        if isinstance(found, Stopped):
            return Undecided(found.message)
        return found.with_error(self._described(found)) if isinstance(found, Rejection) else found

    def _described(self, rejection: Rejection) -> ParseError:
        token = rejection.token
        if rejection.kind is ErrorKind.LEXICAL:
            message = f"the scanner fails: {rejection.message}"
            return ParseError(token, message, kind=ErrorKind.LEXICAL)
        number = rejection.tokens[token][0] if token < len(rejection.tokens) else 0
        terminals = self._tables.terminals
        terminal = terminals[number] if 0 <= number < len(terminals) else -1
        if terminal == END:
            return ParseError(token, "unexpected end of input")
        known = terminal > 0
        symbols = self._tables.grammar.symbols
        name = symbols[terminal].display if known else "a token that the grammar does not know"
        value = f" {rejection.message!r}" if rejection.message else ""
        return ParseError(token, f"unexpected {name}{value}")
