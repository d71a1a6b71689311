"""What must hold of an input while it is made smaller.

A predicate is a function of a text that says yes or no. Those here are a parser under test
(`StillWrong`) and a program (`StillEnds`); any Python function is one as well.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from gramspect.errors import GramspectError
from gramspect.recognition.recognizer import Recognizer
from gramspect.recognition.trace import Extraction, Observation, Verdict
from gramspect.running.observing import observe_test
from gramspect.running.programs import Ended, program_words, run_program
from gramspect.suites.suite import Expectation, TestCase

__all__ = ["Invalid", "Predicate", "StillEnds", "StillWrong", "Undecidable", "ended_as"]

Predicate = Callable[[str], bool]


class Undecidable(Exception):
    """A predicate has no answer; the message says why."""


class Invalid(Undecidable):
    """An input makes no sense, so whether the predicate holds for it says nothing."""


class _Place(NamedTuple):
    """Where the grammar sees an error: the items that wait there, and the kind of the error."""

    items: frozenset[int]
    kind: str | None
    message: str


@dataclass(frozen=True)
class StillWrong:
    """Whether a parser is wrong about an input, as its test says.

    A test that should be accepted is wrong if it is rejected, and one that should be rejected if it
    is accepted. What the language says about a smaller input is what `reference` says, if there is
    one: it must give the other verdict. With `place`, the parser must reject it where it rejects
    `test`: the same items wait for the next token, and the message is the same.
    """

    parser: Recognizer
    test: TestCase
    reference: Recognizer | None = None
    place: bool = False

    def __call__(self, text: str) -> bool:
        test = replace(self.test, text=text, tokens=None)
        seen = observe_test(self.parser, test, Extraction.EXACT)
        if seen.verdict is Verdict.UNDECIDED:
            raise Undecidable(seen.reason)
        if seen.verdict is not self._wrong:
            return False
        if self.place and _place(seen) != self.first:
            return False
        if self.reference is None:
            return True
        said = observe_test(self.reference, test, Extraction.EXACT)
        if said.verdict in (Verdict.UNDECIDED, self._wrong):
            raise Invalid(f"the reference says that it is {self._wrong}, too")
        return True

    @property
    def _wrong(self) -> Verdict:
        wanted = self.test.expectation is Expectation.ACCEPT
        return Verdict.REJECTED if wanted else Verdict.ACCEPTED

    @property
    def first(self) -> _Place:
        """Where the parser rejects the whole input."""
        return _first(self)


_FIRST: dict[tuple[int, str], _Place] = {}


def _first(still: StillWrong) -> _Place:
    key = id(still.parser), still.test.text
    if key not in _FIRST:
        _FIRST.clear()
        _FIRST[key] = _place(observe_test(still.parser, still.test, Extraction.EXACT))
    return _FIRST[key]


def _place(seen: Observation) -> _Place:
    items = frozenset(item for item, depth in seen.active.items() if depth == 0)
    error = seen.error
    return _Place(items, None if error is None else error.kind, error.message if error else "")


@dataclass(frozen=True)
class StillEnds:
    """Whether a program ends with one of some exit statuses, and with a text in what it writes.

    `line` and what ``{file}`` means in it are those of `gramspect.running.programs`; the file has
    the path `file` and is written anew for each input. A negative status is a signal, and None a
    program that is still running after `timeout` seconds; without `statuses` any will do. An input
    about which the program writes the text `invalid` makes no sense.
    """

    line: str
    file: Path
    statuses: tuple[int | None, ...] | None = None
    output: str | None = None
    timeout: float = 10.0
    invalid: str | None = None

    def __call__(self, text: str) -> bool:
        ended = self.ended(text)
        if self.invalid is not None and self.invalid in ended.message:
            raise Invalid(self.invalid)
        if ended.status is None and None not in (self.statuses or ()):
            raise Undecidable(ended.message)
        if self.statuses is not None and ended.status not in self.statuses:
            return False
        return self.output is None or self.output in ended.message

    def ended(self, text: str) -> Ended:
        """How the program ends on a text."""
        self.file.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
        return run_program(self._words, self.file, self.timeout)

    @property
    def _words(self) -> Sequence[str]:
        return program_words(self.line)

    def like(self, text: str) -> StillEnds:
        """The same predicate with the status that the program has on a text.

        Raises:
            GramspectError: it ends as one that has nothing to complain of.
        """
        ended = self.ended(text)
        if ended.status == 0:
            raise GramspectError(
                "the input does not fail: the program ends with status 0; say with --status,"
                " --signal or --message what should be kept"
            )
        return replace(self, statuses=(ended.status,))


def ended_as(status: int | None) -> str:
    """How a program ended, in words."""
    if status is None:
        return "does not end in time"
    if status < 0:
        return f"dies ({signal.Signals(-status).name})"
    return f"ends with status {status}"
