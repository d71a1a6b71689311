"""Records what Lark's LALR(1) parser does.

Lark has an interactive form of its parser (``Lark.parse_interactive``), which the caller drives
token by token and which has its own copy of the tables. The hook replaces two parts of that copy:

* the callbacks, by some that note the rule that is reduced and then call the user's, if there are
  any; without those no tree is built, for nobody would look at it;
* the table of states, by one that fetches a row when it is first asked for. So it holds the states
  that were ever on top of the stack, in the order in which they first were, and later look-ups run
  at the speed of C.

What happened on the offending token is told apart from what happened before it: the stack at the
error is there, and undoing the last reductions gives the stack as it was right after the last
shift.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from lark import Lark, Token
from lark.exceptions import UnexpectedToken
from lark.parsers.lalr_analysis import IntParseTable

from gramspect.adapter_api import LoopGuard
from gramspect_lark.lexing import GuidedLexer, LenientLexing
from gramspect_lark.splicing import SplicedLexing, Stretch

__all__ = ["Failure", "FetchedRows", "LalrHook", "LalrRecording"]


class Failure(NamedTuple):
    """The first error of a test.

    `token` is the offending one, None at the end of the input; `problem` what the lexer raised if
    it was the lexer that failed.
    """

    token: Token | None
    problem: BaseException | None


class LalrRecording(NamedTuple):
    """What happened in one test.

    `reductions` are numbers of Lark's rules; `shifts` has for each token that was shifted how many
    reductions there were before it. `tokens` are all that were read, `looked` the states that
    looked at a token or were returned to, in the order in which they first did, `looked_before`
    how many of them had when the last token was read. `stack` is the state stack at the end.
    `problem` is an exception that is no error of the input.
    """

    tokens: Sequence[Token]
    reductions: Sequence[int]
    shifts: Sequence[int]
    looked: Sequence[int]
    looked_before: int
    stack: Sequence[int]
    failure: Failure | None
    problem: BaseException | None


class LexerFailure(Exception):
    """An exception of the lexer, to tell it apart from those of the parser and its callbacks."""

    def __init__(self, problem: BaseException) -> None:
        super().__init__(str(problem))
        self.problem = problem


class LalrHook:
    """Instruments the LALR parser of a Lark object, test after test.

    Args:
        lark: the parser.
        start: the start symbol.
        actions: whether the user's callbacks run.
        guarded: whether the parser may reduce for ever and has to be watched.
    """

    def __init__(self, lark: Lark, start: str, *, actions: bool, guarded: bool) -> None:
        self._lark = lark
        self._start = start
        self._table = lark.parser.parser._parse_table
        self._numbers = _state_numbers(self._table)
        self._reductions: list[int] = []
        self._guard = LoopGuard(len(self._table.states)) if guarded else None
        self._stack: Sequence[int] = ()
        users = lark._callbacks if actions and lark.options.transformer is not None else {}
        number = {rule: n for n, rule in enumerate(lark.rules)}
        self._callbacks: dict[Any, Callable[[Any], object]] = dict(users)
        self._silent: dict[Any, Callable[[Any], object]] = {}
        for rule, n in number.items():
            self._callbacks[rule] = self._observed(n, users.get(rule))
            self._silent[rule] = self._observed(n, None)

    @property
    def states(self) -> Mapping[int, Mapping[str, tuple[Any, Any]]]:
        """Lark's table: by state and symbol, a shift to a state or the reduction of a rule."""
        states: Mapping[int, Mapping[str, tuple[Any, Any]]] = self._numbered_table.states
        return states

    @property
    def start_state(self) -> int:
        return int(self._numbered_table.start_states[self._start])

    @cached_property
    def _numbered_table(self) -> Any:
        return IntParseTable.from_ParseTable(self._table) if self._numbers else self._table

    def with_numbers(self, recording: LalrRecording) -> LalrRecording:
        """The recording with numbers for states, as `states` has them."""
        if not self._numbers:
            return recording
        number = self._numbers.__getitem__
        return recording._replace(
            looked=tuple(map(number, recording.looked)),
            stack=tuple(map(number, recording.stack)),
        )

    def _observed(
        self, number: int, user: Callable[[Any], object] | None
    ) -> Callable[[Any], object]:
        note, guard = self._reductions.append, self._guard
        if guard is None and user is None:
            return lambda _: note(number)

        def reduce(children: Any) -> object:
            note(number)
            if guard is not None:
                guard.reduced(len(self._stack))
            return None if user is None else user(children)

        return reduce

    def observe(self, text: Any) -> LalrRecording:
        """What the parser does with an input; valid until the next call."""
        self._reductions.clear()
        rows = FetchedRows(self._table.states)
        driver: Any = self._lark.parse_interactive(text, self._start)
        state = driver.parser_state
        self._stack = state.state_stack
        state.parse_conf.states = rows
        state.parse_conf.callbacks = self._callbacks
        run = _Run(state, self._reductions, rows, self._guard)
        failure, problem = None, None
        try:
            run.feed(driver.lexer_thread.lex(state))
        except UnexpectedToken as error:
            failure = Failure(None if error.token.type == "$END" else error.token, None)
        except LexerFailure as error:
            token = getattr(error.problem, "token", None)
            syntax = isinstance(error.problem, UnexpectedToken)
            failure = Failure(token if syntax else None, None if syntax else error.problem)
        except (Exception, SystemExit) as raised:
            problem = raised
        return LalrRecording(
            run.tokens,
            tuple(self._reductions),
            run.shifts,
            tuple(rows),
            run.looked,
            tuple(state.state_stack),
            failure,
            problem,
        )

    def tokens(self, text: Any, guided: GuidedLexer) -> list[Token] | None:
        """All tokens of an input, those after its first error too; None if the lexer fails."""
        driver = self._lark.parse_interactive(text, self._start)
        state, guard = driver.parser_state, self._guard
        self._stack = state.state_stack
        state.parse_conf.callbacks = self._silent

        def feed(token: Token) -> None:
            if guard is not None:
                guard.read(len(state.state_stack))
            state.feed_token(token)

        return LenientLexing(driver, guided).tokens(feed)

    def spliced(
        self, text: Any, stretches: Sequence[Stretch], guided: GuidedLexer
    ) -> tuple[list[Token], int | None, bool]:
        """The tokens of an input with stretches read as told, after its first error as in `tokens`.

        With it where the lexer failed, None if it did not, and whether the input is accepted.

        Raises:
            UnknownLexer: the lexer is the user's own.
        """
        driver = self._lark.parse_interactive(text, self._start)
        state, guard = driver.parser_state, self._guard
        self._stack = state.state_stack
        state.parse_conf.callbacks = self._silent

        def feed(token: Token) -> None:
            if guard is not None:
                guard.read(len(state.state_stack))
            state.feed_token(token)

        lexing = SplicedLexing(driver.lexer_thread, state, feed, guided)
        tokens = lexing.tokens(stretches)
        accepted = False
        if lexing.failed is None and not lexing.lost:
            try:
                state.feed_token(Token("$END", "", 0, 1, 1), True)
                accepted = True
            except UnexpectedToken:
                pass
        return tokens, lexing.failed, accepted


def _state_numbers(table: Any) -> Mapping[Any, int]:
    """The numbers of the states of a parser that was made with ``debug=True``; else none.

    Such a parser has sets of items for states, in the order of the numbers that Lark gives them
    otherwise.
    """
    states = list(table.states)
    if all(isinstance(state, int) for state in states):
        return {}
    return {state: number for number, state in enumerate(states)}


class _Run:
    """A parse, driven token by token."""

    def __init__(
        self,
        state: Any,
        reductions: Sequence[int],
        rows: Mapping[int, Any],
        guard: LoopGuard | None,
    ) -> None:
        self._state = state
        self._reductions = reductions
        self._rows = rows
        self._guard = guard
        self.tokens: list[Token] = []
        self.shifts: list[int] = []
        self.looked = 0

    def feed(self, tokens: Iterator[Token]) -> None:
        """Feed all tokens and the end of the input."""
        feed, reductions, rows = self._state.feed_token, self._reductions, self._rows
        read, shifts, guard = self.tokens, self.shifts, self._guard
        fetch, stack = tokens.__next__, self._state.state_stack
        token = None
        while True:
            try:
                following = fetch()
            except StopIteration:
                break
            except (RecursionError, MemoryError):
                raise
            except (Exception, SystemExit) as problem:
                self.looked = len(rows)
                raise LexerFailure(problem) from problem
            token = following
            read.append(token)
            self.looked = len(rows)
            if guard is not None:
                guard.read(len(stack))
            feed(token)
            shifts.append(len(reductions))
        self.looked = len(rows)
        if guard is not None:
            guard.read(len(stack))
        at = Token("$END", "", 0, 1, 1)
        feed(at if token is None else Token.new_borrow_pos("$END", "", token), True)


class FetchedRows(dict[int, Any]):
    """A table that takes its rows from another when they are first asked for."""

    def __init__(self, table: Mapping[int, Any]) -> None:
        super().__init__()
        self._table = table

    def __missing__(self, state: int) -> Any:
        row = self[state] = self._table[state]
        return row
