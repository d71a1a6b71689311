"""Systems that are Python functions; they run in worker processes, which can be stopped."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from gramspect.blackboxes.answers import Answer, Place, Reaction, Wording, silence
from gramspect.errors import AdapterError, GramspectError
from gramspect.recognition.surroundings import one_line
from gramspect.running.observing import silenced
from gramspect.running.workers import spawning, tested_in_workers
from gramspect.source import offset_of

__all__ = ["InProcess", "PythonCallable"]

TIMEOUT = 10.0
"""Seconds that a call may take unless another limit is given."""


@dataclass(frozen=True)
class PythonCallable:
    """A function of one text, named ``module:function`` or ``path/to/file.py:function``.

    It accepts by returning, whatever it returns, unless that is an `Answer`; it rejects by raising
    an exception. With patterns for syntax errors, exceptions whose ``Type: message`` matches none
    are rejections for other reasons, unless they are `SyntaxError`s. Where an error is, is taken
    from the message if a pattern fits, else from the attributes that exceptions of parsers have:
    ``lineno`` with ``colno`` or ``offset``, or ``pos``.

    Raises:
        GramspectError: the name has no colon.
    """

    name: str
    wording: Wording = field(default_factory=Wording)

    def __post_init__(self) -> None:
        module, _, function = self.name.rpartition(":")
        if not module or not function:
            raise GramspectError(
                f"{self.name!r} names no function; write module:function or file.py:function"
            )

    @property
    def identity(self) -> str:
        """A text for what answers depend on; for a function in a file also the file's text."""
        module = self.name.rpartition(":")[0]
        content = b""
        if module.endswith(".py") and Path(module).is_file():
            content = Path(module).read_bytes()
        return repr((self.name, self.wording, sha256(content).hexdigest()))

    def ask(
        self, texts: Sequence[str], *, timeout: float | None = None, jobs: int = 1
    ) -> Iterator[Answer]:
        """The answers to `texts`, in their order.

        With a `timeout` of None, `TIMEOUT` holds.

        Raises:
            AdapterError: there is no such function, or its module cannot be imported.
        """
        limit = TIMEOUT if timeout is None else timeout
        chunks = [texts[first : first + _CHUNK] for first in range(0, len(texts), _CHUNK)]
        launch = spawning(partial(_chunk_asker, self.name, self.wording))
        answered = tested_in_workers(launch, chunks, _lost, timeout=limit, jobs=jobs)
        for chunk, answers in zip(chunks, answered, strict=True):
            yield from answers
            if len(answers) < len(chunk):
                one = spawning(partial(_asker, self.name, self.wording))
                left = chunk[len(answers) :]
                yield from tested_in_workers(one, left, silence, timeout=limit, jobs=jobs)


_CHUNK = 32
"""How many inputs a worker gets at once: most functions are faster than a pipe."""

_SLOW = 0.05
"""Seconds after which a worker hands in its answers so far; the other inputs are asked one by one.
So are those of a worker that hangs or dies: every input has the whole time limit."""


def _lost(reason: str) -> list[Answer]:
    """The answers of a lost worker: none yet, the reason shows when each input is asked alone."""
    del reason
    return []


def _chunk_asker(name: str, wording: Wording) -> Callable[[Sequence[str]], list[Answer]]:
    return partial(_answers, _asker(name, wording))


def _answers(ask: Callable[[str], Answer], texts: Sequence[str]) -> list[Answer]:
    """The answers to as many of `texts`, from the first on, as the time allows."""
    end = time.monotonic() + _SLOW
    found = []
    for text in texts:
        found.append(ask(text))
        if time.monotonic() > end:
            break
    return found


@dataclass(frozen=True)
class InProcess:
    """A function that is called in this process: for one that neither hangs nor crashes.

    Otherwise as `PythonCallable`; there is no time limit.
    """

    function: Callable[[str], object]
    wording: Wording = field(default_factory=Wording)

    @property
    def identity(self) -> str:
        """A text for what answers depend on, as far as that can be told."""
        return repr((getattr(self.function, "__qualname__", ""), self.wording))

    def ask(
        self, texts: Sequence[str], *, timeout: float | None = None, jobs: int = 1
    ) -> Iterator[Answer]:
        """The answers to `texts`, in their order."""
        return (_answer(self.function, self.wording, text) for text in texts)


def _asker(name: str, wording: Wording) -> Callable[[str], Answer]:
    """Load the function; this runs once in a worker."""
    return partial(_answer, _function(name), wording)


def _function(name: str) -> Callable[[str], object]:
    module_name, _, path = name.rpartition(":")
    try:
        module = _file(module_name) if module_name.endswith(".py") else _module(module_name)
        found: Any = module
        for attribute in path.split("."):
            found = getattr(found, attribute)
    except Exception as problem:
        what = one_line(problem)
        raise AdapterError(f"{name}: cannot be loaded ({what})") from problem
    if not callable(found):
        raise AdapterError(f"{name}: is no function but {type(found).__name__}")
    function: Callable[[str], object] = found
    return function


def _module(name: str) -> object:
    sys.path.insert(0, str(Path.cwd()))
    return importlib.import_module(name)


def _file(path: str) -> object:
    if not Path(path).is_file():
        raise FileNotFoundError(f"there is no such file: {path}")
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _answer(function: Callable[[str], object], wording: Wording, text: str) -> Answer:
    try:
        with silenced():
            result = function(text)
    except (RecursionError, MemoryError) as problem:
        return silence(f"it raised {_described(problem)}")
    except Exception as problem:
        return _rejection(problem, wording, text)
    return result if isinstance(result, Answer) else _ACCEPTED


_ACCEPTED = Answer(Reaction.ACCEPTED)


def _rejection(problem: Exception, wording: Wording, text: str) -> Answer:
    message = _described(problem)
    about_syntax = isinstance(problem, SyntaxError) or wording.is_syntax_error(message)
    place = wording.place(message, text)
    if place == Place():
        place = Place(_offset(problem, text))
    return Answer(Reaction.SYNTAX if about_syntax else Reaction.OTHER, message, place)


def _described(problem: BaseException) -> str:
    """Type and message, on one line."""
    return one_line(problem)


def _offset(problem: Exception, text: str) -> int | None:
    """The offset that an exception's attributes give, if they do."""
    line = getattr(problem, "lineno", None)
    column = getattr(problem, "colno", None)
    if column is None:
        column = getattr(problem, "offset", None)
    if isinstance(line, int) and isinstance(column, int):
        return offset_of(text, line, column)
    position = getattr(problem, "pos", None)
    return min(position, len(text)) if isinstance(position, int) and position >= 0 else None
