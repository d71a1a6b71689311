"""CUP parsers over texts, with the user's scanner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gramspect.adapter_api import END, ErrorKind, Grammar, ParseError, TestCase, Trace, Undecided
from gramspect_cup.outcomes import Outcome, Rejection, Stopped, outcomes
from gramspect_cup.positions import TokenPlaces
from gramspect_cup.recorded import RecordedReading
from gramspect_cup.tables import Tables
from gramspect_jvm import for_java, java_memory

__all__ = ["TextRecognizer"]


class TextRecognizer(RecordedReading):
    """The tables of a CUP parser, fed by a scanner. Tests are texts.

    Each test gets a new scanner and a new parser, and static fields are reset before it
    (`org.gramspect.isolation`), so that no test sees another one's leftovers.
    """

    def __init__(self, tables: Tables, runner: Any) -> None:
        """`runner` is the Java object ``TextRunner``."""
        self._tables = tables
        self._java = runner
        # The last entry is that of -1: a number that names no terminal.
        self._terminals = [*tables.terminals, -1]

    @property
    def grammar(self) -> Grammar:
        return self._tables.grammar

    def tokens(self, test: TestCase) -> list[int] | None:
        """The terminals of a text as the scanner makes them; None if it fails."""
        return self.terminals(test.text)

    def terminals(self, text: str) -> list[int] | None:
        """The same, of a text that is no test."""
        numbers = self._java.terminals(for_java(text))
        return None if numbers is None else [self._terminal(number) for number in numbers]

    def trace(self, test: TestCase) -> Trace:
        """Parse one text."""
        return self.traces([test])[0]

    def traces(self, tests: Sequence[TestCase]) -> list[Trace]:
        """Parse many texts in one crossing into Java."""
        with java_memory():
            results = self._java.run([for_java(test.text) for test in tests])
        found = outcomes(results, self._tables, len(tests))
        return [self._trace(o, test) for o, test in zip(found, tests, strict=True)]

    def _trace(self, outcome: Outcome, test: TestCase) -> Trace:
        if isinstance(outcome, Stopped):
            return Undecided(self._reason(outcome))
        if isinstance(outcome, Rejection):
            return outcome.with_error(self._error(outcome, test))
        return outcome

    def _reason(self, stopped: Stopped) -> str:
        if stopped.rule is None:
            return stopped.message
        rule = self.grammar.rule_text(stopped.rule)
        return f"the action of {rule} {stopped.message}; --no-actions leaves actions out"

    def _error(self, rejection: Rejection, test: TestCase) -> ParseError:
        places = TokenPlaces(test.text, rejection.tokens)
        token = rejection.token
        if rejection.kind is ErrorKind.LEXICAL:
            message = f"the scanner fails: {rejection.message}"
            return ParseError(token, message, *places.place(token), ErrorKind.LEXICAL)
        # The scanner may have said nothing at the end.
        terminal = END
        if token < len(rejection.tokens):
            terminal = self._terminal(rejection.tokens[token][0])
        if terminal == END:
            return ParseError(token, "unexpected end of input", *places.end())
        name = "a token that the grammar does not know"
        if terminal > 0:
            name = self.grammar.symbols[terminal].display
        value = f" {rejection.message!r}" if rejection.message else ""
        return ParseError(token, f"unexpected {name}{value}", *places.place(token))

    def _terminal(self, number: int) -> int:
        """The grammar's terminal for a number of the tables."""
        return self._terminals[number] if number < len(self._terminals) else -1
