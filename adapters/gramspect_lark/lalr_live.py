"""What one parse of Lark's LALR(1) parser does, while the user's program runs it.

The parser may run by itself, or be driven by the program token by token (`drive`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from lark import Token
from lark.exceptions import UnexpectedToken

from gramspect_lark.lalr import Failure, FetchedRows, LalrRecording

__all__ = ["LalrRun", "drive"]


class LalrRun:
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
            lexer = state.lexer
            state.lexer = _LexerOnce(lexer, state, self)
            try:
                with self._noting(state):
                    return parse(state, *others, **named)
            finally:
                state.lexer = lexer

        return observed

    @contextmanager
    def _noting(self, state: Any) -> Iterator[None]:
        """What a parser state does meanwhile is noted."""
        __tracebackhide__ = True
        conf = state.parse_conf
        originals = conf.states, conf.callbacks
        conf.states = self._rows
        conf.callbacks = _NotingCallbacks(conf.callbacks, self._rules)
        try:
            yield
        except BaseException as problem:
            self._ended_by(problem)
            raise
        finally:
            self._stack = tuple(state.state_stack)
            conf.states, conf.callbacks = originals

    def feed(self, feed: Callable[[Token], object], state: Any, token: Token) -> object:
        """Hand a parser the next token, that of the end included."""
        __tracebackhide__ = True
        is_end = token.type == "$END"
        if not is_end:
            self._tokens.append(token)
        self._looked = len(self._rows)
        with self._noting(state):
            result = feed(token)
        if not is_end:
            self._shifts.append(len(self._rules))
        return result

    def lexed(self, problem: BaseException) -> None:
        """The lexer has failed while the program drove the parser."""
        self._lexical = problem
        self._looked = len(self._rows)
        self._ended_by(problem)

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

    def __init__(self, lexer: Any, state: Any, run: LalrRun) -> None:
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


def drive(interactive: Any, run: LalrRun, ended: Callable[[bool], None]) -> None:
    """Note what the program does with an ``InteractiveParser``, up to the end or the first error.

    Copies of it are not observed. `ended` is told whether all tokens were those of its lexer.
    """
    state, thread = interactive.parser_state, interactive.lexer_thread
    feed, lexes = interactive.feed_token, thread.lex
    last: Token | None = None
    is_over, all_lexed = False, True

    def finish() -> None:
        nonlocal is_over
        if not is_over:
            is_over = True
            del interactive.feed_token, interactive.resume_parse, thread.lex
            ended(all_lexed)

    def feed_token(token: Token) -> object:
        __tracebackhide__ = True
        nonlocal all_lexed
        is_end = token.type == "$END"
        all_lexed = all_lexed and (is_end or token is last)
        try:
            result = run.feed(feed, state, token)
        except BaseException:
            finish()
            raise
        if is_end:
            finish()
        return result

    def lex(parser_state: Any) -> Iterator[Token]:
        __tracebackhide__ = True
        nonlocal last
        found = lexes(parser_state)
        while True:
            try:
                last = next(found)
            except StopIteration:
                return
            except BaseException as problem:
                if not is_over:
                    run.lexed(problem)
                    finish()
                raise
            yield last

    def resume_parse() -> object:
        __tracebackhide__ = True
        del thread.lex  # the run observes the lexer itself
        try:
            parse = run.observed(interactive.parser.parse_from_state)
            return parse(state, last_token=thread.state.last_token)
        finally:
            thread.lex = lex
            finish()

    interactive.feed_token, interactive.resume_parse = feed_token, resume_parse
    thread.lex = lex
