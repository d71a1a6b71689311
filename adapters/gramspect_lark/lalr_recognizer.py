"""Lark's LALR(1) parser under observation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from lark.exceptions import UnexpectedCharacters

from gramspect.adapter_api import (
    UNKNOWN,
    ChartTrace,
    Conflict,
    Diagnostic,
    EndlessParse,
    Expectation,
    Grammar,
    LexedText,
    LLTrace,
    LRAutomaton,
    LRTrace,
    ParseError,
    Patience,
    Pattern,
    Splice,
    TestCase,
    TokenRule,
    Trace,
    Undecided,
    closure,
    fault_in_setting_up,
    lalr_table,
    one_line,
)
from gramspect_lark.columns import Column, FollowedChart
from gramspect_lark.correspondence import NO_REPETITION
from gramspect_lark.inputs import Texts
from gramspect_lark.lalr import LalrHook, LalrRecording
from gramspect_lark.samples import TerminalSamples
from gramspect_lark.splicing import UnknownLexer
from gramspect_lark.subject import Subject
from gramspect_lark.suspects import LexicalSuspects
from gramspect_lark.tokenrules import TerminalRules

__all__ = ["LalrRecognizer"]


class LalrRecognizer:
    """An LALR(1) parser of Lark's with its lexer and what comes after that.

    Where Lark's rules are those of the core grammar, traces are those of an LR parser. Else Lark's
    states hold items of other rules than the user's: then an accepted test gives the rules of
    the derivation, a rejected one a chart that follows the parser's states and reductions.
    """

    def __init__(self, subject: Subject, *, actions: bool = True) -> None:
        self._subject = subject
        self._hook = LalrHook(
            subject.lark,
            subject.start,
            actions=actions,
            guarded=_may_loop(self._own_grammar),
        )
        self._samples = TerminalSamples(subject)
        self._patience = Patience()

    @property
    def grammar(self) -> Grammar:
        return self._subject.grammar

    def trace(self, test: TestCase) -> Trace:
        """Parse one test."""
        return self.traced(test, self._hook.observe(self._subject.inputs.given(test)))

    def traced(self, test: TestCase, recording: LalrRecording) -> Trace:
        """The trace of what was recorded."""
        recording = self._hook.with_numbers(recording)
        if recording.problem is not None:
            return Undecided(_reason(recording.problem))
        failed = recording.failure and recording.failure.problem
        fault = fault_in_setting_up(failed, len(recording.tokens))
        if fault is not None:
            return Undecided(fault)
        error = self._error(test, recording)
        if self._subject.correspondence.plain:
            return self._lr_trace(recording, error)
        if error is None:
            return self._derivation(recording)
        n_columns = len(recording.shifts) + 1
        restricted = self._subject.correspondence.restricted
        chart = FollowedChart(
            self.grammar, n_columns, False, lambda: self._columns(recording), restricted
        )
        return ChartTrace(chart, error)

    def tokens(self, test: TestCase) -> list[int] | None:
        """The terminals of a test as the parser's lexer makes them; None if it fails."""
        subject, given = self._subject, self._subject.inputs.given(test)
        found = self._patience.ask(test, lambda: self._hook.tokens(given, subject.guided))
        return subject.terminals_of(found)

    def lexed(self, texts: Sequence[str]) -> list[list[int] | None]:
        """The terminals of each text (see `tokens`)."""
        return [self.tokens(TestCase("", Expectation.ACCEPT, text)) for text in texts]

    def samples(self, terminal: int, limit: int) -> list[str]:
        """Texts of that terminal, the shortest first."""
        return self._samples.of(terminal, limit)

    def lexer_rules_at_error(self, test: TestCase) -> list[Diagnostic]:
        """The terminals that the first lexical error has to do with, each at its definition."""
        failure = self._hook.observe(self._subject.inputs.given(test)).failure
        problem = None if failure is None else failure.problem
        if not isinstance(problem, UnexpectedCharacters):
            return []
        suspects = LexicalSuspects(self._subject)
        return list(suspects.at(test.text, problem.pos_in_stream or 0))

    def keywords(self, text: str) -> Sequence[int]:
        """The terminals that are this text alone, if the lexer is contextual."""
        return self._subject.keywords(text) if self._is_contextual else ()

    def matching(self, text: str) -> Sequence[int]:
        """The terminals that match this text, if the lexer is contextual."""
        return self._subject.matching(text) if self._is_contextual else ()

    @property
    def _is_contextual(self) -> bool:
        return bool(self._subject.lark.options.lexer == "contextual")

    def token_rules(self) -> Sequence[TokenRule]:
        """The terminals that the grammar defines by name."""
        return self._rules.all if isinstance(self._subject.inputs, Texts) else ()

    def token_pattern(self, name: str) -> Pattern | None:
        """The definition of a terminal as it is written."""
        return self._rules.pattern(name)

    def lexing(self, test: TestCase, splices: Sequence[Splice] = ()) -> LexedText | None:
        """The tokens of a test, in which the caller says how some stretches are read."""
        inputs = self._subject.inputs
        if not isinstance(inputs, Texts) or inputs.as_bytes:
            return None
        subject, stretches = self._subject, self._subject.stretches(splices)
        try:
            found = self._patience.ask(
                (test, *splices) if splices else test,
                lambda: self._hook.spliced(test.text, stretches, subject.guided),
            )
        except UnknownLexer:
            return None
        return None if found is None else subject.lexing(*found)

    @cached_property
    def _rules(self) -> TerminalRules:
        return TerminalRules(self._subject)

    @cached_property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Where Lark has to choose between a shift and a reduction; it always shifts.

        Lark mentions that only in its log. It refuses colliding reductions unless a priority
        decides.
        """
        plain = self._subject.correspondence.plain
        table = lalr_table(self.grammar if plain else self._own_grammar)
        return tuple(c for c in table.conflicts if c.kind == "shift/reduce")

    def _error(self, test: TestCase, recording: LalrRecording) -> ParseError | None:
        failure, index = recording.failure, len(recording.shifts)
        if failure is None:
            return None
        if failure.problem is not None:
            return self._subject.inputs.in_lexer(test, index, failure.problem)
        return self._subject.inputs.at_token(test, index, failure.token)

    # --- rules of Lark's that are the user's --------------------------------------------------

    def _lr_trace(self, recording: LalrRecording, error: ParseError | None) -> LRTrace:
        numbers = self._numbers
        reductions = [numbers[rule] for rule in recording.reductions]
        if error is None:
            pushed = {*recording.looked, *recording.stack}
            return LRTrace(self._automaton, tuple(pushed), tuple(set(reductions)))
        in_time = recording.shifts[-1] if recording.shifts else 0
        stack = self._stack_after_shift(recording, in_time)
        pushed = {*recording.looked[: recording.looked_before], *stack}
        return LRTrace(
            self._automaton,
            tuple(pushed),
            tuple(set(reductions[:in_time])),
            error,
            stack,
            tuple(recording.stack),
            tuple(reductions[in_time:]),
        )

    @cached_property
    def _numbers(self) -> list[int]:
        """The core rule that each of Lark's rules is; the first one if several are equal."""
        return [min(rules) for rules in self._subject.correspondence.whole]

    @cached_property
    def _automaton(self) -> LRAutomaton:
        """Lark's states, with the items of the core grammar."""
        index = {name: n for n, name in enumerate(self._subject.correspondence.names)}
        edges: list[dict[int, int]] = [{} for _ in range(1 + max(self._hook.states))]
        for state, row in self._hook.states.items():
            for name, (action, target) in row.items():
                if str(action) == "Shift" and name in index:
                    edges[state][index[name]] = target
        return LRAutomaton.from_transitions(self.grammar, edges, self._hook.start_state)

    def _stack_after_shift(self, recording: LalrRecording, in_time: int) -> tuple[int, ...]:
        """The stack before the reductions on the offending token, found by undoing them."""
        rules, states = self._subject.correspondence.lark_rules, self._hook.states
        stack = list(recording.stack)
        for rule in reversed(recording.reductions[in_time:]):
            stack.pop()
            for name in rules[rule].expansion:
                stack.append(states[stack[-1]][name][1])
        return tuple(stack)

    # --- others --------------------------------------------------------------------------

    @cached_property
    def _own_grammar(self) -> Grammar:
        """Lark's rules as a grammar, in its numbering of rules and items."""
        rules = self._subject.correspondence.lark_rules
        return Grammar.from_rules(rules, start=self._subject.start)

    @cached_property
    def _state_items(self) -> list[frozenset[int]]:
        """The core items that the items of each state may stand for.

        If several repetitions share a rule, its meaning depends on where it was begun.
        """
        subject = self._subject
        found: list[set[int]] = [set() for _ in range(1 + max(self._hook.states))]
        for state, rule, dot, context in self._items_of_states():
            for fragment in subject.correspondence.fragments[rule][context]:
                found[state].update(fragment.gaps[dot])
        return list(map(frozenset, found))

    def _items_of_states(self) -> set[tuple[int, int, int, int]]:
        """The items of Lark's states: state, rule, dot, and the repetition that the rule is of."""
        rules, states = self._subject.correspondence.lark_rules, self._hook.states
        fragments = self._subject.correspondence.fragments
        of: dict[str, list[int]] = {}
        for number, rule in enumerate(rules):
            of.setdefault(rule.origin, []).append(number)
        start = self._hook.start_state
        pending = [(start, rule, 0, NO_REPETITION) for rule in of[self._subject.start]]
        found = set(pending)
        while pending:
            state, number, dot, context = pending.pop()
            expansion = rules[number].expansion
            if dot == len(expansion):
                continue
            name = expansion[dot]
            new = {(states[state][name][1], number, dot + 1, context)}
            if name in of:
                contexts = {f.repetitions[dot] for f in fragments[number][context]}
                new |= {(state, rule, 0, inner) for inner in contexts for rule in of[name]}
            pending.extend(new - found)
            found |= new
        return found

    def _derivation(self, recording: LalrRecording) -> LLTrace:
        """An accepted input: its derivation, and the items of all states that were pushed."""
        rules = self._subject.correspondence.applied(recording.reductions)
        states = {*recording.looked, *recording.stack}
        items = frozenset().union(*map(self._begun.__getitem__, states))
        return LLTrace(self.grammar, tuple(rules), tuple(items))

    @cached_property
    def _begun(self) -> list[frozenset[int]]:
        """The items of each state without those that follow from the others (their closure)."""
        firsts = frozenset(self.grammar.item_start)
        found = []
        for items in self._state_items:
            begun = items - firsts
            found.append(begun | (items - closure(self.grammar, begun)))
        return found

    def _columns(self, recording: LalrRecording) -> Iterator[Column]:
        """The chart of a rejected input up to the error: its parse is repeated with all reductions.

        In the last column anything may be reduced, whatever the lookahead.
        """
        rules, states = self._subject.correspondence.lark_rules, self._hook.states
        whole, terminals = self._subject.correspondence.whole, self._subject.terminals
        scanned: list[tuple[int, int]] = []
        stack, starts = [self._hook.start_state], [0]
        done = 0
        for place, until in enumerate(recording.shifts):
            seen, complete = {stack[-1]}, set[tuple[int, int]]()
            for rule in recording.reductions[done:until]:
                origin, expansion = rules[rule]
                length = len(expansion)
                start = starts[len(stack) - length] if length else place
                del stack[len(stack) - length :], starts[len(starts) - length :]
                stack.append(states[stack[-1]][origin][1])
                starts.append(start)
                seen.add(stack[-1])
                complete.update((core, start) for core in whole[rule])
            done = until
            items = frozenset().union(*map(self._state_items.__getitem__, seen))
            yield Column(scanned, (), items, complete)
            name = recording.tokens[place].type
            scanned = [(place, terminals.get(name, UNKNOWN))]
            stack.append(states[stack[-1]][name][1])
            starts.append(place)
        yield Column(scanned)


def _may_loop(grammar: Grammar) -> bool:
    """Whether an LR parser of the grammar may reduce for ever: cycles, hidden left recursion."""
    nullable = grammar.analysis.nullable
    if grammar.analysis.cyclic:
        return True
    after_empty: dict[int, set[int]] = {}
    left: dict[int, set[int]] = {}
    for rule in grammar.rules:
        for position, symbol in enumerate(rule.rhs):
            if grammar.is_terminal(symbol):
                break
            left.setdefault(rule.lhs, set()).add(symbol)
            if position:
                after_empty.setdefault(rule.lhs, set()).add(symbol)
            if symbol not in nullable:
                break
    return any(
        lhs in _reached(left, symbol) for lhs, symbols in after_empty.items() for symbol in symbols
    )


def _reached(edges: dict[int, set[int]], start: int) -> set[int]:
    found, pending = {start}, [start]
    while pending:
        new = edges.get(pending.pop(), set()) - found
        found |= new
        pending.extend(new)
    return found


def _reason(problem: BaseException) -> str:
    if isinstance(problem, EndlessParse):
        return str(problem)
    said = f"the parser or its callbacks raised {one_line(problem)}"
    return f"{said}; --no-actions leaves callbacks out"
