"""ANTLR parsers under observation: the tool's interpreter in the JVM, texts in, traces out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gramspect.chart import Chart, parse_chart
from gramspect.grammar import Grammar
from gramspect.kernel import can_compile
from gramspect.networks import Networks
from gramspect.suite import TestCase
from gramspect.trace import ChartTrace, ErrorKind, LLTrace, ParseError, Trace, Undecided
from gramspect_antlr.loading import LoadedGrammar
from gramspect_antlr.outline import END_OF_FILE

__all__ = ["AntlrRecognizer", "Rejection"]

ACCEPTED, SYNTAX_ERROR, LEXICAL_ERROR, UNDECIDED = range(4)

COMPILE_FROM = 300
"""Tokens before the error from which on a compiled chart pays for the loading of its code."""

DIFFERS = (
    " (read as a context-free grammar, the grammar accepts this input; ANTLR's order of"
    " alternatives or a precedence rejects it)"
)


@dataclass(frozen=True, slots=True)
class Rejection:
    """What ANTLR says about an input that it rejects.

    `types` are the types of the tokens that the parser saw, the end of the input (-1) last;
    `lines` and `columns`, from 1, say where they are. `token` is the index of the offending one,
    `rules` the names of the rules that were active, innermost first: ANTLR's own idea of where the
    error is.
    """

    message: str
    kind: ErrorKind
    token: int
    line: int
    column: int
    types: Sequence[int]
    lines: Sequence[int]
    columns: Sequence[int]
    rules: tuple[str, ...]


Outcome = Rejection | LLTrace | Undecided


class _Cursor:
    """Reads numbers one after the other."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers
        self._at = 0

    def one(self) -> int:
        """The next number."""
        self._at += 1
        return self._numbers[self._at - 1]

    def rows(self, width: int) -> Sequence[int]:
        """A number of rows, and then the numbers in them."""
        size = width * self.one()
        self._at += size
        return self._numbers[self._at - size : self._at]


class AntlrRecognizer:
    """A grammar run by ANTLR's interpreter. Tests are texts.

    Accepted tests give the rules that the parser took. A rejected test is charted: the chart gives
    the maximal viable prefix, which a failing prediction of ANTLR's may fall short of. Where the
    chart accepts what ANTLR rejects (ordered choice, precedence), it ends where ANTLR stopped.
    """

    def __init__(
        self, loaded: LoadedGrammar, letters: str = "", *, allow_trailing: bool = False
    ) -> None:
        grammar = loaded.grammar
        self._grammar = grammar
        self._networks = Networks(grammar, loaded.definitions)
        self._rules = [definition.name for definition in loaded.definitions]
        start = self._rules.index(grammar.symbols[grammar.start].name)
        self._java = loaded.java.runner(start, letters, allow_trailing)
        names = map(loaded.vocabulary.name, range(1, len(loaded.vocabulary) + 1))
        self._terminals = [-1, *map(grammar.symbol, names)]
        self._end = [s.index for s in grammar.terminals if s.name == END_OF_FILE]

    @property
    def grammar(self) -> Grammar:
        return self._grammar

    def trace(self, test: TestCase) -> Trace:
        """Parse one text."""
        return self.traces([test])[0]

    def traces(self, tests: Sequence[TestCase]) -> list[Trace]:
        """Parse many texts in one crossing into Java."""
        return [
            self.charted(outcome) if isinstance(outcome, Rejection) else outcome
            for outcome in self.outcomes([test.text for test in tests])
        ]

    def outcomes(self, texts: Sequence[str]) -> Iterator[Outcome]:
        """What ANTLR does with each text, in one crossing into Java."""
        results = self._java.run(list(texts))
        numbers = _Cursor(np.asarray(results.numbers()).tolist())
        messages = map(str, results.messages())
        return (self._outcome(numbers, messages) for _ in texts)

    def _outcome(self, numbers: _Cursor, messages: Iterator[str]) -> Outcome:
        """The next outcome, in the form that ``Runner.java`` describes."""
        outcome = numbers.one()
        if outcome == ACCEPTED:
            return self._accepted(numbers.rows(3))
        message = next(messages)
        if outcome == UNDECIDED:
            return Undecided(message)
        token, line, column = numbers.one(), numbers.one(), numbers.one()
        tokens = numbers.rows(3)
        return Rejection(
            message=message,
            kind=ErrorKind.LEXICAL if outcome == LEXICAL_ERROR else ErrorKind.SYNTAX,
            token=token,
            line=line,
            column=column,
            types=tokens[::3],
            lines=tokens[1::3],
            columns=tokens[2::3],
            rules=tuple(self._rules[rule] for rule in numbers.rows(1)),
        )

    def _accepted(self, pairs: Sequence[int]) -> LLTrace:
        rules: set[int] = set()
        current: set[int] = set()
        for before, after, consumed in zip(pairs[::3], pairs[1::3], pairs[2::3], strict=True):
            way = self._networks.way(before, after)
            rules.update(way.rules)
            current.update(way.entered)
            if consumed:
                current.update(way.current)
        return LLTrace(self._grammar, tuple(rules), tuple(current))

    def charted(self, rejection: Rejection) -> ChartTrace:
        """The chart of a rejected input's tokens, up to the error."""
        terminals = [self._terminals[t] for t in rejection.types if t >= 0]
        lexical = rejection.kind is ErrorKind.LEXICAL
        if not lexical:
            chart = self._chart([*terminals, *self._end], rejection.token)
            if not self._accepts(chart, len(terminals)):
                return ChartTrace(chart, self._error(rejection, chart.end))
        chart = self._chart(terminals[: rejection.token], rejection.token)
        return ChartTrace(chart, self._error(rejection, chart.end, "" if lexical else DIFFERS))

    def _chart(self, terminals: list[int], near: int) -> Chart:
        return parse_chart(self._grammar, terminals, near >= COMPILE_FROM and can_compile())

    def _accepts(self, chart: Chart, n_tokens: int) -> bool:
        """Whether the tokens are a sentence, with or without the terminal EOF behind them."""
        if chart.accepted or chart.end != n_tokens:
            return chart.accepted
        grammar = self._grammar
        complete = {
            grammar.item(rule, len(grammar.rules[rule].rhs))
            for rule in grammar.rules_of[grammar.start]
        }
        return any(item in complete and origin == 0 for item, origin in chart.column(n_tokens))

    @staticmethod
    def _error(rejection: Rejection, token: int, remark: str = "") -> ParseError:
        if token == rejection.token:
            line, column = rejection.line, rejection.column
        else:
            known = min(token, len(rejection.types) - 1)
            line, column = rejection.lines[known], rejection.columns[known]
        return ParseError(token, rejection.message + remark, line, column, rejection.kind)
