"""ANTLR parsers under observation: the tool's interpreter in the JVM, texts in, traces out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from gramspect.adapter_api import (
    ChartTrace,
    Diagnostic,
    ErrorKind,
    Grammar,
    LexedText,
    Networks,
    ParseError,
    Pattern,
    Span,
    Splice,
    TestCase,
    TokenRule,
    Trace,
    Undecided,
    chart_of_rejected,
    end_of_input,
)
from gramspect_antlr.loading import LoadedGrammar
from gramspect_antlr.outcomes import DIFFERS, Decoder, Outcome, Rejection
from gramspect_antlr.outline import END_OF_FILE
from gramspect_antlr.recorded import RecordedParses
from gramspect_antlr.samples import LexerSamples
from gramspect_antlr.splicing import SplicedLexer
from gramspect_antlr.tokenrules import LexerRules
from gramspect_jvm import for_java, java_memory

__all__ = ["AntlrRecognizer", "Rejection"]

_NOT_RUN = {"action": "the action", "predicate": "the predicate, taken as true,"}

_SHOWN = 40
"""Characters of an unfinished token that messages show."""


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
        rules = [definition.name for definition in loaded.definitions]
        self._grammar = grammar
        self._decoder = Decoder(grammar, Networks(grammar, loaded.definitions), rules)
        start = rules.index(grammar.symbols[grammar.start].name)
        self._java = loaded.java.runner(start, letters, allow_trailing)
        names = map(loaded.vocabulary.name, range(1, len(loaded.vocabulary) + 1))
        self._terminals = [-1, *map(grammar.symbol, names)]
        self._end = end_of_input(grammar, END_OF_FILE)
        self._samples = LexerSamples(loaded, letters)
        self._loaded, self._letters = loaded, letters

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

    def decisions(self, tests: Sequence[TestCase]) -> list[ParseError | Undecided | None]:
        """The errors that ANTLR reports, without charts, and without what it did until then."""
        results = self._run([test.text for test in tests])
        return [
            _error(decision, decision.token, "") if isinstance(decision, Rejection) else decision
            for decision in self._decoder.decisions(results, len(tests))
        ]

    def outcomes(self, texts: Sequence[str]) -> Iterator[Outcome]:
        """What ANTLR does with each text, in one crossing into Java."""
        return self._decoder.outcomes(self._run(texts), len(texts))

    def _run(self, texts: Sequence[str]) -> Any:
        with java_memory():
            return self._java.run([for_java(text) for text in texts], self._decoder.n_pairs)

    def tokens(self, test: TestCase) -> list[int] | None:
        """The terminals of a test, EOF last if the start rule can read it; None if the lexer fails.

        They are those of the chart of a rejected input.
        """
        types = self._java.types(for_java(test.text))
        if types is None:
            return None
        return [
            *self._parsed(np.asarray(types).tolist()),
            *(() if self._end is None else (self._end,)),
        ]

    def lexed(self, texts: Sequence[str]) -> list[list[int] | None]:
        """The terminals of each text, the end of the input left out; None if the lexer fails."""
        numbers = np.asarray(self._java.typesOfAll([for_java(text) for text in texts])).tolist()
        terminals = self._terminals
        found: list[list[int] | None] = []
        place = 0
        for _ in texts:
            first = place + 1
            place = first + max(numbers[place], 0)
            types = numbers[first:place]
            found.append(None if numbers[first - 1] < 0 else [terminals[t] for t in types])
        return found

    def samples(self, terminal: int, limit: int) -> list[str]:
        """Texts that the lexer reads as that terminal, the shortest first."""
        types = (t for t, known in enumerate(self._terminals) if known == terminal)
        return [text for token_type in types for text in self._samples.of(token_type, limit)][
            :limit
        ]

    def token_rules(self) -> Sequence[TokenRule]:
        """The rules of the lexer, fragments included."""
        return self._rules.all

    def token_pattern(self, name: str) -> Pattern | None:
        """A rule of the lexer as it is written."""
        return self._rules.pattern(name)

    def lexing(self, test: TestCase, splices: Sequence[Splice] = ()) -> LexedText | None:
        """The tokens of a test, given stretches read as told; EOF last if the start rule reads
        it."""
        return self._lexer.lexed(test.text, splices)

    def check_identity(self, identity: object) -> str | None:
        """In words, how a recorded parser differs from this one; None if it does not."""
        return self._recorded.check_identity(identity)

    def learn(self, entries: object) -> None:
        """What the agent found out once, for the outcomes after it."""
        self._recorded.learn(entries)

    def trace_of(self, outcome: object, text: str | None) -> Trace:
        """What happened in a parse that the agent has recorded."""
        return self._recorded.trace_of(outcome, text)

    @cached_property
    def _recorded(self) -> RecordedParses:
        loaded = self._loaded
        return RecordedParses(loaded.java, self._grammar, loaded.definitions, self._charted)

    @cached_property
    def _by_type(self) -> dict[int, int]:
        return {kind: terminal for kind, terminal in enumerate(self._terminals) if kind}

    @cached_property
    def _rules(self) -> LexerRules:
        return LexerRules(self._loaded.java, self._by_type, self._grammar.files)

    @cached_property
    def _lexer(self) -> SplicedLexer:
        return SplicedLexer(self._loaded.java, self._by_type, self._end, self._letters)

    def lexer_rules_at_error(self, test: TestCase) -> list[Diagnostic]:
        """The token rules that match what was read of the token, each with the place where it
        stops.

        If no token can begin with the first character, these are the rules that name it anywhere.
        """
        death = self._java.death(for_java(test.text))
        return [] if death is None else list(_lexer_rules(death))

    def code_not_run(self, test: TestCase) -> list[Diagnostic]:
        """The actions and predicates of token rules that a test meets: ANTLR's interpreter runs
        lexer commands only. Predicates are taken as true, and actions do nothing."""
        met = sorted(
            (str(c.kind()), str(c.rule())) for c in self._java.skippedCode(for_java(test.text))
        )
        return [
            Diagnostic("foreign-code", f"{_NOT_RUN[kind]} in the token rule {rule} is not run")
            for kind, rule in met
        ]

    def _parsed(self, types: Sequence[int]) -> list[int]:
        """The terminals of token types, the end of the input left out."""
        return [self._terminals[t] for t in types if t >= 0]

    def charted(self, rejection: Rejection) -> ChartTrace:
        """The chart of a rejected input's tokens, up to the error."""
        return self._charted(rejection, self._grammar)

    def _charted(self, rejection: Rejection, grammar: Grammar) -> ChartTrace:
        """Of a parser of this grammar, which has another start perhaps."""
        end = self._end if grammar is self._grammar else end_of_input(grammar, END_OF_FILE)
        chart, differs = chart_of_rejected(
            grammar,
            self._parsed(rejection.types),
            rejection.token,
            end=end,
            lexical=rejection.kind is ErrorKind.LEXICAL,
        )
        return ChartTrace(chart, _error(rejection, chart.end, DIFFERS if differs else ""))


def _error(rejection: Rejection, token: int, remark: str) -> ParseError:
    line, column = rejection.line, rejection.column
    if token != rejection.token:
        remark = f" (ANTLR reports it at line {line}, column {column})"
        known = min(token, len(rejection.types) - 1)
        line, column = rejection.lines[known], rejection.columns[known]
    return ParseError(token, rejection.message + remark, line, column, rejection.kind)


def _lexer_rules(death: Any) -> Iterator[Diagnostic]:
    read, code = str(death.read()), int(death.character())
    character = "the end of the input" if code < 0 else repr(chr(code))
    suspects = [(str(s.rule()), _place(s)) for s in death.suspects()]
    if read:
        where = f"the lexer stops at {character} after {read[-_SHOWN:]!r}"
        for rule, place in suspects:
            yield Diagnostic("lexer", f"{where}; {rule} could go on with this", place)
        return
    where = f"the lexer stops at {character}, which begins no token here"
    for rule, place in suspects:
        yield Diagnostic("lexer", f"{where}; {rule} has it", place)
    if not suspects:
        yield Diagnostic("lexer", f"{where} and which no token rule names")


def _place(suspect: Any) -> Span | None:
    line, column = int(suspect.line()), int(suspect.column())
    if suspect.file() is None or line <= 0:
        return None
    return Span(str(suspect.file()), line, column, line, column)
