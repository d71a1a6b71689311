"""Lark's Earley parser under observation."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from lark.exceptions import UnexpectedCharacters, UnexpectedEOF
from lark.lexer import LexerThread

from gramspect.adapter_api import (
    UNKNOWN,
    ChartTrace,
    Diagnostic,
    Expectation,
    Grammar,
    LexedText,
    Lexeme,
    ParseError,
    Patience,
    Pattern,
    SourceText,
    Splice,
    TestCase,
    TokenRule,
    Trace,
    Undecided,
    fault_in_setting_up,
    parse_chart,
)
from gramspect_lark.columns import Column, FollowedChart
from gramspect_lark.earley import EarleyHook, EarleyRecording, is_rejection, reason
from gramspect_lark.inputs import Texts, shown_text
from gramspect_lark.lexing import basic_lexer, basic_tokens, longest_match, tokens_after
from gramspect_lark.remembering import RememberingHook
from gramspect_lark.samples import TerminalSamples
from gramspect_lark.splicing import SplicedLexing, Stretch, UnknownLexer
from gramspect_lark.subject import Subject
from gramspect_lark.suspects import LexicalSuspects
from gramspect_lark.tokenrules import TerminalRules

__all__ = ["EarleyRecognizer"]

_MOST_PREDICTIONS = 256
"""What is predicted with how many sets of non-terminals is kept."""


class EarleyRecognizer:
    """An Earley parser of Lark's with any of its lexers."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._hook = RememberingHook(EarleyHook(subject.lark, subject.start, subject.first))
        self._samples = TerminalSamples(subject)
        self._patience = Patience()

    @property
    def grammar(self) -> Grammar:
        return self._subject.grammar

    def trace(self, test: TestCase) -> Trace:
        """Parse one test."""
        return self.traced(test, self._hook.observe(self._subject.inputs.given(test)))

    def traced(self, test: TestCase, recording: EarleyRecording) -> Trace:
        """The trace of what was recorded."""
        problem = recording.problem
        if problem is not None and not recording.lexical and not is_rejection(problem):
            return Undecided(reason(problem))
        n_columns = len(recording.places)
        fault = fault_in_setting_up(problem, n_columns - 1) if recording.lexical else None
        if fault is not None:
            return Undecided(fault)
        chart = FollowedChart(
            self.grammar, n_columns, problem is None, lambda: self._columns(recording)
        )
        return ChartTrace(chart, None if problem is None else self._error(test, recording, problem))

    def tokens(self, test: TestCase) -> list[int] | None:
        """The terminals of a test; None if the lexer fails.

        The dynamic lexer makes no tokens. Up to the error they are the terminals that the parser
        has matched, where it could choose the longer ones and words such as keywords; after it
        those of the basic lexer, where a token says which may come next.
        """
        return self._patience.ask(test, lambda: self._tokens(test))

    def _tokens(self, test: TestCase) -> list[int] | None:
        subject, given = self._subject, self._subject.inputs.given(test)
        if not self._hook.dynamic:
            return subject.terminals_of(basic_tokens(subject.lark, given))
        recording = self._hook.observe(given)
        before = self._matched(recording)
        if recording.problem is None:
            return before
        place = recording.places[-1]
        found = tokens_after(subject.lark, test.text, place, subject.guided)
        after = subject.terminals_of(found)
        return None if after is None else before + after

    def _matched(self, recording: EarleyRecording) -> list[int]:
        """The terminals up to the last column: words where they fit, as the chart of them says."""
        edges = self._edges(recording)
        words = frozenset(symbol.index for symbol in self.grammar.terminals if symbol.spellings)
        with_words, without = _shortest_path(*edges, words), _shortest_path(*edges)
        if with_words == without:
            return without
        return max(with_words, without, key=lambda path: parse_chart(self.grammar, path).end)

    def lexed(self, texts: Sequence[str]) -> list[list[int] | None]:
        """The terminals of each text as the basic lexer makes them; None if it fails.

        Also None where the dynamic lexer lets the parser accept a text in spite of these tokens.
        """
        return [self._lexed(TestCase("", Expectation.ACCEPT, text)) for text in texts]

    def _lexed(self, test: TestCase) -> list[int] | None:
        if not self._hook.dynamic:
            return self.tokens(test)
        subject = self._subject
        tokens = subject.terminals_of(tokens_after(subject.lark, test.text, 0))
        if tokens is None or self._hook.observe(subject.inputs.given(test)).problem is not None:
            return tokens
        return tokens if parse_chart(self.grammar, tokens).accepted else None

    def samples(self, terminal: int, limit: int) -> list[str]:
        """Texts of that terminal, the shortest first."""
        return self._samples.of(terminal, limit)

    def lexer_rules_at_error(self, test: TestCase) -> list[Diagnostic]:
        """The terminals that the first lexical error has to do with, each at its definition."""
        problem = self._hook.observe(self._subject.inputs.given(test)).problem
        if not isinstance(problem, UnexpectedCharacters):
            return []
        place = problem.pos_in_stream or 0
        if longest_match(self._subject.lark, test.text, place) is not None:
            return []  # the dynamic lexer: the character is not expected here
        return list(self._suspects.at(test.text, place))

    def keywords(self, text: str) -> Sequence[int]:
        """The terminals that are this text alone, if the lexer is dynamic."""
        return self._subject.keywords(text) if self._hook.dynamic else ()

    def matching(self, text: str) -> Sequence[int]:
        """The terminals that match this text, if the lexer is dynamic."""
        return self._subject.matching(text) if self._hook.dynamic else ()

    def token_rules(self) -> Sequence[TokenRule]:
        """The terminals that the grammar defines by name."""
        return self._rules.all if isinstance(self._subject.inputs, Texts) else ()

    def token_pattern(self, name: str) -> Pattern | None:
        """The definition of a terminal as it is written."""
        return self._rules.pattern(name)

    def lexing(self, test: TestCase, splices: Sequence[Splice] = ()) -> LexedText | None:
        """The tokens of a test, with stretches of it read as told.

        The dynamic lexer makes no tokens (see `tokens`).
        """
        inputs, stretches = self._subject.inputs, self._subject.stretches(splices)
        if not isinstance(inputs, Texts) or inputs.as_bytes:
            return None
        question = (test, *splices) if splices else test
        return self._patience.ask(question, lambda: self._lexing(test, stretches))

    def _lexing(self, test: TestCase, stretches: Sequence[Stretch]) -> LexedText | None:
        subject = self._subject
        if self._hook.dynamic:
            return self._dynamic_lexing(test.text, stretches)
        thread: Any = subject.lark.parser._make_lexer_thread(test.text)
        lexing = SplicedLexing(thread)
        try:
            return subject.lexing(lexing.tokens(stretches), lexing.failed)
        except UnknownLexer:
            return None

    def _dynamic_lexing(self, text: str, stretches: Sequence[Stretch]) -> LexedText:
        """The terminals that the parser has matched, and after an error those of a basic lexer."""
        recording = self._hook.observe(text, stretches)
        told = {(s.start, s.end): self._subject.terminals.get(s.terminal or "") for s in stretches}
        lexemes = _shortest_lexemes(recording.places, *self._edges(recording), told)
        if recording.problem is None:
            return LexedText(lexemes, accepted=True)
        place = recording.places[-1]
        thread = LexerThread.from_text(basic_lexer(self._subject.lark.lexer_conf), text)
        lexing = SplicedLexing(thread, guided=self._subject.guided, lost=True)
        behind = [Stretch(0, place, None), *(s for s in stretches if s.start >= place)]
        rest = lexing.tokens(behind)
        following = self._subject.lexing(rest, lexing.failed)
        return LexedText([*lexemes, *following.lexemes], following.failed, accepted=False)

    @cached_property
    def _rules(self) -> TerminalRules:
        return TerminalRules(self._subject)

    @cached_property
    def _suspects(self) -> LexicalSuspects:
        return LexicalSuspects(self._subject)

    # --- columns -------------------------------------------------------------------------

    def _columns(self, recording: EarleyRecording) -> Iterator[Column]:
        scanned, passed = self._edges(recording)
        own, after = self._subject.items, self._after
        names = {self._subject.start}
        for number in range(len(recording.places)):
            start, end = recording.starts[number], recording.starts[number + 1]
            items = recording.items[start:end]
            names.update(map(after.__getitem__, items))
            here = self._predicted(frozenset(names)).union(*map(own.__getitem__, items))
            yield Column(scanned[number], passed[number], here)
            names.clear()

    def _edges(
        self, recording: EarleyRecording
    ) -> tuple[Sequence[Sequence[tuple[int, int]]], Sequence[Sequence[int]]]:
        """The ways to each column: terminals, with the place where they began, and ignored text."""
        terminals = self._subject.terminals
        n_columns = len(recording.places)
        if not self._hook.dynamic:
            tokens = [terminals.get(token.type, UNKNOWN) for token in recording.tokens]
            return [[], *([(i, t)] for i, t in enumerate(tokens))][:n_columns], [()] * n_columns
        column = {place: number for number, place in enumerate(recording.places)}
        scanned = [
            sorted((column[place], terminals[name]) for place, name in matches)
            for matches in recording.scanned
        ]
        return scanned, [sorted(map(column.__getitem__, places)) for places in recording.passed]

    def _predicted(self, names: frozenset[str]) -> frozenset[int]:
        """What Lark predicts with some non-terminals, in terms of the core grammar."""
        kept = self._predictions
        if names not in kept:
            if len(kept) == _MOST_PREDICTIONS:
                kept.clear()
            kept[names] = self._all_predicted(names)
        return kept[names]

    def _all_predicted(self, names: frozenset[str]) -> frozenset[int]:
        subject = self._subject
        rules = subject.correspondence.lark_rules
        seen, pending, items = set(names), list(names), set[int]()
        while pending:
            for number in self._rules_of.get(pending.pop(), ()):
                items |= subject.items[subject.first[number]]
                for symbol in rules[number].expansion[:1]:
                    if symbol not in seen:
                        seen.add(symbol)
                        pending.append(symbol)
        return frozenset(items)

    @cached_property
    def _predictions(self) -> dict[frozenset[str], frozenset[int]]:
        return {}

    @cached_property
    def _rules_of(self) -> Mapping[str, Sequence[int]]:
        """The rules of each of Lark's non-terminals."""
        found: dict[str, list[int]] = {}
        for number, rule in enumerate(self._subject.correspondence.lark_rules):
            found.setdefault(rule.origin, []).append(number)
        return found

    @cached_property
    def _after(self) -> list[str]:
        """The non-terminal after the dot of each of Lark's items, or ""."""
        known, rules = self._rules_of, self._subject.correspondence.lark_rules
        after = (name for rule in rules for name in (*rule.expansion, ""))
        return [name if name in known else "" for name in after]

    # --- errors --------------------------------------------------------------------------

    def _error(
        self, test: TestCase, recording: EarleyRecording, problem: BaseException
    ) -> ParseError:
        if self._hook.dynamic:
            return self._error_at_place(test, recording, problem)
        index = len(recording.places) - 1
        if recording.lexical:
            return self._subject.inputs.in_lexer(test, index, problem)
        at_end = isinstance(problem, UnexpectedEOF)
        return self._subject.inputs.at_token(
            test, index, None if at_end else getattr(problem, "token", None)
        )

    def _error_at_place(
        self, test: TestCase, recording: EarleyRecording, problem: BaseException
    ) -> ParseError:
        """An error of the dynamic lexer.

        It is lexical if no terminal of the grammar matches there, expected or not.
        """
        index = len(_shortest_path(*self._edges(recording)))
        if not isinstance(problem, UnexpectedCharacters):
            return self._subject.inputs.at_token(test, index, None)
        place = recording.places[-1]
        line, column = SourceText("", test.text).position(place)
        matching = longest_match(self._subject.lark, test.text, place)
        if matching is None:
            return self._subject.inputs.in_lexer(test, index, problem)
        text, name = matching
        return ParseError(index, f"unexpected {shown_text(text)} ({name})", line, column)


def _shortest_path(
    scanned: Sequence[Sequence[tuple[int, int]]],
    passed: Sequence[Sequence[int]],
    preferred: Collection[int] = (),
) -> list[int]:
    """The terminals that lead to the last column, as few as possible.

    Where several match the same text one of those `preferred` is taken.
    """
    return [terminal for _, _, terminal in _shortest_steps(scanned, passed, preferred)]


def _shortest_lexemes(
    places: Sequence[int],
    scanned: Sequence[Sequence[tuple[int, int]]],
    passed: Sequence[Sequence[int]],
    told: Mapping[tuple[int, int], int | None],
) -> list[Lexeme]:
    """The same with the places in the text where they begin and end.

    In a stretch only the terminal that the caller prescribed for it counts.
    """
    chosen = [
        [
            (start, terminal)
            for start, terminal in ends
            if told.get((places[start], places[column]), terminal) == terminal
        ]
        for column, ends in enumerate(scanned)
    ]
    return [
        Lexeme(terminal, places[start], places[end])
        for start, end, terminal in _shortest_steps(chosen, passed)
    ]


def _shortest_steps(
    scanned: Sequence[Sequence[tuple[int, int]]],
    passed: Sequence[Sequence[int]],
    preferred: Collection[int] = (),
) -> list[tuple[int, int, int]]:
    """The shortest way to the last column, as steps: two columns and a terminal each."""
    lengths, steps = [0], [(0, 0)]
    for ends, ignored in zip(scanned[1:], passed[1:], strict=True):
        ways = [(lengths[start] + 1, start, terminal) for start, terminal in ends]
        ways += [(lengths[start], start, UNKNOWN) for start in ignored]
        length, *step = min(ways, key=lambda way: (*way[:2], way[2] not in preferred, way[2]))
        lengths.append(length)
        steps.append((step[0], step[1]))
    path = []
    column = len(steps) - 1
    while column:
        end = column
        column, terminal = steps[column]
        if terminal != UNKNOWN:
            path.append((column, end, terminal))
    return path[::-1]
