"""Records PLY parsers while the user's program runs them, whatever it does with them.

The methods that hold PLY's parse loop are wrapped in their class, for programs make parsers anew
for each input, and the parsers with the grammar in question are recorded. For each parse, the loop
runs on a stand-in for the parser: an object of a subclass that shares the attributes of the parser,
all but those that record. These belong to the parse, so parses in several threads, and parses
inside of actions, do not meet:

* ``productions`` are copies whose functions note the rule, shared by all parsers of the grammar;
* ``action`` is a table that fetches its rows when they are first asked for (`gramspect_ply.loops`);
* ``statestack`` is that of this parse;
* ``errorfunc`` is the user's, which PLY reads at a syntax error and nowhere else. What it does
  tells whether that is an error (`gramspect_ply.mending`).

Up to the first error this is the record that `gramspect_ply.hook` makes; what the program does
after it, such as error recovery, is its own affair.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from gramspect.adapter_api import ErrorKind, Grammar, NoteParse, ParseError, Trace
from gramspect_ply.errors import parse_error
from gramspect_ply.loops import (
    LOOPS,
    FetchedRows,
    LoopCalls,
    default_lexer,
    reduced_without_a_look,
)
from gramspect_ply.mending import Mending, may_go_on
from gramspect_ply.outcomes import Failure, Recording
from gramspect_ply.reading import read_grammar
from gramspect_ply.shapes import Lexer, Parser, Production, Row, Token
from gramspect_ply.tracing import Tables, trace_of

__all__ = ["PlyAttachment"]

_KEPT = 16
"""For how many parsers at once it is kept what records them."""


class PlyAttachment:
    """The parsers with the grammar of one are recorded.

    Raises:
        AdapterError: the parser's tables do not belong to its productions.
    """

    def __init__(self, parser: Parser, name: str, note: NoteParse) -> None:
        self.grammar, rules = read_grammar(parser, name)
        self._productions = _observed_productions(parser, rules)
        self._tables = Tables.of(parser, self.grammar)
        self._note = note
        self._signature = _signature(parser)
        # What records a parser holds its actions, and they may hold the parser: only for a few.
        self.instruments = lru_cache(_KEPT)(self._instruments_for)
        self._class = _home_of_loops(type(parser))
        _attached(self._class).append(self)

    def detach(self) -> None:
        """Take the hooks out."""
        self.instruments.cache_clear()
        _detached(self._class, self)

    def _instruments_for(self, parser: Parser) -> _Instruments | None:
        """What records a parser; None if it has another grammar."""
        same = _signature(parser) == self._signature
        return _Instruments(parser, self._productions) if same else None

    def ended(self, run: _Run) -> None:
        """A parse has ended."""
        self._note(lambda: self._trace(run), run.text)

    def _trace(self, run: _Run) -> Trace:
        grammar: Grammar = self.grammar

        def error(failure: Failure, token: int) -> ParseError:
            rule = None if failure.rule is None else grammar.rule_text(failure.rule)
            return parse_error(failure, token, run.text or "", run.text, rule)

        return trace_of(self._tables, run.recording(), error)


class _Instruments:
    """What is the same in all parses of a parser.

    `productions` are those that record, of all parsers with the grammar; `own` are the parser's.
    """

    def __init__(self, parser: Parser, productions: Sequence[Production]) -> None:
        self.action = parser.action
        self.productions = productions
        self.own = parser.productions


class _Run:
    """One parse; the attributes are those of `Recording` and `Failure`."""

    def __init__(self, instruments: _Instruments) -> None:
        self.instruments = instruments
        self.reductions: list[int] = []
        self.defaulted: dict[int, int] = {}
        self.rows: dict[int, Row] = FetchedRows(instruments.action)
        self.stack: list[int] = []
        self.fetched = self.reduced_at_fetch = self.looked_at_fetch = 0
        self.last: Token | None = None
        self.text: str | None = None
        self.raised: int | None = None
        self.problem: BaseException | None = None
        self.failed: Recording | None = None
        self.mending: Mending[Recording] = Mending()

    def observed_fetch(self, fetch: Callable[[], Token | None]) -> Callable[[], Token | None]:
        """A token function that counts."""
        log, rows = self.reductions, self.rows

        def token() -> Token | None:
            __tracebackhide__ = True  # in reports of pytest
            self.mending.read_on()
            try:
                found = fetch()
            except (RecursionError, MemoryError):
                raise
            except (Exception, SystemExit) as problem:
                self.fail(ErrorKind.LEXICAL, cause=problem)
                raise
            if self.failed is None:
                self.fetched += 1
                self.reduced_at_fetch, self.looked_at_fetch = len(log), len(rows)
                self.last = found
            return found

        return token

    def on_exception(self, rule: int, problem: Exception) -> None:
        """Note an exception of an action: SyntaxError rejects, any other leaves it undecided."""
        if isinstance(problem, SyntaxError):
            if self.failed is None:
                self.reductions.pop()
            self.fail(ErrorKind.SYNTAX, cause=problem, rule=rule)
        elif self.raised is None:
            self.raised = rule

    def fail(
        self, kind: ErrorKind, cause: BaseException | None = None, rule: int | None = None
    ) -> None:
        """Note the first error."""
        if self.failed is None:
            self.failed = self.mending.open or self._failed_here(kind, cause, rule)

    def _failed_here(
        self, kind: ErrorKind, cause: BaseException | None = None, rule: int | None = None
    ) -> Recording:
        failure = Failure(
            kind, tuple(self.stack), self.fetched, self.last,
            self.reduced_at_fetch, self.looked_at_fetch, cause, rule,
        )  # fmt: skip
        return self._recording(failure)

    def error_function(self, function: Callable[..., object] | None, parser: Any) -> Any:
        """What PLY calls at a syntax error: the user's function, whose answer is looked at."""
        if self.failed is not None:
            return function
        here = self.mending.open or self._failed_here(ErrorKind.SYNTAX)
        if function is None or not may_go_on(function):
            self.failed = here
            return function

        def asked(offending: Token | None) -> object:
            __tracebackhide__ = True
            kind, fetched = getattr(offending, "type", None), self.fetched
            try:
                returned = function(offending)
            except BaseException:
                self.failed = here
                raise
            read = (self.last,) if self.fetched > fetched else ()
            if self.mending.puts_in(parser, returned, offending, kind, read, here):
                self.fetched = fetched
            else:
                self.failed = here
            return returned

        return asked

    def recording(self) -> Recording:
        """What happened, up to the first error."""
        outside = self.problem is not None and self.raised is None
        return self.failed or (self.mending.first if outside else None) or self._recording(None)

    def _recording(self, failure: Failure | None) -> Recording:
        return Recording(
            tuple(self.reductions), tuple(self.rows), dict(self.defaulted), failure,
            self.problem, self.raised, True, self.text,
        )  # fmt: skip


def _observed_productions(parser: Parser, rules: Sequence[int]) -> list[Production]:
    """Copies of a parser's productions that serve all parsers with its grammar.

    Their functions note the reduction in the parse that makes it, and call the function that the
    parser of this parse has: programs that make a parser for each input make many.
    """
    unseen = reduced_without_a_look(parser)
    return [
        _observed(production, at, rules[at], at in unseen)
        for at, production in enumerate(parser.productions)
    ]


def _observed(production: Production, at: int, rule: int, note_state: bool) -> Production:
    if production.callable is None:  # as of the production that PLY puts before the first
        return production

    def reduce(symbols: Any) -> None:
        __tracebackhide__ = True
        run = symbols.parser.gramspect_run
        if note_state:
            run.defaulted.setdefault(run.stack[-1], len(run.reductions))
        run.reductions.append(rule)
        try:
            run.instruments.own[at].callable(symbols)
        except Exception as problem:
            run.on_exception(rule, problem)
            raise

    observed: Any = object.__new__(type(production))
    vars(observed).update(vars(production))
    observed.callable = reduce
    found: Production = observed
    return found


def _signature(parser: Parser) -> tuple[str, ...]:
    """The rules of a parser as PLY writes them, in order."""
    return tuple(map(str, parser.productions))


# --- the stand-in --------------------------------------------------------------------------


def _stand_in(parser: Any, run: _Run) -> Any:
    """An object that is the parser in all but what records the parse."""
    kind = type(parser)
    known = _STAND_INS.get(kind)
    if known is None:
        known = _STAND_INS[kind] = _stand_in_class(kind)
    found: Any = object.__new__(known)
    object.__setattr__(found, "__dict__", vars(parser))
    found.gramspect_run, found.gramspect_parser = run, parser
    return found


_STAND_INS: WeakKeyDictionary[type, type] = WeakKeyDictionary()


def _stand_in_class(kind: type) -> type:
    def stack(self: Any) -> list[int]:
        stack: list[int] = self.gramspect_run.stack
        return stack

    def set_stack(self: Any, stack: list[int]) -> None:
        self.gramspect_run.stack = vars(self)["statestack"] = stack

    def error_function(self: Any) -> object:
        return self.gramspect_run.error_function(vars(self)["errorfunc"], self)

    def set_error_function(self: Any, function: object) -> None:
        vars(self)["errorfunc"] = function

    members: dict[str, object] = {
        "__slots__": ("gramspect_parser", "gramspect_run"),
        "__module__": kind.__module__,
        "productions": property(lambda self: self.gramspect_run.instruments.productions),
        "action": property(lambda self: self.gramspect_run.rows),
        "statestack": property(stack, set_stack),
        "errorfunc": property(error_function, set_error_function),
    }
    return type(kind.__name__, (kind,), members)


# --- the loops -----------------------------------------------------------------------------

_LOCK = threading.Lock()
_ATTACHED: dict[type, list[PlyAttachment]] = {}
_ORIGINALS: dict[type, Mapping[str, Any]] = {}


def _home_of_loops(kind: type) -> type:
    """The class in which the parse loops are."""
    for base in kind.__mro__:
        if any(name in vars(base) for name in (*LOOPS, "parse")):
            return base
    return kind


def _attached(kind: type) -> list[PlyAttachment]:
    """The attachments of a class, whose loops are wrapped."""
    with _LOCK:
        if kind not in _ATTACHED:
            _ATTACHED[kind] = []
            loops = [name for name in LOOPS if name in vars(kind)] or ["parse"]
            _ORIGINALS[kind] = {name: vars(kind)[name] for name in loops}
            for name, loop in _ORIGINALS[kind].items():
                setattr(kind, name, _observed_loop(loop, _ATTACHED[kind]))
        return _ATTACHED[kind]


def _detached(kind: type, attachment: PlyAttachment) -> None:
    with _LOCK:
        _ATTACHED[kind].remove(attachment)
        if not _ATTACHED[kind]:
            for name, loop in _ORIGINALS.pop(kind).items():
                setattr(kind, name, loop)
            del _ATTACHED[kind]


def _observed_loop(
    loop: Callable[..., object], attachments: Sequence[PlyAttachment]
) -> Callable[..., object]:
    """A parse loop that is recorded if somebody wants the grammar of its parser."""
    calls = LoopCalls(loop, bound=False)

    def observed(self: Any, *positional: Any, **named: Any) -> object:
        __tracebackhide__ = True
        user = getattr(self, "gramspect_parser", self)
        found = [(a, a.instruments(user)) for a in tuple(attachments)]
        wanted = [(attachment, used) for attachment, used in found if used is not None]
        if not wanted:
            return loop(self, *positional, **named)
        given = calls.bind(*positional, **named)
        arguments = given.arguments
        run = _Run(wanted[0][1])
        source: Lexer | None = arguments.get("lexer") or default_lexer(user)
        input = calls.input_of(given)
        text = input if input is not None else getattr(source, "lexdata", None)
        run.text = text if isinstance(text, str) else None
        stand_in = _stand_in(user, run)
        try:
            if source is None:  # the loop will say so
                return loop(stand_in, *given.args, **given.kwargs)
            if calls.takes_token_function(given):
                fetch = run.observed_fetch(arguments.get("tokenfunc") or source.token)
                arguments["tokenfunc"] = fetch
                return loop(stand_in, *given.args, **given.kwargs)
            with _counted_tokens(source, run):
                return loop(stand_in, *given.args, **given.kwargs)
        except BaseException as problem:
            run.problem = problem
            raise
        finally:
            for attachment, _ in wanted:
                attachment.ended(run)

    return observed


@contextmanager
def _counted_tokens(lexer: Lexer, run: _Run) -> Iterator[None]:
    """Has a lexer's own token function count, for loops that take no other one."""
    own = vars(lexer)
    before = own.get("token", _ABSENT)
    fetch = lexer.token
    own["token"] = counting = run.observed_fetch(getattr(fetch, "gramspect_fetch", fetch))
    counting.gramspect_fetch = fetch  # type: ignore[attr-defined]
    try:
        yield
    finally:
        if before is _ABSENT:
            own.pop("token", None)
        else:
            own["token"] = before


_ABSENT = object()
