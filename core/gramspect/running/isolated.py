"""Recognizers whose parser is the user's Python code: it runs in processes that can be lost.

The recognizer here passes on what it is asked to a copy of the process that has loaded the parser
(`gramspect.running.hosts`). A copy that is lost costs the answer; the next question gets another.
"""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from math import inf
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any

from gramspect.errors import GramspectError
from gramspect.grammars.grammar import Grammar
from gramspect.lr.automaton import LRAutomaton
from gramspect.recognition.recognizer import ConflictKnowing, Recognizer
from gramspect.recognition.surroundings import one_line
from gramspect.recognition.trace import Extraction, Observation, Trace, Undecided
from gramspect.running.hosts import Copy, Host, HostLostError, exit_if_not, how_it_ended
from gramspect.running.observing import TOO_DEEP, observe_test, undecided
from gramspect.running.patience import Patience
from gramspect.running.workers import answer_tests, ends_of, tested_in_workers
from gramspect.suites.suite import TestCase

__all__ = ["IsolatedRecognizer", "LoadNamed", "isolated"]

LoadNamed = Callable[[], tuple[str, Recognizer]]
"""Loads a parser; its adapter's name comes first."""

_TRIALS = 3
"""So many hosts may be lost in turn before one of them has made a copy."""

_LATER = 1.5
"""An adapter that limits its lexer itself, in the other process, is given this part more."""
_RUN_THE_LEXER = {
    **dict.fromkeys(
        ("keywords", "lexed", "lexer_rules_at_error", "lexing", "matching", "tokens"), _LATER
    ),
    "samples": 4.0,
}
"""The capabilities that run the lexer, with how much longer than others they may take."""
_TEXTS_AT_ONCE = 100
"""So many texts may take as long as one, for most end at once."""

_IF_LOST: dict[str, object] = {
    "code_not_run": (),
    "conflicts": (),
    "keywords": (),
    "matching": (),
    "lexer_rules_at_error": (),
    "lexing": None,
    "samples": (),
    "token_pattern": None,
    "token_rules": (),
    "tokens": None,
}
"""The capabilities that a recognizer may have, with the answer of one that is lost."""


@dataclass(frozen=True)
class _Description:
    """The description of a parser in another process; `abilities` are names of methods."""

    adapter: str
    grammar: Grammar
    abilities: tuple[str, ...]
    knows_conflicts: bool


@dataclass(frozen=True)
class _UsersProblem:
    """Instead of an answer: how the user's code has kept it from being given."""

    reason: str


def isolated(name: str, load: LoadNamed, seconds: float) -> IsolatedRecognizer:
    """The recognizer that `load` makes in another process.

    Raises:
        AdapterError: loading it takes too long, or ends that process.
        GramspectError: what `load` raises.
    """
    host = partial(Host[tuple[str, Recognizer], _Description], name, load, _described, seconds)
    first = host()
    return _kind(first.description.abilities, first.description.knows_conflicts)(first, host)


class IsolatedRecognizer:
    """A recognizer in another process. It has the methods of that one for all capabilities but
    `Batching`, `BatchRecording`, and `OutcomeReading`: a recorder of Python parsers writes what
    needs no adapter to be read (`gramspect.recordings`). `renew` makes a host that is lost anew."""

    def __init__(
        self,
        host: Host[tuple[str, Recognizer], _Description],
        renew: Callable[[], Host[tuple[str, Recognizer], _Description]],
    ) -> None:
        self._host, self._renew = host, renew
        self.adapter = host.description.adapter
        self.grammar = host.description.grammar
        self._copy: Copy | None = None
        self._answers = _Answers(self.grammar)
        self._patience = Patience()

    def trace(self, test: TestCase) -> Trace:
        """Parse one test and say what happened."""
        found: Trace = self.answer_or("trace", test, if_lost=Undecided)
        return found

    def run(
        self,
        tests: Sequence[TestCase],
        extraction: Extraction | None,
        timeout: float | None,
        jobs: int,
    ) -> Iterator[Observation]:
        """The observations of `tests`, in their order. See `gramspect.running.runner.run`."""
        launch = partial(self._launched, partial(_observe_tests, extraction))
        return tested_in_workers(launch, tests, undecided, timeout=timeout, jobs=jobs)

    def asked(self, what: str, *arguments: object, if_lost: Callable[[str], object]) -> Any:
        """What the other process answers; to what runs the lexer, within some seconds."""
        longer = _RUN_THE_LEXER.get(what)
        if longer is None:
            return self.answer_or(what, *arguments, if_lost=if_lost)
        question = tuple(tuple(a) if isinstance(a, list) else a for a in arguments if a)
        if question not in self._patience:
            return if_lost("the lexer has come to no end before")
        most = longer * self._patience.seconds * max(1.0, _size(arguments[0]) / _TEXTS_AT_ONCE)
        begin = monotonic()

        def lost(reason: str) -> object:
            taken = monotonic() - begin
            if taken >= most:
                self._patience.give_up(question, taken)
            return if_lost(reason)

        return self.answer_or(what, *arguments, if_lost=lost, seconds=most)

    def answer_or(
        self,
        what: str,
        *arguments: object,
        if_lost: Callable[[str], object],
        seconds: float = inf,
    ) -> Any:
        """What the other process answers within so many seconds; else that process is ended.

        If it is lost, for that reason or another one, `if_lost` makes the answer of the reason.
        """
        if self._copy is None:
            self._copy = self._launched(_answer_calls)
            self._answers = _Answers(self.grammar)
        copy = self._copy
        try:
            copy.connection.send((what, arguments))
            if copy.connection not in wait(ends_of(copy), None if seconds == inf else seconds):
                raise EOFError
            raised, answer = self._answers.read(copy.connection.recv_bytes())
        except (EOFError, OSError, pickle.UnpicklingError):
            self._copy = None
            return if_lost(f"the parser's process died ({how_it_ended(copy.kill())})")
        except BaseException:  # an interrupt: the answer would be taken for that of the next one
            self._copy = None
            copy.kill()
            raise
        if isinstance(answer, _UsersProblem):
            return if_lost(answer.reason)
        if raised:
            raise answer
        return answer

    def _launched(self, serve: Callable[[tuple[str, Recognizer], Connection], object]) -> Copy:
        for _ in range(_TRIALS):
            if self._host.is_lost:  # its copies may still be at work: the last one ends it
                self._host = self._renew()
            with suppress(HostLostError):  # just now, perhaps by a copy of another worker
                return self._host.copy(serve)
            self._host = self._renew()
        return self._host.copy(serve)


def _size(texts: object) -> int:
    """How many texts these are; 1 for one."""
    return len(texts) if isinstance(texts, Sequence) and not isinstance(texts, str) else 1


@cache
def _kind(abilities: tuple[str, ...], knows_conflicts: bool) -> type[IsolatedRecognizer]:
    """The class of recognizers with these methods: who has a method has the ability."""
    members: dict[str, object] = {ability: _passed_on(ability) for ability in abilities}
    if knows_conflicts:
        members["conflicts"] = property(_passed_on("conflicts"))
    return type("IsolatedRecognizer", (IsolatedRecognizer,), members)


def _passed_on(ability: str) -> Callable[..., Any]:
    def passed_on(self: IsolatedRecognizer, *arguments: Any) -> Any:
        def if_lost(_: str) -> object:
            return [None] * len(arguments[0]) if ability == "lexed" else _IF_LOST[ability]

        return self.asked(ability, *arguments, if_lost=if_lost)

    return passed_on


# --- in the other processes ----------------------------------------------------------------


def _described(loaded: tuple[str, Recognizer]) -> _Description:
    name, recognizer = loaded
    abilities = tuple(
        a for a in ("lexed", *_IF_LOST) if a != "conflicts" and hasattr(recognizer, a)
    )
    return _Description(
        name, recognizer.grammar, abilities, isinstance(recognizer, ConflictKnowing)
    )


def _observe_tests(
    extraction: Extraction | None, loaded: tuple[str, Recognizer], connection: Connection
) -> None:
    answer_tests(connection, partial(observe_test, loaded[1], extraction=extraction))


def _answer_calls(loaded: tuple[str, Recognizer], connection: Connection) -> None:
    _, recognizer = loaded
    answers = _Answers(recognizer.grammar)
    me = os.getpid()
    while True:
        try:
            what, arguments = connection.recv()
        except EOFError:
            return
        result = _result(recognizer, what, arguments)
        exit_if_not(me)
        try:
            message = answers.written(result)
        except Exception as problem:
            failed = RuntimeError(f"the answer to {what} cannot be sent: {one_line(problem)}")
            message = answers.written((True, failed))
        connection.send_bytes(message)


def _result(recognizer: Recognizer, what: str, arguments: Sequence[object]) -> tuple[bool, object]:
    """Whether something was raised, and that or the result."""
    try:
        found = getattr(recognizer, what)
        return False, found(*arguments) if callable(found) else found
    except GramspectError as problem:
        return True, problem
    except RecursionError:
        return True, _UsersProblem(TOO_DEEP)
    except Exception as problem:
        return True, RuntimeError(f"the parser raised {one_line(problem)}")
    except BaseException as problem:  # an interrupt or exit is nobody's but the user's
        return True, _UsersProblem(f"the parser raised {one_line(problem)}")


# --- between them --------------------------------------------------------------------------


class _Answers:
    """How answers come from one process to another: grammars and automata are sent once.

    They are large, and compared by their identity.
    """

    def __init__(self, grammar: Grammar) -> None:
        self.sent: dict[int, int] = {id(grammar): 0}
        self.received: list[object] = [grammar]
        self._kept: list[object] = []

    def written(self, answer: object, but: object = None) -> bytes:
        stream = io.BytesIO()
        pickler = _Pickler(stream, pickle.HIGHEST_PROTOCOL)
        pickler.answers, pickler.but = self, but
        pickler.dump(answer)
        return stream.getvalue()

    def number(self, shared: object) -> tuple[int, bytes | None]:
        """The number of a large object, and the object itself if the number is new."""
        known = self.sent.get(id(shared))
        if known is not None:
            return known, None
        content = self.written(shared, but=shared)
        self._kept.append(shared)
        number = self.sent[id(shared)] = len(self.sent)
        return number, content

    def read(self, message: bytes) -> Any:
        unpickler = _Unpickler(io.BytesIO(message))
        unpickler.answers = self
        return unpickler.load()

    def numbered(self, number: int, content: bytes | None) -> object:
        if content is not None:
            self.received.append(self.read(content))
        return self.received[number]


class _Pickler(pickle.Pickler):
    answers: _Answers
    but: object

    def persistent_id(self, obj: object) -> tuple[int, bytes | None] | None:
        is_large = isinstance(obj, Grammar | LRAutomaton) and obj is not self.but
        return self.answers.number(obj) if is_large else None


class _Unpickler(pickle.Unpickler):
    answers: _Answers

    def persistent_load(self, pid: tuple[int, bytes | None]) -> object:
        return self.answers.numbered(*pid)
