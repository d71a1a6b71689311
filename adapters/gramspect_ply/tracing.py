"""Turns what the hook recorded into an `LRTrace`, in the numbering of the core grammar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gramspect.grammar import Grammar
from gramspect.lr.automaton import LRAutomaton
from gramspect.trace import ErrorKind, LRTrace, ParseError
from gramspect_ply.hook import Recording
from gramspect_ply.shapes import Parser

__all__ = ["Tables"]


@dataclass(frozen=True, slots=True)
class Tables:
    """A parser's tables in the numbering of its grammar.

    `rules` maps production numbers to rules (production 0 is the augmenting one), `after_rule` are
    the states that are entered when a rule has been reduced; all others but the first are entered
    by a shift. `defaulted` states reduce without looking at a token.
    """

    automaton: LRAutomaton
    rules: Sequence[int]
    after_rule: frozenset[int]
    defaulted: frozenset[int]

    @classmethod
    def of(
        cls,
        parser: Parser,
        grammar: Grammar,
        rules: Sequence[int],
        names: Sequence[str] | None = None,
    ) -> Tables:
        """The tables of a parser whose production `p` is rule ``rules[p]`` of the grammar.

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
            tuple(rules),
            frozenset(to for targets in parser.goto.values() for to in targets.values()),
            frozenset(getattr(parser, "defaulted_states", ())),
        )

    def trace(self, recording: Recording, error: ParseError | None = None) -> LRTrace:
        """The trace of a test. `error` belongs to the failure that was recorded."""
        failure = recording.failure
        if failure is None:
            return LRTrace(
                self.automaton,
                tuple({0, *recording.visited, *recording.reduced_in}),
                self._rules(recording.reductions),
            )
        stack, late = self._after_last_shift(recording)
        in_time = len(recording.reductions) - late
        pushed = {state for state, before in recording.visited.items() if before <= in_time}
        pushed.update(recording.reduced_in[: in_time + 1], stack)
        return LRTrace(
            self.automaton,
            tuple(pushed),
            self._rules(recording.reductions[:in_time]),
            error,
            stack,
            failure.stack,
            self._rules(recording.reductions[in_time:]),
        )

    def offending_token(self, recording: Recording) -> int:
        """The index of the token at which the recorded failure happened."""
        failure = recording.failure
        assert failure is not None
        if failure.kind is ErrorKind.LEXICAL:
            return failure.fetched
        if failure.production is None:
            return failure.fetched - 1
        # An action has rejected its reduction: has the last token fetched been shifted before?
        stack, late = self._after_last_shift(recording)
        shifted = late < failure.since_fetch or (
            late == failure.since_fetch and stack[-1] in self.defaulted
        )
        return failure.fetched if shifted else failure.fetched - 1

    def _rules(self, reductions: Sequence[int]) -> tuple[int, ...]:
        return tuple(map(self.rules.__getitem__, dict.fromkeys(reductions)))

    def _after_last_shift(self, recording: Recording) -> tuple[tuple[int, ...], int]:
        """The stack after the last shift, and how many reductions were made since."""
        assert recording.failure is not None
        grammar, transitions = self.automaton.grammar, self.automaton.transitions
        stack = list(recording.failure.stack)
        undone = 0
        while stack[-1] in self.after_rule:
            undone += 1
            stack.pop()
            for symbol in grammar.rules[self.rules[recording.reductions[-undone]]].rhs:
                stack.append(transitions[stack[-1]][symbol])
        return tuple(stack), undone


def _n_states(parser: Parser) -> int:
    numbers = [*parser.action, *parser.goto]
    for row in parser.action.values():
        numbers.extend(target for target in row.values() if target is not None)
    for targets in parser.goto.values():
        numbers.extend(targets.values())
    return 1 + max(numbers, default=0)
