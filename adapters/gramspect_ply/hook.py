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
* the error function copies the state stack and ends the parse: the first error decides. If it may
  put in a token that the text does not have, it is asked first (`gramspect_ply.mending`), and the
  parse goes on with that token. If the parser cannot shift it, the error is where it was put in.

What happened on the offending token is told from what happened before it without replaying
anything: the stack at the error is observed, and undoing the last recorded reductions, one after
the other until a token lies on top, gives the stack as it was right after the last shift.

A reduction that the user's action rejects by raising SyntaxError is a syntax error at that point,
which is what PLY's manual (Beazley, "PLY", section 6.8.1) makes of it. A parse that an action
starts on the same parser is not observed.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, NoReturn

from gramspect.adapter_api import EndlessParse, ErrorKind
from gramspect_ply.loops import (
    LOOPS,
    FetchedRows,
    LoopCalls,
    default_lexer,
    reduced_without_a_look,
)
from gramspect_ply.mending import Mending, MendingLimit, may_go_on
from gramspect_ply.outcomes import Failure, Recording
from gramspect_ply.shapes import Action, Lexer, Parser, Production, Token

__all__ = ["Hook"]


class _Stop(BaseException):
    """Ends a parse at its first error. No user code should catch it by accident."""


class _Mark(NamedTuple):
    """An error that may turn out to be none: reductions, and tokens put in, before it."""

    failure: Failure
    reduced: int
    mended: int


class Hook:
    """Instruments one parser, test after test.

    `rules` are the numbers under which the reductions of productions are recorded. If `strict`, the
    user's error function is not asked for tokens.
    """

    def __init__(
        self, parser: Parser, rules: Sequence[int], actions: bool = True, strict: bool = False
    ) -> None:
        self._parser = parser
        self._mends = not strict and may_go_on(parser.errorfunc)
        self._most: int | None = None
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
        self._limit = MendingLimit()
        self.n_mended = 0
        self._mending: Mending[_Mark] = Mending()

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
        self._judge_mended()
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

    def most_mended(self, parse: Callable[[], object]) -> int | None:
        """How often the user's error function puts in a token; None if it never does.

        One that is called once more may read what it does not put in.
        """
        if not self._mends:
            return None
        self.observe(parse)
        return self.n_mended

    def token_types(self, parse: Callable[[], object], most: int | None = None) -> list[str] | None:
        """The types of all tokens that `parse` would have the parser read; None if the lexer fails.

        Up to the first error the parser reads them, for its actions may guide the lexer; after
        it the lexer goes on by itself. The error function is called `most` times.
        """
        tokens, recording = self.tokens(parse, most)
        failure = recording.failure
        if failure is not None and failure.kind is ErrorKind.LEXICAL:
            return None
        return [token.type for token in tokens]

    def tokens(
        self, parse: Callable[[], object], most: int | None = None
    ) -> tuple[list[Token], Recording]:
        """The tokens themselves, up to where the lexer fails, and what happened."""
        noted: list[Token] = []
        self._noted, self._most = noted, most
        try:
            return noted, self.observe(parse)
        finally:
            self._noted = self._most = None

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
        calls = LoopCalls(loop, bound=True)

        def observed(*positional: Any, **named: Any) -> object:
            given = calls.bind(*positional, **named)
            arguments = given.arguments
            lexer: Lexer | None = arguments.get("lexer") or default_lexer(self._parser)
            arguments["lexer"] = lexer
            if self._failure is not None:
                raise _Stop
            if self._running or lexer is None:
                with _attributes_restored(self._parser) as attributes:
                    attributes.update(self._originals)
                    return loop(*given.args, **given.kwargs)
            self._running = self._ran = True
            self._fetched, self._text = 0, calls.input_of(given)
            try:
                if calls.takes_token_function(given):
                    fetch = self._observed_fetch(arguments.get("tokenfunc") or lexer.token)
                    arguments["tokenfunc"] = fetch
                    return loop(*given.args, **given.kwargs)
                with _attributes_restored(lexer) as attributes:
                    attributes["token"] = self._observed_fetch(lexer.token)
                    return loop(*given.args, **given.kwargs)
            finally:
                self._running = False

        return observed

    def _observed_fetch(self, fetch: Callable[[], Token | None]) -> Callable[[], Token | None]:
        log, rows = self._reductions, self._rows
        if self._noted is not None:
            fetch = self._fetch = _noting(fetch, self._noted)

        def token() -> Token | None:
            self._mending.read_on()
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

    def _judge_mended(self) -> None:
        """Code that raises in the end, in no action, has not accepted what it had mended."""
        outside = self._failure is None and self._raised is None
        endless = isinstance(self._problem, EndlessParse)
        first = self._mending.first
        if outside and self._problem is not None and first and not endless:
            self._back_to(first)
            self._problem = None

    def _back_to(self, mark: _Mark) -> None:
        self._failure, self.n_mended = mark.failure, mark.mended
        del self._reductions[mark.reduced :]

    def _on_error(self, offending: Token | None) -> Token:
        """Stands in for ``p_error``."""
        here = self._mending.open or _Mark(
            self._failure_here(ErrorKind.SYNTAX), len(self._reductions), self.n_mended
        )
        asks = self._mends and self.n_mended != self._most
        found = self._mended(offending, here) if asks else None
        if found is None:
            self._reject(here)
        return found

    def _reject(self, here: _Mark) -> NoReturn:
        if self._noted is not None:
            self._mending.read_on()
            try:
                while self._fetch() is not None:
                    pass
            except (Exception, SystemExit) as problem:
                self._fail(ErrorKind.LEXICAL, cause=problem)
        self._mending.open = here
        self._fail(ErrorKind.SYNTAX)

    def _on_exception(self, rule: int, problem: Exception) -> None:
        """Note an exception of an action: SyntaxError rejects, any other leaves the test
        undecided."""
        if isinstance(problem, SyntaxError):
            self._reductions.pop()
            self._fail(ErrorKind.SYNTAX, cause=problem, rule=rule)
        self._raised = rule

    def _mended(self, offending: Token | None, here: _Mark) -> Token | None:
        """The token that the user's error function puts in; None if it does not."""
        noted, kind = self._noted, getattr(offending, "type", None)
        size = 0 if noted is None else len(noted)
        try:
            returned: Any = self._originals["errorfunc"](offending)
        except (Exception, SystemExit, _Stop) as problem:
            if isinstance(problem, (RecursionError, MemoryError)):
                raise
            self._failure = None
            return None
        read = (self._last,) if self._fetched > here.failure.fetched else ()
        if not self._mending.puts_in(self._parser, returned, offending, kind, read, here):
            return None
        self._limit.count(None if self._last is None else here.failure.fetched)
        self.n_mended += 1
        self._fetched = here.failure.fetched
        if noted is not None:  # what the parser reads is the new token, not the offending one
            del noted[size - (offending is not None) :]
            noted.append(returned)
        found: Token = returned
        return found

    def _fail(
        self, kind: ErrorKind, cause: BaseException | None = None, rule: int | None = None
    ) -> NoReturn:
        if self._mending.open is not None:
            self._back_to(self._mending.open)
        else:
            self._failure = self._failure_here(kind, cause, rule)
        raise _Stop

    def _failure_here(
        self, kind: ErrorKind, cause: BaseException | None = None, rule: int | None = None
    ) -> Failure:
        return Failure(
            kind,
            tuple(self._parser.statestack),
            self._fetched,
            self._last,
            self._reduced_at_fetch,
            self._looked_at_fetch,
            cause,
            rule,
        )


def _noting(fetch: Callable[[], Token | None], tokens: list[Token]) -> Callable[[], Token | None]:
    def noting() -> Token | None:
        found = fetch()
        if found is not None:
            tokens.append(found)
        return found

    return noting


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
