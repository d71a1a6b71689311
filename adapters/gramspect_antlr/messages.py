"""What the ANTLR tool says about a grammar: errors that end the loading, and notes.

One release of the tool refuses grammars that another one accepts. Errors after which an automaton
can still be made do not end the loading (``TolerantErrors.java`` says which); each kind is a note
that says how the grammar is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gramspect.adapter_api import Diagnostic, GrammarError, Span

__all__ = ["refuse_errors", "tool_notes"]

_MISSING_IMPORT = 110

_READ_AS = {
    54: "all of them count",
    60: "the name is left out",
    110: "it is left out",
    114: "its token types are left out",
    120: "the mode is given to the lexer",
    126: "no input holds it, since no lexer rule makes it",
    133: "the command holds for its alternative",
    144: "it is left out of the set",
    145: "no token begins in it",
    148: "a round that reads nothing ends the repetition",
    149: "the command does nothing",
    153: "a round that reads nothing ends the repetition",
    156: "the character after the backslash is meant",
    164: "they are given to the lexer",
    174: "it matches nothing",
    175: "the command does nothing if the parser does not name the token either",
    176: "the command does nothing if no constant has this name",
    177: "the parser does not read this channel",
    186: "a round that reads nothing ends the repetition",
    201: "",
    202: "",
    204: "",
    205: "",
}
"""How the grammar is read in spite of an error; other errors concern generated code only."""


def refuse_errors(messages: Sequence[Any]) -> None:
    """End the loading if a message is an error: with the first one, or the import that is missing.

    Raises:
        GrammarError: in ANTLR's words.
    """
    errors = [message for message in messages if message.isError()]
    if errors:
        missing = [m for m in messages if m.isTolerated() and int(m.code()) == _MISSING_IMPORT]
        first, *more = [*missing, *errors]
        others = f" (and {len(more)} more)" if more else ""
        raise GrammarError(_prefixed(first, _text(first)) + others, _span(first))


def tool_notes(messages: Sequence[Any]) -> Iterator[Diagnostic]:
    """The warnings, and one note for each kind of error that was tolerated."""
    tolerated: dict[int, list[Any]] = {}
    for message in messages:
        if message.isTolerated():
            tolerated.setdefault(int(message.code()), []).append(message)
        else:
            text = _prefixed(message, _text(message))
            yield Diagnostic(f"antlr-{message.code()}", text, _span(message))
    for code, (first, *more) in tolerated.items():
        meaning = _READ_AS.get(code, "it concerns generated code only")
        others = f" (and {len(more)} more of this kind)" if more else ""
        text = f"{_text(first)}{others}; loaded all the same{meaning and ': '}{meaning}"
        yield Diagnostic(f"antlr-{code}", _prefixed(first, text), _span(first))


def _text(message: Any) -> str:
    code, words = int(message.code()), " ".join(str(message.text()).split())
    kind = "error" if message.isError() or message.isTolerated() else "warning"
    return f"ANTLR {kind} {code}: {words}" if code else words


def _prefixed(message: Any, text: str) -> str:
    """A message without a line begins with its file."""
    return text if int(message.line()) else f"{message.file()}: {text}"


def _span(message: Any) -> Span | None:
    line, column = int(message.line()), int(message.column())
    return Span(str(message.file()), line, column, line, column) if line else None
