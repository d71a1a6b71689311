"""Records the parses of a live parser as lines, wherever they go then."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version

from gramspect.errors import AdapterError, MissingDependency
from gramspect.recognition.live import Attaching
from gramspect.recognition.recognizer import Adapter, LoadOptions
from gramspect.recognition.registry import adapter, adapter_for, adapters, check_options
from gramspect.recognition.surroundings import one_line
from gramspect.recognition.trace import Extraction, LLTrace, LRTrace, Observation, Trace, Verdict
from gramspect.recordings.format import Header, Line, ParseLine
from gramspect.spectrum.extraction import observe

__all__ = ["Recorder"]

_SHOWN = 10
"""How many reasons are kept."""
_KEPT = 10_000
"""How many observations are kept for parses in which the same happens."""


class Recorder:
    """Hands on a line for each parse of a parser, until it is closed.

    `test` is the test that runs, if one does; a parse is in the test that runs when it ends.
    `missed` are reasons why parses could not be recorded, the first few of them.

    Args:
        thing: a live parser, or the name of one, as for `Adapter.load`.
        take: called with each line, in the thread that has parsed.
        load: how the parser is found.
        extraction: how spectra are extracted.
        texts: whether the inputs are recorded, too.

    Raises:
        GramspectError: no adapter records it.
    """

    def __init__(
        self,
        thing: object,
        take: Callable[[Line], None],
        load: LoadOptions = LoadOptions(),
        extraction: Extraction = Extraction.EXACT,
        texts: bool = True,
    ) -> None:
        self.test: str | None = None
        self.missed: list[str] = []
        self._take, self._extraction, self._texts = take, extraction, texts
        self._known: dict[object, Observation] = {}
        self._lock = threading.RLock()  # extraction works in memory that all threads share
        found = _adapter_of(thing, load)
        self._attachment = found.attach(thing, load, self._note)
        self.adapter = found.name
        self.grammar = self._attachment.grammar
        source = thing if isinstance(thing, str) else type(thing).__qualname__
        writer = f"gramspect {version('gramspect')}"
        self.header = Header(found.name, source, writer, extraction, self.grammar)

    def close(self) -> None:
        """Leave the parser alone from now on."""
        self._attachment.detach()

    def _note(self, make: Callable[[], Trace], text: str | None) -> None:
        """A parse has ended. Nothing that happens in here may disturb the program."""
        try:
            with self._lock:
                observation = self._observed(make())
            self._take(ParseLine(self.test, observation, text=text if self._texts else None))
        except Exception as problem:
            self._missed(one_line(problem), text)

    def _missed(self, reason: str, text: str | None) -> None:
        if len(self.missed) < _SHOWN:
            self.missed.append(reason)
        undecided = Observation(Verdict.UNDECIDED, reason=f"the parse was not recorded: {reason}")
        with suppress(Exception):  # the disk may be full
            self._take(ParseLine(self.test, undecided, text=text if self._texts else None))

    def _observed(self, trace: Trace) -> Observation:
        key: object
        match trace:
            case LRTrace(error=None):
                key = frozenset(trace.pushed), frozenset(trace.reduced)
            case LLTrace():
                key = frozenset(trace.current), frozenset(trace.rules)
            case _:
                return observe(trace, self._extraction)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            found = self._known[key] = observe(trace, self._extraction)
        return found


class _Recording(Adapter, Attaching):
    """An adapter that records."""


def _adapter_of(thing: object, load: LoadOptions) -> _Recording:
    """The adapter that records a parser.

    Raises:
        AdapterError: there is none.
        MissingDependency: what it needs is not installed.
    """
    if load.adapter is not None:
        found = adapter(load.adapter)
    elif isinstance(thing, str):
        found = adapter_for(thing)
    else:
        found = _holder_of(thing)
    missing = found.missing()
    if missing is not None:
        raise MissingDependency(missing)
    check_options(found, load)
    if not isinstance(found, Attaching):
        raise AdapterError(
            f"the adapter {found.name} cannot record parsers that run in a program; run tests with"
            " gramspect localize"
        )
    return found  # type: ignore[return-value]


def _holder_of(thing: object) -> Adapter:
    for name in adapters():
        found = adapter(name)
        if isinstance(found, Attaching) and found.records(thing):
            return found
    raise AdapterError(
        f"{type(thing).__name__} is no parser that gramspect can record; it records PLY parsers,"
        " lark.Lark objects and parser classes that ANTLR made"
    )
