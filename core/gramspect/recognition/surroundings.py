"""Imports the user's modules, and lets their code find the modules and files beside them."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from gramspect.errors import AdapterError, GramspectError, MissingDependency, NoSuchFile

__all__ = [
    "Surroundings",
    "import_file",
    "import_name",
    "named_object",
    "names_python",
    "one_line",
    "split_source",
]


@dataclass
class _Left:
    """Changes that the user's code has made and relies on: import path, working folder."""

    path: list[str] = field(default_factory=list)
    working_folder: str | None = None


@dataclass(frozen=True)
class Surroundings:
    """The import system as code in `folder` expects it, in the way of ``python file.py``.

    The folder is first on the path and the modules found in it go by their plain names: only while
    their code runs, so that two grammars that both have a ``lexer.py`` beside them do not get
    in each other's way. The same is true of folders that the code itself puts on the path, and of
    the working folder, if it goes elsewhere. No byte code is written. Without a folder nothing is
    changed.
    """

    folder: Path | None = None
    modules: dict[str, ModuleType] = field(default_factory=dict)
    _left: _Left = field(default_factory=_Left, repr=False, compare=False)

    def entered(self) -> AbstractContextManager[None]:
        """Install these surroundings while the user's code runs."""
        return nullcontext() if self.folder is None else self._entered(str(self.folder))

    @contextmanager
    def _entered(self, folder: str) -> Iterator[None]:
        left, path, here = self._left, list(sys.path), _working_folder()
        hidden = {name: sys.modules[name] for name in self.modules if name in sys.modules}
        sys.modules.update(self.modules)
        sys.path[:] = [folder, *left.path, *path]
        writes_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
        known = len(sys.modules)
        _go_to(left.working_folder)
        try:
            yield
        finally:
            if _working_folder() != here:
                left.working_folder = _working_folder()
            sys.dont_write_bytecode = writes_bytecode
            left.path = [p for p in dict.fromkeys(sys.path) if p not in (folder, *path)]
            homes = [Path(p).resolve() for p in (folder, *left.path)]
            _go_to(here)
            sys.path[:] = path
            new = tuple(islice(sys.modules.items(), known, None))
            self.modules.update((name, module) for name, module in new if _is_in(homes, module))
            for name in self.modules:
                sys.modules.pop(name, None)
            sys.modules.update(hidden)


def _is_in(homes: Sequence[Path], module: ModuleType) -> bool:
    """Whether a module was found in one of some folders, under its own name."""
    file = getattr(module, "__file__", None)
    if not file:
        return False
    wanted = [home.joinpath(*module.__name__.split(".")) for home in homes]
    known = [place for each in wanted for place in (each.with_suffix(".py"), each / "__init__.py")]
    return Path(file).resolve() in known


def _working_folder() -> str | None:
    """The working folder; None if it is gone."""
    try:
        return str(Path.cwd())
    except OSError:
        return None


def _go_to(folder: str | None) -> None:
    if folder is not None and folder != _working_folder():
        with suppress(OSError):
            os.chdir(folder)


def import_file(path: str, needs: Mapping[str, str]) -> tuple[ModuleType, Surroundings]:
    """The module in a file, which sees no arguments.

    `needs` has what to say of packages that it may miss: ``X, which is not installed: pip ...``.

    Raises:
        NoSuchFile: there is none.
        AdapterError: running it raises; the message is one line.
        MissingDependency: it misses one of these packages.
    """
    file = Path(path).resolve()
    if not file.is_file():
        raise NoSuchFile(f"{path}: there is no such file; check the path")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise AdapterError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    surroundings = Surroundings(file.parent, {file.stem: module})
    arguments, sys.argv = sys.argv, [path]
    try:
        with surroundings.entered():
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as problem:
        raise _import_error(path, problem, needs) from problem
    finally:
        sys.argv = arguments
    return module, surroundings


def import_name(name: str, needs: Mapping[str, str]) -> ModuleType:
    """The module of that name. See `import_file`.

    Raises:
        AdapterError: it does not import; the message is one line.
        MissingDependency: it misses one of the packages in `needs`.
    """
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as problem:
        raise _import_error(name, problem, needs) from problem


def names_python(source: str) -> bool:
    """Whether a source is a Python file or the name of a module, perhaps with ``:attribute``."""
    module, attributes = split_source(source)
    if module.endswith(".py"):
        return True
    if not all(part.isidentifier() for part in (*module.split("."), *attributes)):
        return False
    return not Path(source).exists() and importlib.util.find_spec(module.split(".")[0]) is not None


def split_source(source: str) -> tuple[str, tuple[str, ...]]:
    """File or module name, and the path of attributes after the colon."""
    module, colon, path = source.rpartition(":")
    if colon and path and not path.endswith(".py"):
        return module, tuple(path.split("."))
    return source.rstrip(":"), ()


def named_object(source: str, needs: Mapping[str, str]) -> Any:
    """What ``module:attribute`` or ``file.py:attribute`` names; without attribute the module.

    Classes and functions are called without arguments. The user's code runs.

    Raises:
        AdapterError: it does not import, or there is no such thing.
        MissingDependency: it needs one of the packages in `needs` (see `import_file`).
    """
    name, attributes = split_source(source)
    if name.endswith(".py"):
        module, surroundings = import_file(name, needs)
        with surroundings.entered():
            return _followed(source, module, attributes)
    return _followed(source, import_name(name, needs), attributes)


def _followed(source: str, thing: Any, attributes: Sequence[str]) -> Any:
    for name in attributes:
        if not hasattr(thing, name):
            near = get_close_matches(name, dir(thing), n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise AdapterError(f"{source}: there is no {name!r}{hint}")
        thing = getattr(thing, name)
        if inspect.isclass(thing) or inspect.isroutine(thing):
            try:
                thing = thing()
            except (Exception, SystemExit) as problem:
                raise AdapterError(f"{source}: {name}() raised {one_line(problem)}") from problem
    return thing


def one_line(problem: BaseException) -> str:
    """An exception as one line; its own code may fail to say what it is."""
    try:
        text = " ".join(str(problem).split())
    except Exception:
        text = ""
    return f"{type(problem).__name__}: {text}" if text else type(problem).__name__


def _import_error(source: str, problem: BaseException, needs: Mapping[str, str]) -> GramspectError:
    package = (problem.name or "").split(".")[0] if isinstance(problem, ModuleNotFoundError) else ""
    if package in needs:
        return MissingDependency(f"{source} needs {needs[package]}")
    return AdapterError(f"{source} does not import: {one_line(problem)}{_place(problem, source)}")


def _place(problem: BaseException, source: str) -> str:
    """Where in the user's file an exception came from."""
    if isinstance(problem, SyntaxError):
        return ""  # says so itself
    step, line = problem.__traceback__, 0
    while step is not None:
        if Path(step.tb_frame.f_code.co_filename) == Path(source).resolve():
            line = step.tb_lineno
        step = step.tb_next
    return f" (line {line})" if line else ""
