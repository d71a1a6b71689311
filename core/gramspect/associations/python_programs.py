"""Python programs that are watched: which of their functions and lines an input executes.

A program is a function of one text. Its code never runs in this process: it is loaded in a host
(`gramspect.running.hosts`) whose copies run one input after the other, so an input that crashes
the program, or on which it never ends, costs that input and a new copy.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from gramspect.errors import GramspectError
from gramspect.recognition.surroundings import import_file, import_name, split_source
from gramspect.running.executions import Execution
from gramspect.running.hosts import Copy, Host, how_it_ended
from gramspect.running.observing import silenced

__all__ = ["PythonProgram"]

LOADING = 60.0
"""Seconds that a program may take to load."""


@dataclass(frozen=True)
class PythonProgram:
    """A function of one text and the code that is watched while it runs.

    Args:
        name: the function, as ``module:function`` or ``file.py:function``.
        packages: the packages or modules whose code is watched; by default the one that the
            function is from.
        lines: whether lines are watched, too, which takes longer.
        seconds: how long an input may take.
    """

    name: str
    packages: tuple[str, ...] = ()
    lines: bool = False
    seconds: float = 10.0

    @property
    def tells(self) -> frozenset[str]:
        """What it tells of an execution."""
        return frozenset({"functions", "lines", "exceptions"})

    def executions(self, texts: Iterable[str]) -> Iterator[Execution]:
        """What each text executes, in order.

        Raises:
            GramspectError: the function cannot be loaded.
        """
        load = partial(_load, self.name, self.packages)
        host: Host[_Watched, None] = Host(self.name, load, _nothing, LOADING)
        copy: Copy | None = None
        try:
            for text in texts:
                if copy is None:
                    copy = host.copy(partial(_serve, lines=self.lines))
                found = self._asked(copy, text)
                if found.lost is not None:
                    copy = None
                yield found
        finally:
            if copy is not None:
                copy.kill()
            host.close()

    def _asked(self, copy: Copy, text: str) -> Execution:
        began = time.monotonic()
        try:
            copy.connection.send(text)
            if copy.connection.poll(self.seconds):
                found = copy.connection.recv()
                assert isinstance(found, Execution)
                return found
        except (EOFError, OSError):
            return Execution(lost=f"the program ended ({how_it_ended(copy.kill())})")
        copy.kill()
        seconds = time.monotonic() - began
        return Execution(lost=f"the program did not end in {max(seconds, self.seconds):.3g} s")


# --- in the host ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Watched:
    """A function, and the beginnings of the paths of the code that is watched."""

    function: Callable[[str], object]
    places: tuple[str, ...]
    around: Callable[[], AbstractContextManager[object]]
    """What the function runs in."""


def _nothing(watched: _Watched) -> None:
    """What a host says of what it has loaded."""


def _load(name: str, packages: tuple[str, ...]) -> _Watched:
    source, attributes = split_source(name)
    if source.endswith(".py"):
        module, surroundings = import_file(source, {})
        around: Callable[[], AbstractContextManager[object]] = surroundings.entered
    else:
        module, around = import_name(source, {}), nullcontext
    function: Any = module
    for attribute in attributes:
        if not hasattr(function, attribute):
            raise GramspectError(f"{name}: there is no {attribute!r} in {source}")
        function = getattr(function, attribute)
    if not attributes or not callable(function):
        raise GramspectError(
            f"{name}: is no function; write module:function or file.py:function, of one text"
        )
    with around():
        places = [_place(package) for package in packages]
    if not places:
        top = module.__name__.partition(".")[0]
        is_file = source.endswith(".py") or top not in sys.modules
        places = [str(module.__file__) if is_file else _place(top)]
    return _Watched(function, tuple(places), around)


def _place(package: str) -> str:
    """The folder of a package, with a separator after it, or the file of a module."""
    try:
        module = importlib.import_module(package)
    except ImportError as problem:
        raise GramspectError(f"the package {package!r} cannot be imported: {problem}") from None
    if module.__file__ is None:
        raise GramspectError(f"the package {package!r} has no code in Python that can be watched")
    path = Path(module.__file__)
    return f"{path.parent}/" if path.name == "__init__.py" else str(path)


def _serve(watched: _Watched, connection: Connection, *, lines: bool) -> None:
    """Run the function on one text after the other."""
    watch = _Watch(watched.places, lines)
    while True:
        try:
            text = connection.recv()
        except EOFError:
            return
        with watched.around():
            found = watch.run(watched.function, text)
        connection.send(found)


class _Watch:
    """Notes the functions and lines of some files that run.

    Each is noted once for an input: code that has been entered costs a look-up each time, code of
    other files as well, and lines only where they are watched.
    """

    def __init__(self, places: tuple[str, ...], lines: bool) -> None:
        self.places = places
        self.lines = lines
        self._names: dict[CodeType, str | None] = {}
        self._functions: set[str] = set()
        self._lines: set[str] = set()

    def run(self, function: Callable[[str], object], text: str) -> Execution:
        """What a text executes."""
        self._functions, self._lines = set(), set()
        raised = None
        sys.settrace(self._called)
        try:
            with silenced():
                function(text)
        except KeyboardInterrupt:
            raise
        except BaseException as problem:
            sys.settrace(None)
            raised = self._raised(problem)
        finally:
            sys.settrace(None)
        return Execution(frozenset(self._functions), frozenset(self._lines), raised)

    def _called(self, frame: FrameType, event: str, argument: object) -> Any:
        code = frame.f_code
        try:
            name = self._names[code]
        except KeyError:
            name = self._names[code] = self._name(code)
        if name is None:
            return None
        self._functions.add(name)
        if not self.lines:
            return None
        self._lines.add(f"{self._file(code)}:{frame.f_lineno}")
        return self._line

    def _line(self, frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            self._lines.add(f"{self._file(frame.f_code)}:{frame.f_lineno}")
        return self._line

    def _name(self, code: CodeType) -> str | None:
        """``package/file.py:Class.function``; None for code that is not watched, and for what is
        not a function: modules, lambdas and comprehensions."""
        if not code.co_filename.startswith(self.places) or code.co_name.startswith("<"):
            return None
        return f"{self._file(code)}:{code.co_qualname.replace('.<locals>', '')}"

    def _file(self, code: CodeType) -> str:
        """The file, from the folder of its package or its own name on."""
        place = next(place for place in self.places if code.co_filename.startswith(place))
        return str(Path(code.co_filename).relative_to(Path(place).parent))

    def _raised(self, problem: BaseException) -> str:
        """The kind of an exception, and the innermost watched place that it came through."""
        place = ""
        trace = problem.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            with suppress(StopIteration):
                place = f" at {self._file(code)}:{trace.tb_lineno}"
            trace = trace.tb_next
        return f"{type(problem).__name__}{place}"
