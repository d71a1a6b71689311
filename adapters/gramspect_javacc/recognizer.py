"""Generated JavaCC parsers under observation: texts in, traces out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from gramspect.adapter_api import (
    AdapterError,
    ChartTrace,
    ErrorKind,
    Grammar,
    LexedText,
    ParseError,
    Pattern,
    Splice,
    TestCase,
    TokenRule,
    Trace,
    Undecided,
    chart_of_rejected,
    end_of_input,
    parse_chart,
)
from gramspect_javacc.loading import LoadedParser, call_java
from gramspect_javacc.outcomes import Decoder, Outcome, Rejection, Strange
from gramspect_javacc.places import GRAMMARS
from gramspect_javacc.recorded import RecordedParses
from gramspect_javacc.splicing import SplicedLexer
from gramspect_javacc.syntax import END_OF_FILE
from gramspect_javacc.tokenrules import LexerRules
from gramspect_jvm import for_java, java_memory

__all__ = ["DIFFERS", "JavaccRecognizer"]

DIFFERS = (
    " (read as a context-free grammar, the grammar accepts this input; the order of alternatives,"
    " a LOOKAHEAD or Java code rejects it)"
)
"""After the parser's message where the chart has no error."""

_EXPECTING = re.compile(r"\s*Was expecting(?: one of)?:(.*)\Z", re.DOTALL)
_PLACE = re.compile(r" at line \d+, column \d+\.?")
_SHOWN = 5
_STRANGE = "the parser accepts this in a way that its grammar does not have"


class JavaccRecognizer:
    """A generated parser. Tests are texts.

    Accepted tests give the rules that the parser took. A rejected test is charted: the chart gives
    the maximal viable prefix, which a choice that fails may fall short of, and everything that
    could have continued it. Where the chart accepts what the parser rejects, it ends where the
    parser stopped.
    """

    def __init__(self, loaded: LoadedParser, *, allow_trailing: bool = False) -> None:
        """Load the classes.

        Raises:
            AdapterError: they cannot be loaded, the code of ``call`` does not compile, or it is
                needed and missing.
        """
        self._grammar = loaded.mapped.grammar
        self._decoder = Decoder(loaded.mapped, loaded.compiled)
        try:
            self._java = loaded.runner(allow_trailing=allow_trailing)
            call_java(self._java.checkTexts)
        except AdapterError as problem:
            raise AdapterError(f"{loaded.source}: {problem}") from problem
        self._terminals = loaded.mapped.terminals
        self._end = end_of_input(self._grammar, END_OF_FILE)
        self._loaded = loaded
        self._lexer = SplicedLexer(self._java.lexed, self._terminals, self._end)
        self._alone: dict[str, bool] = {}

    @property
    def grammar(self) -> Grammar:
        return self._grammar

    def trace(self, test: TestCase) -> Trace:
        """Parse one text."""
        return self.traces([test])[0]

    def traces(self, tests: Sequence[TestCase]) -> list[Trace]:
        """Parse many texts in one crossing into Java."""
        found: list[Trace] = []
        outcomes = self.outcomes([test.text for test in tests])
        for outcome, test in zip(outcomes, tests, strict=True):
            if isinstance(outcome, Rejection):
                found.append(self._charted(outcome))
            elif isinstance(outcome, Undecided):
                found.append(self._advised(outcome))
            else:
                found.append(self._strange(test) if isinstance(outcome, Strange) else outcome)
        return found

    def _advised(self, outcome: Undecided) -> Undecided:
        """With what to do if the parser was not made as its library makes it."""
        from_jar = not self._loaded.source.endswith(GRAMMARS)
        if not from_jar or self._loaded.call is not None or " raised " not in outcome.reason:
            return outcome
        return Undecided(
            f"{outcome.reason}; if the parser has to be set up first, say how to run it in Java"
            " with --option call=..."
        )

    def outcomes(self, texts: Sequence[str]) -> Iterator[Outcome]:
        """What the parser does with each text, in one crossing into Java."""
        with java_memory():
            results = self._java.run([for_java(text) for text in texts])
        return self._decoder.outcomes(results, len(texts))

    def tokens(self, test: TestCase) -> list[int] | None:
        """The terminals of a test, EOF last if the start rule can read it; None if the lexer fails.

        They are those that the lexer delivers while the parser runs, whose code may change the
        state of the lexer; after a syntax error, those that it delivers then.
        """
        kinds = self._java.kinds(for_java(test.text))
        return None if kinds is None else self._ended(np.asarray(kinds).tolist())

    # --- token rules -------------------------------------------------------------------------

    @cached_property
    def _rules(self) -> LexerRules | None:
        written = self._loaded.written
        return None if written is None else LexerRules(written, self._loaded.mapped)

    def token_rules(self) -> Sequence[TokenRule]:
        """The rules of the grammar file; none where there is only the class."""
        return () if self._rules is None else self._rules.all

    def token_pattern(self, name: str) -> Pattern | None:
        """A token rule as it is written; None if that is not understood."""
        return None if self._rules is None else self._rules.pattern(name)

    def lexing(self, test: TestCase, splices: Sequence[Splice] = ()) -> LexedText | None:
        """The tokens of a text as the lexer makes them; None if the parser sees others.

        That is so where Java code of the parser changes the state of the lexer.
        """
        if test.text not in self._alone:
            self._alone[test.text] = self._reads_alone(test)
        return self._lexer.lexed(test.text, splices) if self._alone[test.text] else None

    def _reads_alone(self, test: TestCase) -> bool:
        """Whether the lexer makes the parser's tokens without the parser, too."""
        lexed = self._lexer.lexed(test.text, ())
        if lexed is None:
            return False
        own = [lexeme.terminal for lexeme in lexed.lexemes]
        tokens = self.tokens(test)
        if tokens is None:
            (outcome,) = self.outcomes([test.text])
            tokens = self._parsed(outcome.kinds) if isinstance(outcome, Rejection) else own
        return own[: len(tokens)] == tokens

    # --- traces ------------------------------------------------------------------------------

    def _ended(self, kinds: Sequence[int]) -> list[int]:
        """The terminals of kinds, EOF last if the start rule can read it."""
        return [*self._parsed(kinds), *(() if self._end is None else (self._end,))]

    def _parsed(self, kinds: Sequence[int]) -> list[int]:
        """The terminals of kinds, the end of the input left out; -1 for unknown ones."""
        return [self._terminals.get(int(kind), -1) for kind in kinds if kind]

    def _strange(self, test: TestCase) -> Trace:
        """The trace of an accepted input whose parse is no derivation of the grammar."""
        kinds = self._java.kinds(for_java(test.text))
        return (
            Undecided(_STRANGE)
            if kinds is None
            else self._derived(np.asarray(kinds).tolist(), self._grammar)
        )

    def _derived(self, kinds: Sequence[int], grammar: Grammar) -> Trace:
        """The chart of an accepted input."""
        chart = parse_chart(grammar, self._ended(kinds))
        return ChartTrace(chart) if chart.accepted else Undecided(_STRANGE)

    @cached_property
    def _recorded(self) -> RecordedParses:
        return RecordedParses(self._loaded, self._decoder, self._charted, self._derived)

    def check_identity(self, identity: object) -> str | None:
        """In words, how the recorded parser differs from this one; None if it does not."""
        return self._recorded.check_identity(identity)

    def learn(self, entries: object) -> None:
        """Nothing is learned: productions and their sites have the numbers of the class."""

    def trace_of(self, outcome: object, text: str | None) -> Trace:
        """What happened in a parse that the agent has recorded."""
        return self._recorded.trace_of(outcome)

    def _charted(self, rejection: Rejection, grammar: Grammar | None = None) -> ChartTrace:
        """The chart of a rejected input's tokens, up to the error."""
        chart, differs = chart_of_rejected(
            grammar or self._grammar,
            self._parsed(rejection.kinds),
            rejection.token,
            end=self._end,
            lexical=rejection.kind is ErrorKind.LEXICAL,
            whole=rejection.is_whole,
        )
        return ChartTrace(chart, _error(rejection, chart.end, DIFFERS if differs else ""))


def _error(rejection: Rejection, token: int, remark: str) -> ParseError:
    line, column = rejection.line, rejection.column
    if token != rejection.token and rejection.lines:
        remark = f" (the parser reports it at line {line}, column {column})"
        known = min(token, len(rejection.lines) - 1)
        line, column = rejection.lines[known], rejection.columns[known]
    message = _shortened(rejection.message) + remark
    return ParseError(token, message, line or None, column or None, rejection.kind)


def _shortened(message: str) -> str:
    """A message of JavaCC's on one line, without places and with a few of the expected tokens."""
    found = _EXPECTING.search(message)
    said = message if found is None else message[: found.start()]
    said = " ".join(_PLACE.sub("", said, count=1).split())
    if found is None:
        return said
    lines = (line.strip().removesuffix("...").strip() for line in found[1].splitlines())
    expected = list(dict.fromkeys(filter(None, lines)))
    what = ", ".join(expected) if len(expected) <= _SHOWN else f"one of {len(expected)} tokens"
    return f"{said}, expecting {what}"
