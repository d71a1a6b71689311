"""Watches a generated parser from outside: the states it passes, and its first error.

Generated code assigns the number of the automaton's state to ``self.state`` before it reads a token
or calls a rule, and when it enters and leaves one. A subclass made for each parser class notes
these numbers; the user's classes, actions and predicates stay as they are. The error strategy is
replaced by one that ends the parse at the first error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gramspect.adapter_api import ErrorKind
from gramspect_antlr_python.runtime import Letters, Runtime

__all__ = ["EXIT", "Failure", "Hook", "Run", "message_of", "visible"]

EXIT = -2
"""Stands among the states for the end of a rule. (-1 is the runtime's own "no state".)"""

_SHOWN_TOKENS = 8
_SHOWN_TEXT = 60


@dataclass(frozen=True, slots=True)
class Failure:
    """The first error: `token` is its index among those the parser sees; columns are from 1."""

    kind: ErrorKind
    token: int
    line: int
    column: int
    message: str


@dataclass(frozen=True, slots=True)
class Run:
    """A parse: the states passed, `EXIT` among them, and the tokens, EOF included.

    `types` are those of the tokens that the parser sees, `places` their lines and columns, from 1;
    these are only there for a text that is rejected.
    """

    states: list[int]
    types: list[int]
    places: list[tuple[int, int]]
    failure: Failure | None


class _Stop(BaseException):
    """Ends the parse. No ``except Exception`` of the user's code takes it for its own."""

    def __init__(self, token: Any, message: str) -> None:
        super().__init__(message)
        self.token = token
        self.message = message


class Hook:
    """Runs one parser class with its lexer on texts; `start` is the method of the start rule."""

    def __init__(
        self,
        parser: type,
        lexer: type,
        start: str,
        letters: Letters = Letters.AS_WRITTEN,
        *,
        allow_trailing: bool = False,
    ) -> None:
        self._runtime = Runtime.of(parser)
        self._parser = _noting(parser)
        self._lexer: Callable[[Any], Any] = lexer
        self._strategy = _first_error(self._runtime)
        self._listener = _listener(self._runtime)
        self._start = start
        self._letters = letters
        self._allow_trailing = allow_trailing

    def run(self, text: str) -> Run:
        """Parse a text. What the user's code raises is passed on."""
        lexer = self._lexer(self._runtime.characters(text, self._letters))
        stream = self._runtime.tokens(lexer)
        parser = self._parser(stream)
        lexical: list[Failure] = []

        def lexical_error(line: int, column: int, message: str, _token: Any) -> None:
            index = len(visible(stream))
            lexical.append(Failure(ErrorKind.LEXICAL, index, line, column + 1, message))

        def reported(_line: int, _column: int, message: str, token: Any) -> None:
            raise _Stop(token, message)

        for recognizer, act in ((lexer, lexical_error), (parser, reported)):
            recognizer.removeErrorListeners()
            recognizer.addErrorListener(self._listener(act))
        parser._errHandler = self._strategy()
        stop = None
        try:
            getattr(parser, self._start)()
            if not self._allow_trailing and stream.LA(1) != -1:
                token = stream.LT(1)
                stop = _Stop(token, f"the start rule ends before {_shown(token)}")
        except _Stop as error:
            stop = error
        stream.fill()
        tokens = visible(stream)
        failure = None if stop is None else _failure(stop, tokens)
        if lexical and (failure is None or lexical[0].token <= failure.token):
            failure = lexical[0]
        places = [(t.line, t.column + 1) for t in tokens] if failure is not None else []
        return Run(parser.gramspect_states, [t.type for t in tokens], places, failure)


def _listener(runtime: Runtime) -> Callable[[Callable[[int, int, str, Any], None]], Any]:
    """A class of error listeners that hand line, column, message and token to a function."""

    def init(self: Any, act: Callable[[int, int, str, Any], None]) -> None:
        self.act = act

    def error(
        self: Any, _by: Any, token: Any, line: int, column: int, message: str, _error: Any
    ) -> None:
        self.act(line, column, message, token)

    base = runtime.find("error.ErrorListener", "ErrorListener")
    return type("Listener", (base,), {"__init__": init, "syntaxError": error})


def visible(stream: Any) -> list[Any]:
    """The tokens of the channel that the parser reads, as far as the lexer has come."""
    return [token for token in stream.tokens if token.channel == stream.channel]


def _failure(stop: _Stop, tokens: list[Any]) -> Failure:
    token = stop.token
    index = sum(t.tokenIndex < token.tokenIndex for t in tokens)
    return Failure(ErrorKind.SYNTAX, index, token.line, token.column + 1, stop.message)


def _noting(parser: type) -> type:
    """A subclass whose objects note their states in the list `gramspect_states`."""
    base: Any = parser

    def __init__(self: Any, *arguments: Any, **named: Any) -> None:  # noqa: N807
        states: list[int] = []
        self.gramspect_states, self._gramspect_note = states, states.append
        base.__init__(self, *arguments, **named)

    def set_state(self: Any, number: int) -> None:
        self._stateNumber = number
        self._gramspect_note(number)

    def exit_rule(self: Any) -> None:
        base.exitRule(self)
        self.gramspect_states[-1] = EXIT  # in place of the caller's state, which it has returned to

    def unroll(self: Any, context: Any) -> None:
        base.unrollRecursionContexts(self, context)
        self._gramspect_note(EXIT)

    members = {
        "__init__": __init__,
        "state": property(base.state.fget, set_state),
        "exitRule": exit_rule,
        "unrollRecursionContexts": unroll,
    }
    return type(parser.__name__, (parser,), members)


def _first_error(runtime: Runtime) -> type:
    """An error strategy that ends the parse, as the runtime's ``BailErrorStrategy`` does."""
    mismatch = runtime.find("error.Errors", "InputMismatchException")

    def recover(_self: Any, parser: Any, error: Any) -> None:
        raise _Stop(error.offendingToken, message_of(parser, error))

    def recover_inline(_self: Any, parser: Any) -> None:
        recover(_self, parser, mismatch(parser))

    def nothing(*_arguments: Any) -> None: ...

    members = {
        "recover": recover,
        "recoverInline": recover_inline,
        "reportError": nothing,
        "sync": nothing,
    }
    base = runtime.find("error.ErrorStrategy", "DefaultErrorStrategy")
    return type("FirstError", (base,), members)


def message_of(parser: Any, error: Any) -> str:
    """What ANTLR would say about an error, with long lists of expected tokens cut."""
    token = error.offendingToken
    kind = type(error).__name__
    if kind == "NoViableAltException":
        stuck = f"no viable alternative at {_shown(token)}"
        if error.startToken is token:
            return stuck
        # The stream's own ``getText`` takes a pair in some releases and two numbers in others.
        read = parser.getTokenStream().tokens[error.startToken.tokenIndex : token.tokenIndex + 1]
        text = "".join(one.text for one in read if one.type != -1)
        if len(text) > _SHOWN_TEXT:
            text = "..." + text[3 - _SHOWN_TEXT :]
        return f"{stuck} in {text!r}"
    if kind == "FailedPredicateException":
        return f"rule {parser.ruleNames[parser._ctx.getRuleIndex()]}: {error.message}"
    expected = error.getExpectedTokens()
    message = f"mismatched input {_shown(token)}"
    if not expected:
        return message
    if len(expected) > _SHOWN_TOKENS:
        return f"{message} expecting one of {len(expected)} tokens"
    return f"{message} expecting {expected.toString(parser.literalNames, parser.symbolicNames)}"


def _shown(token: Any) -> str:
    return "end of input" if token.type == -1 else repr(token.text)
