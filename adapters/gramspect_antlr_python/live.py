"""Records generated parsers while the user's program runs them.

The hooks are in the parser's class, and act while a call of the start rule runs that the program
has made: every number of a state is noted (`gramspect_antlr_python.hook`), and the first error, be
it reported to the listeners, or raised, as ``BailErrorStrategy`` does. The program's own error
strategy, listeners and actions do what they always do. That a lexer has reported an error is noted
at the lexer.

Calls of other rules are not recorded.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from gramspect.adapter_api import ErrorKind, NoteParse, Trace, Undecided, one_line
from gramspect_antlr_python.hook import EXIT, Failure, Run, message_of, visible
from gramspect_antlr_python.recognizer import AntlrPythonRecognizer
from gramspect_antlr_python.runtime import Runtime

__all__ = ["AntlrAttachment"]


class AntlrAttachment:
    """The objects of a parser class are recorded, also those of classes derived from it."""

    def __init__(
        self, parser: type, start: str, recognizer: AntlrPythonRecognizer, note: NoteParse
    ):
        self.grammar = recognizer.grammar
        self._recognizer, self._note = recognizer, note
        self._class = parser
        runtime = Runtime.of(parser)
        self._lexer_class: type = runtime.find("Lexer", "Lexer")
        self._recognition = runtime.find("error.Errors", "RecognitionException")
        self._key = f"gramspect_run_{id(self)}"
        self._originals: dict[type, dict[str, object]] = {}
        with _LOCK:
            self._hook_parser(parser, start)
            self._hook_lexer(self._lexer_class)

    def detach(self) -> None:
        """Take the hooks out."""
        with _LOCK:
            for kind, members in self._originals.items():
                for name, member in members.items():
                    if member is _ABSENT:
                        delattr(kind, name)
                    else:
                        setattr(kind, name, member)
            self._originals.clear()

    def _put(self, kind: type, members: dict[str, object]) -> None:
        own = self._originals.setdefault(kind, {})
        for name, member in members.items():
            own[name] = vars(kind).get(name, _ABSENT)
            setattr(kind, name, member)

    def _hook_parser(self, kind: Any, start: str) -> None:
        key = self._key
        state, exit_rule, unroll = kind.state, kind.exitRule, kind.unrollRecursionContexts
        notify, rule = kind.notifyErrorListeners, getattr(kind, start)

        def set_state(parser: Any, number: int) -> None:
            state.fset(parser, number)
            run = vars(parser).get(key)
            if run is not None:
                run.states.append(number)

        def exits(parser: Any) -> None:
            exit_rule(parser)
            run = vars(parser).get(key)
            if run is not None:
                run.states[-1] = EXIT  # in place of the caller's state, which it has returned to

        def unrolls(parser: Any, context: Any) -> None:
            unroll(parser, context)
            run = vars(parser).get(key)
            if run is not None:
                run.states.append(EXIT)

        def notifies(parser: Any, message: str, token: Any = None, problem: Any = None) -> None:
            run = vars(parser).get(key)
            if run is not None:
                own = problem is not None and problem.offendingToken is not None
                said = message_of(parser, problem) if own else message
                run.fail(token or parser.getCurrentToken(), said)
            notify(parser, message, token, problem)

        def starts(parser: Any, *arguments: Any, **named: Any) -> object:
            __tracebackhide__ = True  # in reports of pytest
            if key in vars(parser) or not self._originals:
                return rule(parser, *arguments, **named)
            return self._recorded(parser, lambda: rule(parser, *arguments, **named))

        self._put(
            kind,
            {
                "state": property(state.fget, set_state),
                "exitRule": exits,
                "unrollRecursionContexts": unrolls,
                "notifyErrorListeners": notifies,
                start: starts,
            },
        )

    def _hook_lexer(self, kind: Any) -> None:
        notify = kind.notifyListeners

        def notifies(lexer: Any, problem: Any) -> None:
            place = lexer._tokenStartCharIndex, lexer._tokenStartLine, lexer._tokenStartColumn
            text = lexer._input.getText(place[0], lexer._input.index)
            message = f"token recognition error at: '{lexer.getErrorDisplay(text)}'"
            _LEXICAL.setdefault(lexer, []).append((*place, message))
            notify(lexer, problem)

        self._put(kind, {"notifyListeners": notifies})

    def _recorded(self, parser: Any, call: Callable[[], object]) -> object:
        __tracebackhide__ = True
        run = vars(parser)[self._key] = _Run(parser)
        try:
            return call()
        except BaseException as problem:
            run.ended_by(problem, self._recognition)
            raise
        finally:
            vars(parser).pop(self._key, None)
            self._note(lambda: self._trace(run), run.text())

    def _trace(self, run: _Run) -> Trace:
        if run.problem is not None and run.failure is None:
            return Undecided(f"the parser raised {one_line(run.problem)}")
        return self._recognizer.traced(run.result())


class _Run:
    """A call of the start rule, up to its first error."""

    def __init__(self, parser: Any) -> None:
        self._parser = parser
        self._stream = parser.getTokenStream()
        self._first = self._stream.index  # tokens before it belong to earlier calls
        self.states: list[int] = []
        self.failure: tuple[Any, str] | None = None
        self.problem: BaseException | None = None

    def fail(self, token: Any, message: str) -> None:
        """Note the first error."""
        if self.failure is None:
            self.failure = token, message

    def ended_by(self, problem: BaseException, recognition: type) -> None:
        """The call has raised, perhaps because of an error in the input."""
        self.problem = problem
        found: BaseException | None = problem
        seen = []
        while found is not None and found not in seen:
            seen.append(found)
            inner = next((arg for arg in found.args if isinstance(arg, recognition)), None)
            cause: Any = found if isinstance(found, recognition) else inner
            if cause is not None and cause.offendingToken is not None:
                self.fail(cause.offendingToken, message_of(self._parser, cause))
                return
            found = found.__cause__ or found.__context__

    def result(self) -> Run:
        """What happened, as the hook that runs texts would tell it."""
        tokens = [token for token in visible(self._stream) if token.tokenIndex >= self._first]
        failure = None
        if self.failure is not None:
            token, message = self.failure
            index = sum(t.tokenIndex < token.tokenIndex for t in tokens)
            failure = Failure(ErrorKind.SYNTAX, index, token.line, token.column + 1, message)
        for start, line, column, message in _LEXICAL.get(self._stream.tokenSource, ()):
            index = sum(t.type != -1 and t.start < start for t in tokens)
            if failure is None or index <= failure.token:
                failure = Failure(ErrorKind.LEXICAL, index, line, column + 1, message)
            break
        places = [(t.line, t.column + 1) for t in tokens] if failure is not None else []
        return Run(self.states, [t.type for t in tokens], places, failure)

    def text(self) -> str | None:
        """The text that the lexer reads, from its beginning."""
        text = getattr(getattr(self._stream.tokenSource, "inputStream", None), "strdata", None)
        return text if isinstance(text, str) else None


_LOCK = threading.Lock()
_ABSENT = object()
_LEXICAL: WeakKeyDictionary[Any, list[tuple[int, int, int, str]]] = WeakKeyDictionary()
"""The errors that lexers have reported: offset, line, column from 0, message."""
