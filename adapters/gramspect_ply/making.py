"""Makes the parser and lexer that a module did not make, without files and messages."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from gramspect.adapter_api import AdapterError, MissingDependency
from gramspect_ply.copies import Method, methods_replaced
from gramspect_ply.shapes import Lexer, Parser, is_parser
from gramspect_ply.surroundings import INSTALL, one_line

__all__ = ["Messages", "complaints_noted", "has_rules", "last_parser", "make_lexer", "make_parser"]


@dataclass
class Messages:
    """A logger, as PLY wants one, that keeps the errors it is told."""

    errors: list[str] = field(default_factory=list)

    def debug(self, text: str, *args: object) -> None:
        """Drop details and warnings: gramspect itself says what is unused."""

    info = warning = debug

    def error(self, text: str, *args: object) -> None:
        self.errors.append(" ".join((text % args).split()))

    critical = error


@contextmanager
def complaints_noted() -> Iterator[Sequence[str]]:
    """The errors that any copy of PLY writes to its log, which nobody sees otherwise."""
    complaints: list[str] = []

    def noted(original: Method) -> Method:
        def error(logger: object, text: str, *args: object, **options: object) -> None:
            complaints.append(" ".join((text % args).split()))
            original(logger, text, *args, **options)

        return error

    with methods_replaced({"PlyLogger": {"error": noted}}):
        yield complaints


def has_rules(module: ModuleType, prefix: str) -> bool:
    """Whether a module defines functions or texts called ``p_...`` or ``t_...``."""
    return any(
        name.startswith(prefix) and name != f"{prefix}error" and (callable(v) or isinstance(v, str))
        for name, v in vars(module).items()
    )


def last_parser(module: ModuleType) -> Parser | None:
    """The parser that the module made but did not keep: PLY keeps the last one it made."""
    parse = getattr(_ply(module, "yacc"), "parse", None)
    parser = getattr(parse, "__self__", None)
    if not is_parser(parser):
        return None
    actions = (production.callable for production in parser.productions)
    if any(getattr(action, "__globals__", None) is vars(module) for action in actions):
        return parser
    return None


def make_parser(module: ModuleType, start: str | None) -> Parser:
    """A parser for the ``p_`` functions of a module.

    Raises:
        AdapterError: PLY refuses the grammar; its first message is given.
        MissingDependency: PLY is not installed.
    """
    messages = Messages()
    options = {"start": start, "debug": False, "write_tables": False, "errorlog": messages}
    try:
        parser: Parser = _call(_ply(module, "yacc").yacc, module=module, **options)
    except Exception as problem:
        reason = messages.errors[0] if messages.errors else one_line(problem)
        raise AdapterError(f"PLY cannot build a parser for {module.__name__}: {reason}") from None
    return parser


def make_lexer(module: ModuleType) -> Lexer:
    """A lexer for the ``t_`` rules of a module.

    Raises:
        AdapterError: PLY refuses the rules; its first message is given.
        MissingDependency: PLY is not installed.
    """
    messages = Messages()
    try:
        lexer: Lexer = _call(_ply(module, "lex").lex, module=module, errorlog=messages)
    except Exception as problem:
        reason = messages.errors[0] if messages.errors else one_line(problem)
        raise AdapterError(f"PLY cannot build a lexer for {module.__name__}: {reason}") from None
    return lexer


def _call(function: Callable[..., Any], **options: object) -> Any:
    """Calls a function of PLY with those of the options that its version knows."""
    known = inspect.signature(function).parameters
    return function(**{name: value for name, value in options.items() if name in known})


def _ply(module: ModuleType, part: str) -> Any:
    """The ``yacc`` or ``lex`` of the copy of PLY that a module uses, else of the installed one."""
    for value in vars(module).values():
        owner = value.__name__ if isinstance(value, ModuleType) else _module_of(value)
        package, _, name = owner.rpartition(".")
        if name in ("yacc", "lex") and hasattr(sys.modules.get(owner), name):
            prefix = f"{package}." if package else ""
            return importlib.import_module(prefix + part)
    try:
        return importlib.import_module(f"ply.{part}")
    except ModuleNotFoundError:
        raise MissingDependency(f"PLY is not installed: {INSTALL}") from None


def _module_of(value: object) -> str:
    name = getattr(value, "__module__", None)
    return name if isinstance(name, str) else ""
