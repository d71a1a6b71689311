"""Records what a live PLY parser does, from outside.

PLY's loop reads its tables from the parser object when a parse starts, so for the time of a test
the hook puts its own in their place, and restores the parser afterwards:

* every production is replaced by a copy whose function notes the rule, then calls the user's
* function. This gives the exact sequence of reductions; the action table is replaced by an empty
* dictionary that fetches a row when it is first asked for
  (``__missing__``). So it holds the states that have looked at a token, in the order in which they
  first did, and later lookups run at the speed of C. A state that does not look at a token (PLY
  calls it defaulted) reduces: productions that may be reduced there note the top of the stack, too.
  So every state that was ever pushed is known;
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
from typing import NamedTuple, NoReturn

from gramspect.adapter_api import ErrorKind
from gramspect_ply.shapes import Action, Lexer, Parser, Production, Row, Token

__all__ = [
    "LOOPS",
    "Failure",
    "FetchedRows",
    "Hook",
    "Recording",
    "default_lexer",
    "reduced_without_a_look",
]

LOOPS = ("parseopt_notrack", "parseopt", "parsedebug")
"""The methods that hold PLY's parse loop; `parse` itself does in copies that lack them."""


class Failure(NamedTuple):
    """The first error of a test.

    `fetched` tokens had been read, `last` (None for the end of the input) being the last of them;
    at that time `reduced` reductions had been made and `looked` states had looked at a token.
    `stack` is the state stack. `cause` is the exception of the lexer, or of the action of `rule`
    that signalled the error.
    """

    kind: ErrorKind
    stack: tuple[int, ...]
    fetched: int = 0
    last: Token | None = None
    reduced: int = 0
    looked: int = 0
    cause: BaseException | None = None
    rule: int | None = None


class Recording(NamedTuple):
    """What happened in one test.

    `reductions` are rules in order; `looked` the states that have looked at a token in
    the order in which they first did; `defaulted` those that have reduced without a look, each
    with the number of reductions before. `failure` is the first error, `problem` an exception that
    is none, and `raised` the rule whose action raised it. `ran` tells whether the parser was
    called, `text` is what it was given to read, if not the lexer was.
    """

    reductions: Sequence[int]
    looked: Sequence[int]
    defaulted: Mapping[int, int]
    failure: Failure | None
    problem: BaseException | None
    raised: int | None
    ran: bool
    text: str | None


class _Stop(BaseException):
    """Ends a parse at its first error. No user code should catch it by accident."""


class Hook:
    """Instruments one parser, test after test.

    `rules` are the numbers under which the reductions of productions are recorded.
    """

    def __init__(self, parser: Parser, rules: Sequence[int], actions: bool = True) -> None:
        self._parser = parser
        self._reductions: list[int] = []
        self._defaulted: dict[int, int] = {}
        self._rows = FetchedRows(parser.action)
        unseen = reduced_without_a_look(parser)
        tables: dict[str, object] = {
            "productions": [
                self._observed(
                    production,
                    rule,
                    (production.callable if actions else None) or _no_action,
                    note_state=number in unseen,
                )
                for number, (production, rule) in enumerate(
                    zip(parser.productions, rules, strict=True)
                )
            ],
            "action": self._rows,
            "errorfunc": self._on_error,
        }
        loops = [name for name in LOOPS if callable(getattr(parser, name, None))] or ["parse"]
        self._originals = {name: getattr(parser, name) for name in tables}
        self._instruments = {
            **tables,
            **{name: self._observed_loop(getattr(parser, name)) for name in loops},
        }
        self._noted: list[Token] | None = None
        self._reset()

    def _reset(self) -> None:
        self._reductions.clear()
        self._defaulted.clear()
        self._rows.clear()
        self._failure: Failure | None = None
        self._problem: BaseException | None = None
        self._raised: int | None = None
        self._running = self._ran = False
        self._fetched = self._reduced_at_fetch = self._looked_at_fetch = 0
        self._last: Token | None = None
        self._text: str | None = None

    def observe(self, parse: Callable[[], object]) -> Recording:
        """What the parser does while `parse` runs; valid until the next call.

        The parser's attributes are as before afterwards.
        """
        self._reset()
        attributes = vars(self._parser)
        saved = attributes.copy()
        attributes.update(self._instruments)
        try:
            parse()
        except _Stop:
            pass
        except (Exception, SystemExit) as problem:
            self._problem = problem
        finally:
            attributes.clear()
            attributes.update(saved)
        return Recording(
            self._reductions,
            tuple(self._rows),
            self._defaulted,
            self._failure,
            self._problem,
            self._raised,
            self._ran,
            self._text,
        )

    def token_types(self, parse: Callable[[], object]) -> list[str] | None:
        """The types of all tokens that `parse` would have the parser read; None if the lexer fails.

        Up to the first error the parser reads them, for its actions may guide the lexer; after
        it the lexer goes on by itself.
        """
        tokens, recording = self.tokens(parse)
        failure = recording.failure
        if failure is not None and failure.kind is ErrorKind.LEXICAL:
            return None
        return [token.type for token in tokens]

    def tokens(self, parse: Callable[[], object]) -> tuple[list[Token], Recording]:
        """The tokens themselves, up to where the lexer fails, and what happened."""
        noted: list[Token] = []
        self._noted = noted
        try:
            return noted, self.observe(parse)
        finally:
            self._noted = None

    def _observed(
        self, production: Production, rule: int, action: Action, note_state: bool
    ) -> Production:
        """A copy of the production whose function records the reduction."""
        parser, log, defaulted = self._parser, self._reductions, self._defaulted
        note = log.append

        def reduce(symbols: object) -> None:
            note(rule)
            try:
                action(symbols)
            except Exception as problem:
                self._on_exception(rule, problem)
                raise

        def reduce_and_note_state(symbols: object) -> None:
            defaulted.setdefault(parser.statestack[-1], len(log))
            reduce(symbols)

        observed = copy.copy(production)
        observed.callable = reduce_and_note_state if note_state else reduce
        return observed

    def _observed_loop(self, loop: Callable[..., object]) -> Callable[..., object]:
        """PLY's parse loop, reading its tokens through the hook."""
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
                raise _Stop
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
        log, rows = self._reductions, self._rows
        if self._noted is not None:
            fetch = self._fetch = _noting(fetch, self._noted)

        def token() -> Token | None:
            try:
                found = fetch()
            except (RecursionError, MemoryError):
                raise
            except (Exception, SystemExit) as problem:
                self._fail(ErrorKind.LEXICAL, cause=problem)
            self._fetched += 1
            self._reduced_at_fetch, self._looked_at_fetch = len(log), len(rows)
            self._last = found
            return found

        return token

    def _on_error(self, _: Token | None) -> NoReturn:
        """Stands in for ``p_error``."""
        if self._noted is not None:
            try:
                while self._fetch() is not None:
                    pass
            except (Exception, SystemExit) as problem:
                self._fail(ErrorKind.LEXICAL, cause=problem)
        self._fail(ErrorKind.SYNTAX)

    def _on_exception(self, rule: int, problem: Exception) -> None:
        """Note an exception of an action: SyntaxError rejects, any other leaves the test
        undecided."""
        if isinstance(problem, SyntaxError):
            self._reductions.pop()
            self._fail(ErrorKind.SYNTAX, cause=problem, rule=rule)
        self._raised = rule

    def _fail(
        self, kind: ErrorKind, cause: BaseException | None = None, rule: int | None = None
    ) -> NoReturn:
        self._failure = Failure(
            kind,
            tuple(self._parser.statestack),
            self._fetched,
            self._last,
            self._reduced_at_fetch,
            self._looked_at_fetch,
            cause,
            rule,
        )
        raise _Stop


def _noting(fetch: Callable[[], Token | None], tokens: list[Token]) -> Callable[[], Token | None]:
    def noting() -> Token | None:
        found = fetch()
        if found is not None:
            tokens.append(found)
        return found

    return noting


def default_lexer(parser: Parser) -> Lexer | None:
    """The lexer that PLY itself takes when `parse` is called without one: the last one made."""
    for base in type(parser).__mro__:
        package = base.__module__.rpartition(".")[0]
        lex = sys.modules.get(f"{package}.lex" if package else "lex")
        lexer: Lexer | None = getattr(lex, "lexer", None)
        if lexer is not None:
            return lexer
    return None


class FetchedRows(dict[int, Row]):
    """An action table that takes its rows from `table` when they are first asked for."""

    __slots__ = ("_table",)

    def __init__(self, table: Mapping[int, Row]) -> None:
        super().__init__()
        self._table = table

    def __missing__(self, state: int) -> Row:
        row = self[state] = self._table[state]
        return row


def reduced_without_a_look(parser: Parser) -> frozenset[int]:
    """The productions that are reduced in states that do not look at a token."""
    defaulted: Mapping[int, int] = getattr(parser, "defaulted_states", {})
    return frozenset(-action for action in defaulted.values())


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
