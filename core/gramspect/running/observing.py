"""The observation of one test, whatever the user's code in the recognizer does."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TextIO

from gramspect.errors import GramspectError
from gramspect.recognition.recognizer import Recognizer, Tokenizing
from gramspect.recognition.surroundings import one_line
from gramspect.recognition.trace import Extraction, Observation, Trace, Undecided, Verdict
from gramspect.spectrum.extraction import observe
from gramspect.suites.suite import TestCase

__all__ = ["TOO_DEEP", "observe_test", "observed", "silenced", "tokens_of", "undecided"]


TOO_DEEP = "the parse is nested too deeply for the stack of this process"


def observe_test(
    recognizer: Recognizer, test: TestCase, extraction: Extraction | None
) -> Observation:
    """The observation of one test; undecided if the parser raises.

    Raises:
        GramspectError: the recognizer cannot supply the extraction.
    """
    return observed(lambda: observe(_traced(recognizer, test), extraction))


def observed(observation: Callable[[], Observation]) -> Observation:
    try:
        return observation()
    except (KeyboardInterrupt, GramspectError):
        raise
    except RecursionError:
        return undecided(TOO_DEEP)
    except MemoryError as problem:
        return undecided(str(problem) or "the parse needs more memory than there is")
    except BaseException as problem:  # a parser may even call sys.exit
        return undecided(f"the parser raised {one_line(problem)}")


def _traced(recognizer: Recognizer, test: TestCase) -> Trace:
    try:
        with silenced():
            return recognizer.trace(test)
    except GramspectError as problem:
        return Undecided(str(problem))


def undecided(reason: str) -> Observation:
    """The observation of a parse that did not finish."""
    return Observation(Verdict.UNDECIDED, reason=reason)


def tokens_of(recognizer: Tokenizing, test: TestCase) -> Sequence[int] | None:
    """The terminals of a test; None if they are not known or the parser's own code fails."""
    try:
        with silenced():
            return recognizer.tokens(test)
    except KeyboardInterrupt:
        raise
    except BaseException:  # the results say how the parse of the test fared
        return None


@contextmanager
def silenced() -> Iterator[None]:
    """Runs the user's code with its standard streams at the null device.

    A parser module may print its own syntax errors, or wait for somebody to type.
    """
    streams = sys.stdin, sys.stdout, sys.stderr
    if any(stream.closed for stream in _null_device()):  # the user's code may have closed one
        _null_device.cache_clear()
    sys.stdin, sys.stdout, sys.stderr = _null_device()
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams


@cache
def _null_device() -> tuple[TextIO, TextIO, TextIO]:
    path = Path(os.devnull)
    write = path.open("w")
    return path.open(), write, write
