"""Records what Lark's Earley parser does.

For the time of a test three methods of the parser object are replaced. The one that runs the parse
(``_parse``) is wrapped to know the columns and the lexer, and the predictor and completer, which is
called once for each column, to see the column when it is complete. The tree builder is left out, as
``ambiguity='forest'`` leaves it out, so even infinitely many trees cost nothing. The items of a
column that are noted, as numbers, are those with the dot after a symbol and those of empty rules;
the others are the predictor's and follow from these. So recording needs a few bytes where Lark
needs hundreds.

The basic lexer makes tokens, and column i is what lies before token i. The dynamic lexer has none:
the parser itself tries terminals at each character, and a column is a place in the text. Which
terminals ended there and where they began is read from the forest nodes of the items. Items
that were carried over ignored text name the column where they were before.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lark import Lark, Token
from lark.exceptions import LarkError, UnexpectedCharacters, UnexpectedEOF, UnexpectedToken
from lark.parsers.earley_forest import TokenNode

from gramspect.adapter_api import one_line
from gramspect_lark.splicing import Stretch

__all__ = ["EarleyHook", "EarleyRecording"]

_STOP = "gramspect stops here"
"""The type of a token that nothing matches: put where the lexer failed."""


@dataclass
class EarleyRecording:
    """What happened in one test.

    `places` are the columns that hold anything; the items of number c among them are
    ``items[starts[c] : starts[c + 1]]``, each as ``first[rule] + dot``. `tokens` are those of a
    lexer that runs before the parser; without one, `scanned` and `passed` have by column the
    terminals that end there, with the places where they began, and the places from which ignored
    text leads there. `problem` is the exception that ended the parse, `lexical` tells whether it
    is the lexer's.
    """

    places: array[int] = field(default_factory=lambda: array("l"))
    items: array[int] = field(default_factory=lambda: array("l"))
    starts: array[int] = field(default_factory=lambda: array("l", [0]))
    tokens: list[Token] = field(default_factory=list)
    scanned: list[tuple[tuple[int, str], ...]] = field(default_factory=list)
    passed: list[tuple[int, ...]] = field(default_factory=list)
    problem: BaseException | None = None
    lexical: bool = False


class EarleyHook:
    """Instruments the Earley parser of a Lark object, test after test.

    `first` has for each rule of Lark's the number of its item with the dot in front.
    """

    def __init__(self, lark: Lark, start: str, first: Sequence[int]) -> None:
        self._frontend = lark.parser
        self._parser: Any = lark.parser.parser
        self._start = start
        self._first = {id(rule): n for rule, n in zip(lark.rules, first, strict=False)}
        self.dynamic = self._frontend.skip_lexer

    def observe(self, text: Any, stretches: Sequence[Stretch] = ()) -> EarleyRecording:
        """What the parser does with an input; its attributes are as before afterwards.

        With the dynamic lexer, stretches of the text may be read as told, besides.
        """
        recording = EarleyRecording()
        attributes = vars(self._parser)
        saved = attributes.copy()
        attributes.update(Tree=None, **self.instruments(self._parser, recording))
        if stretches:
            attributes.update(term_matcher=self._told(stretches))
        try:
            self._frontend.parse(text, self._start)
        except (Exception, SystemExit) as problem:
            if recording.problem is None:
                recording.problem = problem
        finally:
            attributes.clear()
            attributes.update(saved)
        return recording

    def instruments(
        self, parser: Any, recording: EarleyRecording
    ) -> Mapping[str, Callable[..., object]]:
        """The methods of a parser that note what it does."""
        note = self._note_places if self.dynamic else self._note_columns
        return {
            "_parse": self._observed_parse(parser._parse, recording),
            "predict_and_complete": note(parser.predict_and_complete, recording),
        }

    def _told(self, stretches: Sequence[Stretch]) -> Callable[..., object]:
        """How the parser matches terminals, with the stretches that match as told."""
        match, ignored = self._parser.term_matcher, set(self._parser.ignore)
        named = {(s.terminal, s.start): s for s in stretches if s.terminal is not None}
        skipped = {s.start: s for s in stretches if s.terminal is None}

        def told(terminal: Any, text: str, index: int = 0) -> object:
            stretch = named.get((terminal.name, index))
            if terminal in ignored and index in skipped:
                stretch = skipped[index]
            if stretch is None:
                return match(terminal, text, index)
            return _Told(text[stretch.start : stretch.end], stretch.end)

        return told

    def _observed_parse(
        self, parse: Callable[..., object], recording: EarleyRecording
    ) -> Callable[..., object]:
        def observed(lexer: Any, *others: Any, **named: Any) -> object:
            if not self.dynamic:
                lexer = _ObservedLexer(lexer, recording)
            return parse(lexer, *others, **named)

        return observed

    def _note_columns(
        self, complete: Callable[..., object], recording: EarleyRecording
    ) -> Callable[..., object]:
        first, items, starts = self._first, recording.items, recording.starts
        places = recording.places

        def observed(i: int, to_scan: Any, columns: Any, *others: Any) -> None:
            complete(i, to_scan, columns, *others)
            items.extend(
                [
                    first[id(item.rule)] + item.ptr
                    for waiting in (columns[i], to_scan)
                    for item in waiting
                    if item.ptr or item.is_complete
                ]
            )
            starts.append(len(items))
            places.append(i)

        return observed

    def _note_places(
        self, complete: Callable[..., object], recording: EarleyRecording
    ) -> Callable[..., object]:
        first, items, starts = self._first, recording.items, recording.starts
        places = recording.places

        def observed(i: int, to_scan: Any, columns: Any, *others: Any) -> None:
            complete(i, to_scan, columns, *others)
            column = columns[i]
            if not column and not to_scan:
                return
            scanned: set[tuple[int, str]] = set()
            passed: set[int] = set()
            for items_here in (column, to_scan):
                for item in items_here:
                    if item.ptr or item.is_complete:
                        items.append(first[id(item.rule)] + item.ptr)
                        if item.node.end != i:
                            passed.add(item.node.end)
                        elif item.ptr and item.previous.is_term:
                            scanned.update(_matches(item.node))
                    elif item.start != i:
                        passed.add(item.start)
            starts.append(len(items))
            places.append(i)
            recording.scanned.append(tuple(scanned))
            recording.passed.append(tuple(passed))

        return observed


@dataclass(frozen=True)
class _Told:
    """A match that the caller has prescribed, with as much of a match as the parser looks at."""

    text: str
    place: int

    def group(self, _: int) -> str:
        """The text that was matched."""
        return self.text

    def end(self) -> int:
        """Where it ends."""
        return self.place


class _ObservedLexer:
    """A lexer that notes its tokens; where it fails, it hands out one that nothing matches."""

    def __init__(self, lexer: Any, recording: EarleyRecording) -> None:
        self._lexer = lexer
        self._recording = recording

    def lex(self, state: object) -> Iterator[Token]:
        recording = self._recording
        try:
            for token in self._lexer.lex(state):
                recording.tokens.append(token)
                yield token
        except (RecursionError, MemoryError):
            raise
        except (Exception, SystemExit) as problem:
            recording.problem, recording.lexical = problem, True
            yield Token(_STOP, "")


def _matches(node: Any) -> Iterator[tuple[int, str]]:
    """The terminals that a forest node ends with: where each began, and its name."""
    for packed in node:
        if isinstance(packed.right, TokenNode):
            token = packed.right.token
            yield token.start_pos, token.type


def is_rejection(problem: BaseException) -> bool:
    """Whether an exception of the parser says that the input is not in the language."""
    return isinstance(problem, UnexpectedEOF | UnexpectedToken | UnexpectedCharacters)


def reason(problem: BaseException) -> str:
    """Why a test is undecided."""
    what = "Lark raised" if isinstance(problem, LarkError) else "the parser raised"
    return f"{what} {one_line(problem)}"
