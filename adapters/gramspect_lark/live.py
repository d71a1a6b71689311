"""Records Lark parsers while the user's program runs them.

All parses of Lark objects go through one method, ``ParsingFrontend.parse``. While somebody wants
them, it runs those of the grammar in question on a copy of the frontend whose parser notes what it
does; the copy belongs to the parse, so parses in several threads, and parses inside of others, do
not meet. Trees are built and callbacks run as always.

Parses with another start symbol, and those that the user drives token by token
(``parse_interactive``), are not recorded.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from lark import Token
from lark.exceptions import UnexpectedToken
from lark.parser_frontends import ParsingFrontend

from gramspect.adapter_api import Expectation, NoteParse, TestCase, Trace
from gramspect_lark.earley import EarleyHook, EarleyRecording
from gramspect_lark.earley_recognizer import EarleyRecognizer
from gramspect_lark.lalr import Failure, FetchedRows, LalrRecording
from gramspect_lark.lalr_recognizer import LalrRecognizer
from gramspect_lark.subject import Subject

__all__ = ["LarkAttachment"]


class LarkAttachment:
    """The parsers with the grammar of a subject are recorded."""

    def __init__(self, subject: Subject, note: NoteParse) -> None:
        self.grammar = subject.grammar
        self._subject, self._note = subject, note
        self._kind = subject.lark.options.parser
        self._signature = _signature(subject.lark.parser)
        self._known: WeakKeyDictionary[Any, _Recorder | None] = WeakKeyDictionary()
        _attach(self)

    def detach(self) -> None:
        """Take the hooks out."""
        _detach(self)

    def recorder(self, frontend: Any, start: str | None) -> _Recorder | None:
        """What records a frontend; None if it has another grammar, or the parse another start."""
        chosen = start if start is not None else frontend.parser_conf.start[0]
        if chosen != self._subject.start:
            return None
        with suppress(KeyError):
            return self._known[frontend]
        found: _Recorder | None = None
        if _signature(frontend) == self._signature:
            subject = _subject_of(self._subject, frontend)
            lalr = self._kind == "lalr"
            found = _LalrRecorder(subject) if lalr else _EarleyRecorder(subject)
        self._known[frontend] = found
        return found

    def ended(self, make: Callable[[], Trace], text: str | None) -> None:
        """A parse has ended."""
        self._note(make, text)


def _signature(frontend: Any) -> tuple[object, ...]:
    conf = frontend.parser_conf
    rules = tuple((rule.origin.name, *(s.name for s in rule.expansion)) for rule in conf.rules)
    return conf.parser_type, frontend.lexer_conf.lexer_type, rules


def _subject_of(subject: Subject, frontend: Any) -> Subject:
    """The same grammar in another Lark object, of which there is only the frontend."""
    if frontend is subject.lark.parser:
        return subject
    lark = copy.copy(subject.lark)
    lark.parser, lark.rules = frontend, frontend.parser_conf.rules
    return replace(subject, lark=lark)


Run = tuple[Any, Callable[[str], Callable[[], Trace]]]
"""The frontend that a parse runs on, and what makes its trace of the text afterwards."""


class _Recorder:
    """Makes frontends for parses."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    def run(self, frontend: Any) -> Run:
        raise NotImplementedError


def _test(text: str) -> TestCase:
    return TestCase("", Expectation.ACCEPT, text)


# --- LALR ----------------------------------------------------------------------------------


class _LalrRecorder(_Recorder):
    def __init__(self, subject: Subject) -> None:
        super().__init__(subject)
        self._recognizer = LalrRecognizer(subject)
        self._states: Mapping[int, Any] = subject.lark.parser.parser._parse_table.states
        self._numbers = {id(rule): n for n, rule in enumerate(subject.lark.rules)}
        self._equal = {rule: n for n, rule in enumerate(subject.lark.rules)}

    def run(self, frontend: Any) -> Run:
        run = _LalrRun(self._states)
        inner = copy.copy(frontend.parser.parser)
        inner.parse_from_state = run.observed(frontend.parser.parser.parse_from_state)
        recorded = copy.copy(frontend)
        recorded.parser = copy.copy(frontend.parser)
        recorded.parser.parser = inner
        return (
            recorded,
            lambda text: lambda: self._recognizer.traced(_test(text), run.recording(self._number)),
        )

    def _number(self, rule: Any) -> int:
        number = self._numbers.get(id(rule))  # those of tables from a cache are other objects
        return self._equal[rule] if number is None else number


class _LalrRun:
    """One parse, up to its first error; the attributes are those of `LalrRecording`."""

    def __init__(self, states: Mapping[int, Any]) -> None:
        self._rows = FetchedRows(states)
        self._rules: list[Any] = []
        self._tokens: list[Token] = []
        self._shifts: list[int] = []
        self._looked = 0
        self._stack: tuple[int, ...] = ()
        self._failure: Failure | None = None
        self._problem: BaseException | None = None
        self._lexical: BaseException | None = None
        self._begun = False

    def observed(self, parse: Callable[..., object]) -> Callable[..., object]:
        """The method that parses from a state, which is also the one that goes on after errors."""

        def observed(state: Any, *others: Any, **named: Any) -> object:
            __tracebackhide__ = True  # in reports of pytest
            if self._begun:
                return parse(state, *others, **named)
            self._begun = True
            conf, lexer = state.parse_conf, state.lexer
            originals = conf.states, conf.callbacks
            conf.states = self._rows
            conf.callbacks = _NotingCallbacks(conf.callbacks, self._rules)
            state.lexer = _LexerOnce(lexer, state, self)
            try:
                return parse(state, *others, **named)
            except BaseException as problem:
                self._ended_by(problem)
                raise
            finally:
                self._stack = tuple(state.state_stack)
                conf.states, conf.callbacks = originals
                state.lexer = lexer

        return observed

    def _ended_by(self, problem: BaseException) -> None:
        token: Any = getattr(problem, "token", None)
        syntax = isinstance(problem, UnexpectedToken)
        if problem is self._lexical:
            self._failure = Failure(token, None) if syntax else Failure(None, problem)
        elif syntax:
            self._failure = Failure(None if token.type == "$END" else token, None)
        else:
            self._problem = problem

    def tokens(self, lexer: Any, state: Any) -> Iterator[Token]:
        """The tokens of a lexer, noted as they go to the parser."""
        __tracebackhide__ = True
        found = lexer.lex(state)
        while True:
            try:
                token = next(found)
            except StopIteration:
                self._looked = len(self._rows)
                return
            except (RecursionError, MemoryError):
                raise
            except (Exception, SystemExit) as problem:
                self._lexical = problem
                self._looked = len(self._rows)
                raise
            self._tokens.append(token)
            self._looked = len(self._rows)
            yield token
            self._shifts.append(len(self._rules))

    def recording(self, number: Callable[[Any], int]) -> LalrRecording:
        """What happened; `number` gives the number of a rule."""
        return LalrRecording(
            self._tokens, tuple(map(number, self._rules)), self._shifts, tuple(self._rows),
            self._looked, self._stack, self._failure, self._problem,
        )  # fmt: skip


class _LexerOnce:
    """In the place of a parser state's lexer until that is asked for tokens."""

    def __init__(self, lexer: Any, state: Any, run: _LalrRun) -> None:
        self._lexer, self._state, self._run = lexer, state, run

    def lex(self, state: Any) -> Iterator[Token]:
        self._state.lexer = self._lexer
        return self._run.tokens(self._lexer, state)


class _NotingCallbacks:
    """Callbacks by rule, and by the names of terminals; who takes that of a rule reduces it."""

    def __init__(self, callbacks: Any, rules: list[Any]) -> None:
        self._callbacks, self._note = callbacks, rules.append

    def __getitem__(self, rule: Any) -> Any:
        if not isinstance(rule, str):
            self._note(rule)
        return self._callbacks[rule]

    def __contains__(self, rule: object) -> bool:
        return rule in self._callbacks

    def __len__(self) -> int:
        return len(self._callbacks)


# --- Earley --------------------------------------------------------------------------------


class _EarleyRecorder(_Recorder):
    def __init__(self, subject: Subject) -> None:
        super().__init__(subject)
        self._recognizer = EarleyRecognizer(subject)
        self._hook = EarleyHook(subject.lark, subject.start, subject.first)

    def run(self, frontend: Any) -> Run:
        recording = EarleyRecording()
        recorded = copy.copy(frontend)
        recorded.parser = copy.copy(frontend.parser)
        vars(recorded.parser).update(self._hook.instruments(recorded.parser, recording))
        recorded.parser._parse = _lexers_problem(recorded.parser._parse, recording)
        recorded.parser.parse = _noting_problem(recorded.parser.parse, recording)
        return recorded, lambda text: lambda: self._recognizer.traced(_test(text), recording)


def _lexers_problem(
    parse: Callable[..., object], recording: EarleyRecording
) -> Callable[..., object]:
    """A parse that raises what the lexer has raised, and not what the parser makes of it."""

    def observed(*arguments: Any, **named: Any) -> object:
        __tracebackhide__ = True
        try:
            return parse(*arguments, **named)
        except Exception:
            if not recording.lexical or recording.problem is None:
                raise
            problem, context = recording.problem, recording.problem.__context__
        try:
            raise problem
        finally:
            problem.__context__ = context

    return observed


def _noting_problem(
    parse: Callable[..., object], recording: EarleyRecording
) -> Callable[..., object]:
    def observed(*arguments: Any, **named: Any) -> object:
        __tracebackhide__ = True
        try:
            return parse(*arguments, **named)
        except BaseException as problem:
            if recording.problem is None:
                recording.problem = problem
            raise

    return observed


# --- the frontends -------------------------------------------------------------------------

_LOCK = threading.Lock()
_ATTACHMENTS: list[LarkAttachment] = []
_PARSE: Any = ParsingFrontend.parse


def _attach(attachment: LarkAttachment) -> None:
    with _LOCK:
        _ATTACHMENTS.append(attachment)
        ParsingFrontend.parse = _parse  # type: ignore[method-assign]


def _detach(attachment: LarkAttachment) -> None:
    with _LOCK:
        _ATTACHMENTS.remove(attachment)
        if not _ATTACHMENTS:
            ParsingFrontend.parse = _PARSE  # type: ignore[method-assign]


def _parse(self: Any, text: Any = None, start: Any = None, on_error: Any = None) -> object:
    __tracebackhide__ = True
    wanted = [(a, r) for a in tuple(_ATTACHMENTS) if (r := a.recorder(self, start)) is not None]
    if not wanted:
        return _PARSE(self, text, start, on_error)
    attachment, recorder = wanted[0]
    frontend, make = recorder.run(self)
    known = text if isinstance(text, str) else None
    try:
        return _PARSE(frontend, text, start, on_error)
    finally:
        for attachment, _ in wanted:
            attachment.ended(make(known or ""), known)
