"""Imports the user's modules and lets their code find what is beside them."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import ModuleType

from gramspect.errors import AdapterError, GramspectError, MissingDependency, NoSuchFile

__all__ = ["Surroundings", "import_file", "import_name", "one_line"]


@dataclass(frozen=True)
class Surroundings:
    """The import system as code in `folder` expects it, in the way of ``python file.py``.

    The folder is first on the path and the modules found in it go by their plain names: only while
    their code runs, so that two grammars that both have a ``lexer.py`` beside them do not get
    in each other's way. No byte code is written there. Without a folder nothing is changed.
    """

    folder: Path | None = None
    modules: dict[str, ModuleType] = field(default_factory=dict)

    def entered(self) -> AbstractContextManager[None]:
        """For the time that the user's code runs."""
        return nullcontext() if self.folder is None else self._entered(str(self.folder))

    @contextmanager
    def _entered(self, folder: str) -> Iterator[None]:
        hidden = {name: sys.modules[name] for name in self.modules if name in sys.modules}
        sys.modules.update(self.modules)
        sys.path.insert(0, folder)
        writes_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
        known = len(sys.modules)
        try:
            yield
        finally:
            sys.dont_write_bytecode = writes_bytecode
            sys.path.remove(folder)
            new = tuple(islice(sys.modules.items(), known, None))
            self.modules.update((name, module) for name, module in new if self._holds(module))
            for name in self.modules:
                sys.modules.pop(name, None)
            sys.modules.update(hidden)

    def _holds(self, module: ModuleType) -> bool:
        """Whether the module was found in this folder, under its own name."""
        file = getattr(module, "__file__", None)
        if self.folder is None or not file:
            return False
        place = self.folder.joinpath(*module.__name__.split("."))
        return Path(file) in (place.with_suffix(".py"), place / "__init__.py")


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


def one_line(problem: BaseException) -> str:
    """An exception as one line."""
    text = " ".join(str(problem).split())
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
