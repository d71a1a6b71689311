"""Turns what the hook recorded into an `LRTrace`, in the numbering of the core grammar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gramspect.adapter_api import (
    EndlessParse,
    ErrorKind,
    Grammar,
    LRAutomaton,
    LRTrace,
    ParseError,
    Trace,
    Undecided,
    fault_in_setting_up,
)
from gramspect_ply.errors import offset_in_lexer
from gramspect_ply.outcomes import Failure, Recording
from gramspect_ply.shapes import Parser
from gramspect_ply.surroundings import one_line

__all__ = ["LastShift", "Tables", "trace_of"]


class LastShift(NamedTuple):
    """The parser as it was right after the last shift before an error.

    `late` reductions were made since then. `looking` says whether the parser has already fetched
    the token after the shifted one.
    """

    stack: tuple[int, ...]
    late: int
    looking: bool


@dataclass(frozen=True, slots=True)
class Tables:
    """A parser's tables in the numbering of its grammar.

    `after_rule` are the states that are entered when a rule has been reduced; all others but the
    first are entered by a shift. `defaulted` states reduce without looking at a token.
    """

    automaton: LRAutomaton
    after_rule: frozenset[int]
    defaulted: frozenset[int]

    @classmethod
    def of(cls, parser: Parser, grammar: Grammar, names: Sequence[str] | None = None) -> Tables:
        """The tables of a parser.

        `names` are the parser's names of the symbols, if not those of the grammar.

        Raises:
            AdapterError: the tables are not those of the grammar.
        """
        known = names or [symbol.name for symbol in grammar.symbols]
        index = {name: symbol for symbol, name in enumerate(known)}
        edges: list[dict[int, int]] = [{} for _ in range(_n_states(parser))]
        for state, row in parser.action.items():
            for token, target in row.items():
                if target is not None and target > 0:
                    edges[state][index[token]] = target
        for state, targets in parser.goto.items():
            edges[state].update((index[name], to) for name, to in targets.items())
        return cls(
            LRAutomaton.from_transitions(grammar, edges),
            frozenset(to for targets in parser.goto.values() for to in targets.values()),
            frozenset(getattr(parser, "defaulted_states", ())),
        )

    def accepted(self, recording: Recording) -> LRTrace:
        """The trace of an input in which no error was met."""
        pushed = (*recording.looked, *recording.defaulted)
        return LRTrace(self.automaton, pushed, tuple(set(recording.reductions)))

    def rejected(
        self, recording: Recording, failure: Failure, last: LastShift, error: ParseError
    ) -> LRTrace:
        """The trace of an input with an error, which is described by `error`."""
        in_time = len(recording.reductions) - last.late
        # After the last shift only the state that fetched the next token looks at one.
        looked = failure.looked if last.looking else len(recording.looked)
        pushed = {
            *recording.looked[:looked],
            *(state for state, reduced in recording.defaulted.items() if reduced <= in_time),
            *last.stack,
        }
        return LRTrace(
            self.automaton,
            tuple(pushed),
            tuple(set(recording.reductions[:in_time])),
            error,
            last.stack,
            failure.stack,
            tuple(recording.reductions[in_time:]),
        )

    def last_shift(self, recording: Recording, failure: Failure) -> LastShift:
        """The parser before the reductions on the offending token, found by undoing them."""
        grammar, transitions = self.automaton.grammar, self.automaton.transitions
        stack = list(failure.stack)
        late = 0
        while stack[-1] in self.after_rule:
            late += 1
            stack.pop()
            for symbol in grammar.rules[recording.reductions[-late]].rhs:
                stack.append(transitions[stack[-1]][symbol])
        if failure.kind is ErrorKind.LEXICAL:
            looking = False
        elif failure.rule is None:
            looking = True
        else:  # in an action, with the next token fetched or not
            since = len(recording.reductions) - failure.reduced
            looking = late > since or (late == since and stack[-1] not in self.defaulted)
        return LastShift(tuple(stack), late, looking)


def _n_states(parser: Parser) -> int:
    numbers = [*parser.action, *parser.goto]
    for row in parser.action.values():
        numbers.extend(target for target in row.values() if target is not None)
    for targets in parser.goto.values():
        numbers.extend(targets.values())
    return 1 + max(numbers, default=0)


def trace_of(
    tables: Tables, recording: Recording, error: Callable[[Failure, int], ParseError]
) -> Trace:
    """The trace of what was recorded; `error` describes a failure at a token."""
    failure = recording.failure
    problem = recording.problem
    if failure is None and problem is not None:
        if recording.ran or offset_in_lexer(problem) is None:
            return Undecided(_reason(recording, tables, problem))
        failure = Failure(ErrorKind.LEXICAL, (0,), cause=problem)  # of a lexer that runs before
    if failure is not None:
        if failure.kind is ErrorKind.LEXICAL:
            fault = fault_in_setting_up(failure.cause, failure.fetched)
            if fault is not None:
                return Undecided(fault)
        last = tables.last_shift(recording, failure)
        described = error(failure, failure.fetched - last.looking)
        return tables.rejected(recording, failure, last, described)
    if not recording.ran:
        return Undecided("the parser was not called")
    return tables.accepted(recording)


def _reason(recording: Recording, tables: Tables, problem: BaseException) -> str:
    """Why a test is undecided. An exception of an action may well mean an error in the input."""
    if isinstance(problem, EndlessParse):
        return str(problem)
    if recording.raised is None:
        where = "the parser" if recording.ran else "the code around the parser"
        return f"{where} raised {one_line(problem)}"
    rule = tables.automaton.grammar.rule_text(recording.raised)
    said = f"the semantic action of {rule} raised {one_line(problem)}"
    return f"{said}; --no-actions leaves actions out"
