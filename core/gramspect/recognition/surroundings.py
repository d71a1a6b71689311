"""Imports the user's modules, and lets their code find the modules and files beside them."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from gramspect.errors import AdapterError, GramspectError, MissingDependency, NoSuchFile

__all__ = [
    "Named",
    "Surroundings",
    "followed",
    "import_file",
    "import_name",
    "module_file",
    "modules_first_in",
    "named_object",
    "names_module",
    "names_python",
    "one_line",
    "reads_text",
    "split_source",
]


Explain = Callable[[BaseException], GramspectError | None]
"""What an exception of a tool says about the user's grammar, if it says anything."""


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
    _explaining: ClassVar[dict[str, Explain]] = {}

    @classmethod
    def explain(cls, package: str, how: Explain) -> None:
        """Say of exceptions of a tool's package what its adapter says of them.

        The user's code may raise them whichever adapter has it run, so each adapter says this once
        and for all.
        """
        cls._explaining[package] = how

    @classmethod
    def explained(cls, problem: BaseException) -> GramspectError | None:
        """What an adapter says of an exception; None if nobody has more to say than it does."""
        how = cls._explaining.get(type(problem).__module__.partition(".")[0])
        return how and how(problem)

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
    try:
        with _no_arguments(path), surroundings.entered():
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as problem:
        raise _import_error(path, problem, needs) from problem
    return module, surroundings


def import_name(name: str, needs: Mapping[str, str]) -> ModuleType:
    """The module of that name, which sees no arguments either. See `import_file`.

    Raises:
        AdapterError: it does not import, or it is a file of another kind; the message is one line.
        NoSuchFile: it is no name of a module.
        MissingDependency: it misses one of the packages in `needs`.
    """
    try:
        with _no_arguments(name):
            return importlib.import_module(name)
    except (Exception, SystemExit) as problem:
        if isinstance(problem, ModuleNotFoundError) and Path(name).is_file():
            raise AdapterError(
                f"{name} is no Python file; without --adapter its kind decides who reads it, and"
                " gramspect adapters lists those that read others"
            ) from problem
        if not names_module(name):
            raise NoSuchFile(
                f"{name}: there is no such file or module; check the name"
            ) from problem
        raise _import_error(name, problem, needs) from problem


@contextmanager
def _no_arguments(program: str) -> Iterator[None]:
    """The user's code runs as if nothing were on its command line: what is there is gramspect's."""
    arguments, sys.argv = sys.argv, [program]
    try:
        yield
    finally:
        sys.argv = arguments


def names_python(source: str) -> bool:
    """Whether a source is a Python file or the name of a module, perhaps with ``:attribute``."""
    module = split_source(source)[0]
    if module.endswith(".py"):
        return True
    if not names_module(source) or Path(source).exists():
        return False
    return importlib.util.find_spec(module.split(".")[0]) is not None


def names_module(source: str) -> bool:
    """Whether a source is what a module can be called, with ``:attribute`` or a dot in it."""
    module, attributes = split_source(source)
    return all(part.isidentifier() for part in (*module.split("."), *attributes))


def module_file(name: str) -> Path | None:
    """The Python file of a module as packages are laid out, found without running their code."""
    top, *inner = name.split(".")
    if not all(part.isidentifier() for part in (top, *inner)):
        return None
    spec = importlib.util.find_spec(top)
    if spec is None:
        return None
    homes = [Path(home, *inner) for home in spec.submodule_search_locations or ()]
    files = [file for home in homes for file in (home.with_suffix(".py"), home / "__init__.py")]
    if not inner and spec.origin is not None:
        files.insert(0, Path(spec.origin))
    return next((file for file in files if file.suffix == ".py" and file.is_file()), None)


@contextmanager
def modules_first_in(folders: Sequence[str]) -> Iterator[None]:
    """Import the modules of some folders from there, even if others of their names are loaded."""
    if not folders:
        yield
        return
    own = {path.stem for folder in folders for path in Path(folder).iterdir()}
    for name in [name for name in sys.modules if name.split(".")[0] in own]:
        del sys.modules[name]
    path, writes_bytecode = list(sys.path), sys.dont_write_bytecode
    sys.path[:0] = folders
    sys.dont_write_bytecode = True
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path[:] = path
        sys.dont_write_bytecode = writes_bytecode


def split_source(source: str) -> tuple[str, tuple[str, ...]]:
    """File or module name, and the path of attributes after the colon."""
    module, colon, path = source.rpartition(":")
    if colon and path and not path.endswith(".py"):
        return module, tuple(path.split("."))
    return source.rstrip(":"), ()


def named_object(source: str, needs: Mapping[str, str]) -> Any:
    """What ``module:attribute`` or ``file.py:attribute`` names; without attribute the module.

    See `followed` for what is called. The user's code runs.

    Raises:
        AdapterError: it does not import, or there is no such thing.
        MissingDependency: it needs one of the packages in `needs` (see `import_file`).
    """
    name, attributes = split_source(source)
    if name.endswith(".py"):
        module, surroundings = import_file(name, needs)
        with surroundings.entered():
            return followed(source, module, attributes).thing
    return followed(source, import_name(name, needs), attributes).thing


@dataclass(frozen=True)
class Named:
    """What a path of attributes leads to.

    `owner` is what the last attribute is one of, `method` a method with an argument that was named:
    `thing` is the object that it belongs to, then.
    """

    thing: Any
    owner: Any
    method: Callable[[str], object] | None = None


def followed(source: str, thing: Any, attributes: Sequence[str]) -> Named:
    """Follow attributes from a module on; classes and functions are called without arguments.

    A method that returns nothing prepares its object, which it stands for; so does one that needs
    an argument.

    Raises:
        AdapterError: there is no such attribute, or calling it raises.
    """
    found = Named(thing, thing)
    for name in attributes:
        found = _made(source, name, found.thing, _attribute(source, found.thing, name))
    return found


def _attribute(source: str, thing: Any, name: str) -> Any:
    try:
        return getattr(thing, name)
    except AttributeError:
        near = get_close_matches(name, [each for each in dir(thing) if each[0] != "_"], n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise AdapterError(f"{source}: there is no {name!r}{hint}") from None
    except Exception as problem:
        explained = Surroundings.explained(problem)
        raise explained or AdapterError(f"{source}: {name} raised {one_line(problem)}") from problem


def _made(source: str, name: str, owner: Any, thing: Any) -> Named:
    """What a class or function makes; anything else as it is."""
    if not inspect.isclass(thing) and not inspect.isroutine(thing):
        return Named(thing, owner)
    is_method = inspect.ismethod(thing) and not inspect.isclass(thing.__self__)
    try:
        inspect.signature(thing).bind()
    except TypeError:
        if is_method and reads_text(thing):
            return Named(owner, owner, thing)
        raise AdapterError(
            f"{source}: {name} needs arguments; name a class or function that needs none"
        ) from None
    except ValueError:  # builtins without a signature
        pass
    try:
        with _no_arguments(source):
            made = thing()
    except (Exception, SystemExit) as problem:
        explained = Surroundings.explained(problem)
        raise explained or AdapterError(
            f"{source}: {name}() raised {one_line(problem)}"
        ) from problem
    return Named(owner if made is None and is_method else made, owner)


def reads_text(function: Callable[..., object]) -> bool:
    """Whether a function can be called with one argument."""
    try:
        inspect.signature(function).bind("")
    except (TypeError, ValueError):
        return False
    return True


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
    if (explained := Surroundings.explained(problem)) is not None:
        return explained
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
