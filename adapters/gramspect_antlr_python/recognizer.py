"""Generated ANTLR parsers under observation: texts in, traces out."""

from __future__ import annotations

from gramspect.adapter_api import (
    ChartTrace,
    ErrorKind,
    Grammar,
    LLTrace,
    Networks,
    NoWay,
    ParseError,
    TestCase,
    Trace,
    Undecided,
    chart_of_rejected,
    end_of_input,
)
from gramspect_antlr_python.grammar import Elements, ParserGrammar, read_parser
from gramspect_antlr_python.hook import EXIT, Failure, Hook, Run
from gramspect_antlr_python.loading import Target
from gramspect_antlr_python.runtime import Letters
from gramspect_antlr_python.vocabulary import EOF

__all__ = ["AntlrPythonRecognizer"]

DIFFERS = (
    " (read as a context-free grammar, the grammar accepts this input; ANTLR's order of"
    " alternatives, a precedence or a predicate rejects it)"
)

Step = tuple[int, int]
"""Two elements that followed each other in one call (`gramspect.recognition.networks`)."""


class AntlrPythonRecognizer:
    """A generated parser with its lexer. Tests are texts.

    Every test gets a new parser and a new lexer. Accepted tests give the rules that the parser
    took; a rejected test is charted (`gramspect.recognition.rejection`).
    """

    def __init__(
        self,
        target: Target,
        rules: ParserGrammar,
        letters: Letters = Letters.AS_WRITTEN,
        *,
        allow_trailing: bool = False,
    ) -> None:
        self._rules = rules
        self._networks = Networks(rules.grammar, rules.definitions)
        start = target.method(rules.start)
        self._hook = Hook(
            target.parser, target.lexer, start, letters, allow_trailing=allow_trailing
        )
        self._surroundings = target.surroundings
        name, token = rules.vocabulary.name, rules.grammar.symbol
        self._terminals = {kind: token(name(kind)) for kind in rules.vocabulary.types()}
        self._end = end_of_input(rules.grammar, name(EOF))

    @classmethod
    def from_classes(
        cls, parser: type, lexer: type, start: str | None = None, name: str | None = None
    ) -> AntlrPythonRecognizer:
        """A recognizer for a generated parser class and its lexer class.

        Args:
            parser: the class that ANTLR has generated, or one derived from it.
            lexer: the class of the lexer.
            start: the start rule; by default the first that no other rule refers to.
            name: what reports call the grammar.

        Raises:
            AdapterError: the start rule needs arguments.
            GrammarError: there is no such start rule.
        """
        rules = read_parser(parser, name or parser.__name__, start)
        return cls(Target(parser, lexer), rules)

    @property
    def grammar(self) -> Grammar:
        return self._rules.grammar

    def trace(self, test: TestCase) -> Trace:
        """Parse one text."""
        with self._surroundings.entered():
            run = self._hook.run(test.text)
        return self.traced(run)

    def traced(self, run: Run) -> Trace:
        """The trace of a parse."""
        if run.failure is not None:
            return self._rejected(run, run.failure)
        try:
            return self._accepted(run)
        except NoWay:
            return Undecided(
                "the parser's own code has led it where its grammar does not go; no rules can be"
                " told from that"
            )

    def _accepted(self, run: Run) -> LLTrace:
        rules: set[int] = set()
        current: set[int] = set()
        for step, consumed in _steps(run, self._rules.elements, self._networks.n_elements).items():
            way = self._networks.way(*step)
            rules.update(way.rules)
            current.update(way.entered)
            if consumed:
                current.update(way.current)
        return LLTrace(self.grammar, tuple(rules), tuple(current))

    def _rejected(self, run: Run, failure: Failure) -> ChartTrace:
        chart, differs = chart_of_rejected(
            self.grammar,
            [self._terminals[kind] for kind in run.types if kind != EOF],
            failure.token,
            end=self._end,
            lexical=failure.kind is ErrorKind.LEXICAL,
        )
        line, column = failure.line, failure.column
        if chart.end != failure.token:
            line, column = run.places[min(chart.end, len(run.places) - 1)]
        message = failure.message + (DIFFERS if differs else "")
        return ChartTrace(chart, ParseError(chart.end, message, line, column, failure.kind))


def _steps(run: Run, elements: Elements, n_elements: int) -> dict[Step, bool]:
    """The steps of all calls, and whether a token was consumed at or below the second element.

    For every call on the stack, `last` is the element passed last and `steps` the step to it;
    `n_noted` of them, from the outermost, have been noted as consuming.
    """
    tokens = iter(run.types)
    found: dict[Step, bool] = {}
    last: list[int] = []
    steps: list[Step] = []
    n_noted = 0
    for state in run.states:
        if state in elements.starts:
            last.append(n_elements + elements.starts[state])
            steps.append((-1, -1))
            continue
        if state == EXIT:
            found.setdefault((last.pop(), n_elements), False)
            steps.pop()
            n_noted = min(n_noted, len(steps))
            continue
        call = elements.calls.get(state)
        element = call if call is not None else elements.tokens.get(state)
        if element is None:
            if state not in elements.sets:
                continue
            element = elements.sets[state].get(token := next(tokens, EOF))
            if element is None:
                raise NoWay(token)
        elif call is None:
            next(tokens, EOF)
        steps[-1] = step = last[-1], element
        last[-1] = element
        n_noted = min(n_noted, len(steps) - 1)
        found.setdefault(step, False)
        if call is None:
            found.update((step, True) for step in steps[n_noted:])
            n_noted = len(steps)
    return found
