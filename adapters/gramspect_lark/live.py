"""Records Lark parsers while the user's program runs them.

All parses of Lark objects go through one method, ``ParsingFrontend.parse``. While somebody wants
them, it runs those of the grammar in question on a copy of the frontend whose parser notes what it
does; the copy belongs to the parse, so parses in several threads, and parses inside of others, do
not meet. Trees are built and callbacks run as always.

So do those that the user drives token by token (``parse_interactive``); copies of such parsers are
left alone. Parses with another start symbol are not recorded.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from lark.parser_frontends import ParsingFrontend

from gramspect.adapter_api import Expectation, NoteParse, TestCase, Trace
from gramspect_lark.earley import EarleyHook, EarleyRecording
from gramspect_lark.earley_recognizer import EarleyRecognizer
from gramspect_lark.lalr_live import LalrRun, drive
from gramspect_lark.lalr_recognizer import LalrRecognizer
from gramspect_lark.subject import Subject

__all__ = ["LarkAttachment"]

_KEPT = 16
"""For how many parsers at once it is kept what records them."""


class LarkAttachment:
    """The parsers with the grammar of a subject are recorded."""

    def __init__(self, subject: Subject, note: NoteParse) -> None:
        self.grammar = subject.grammar
        self._subject, self._note = subject, note
        self._kind = subject.lark.options.parser
        self._signature = _signature(subject.lark.parser)
        # What records a parser holds it: only for a few.
        self._known = lru_cache(_KEPT)(self._recorder_of)
        _attach(self)

    def detach(self) -> None:
        """Take the hooks out."""
        self._known.cache_clear()
        _detach(self)

    def recorder(self, frontend: Any, start: str | None) -> _Recorder | None:
        """What records a frontend; None if it has another grammar, or the parse another start."""
        chosen = start if start is not None else frontend.parser_conf.start[0]
        if chosen != self._subject.start:
            return None
        return self._known(frontend)

    def _recorder_of(self, frontend: Any) -> _Recorder | None:
        if _signature(frontend) != self._signature:
            return None
        subject = _subject_of(self._subject, frontend)
        return _LalrRecorder(subject) if self._kind == "lalr" else _EarleyRecorder(subject)

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


Making = Callable[[str], Callable[[], Trace]]
"""Makes the trace of a parse from its text, afterwards."""
Run = tuple[Any, Making]
"""The frontend that a parse runs on, and what makes its trace."""


class _Recorder:
    """Makes frontends for parses."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    def run(self, frontend: Any) -> Run:
        raise NotImplementedError

    def drive(self, interactive: Any, ended: Callable[[Making, bool], None]) -> None:
        """Note what the program does with an ``InteractiveParser``. Afterwards `ended` gets what
        makes its trace, and whether its tokens are those of the text."""
        raise NotImplementedError  # Lark has them for LALR(1) only


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
        run = LalrRun(self._states)
        inner = copy.copy(frontend.parser.parser)
        inner.parse_from_state = run.observed(frontend.parser.parser.parse_from_state)
        recorded = copy.copy(frontend)
        recorded.parser = copy.copy(frontend.parser)
        recorded.parser.parser = inner
        return recorded, self._traced(run)

    def drive(self, interactive: Any, ended: Callable[[Making, bool], None]) -> None:
        run = LalrRun(self._states)
        drive(interactive, run, lambda known: ended(self._traced(run), known))

    def _traced(self, run: LalrRun) -> Making:
        return lambda text: (
            lambda: self._recognizer.traced(_test(text), run.recording(self._number))
        )

    def _number(self, rule: Any) -> int:
        number = self._numbers.get(id(rule))  # those of tables from a cache are other objects
        return self._equal[rule] if number is None else number


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
_INTERACTIVE: Any = ParsingFrontend.parse_interactive


def _attach(attachment: LarkAttachment) -> None:
    with _LOCK:
        _ATTACHMENTS.append(attachment)
        ParsingFrontend.parse = _parse  # type: ignore[method-assign]
        ParsingFrontend.parse_interactive = _interactive  # type: ignore[method-assign]


def _detach(attachment: LarkAttachment) -> None:
    with _LOCK:
        _ATTACHMENTS.remove(attachment)
        if not _ATTACHMENTS:
            ParsingFrontend.parse = _PARSE  # type: ignore[method-assign]
            ParsingFrontend.parse_interactive = _INTERACTIVE  # type: ignore[method-assign]


def _wanted(frontend: Any, start: Any) -> list[tuple[LarkAttachment, _Recorder]]:
    """Who wants a parse, and what records it for them."""
    attachments = tuple(_ATTACHMENTS)
    return [(a, r) for a in attachments if (r := a.recorder(frontend, start)) is not None]


def _parse(self: Any, text: Any = None, start: Any = None, on_error: Any = None) -> object:
    __tracebackhide__ = True
    wanted = _wanted(self, start)
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


def _interactive(self: Any, text: Any = None, start: Any = None) -> object:
    __tracebackhide__ = True
    interactive = _INTERACTIVE(self, text, start)
    wanted = _wanted(self, start)
    if wanted:
        known = text if isinstance(text, str) else None

        def ended(make: Making, own: bool) -> None:
            for attachment, _ in wanted:
                attachment.ended(make(known or "" if own else ""), known if own else None)

        wanted[0][1].drive(interactive, ended)
    return interactive
