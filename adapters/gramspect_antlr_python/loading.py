"""Finds a generated parser and its lexer: ``MyParser.py``, ``package.module``, ``module:Class``.

Loading runs the user's code.
"""

from __future__ import annotations

import inspect
import re
import sys
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from gramspect.adapter_api import (
    AdapterError,
    GramspectError,
    Surroundings,
    import_file,
    import_name,
    one_line,
)
from gramspect_antlr_python.runtime import INSTALL, Runtime, wrong_runtime

__all__ = ["Target", "is_parser_class", "load_target", "split_source", "target_of"]

_NEEDS = {"antlr4": f"ANTLR's runtime for Python, which is not installed: {INSTALL}"}


@dataclass(frozen=True)
class Target:
    """A parser class and its lexer class. `file` is the parser's, if it is known."""

    parser: Any
    lexer: Any
    surroundings: Surroundings = field(default_factory=Surroundings)
    file: Path | None = None

    def method(self, rule: str) -> str:
        """The name of the method for a rule; ANTLR appends ``_`` to Python's own words.

        Raises:
            AdapterError: there is none, or it needs arguments.
        """
        name = rule if hasattr(self.parser, rule) else f"{rule}_"
        method = getattr(self.parser, name, None)
        if not callable(method):
            raise AdapterError(f"{self.parser.__name__} has no method for its rule {rule!r}")
        try:
            inspect.signature(method).bind(None)
        except TypeError:
            raise AdapterError(
                f"the rule {rule!r} of {self.parser.__name__} needs arguments;"
                " name a start rule without any"
            ) from None
        return name


def load_target(source: str, lexer: str | None = None) -> Target:
    """The parser that `source` names, with the lexer of that name or the one beside it.

    Raises:
        AdapterError: something does not import, is not there, or was made for another runtime.
        MissingDependency: the ANTLR runtime is not installed.
    """
    name, attribute = split_source(source)
    module, surroundings = _imported(name)
    try:
        parser = _recognizer(source, module, attribute, "Parser")
        if lexer is not None:
            lexer_name, attribute = split_source(lexer)
            with surroundings.entered():
                lexer_module, _ = _imported(lexer_name)
            found = _recognizer(lexer, lexer_module, attribute, "Lexer")
        else:
            found = _lexer_beside(source, module, parser, surroundings)
        _try_out(source, parser, found, surroundings)
    except GramspectError:
        raise
    except (Exception, SystemExit) as problem:
        explained = wrong_runtime(problem)
        raise explained or AdapterError(f"{source}: {one_line(problem)}") from problem
    home = module if parser.__module__ == module.__name__ else sys.modules.get(parser.__module__)
    file = getattr(home, "__file__", None)
    return Target(parser, found, surroundings, None if file is None else Path(file))


def is_parser_class(thing: object) -> bool:
    """Whether it is a parser class that ANTLR has generated."""
    return _is_generated(thing, "Parser")


def target_of(parser: object) -> Target:
    """A live parser class with the lexer beside it.

    Raises:
        AdapterError: there is no such lexer.
    """
    if not isinstance(parser, type) or not is_parser_class(parser):
        raise AdapterError(f"{parser!r} is no parser class that ANTLR has generated for Python")
    name = f"{parser.__module__}:{parser.__name__}"
    module = sys.modules[parser.__module__]
    surroundings = Surroundings()
    file = getattr(module, "__file__", None)
    lexer = _lexer_beside(name, module, parser, surroundings)
    return Target(parser, lexer, surroundings, None if file is None else Path(file))


def split_source(source: str) -> tuple[str, str | None]:
    """File or module name, and the class after the colon."""
    module, colon, name = source.rpartition(":")
    if colon and name and not name.endswith(".py"):
        return module, name
    return source.rstrip(":"), None


def _imported(name: str) -> tuple[ModuleType, Surroundings]:
    try:
        if name.endswith(".py"):
            return import_file(name, _NEEDS)
        return import_name(name, _NEEDS), Surroundings()
    except AdapterError as problem:
        raise wrong_runtime(problem.__cause__) or problem from problem.__cause__


def _recognizer(source: str, module: ModuleType, name: str | None, kind: str) -> Any:
    """A parser or lexer class of a module: the one of that name, or the only one."""
    found = {n: thing for n, thing in vars(module).items() if _is_generated(thing, kind)}
    if name is not None:
        thing = getattr(module, name, None)
        if _is_generated(thing, kind):
            return thing
        near = get_close_matches(name, found, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise AdapterError(f"{source}: there is no ANTLR {kind.lower()} class {name!r}{hint}")
    own = {n: c for n, c in found.items() if c.__module__ == module.__name__}
    found = own or found
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        base = source.partition(":")[0]
        raise AdapterError(
            f"{source} holds several {kind.lower()}s; name one, such as {base}:{min(found)}"
        )
    raise AdapterError(
        f"{source} holds no {kind.lower()} class that ANTLR has generated for Python"
    )


def _is_generated(thing: object, kind: str) -> bool:
    """Whether it is a class that ANTLR has generated; runtimes may be copies of the common one."""
    return (
        isinstance(thing, type)
        and {"atn", "ruleNames", "grammarFileName"} <= set(dir(thing))
        and any(c.__name__ == kind and c.__module__.endswith(f".{kind}") for c in thing.__mro__)
    )


def _lexer_beside(source: str, module: ModuleType, parser: type, surroundings: Surroundings) -> Any:
    """The lexer in the parser's module, or in a module beside it.

    That goes by the parser's name, or its class does, or it is the only one with a lexer.
    """
    base = parser.__name__.removesuffix("Parser")
    thing = getattr(module, f"{base}Lexer", None)
    if _is_generated(thing, "Lexer"):
        return thing
    folder = Path(getattr(module, "__file__", None) or ".").parent
    stems = [f"{base}Lexer", f"{module.__name__.rpartition('.')[2].removesuffix('Parser')}Lexer"]
    stem = next((s for s in stems if (folder / f"{s}.py").is_file()), None)
    stem = stem or _only_lexer(folder, f"{base}Lexer")
    if stem is None:
        raise AdapterError(
            f"{source}: there is no lexer {stems[0]}.py beside the parser; name it with"
            " --option lexer=module:Class"
        )
    package = module.__name__.rpartition(".")[0]
    name = f"{package}.{stem}" if package else stem
    with surroundings.entered():
        beside = import_module(name)
    own = f"{base}Lexer" if hasattr(beside, f"{base}Lexer") else None
    return _recognizer(name, beside, own, "Lexer")


def _only_lexer(folder: Path, name: str) -> str | None:
    """The module in a folder that has the lexer of that name, or the only one with a lexer."""
    found = {path.stem: _LEXERS.findall(path.read_bytes()) for path in folder.glob("*.py")}
    holding = [stem for stem, lexers in found.items() if lexers]
    named = [stem for stem, lexers in found.items() if name.encode() in lexers]
    return next((stems[0] for stems in (named, holding) if len(stems) == 1), None)


_LEXERS = re.compile(rb"^class (\w+)\(Lexer\)", re.MULTILINE)
"""The class statement of a lexer that ANTLR has generated."""


def _try_out(source: str, parser: type, lexer: type, surroundings: Surroundings) -> None:
    """Make a parser once, so that what is wrong with its classes shows now."""
    runtime = Runtime.of(parser)
    try:
        with surroundings.entered():
            made: Any = parser
            made(runtime.tokens(lexer(runtime.characters(""))))
    except TypeError as problem:
        raise AdapterError(
            f"{source}: the parser or the lexer cannot be made from a stream alone"
            f" ({one_line(problem)})"
        ) from problem
