"""Records what a live PLY parser does, from outside.

PLY's loop reads its tables from the parser object when a parse starts, so for the time of a test
the hook puts its own in their place and takes everything back afterwards:

* every production is replaced by a copy whose function notes its number and the state on top of
  the stack, then calls the user's function: the exact sequence of reductions;
* the action table is replaced by an empty dictionary that fetches a row when it is first asked for
  (``__missing__``). Each state that looks at a token is noted once, and from then on the lookup
  runs at the speed of C. A state that does not look at a token (PLY calls it defaulted) reduces,
  and is seen by the production. So every state that was ever pushed is noted;
* the token function counts tokens and tells the lexer's exceptions from those of actions;
* the error function copies the state stack and ends the parse: the first error decides.

What happened on the offending token is told from what happened before it without replaying
anything: the stack at the error is observed, and undoing the last recorded reductions, one after
the other until a token lies on top, gives the stack as it was right after the last shift.

A reduction that the user's action rejects by raising SyntaxError is a syntax error at that point,
which is what PLY's manual (Beazley, "PLY", section 6.8.1) makes of it. A parse that an action
starts on the same parser is not observed.
"""

from __future__ import annotations

import copy
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn

from gramspect.trace import ErrorKind
from gramspect_ply.shapes import Lexer, Parser, Production, Token

__all__ = ["Failure", "Hook", "Recording", "Stop", "default_lexer"]

_LOOPS = ("parseopt_notrack", "parseopt", "parsedebug")
"""The methods that hold PLY's parse loop; `parse` itself does in copies that lack them."""


class Stop(BaseException):
    """Ends a parse at its first error. No user code should catch it by accident."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The first error of a test.

    `fetched` tokens had been read, `last` (None for the end of the input) being the last of them,
    and `since_fetch` reductions had been made since then; `stack` is the state stack. `cause` is
    the exception of the lexer or of the action of `production` that signalled the error.
    """

    kind: ErrorKind
    fetched: int
    last: Token | None
    since_fetch: int
    stack: tuple[int, ...]
    cause: BaseException | None = None
    production: int | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """What happened in one test.

    `reductions` are production numbers in order, `reduced_in` the states in which they were made,
    `visited` the states that looked at a token, each with the number of reductions before it first
    did. `raised` is the production whose action raised, `ran` tells whether the parser was called,
    `text` is what it was given to read, if not the lexer was.
    """

    reductions: Sequence[int]
    reduced_in: Sequence[int]
    visited: Mapping[int, int]
    failure: Failure | None
    raised: int | None
    ran: bool
    text: str | None


class _Rows(dict[int, Mapping[str, int | None]]):
    """An action table that notes the first use of each row."""

    def __init__(self, table: Mapping[int, Mapping[str, int | None]], log: list[int]) -> None:
        super().__init__()
        self._table = table
        self._log = log
        self.first: dict[int, int] = {}

    def __missing__(self, state: int) -> Mapping[str, int | None]:
        self.first[state] = len(self._log)
        row = self[state] = self._table[state]
        return row


class Hook:
    """Instruments one parser, test after test."""

    def __init__(self, parser: Parser, actions: bool = True) -> None:
        self._parser = parser
        self._reductions: list[int] = []
        self._reduced_in: list[int] = []
        self._rows = _Rows(parser.action, self._reductions)
        self._tables = {
            "productions": [
                self._observed(number, production, actions)
                for number, production in enumerate(parser.productions)
            ],
            "action": self._rows,
            "errorfunc": self._on_error,
        }
        self._originals = {name: getattr(parser, name) for name in self._tables}
        names = [name for name in _LOOPS if callable(getattr(parser, name, None))] or ["parse"]
        self._loops = {name: self._observed_loop(getattr(parser, name)) for name in names}
        self._reset()

    def _reset(self) -> None:
        self._reductions.clear()
        self._reduced_in.clear()
        self._rows.clear()
        self._rows.first = {}
        self._failure: Failure | None = None
        self._raised: int | None = None
        self._running = self._ran = False
        self._fetched = self._reduced_before_fetch = 0
        self._last: Token | None = None
        self._text: str | None = None

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Observes the parser; whatever happens to its attributes is undone afterwards."""
        self._reset()
        with _attributes_restored(self._parser) as attributes:
            attributes.update(self._tables, **self._loops)
            yield

    def result(self) -> Recording:
        """What happened in the last test; valid until the next one starts."""
        return Recording(
            self._reductions,
            self._reduced_in,
            self._rows.first,
            self._failure,
            self._raised,
            self._ran,
            self._text,
        )

    def _observed(self, number: int, production: Production, actions: bool) -> Production:
        """A copy of the production whose function records the reduction."""
        note, note_state = self._reductions.append, self._reduced_in.append
        parser = self._parser
        action = (production.callable if actions else None) or _no_action

        def reduce(symbols: object) -> None:
            note(number)
            note_state(parser.statestack[-1])
            try:
                action(symbols)
            except Exception as problem:
                self._on_exception(number, problem)
                raise

        observed = copy.copy(production)
        observed.callable = reduce
        return observed

    def _observed_loop(self, loop: Callable[..., object]) -> Callable[..., object]:
        """A parse loop that reads its tokens through the hook."""
        takes_token_function = "tokenfunc" in inspect.signature(loop).parameters

        def observed(
            input: str | None = None,
            lexer: Lexer | None = None,
            debug: object = False,
            tracking: object = False,
            tokenfunc: Callable[[], Token | None] | None = None,
        ) -> object:
            lexer = lexer or default_lexer(self._parser)
            if self._failure is not None:
                raise Stop
            if self._running or lexer is None:
                with _attributes_restored(self._parser) as attributes:
                    attributes.update(self._originals)
                    return loop(input, lexer, debug, tracking)
            self._running = self._ran = True
            self._fetched, self._text = 0, input
            try:
                if takes_token_function:
                    fetch = self._observed_fetch(tokenfunc or lexer.token)
                    return loop(input, lexer, debug, tracking, fetch)
                with _attributes_restored(lexer) as attributes:
                    attributes["token"] = self._observed_fetch(lexer.token)
                    return loop(input, lexer, debug, tracking)
            finally:
                self._running = False

        return observed

    def _observed_fetch(self, fetch: Callable[[], Token | None]) -> Callable[[], Token | None]:
        def token() -> Token | None:
            try:
                found = fetch()
            except (RecursionError, MemoryError):
                raise
            except (Exception, SystemExit) as problem:
                self._fail(ErrorKind.LEXICAL, cause=problem)
            self._fetched += 1
            self._reduced_before_fetch = len(self._reductions)
            self._last = found
            return found

        return token

    def _on_error(self, _: Token | None) -> NoReturn:
        """Stands in for ``p_error``."""
        self._fail(ErrorKind.SYNTAX)

    def _on_exception(self, production: int, problem: Exception) -> None:
        """An action raised: a syntax error if it says so, else the test is undecided."""
        if isinstance(problem, SyntaxError):
            self._reductions.pop()
            self._reduced_in.pop()
            self._fail(ErrorKind.SYNTAX, cause=problem, production=production)
        self._raised = production

    def _fail(
        self, kind: ErrorKind, cause: BaseException | None = None, production: int | None = None
    ) -> NoReturn:
        self._failure = Failure(
            kind,
            self._fetched,
            self._last,
            len(self._reductions) - self._reduced_before_fetch,
            tuple(self._parser.statestack),
            cause,
            production,
        )
        raise Stop


def default_lexer(parser: Parser) -> Lexer | None:
    """The lexer that PLY itself takes when `parse` is called without one: the last one made."""
    for base in type(parser).__mro__:
        package = base.__module__.rpartition(".")[0]
        lex = sys.modules.get(f"{package}.lex" if package else "lex")
        lexer: Lexer | None = getattr(lex, "lexer", None)
        if lexer is not None:
            return lexer
    return None


def _no_action(_: object) -> None:
    """Takes the place of a ``p_`` function."""


@contextmanager
def _attributes_restored(thing: object) -> Iterator[dict[str, object]]:
    """The attributes of an object, to be changed for a while."""
    attributes = vars(thing)
    saved = attributes.copy()
    try:
        yield attributes
    finally:
        attributes.clear()
        attributes.update(saved)
