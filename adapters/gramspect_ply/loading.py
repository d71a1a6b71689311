"""Finds the parser that a name stands for: ``file.py``, ``package.module``, ``module:attribute``.

The part after the colon is a path of attributes. Classes and factories on it are called without
arguments, so ``pycparser.c_parser:CParser`` makes a C parser. The parser is what the path leads to,
or the only one among the attributes of that; the lexer is looked for beside it. A method at its end
that takes a text is what runs. Loading runs the user's code.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import ModuleType

from gramspect.adapter_api import (
    AdapterError,
    GramspectError,
    followed,
    reads_text,
    split_source,
)
from gramspect_ply.attributes import attributes_of
from gramspect_ply.loops import default_lexer
from gramspect_ply.making import (
    complaints_noted,
    has_rules,
    last_parser,
    make_lexer,
    make_parser,
)
from gramspect_ply.making_tables import tables_made_faster
from gramspect_ply.reading import start_symbol
from gramspect_ply.shapes import Lexer, Parser, is_lexer, is_parser
from gramspect_ply.surroundings import Surroundings, import_file, import_name, one_line
from gramspect_ply.table_reading import tables_of_these_rules
from gramspect_ply.tables_files import nothing_written

__all__ = ["Target", "has_parser", "load_target", "own_parse", "parser_in", "sheltered"]


@dataclass(frozen=True)
class Target:
    """A parser and what is needed to run it.

    `parse` runs it on a text as the object that holds it would; it is None if there is only the
    parser, which then reads from `lexer`, or token names if that is None too. `state`
    are the objects that a parse may change. `others` are methods that could run it as well.
    """

    parser: Parser
    parse: Callable[[str], object] | None = None
    lexer: Lexer | None = None
    state: tuple[object, ...] = ()
    surroundings: Surroundings = field(default_factory=Surroundings)
    others: tuple[str, ...] = ()


def load_target(source: str, start: str | None = None) -> Target:
    """The parser that `source` names.

    Raises:
        AdapterError: the source cannot be imported, holds no parser or several, or its parser has
            another start symbol; the message is one line.
        MissingDependency: it needs PLY, which is not installed.
    """
    with sheltered(), complaints_noted() as complaints:
        try:
            return _loaded(source, start)
        except AdapterError as problem:
            if not complaints or not _CANNOT_BUILD.search(problem.message):
                raise
            raise AdapterError(f"{problem.message}; PLY says: {complaints[0]}") from problem


_CANNOT_BUILD = re.compile(r"Can't build lexer|Unable to (?:build|construct) parser")
"""What PLY raises when it has written to its log what the error is."""


@contextmanager
def sheltered() -> Iterator[None]:
    """While the user's modules are imported, PLY writes no files and reads none of other rules."""
    with nothing_written(), tables_of_these_rules(), tables_made_faster():
        yield


def _loaded(source: str, start: str | None) -> Target:
    name, attributes = split_source(source)
    surroundings = Surroundings()
    old_lexers = _last_lexers()
    if name.endswith(".py"):
        module, surroundings = import_file(name)
    else:
        module = import_name(name)
    with surroundings.entered():
        try:
            target = _find(source, module, attributes, start)
            if target.parse is None and target.lexer is None:
                lexer = _lexer_of_module(module) or _new_lexer(target.parser, old_lexers)
                target = replace(target, lexer=lexer)
            target = replace(target, surroundings=surroundings)
        except GramspectError:
            raise
        except (Exception, SystemExit) as problem:
            raise AdapterError(f"{source}: {one_line(problem)}") from problem
    if start is not None and start_symbol(target.parser) != start:
        raise AdapterError(
            f"{source}: the parser was built for the start symbol "
            f"{start_symbol(target.parser)!r}; build one for {start!r} there and name that"
        )
    return target


def own_parse(holder: object) -> Callable[[str], object] | None:
    """The holder's method ``parse(text)``, which does what has to be done before a parse."""
    method = getattr(holder, "parse", None)
    if not callable(method) or isinstance(holder, ModuleType) or not reads_text(method):
        return None
    parse: Callable[[str], object] = method
    return parse


def _find(
    source: str, module: ModuleType, attributes: tuple[str, ...], start: str | None
) -> Target:
    found = followed(source, module, attributes)
    thing, owner = found.thing, found.owner
    if is_parser(thing):
        parser, holder = thing, owner
    elif isinstance(thing, ModuleType):
        parser, holder = _parser_of_module(source, thing, start), thing
    else:
        parser, holder = _parser_inside(source, thing), thing
    parse = found.method
    if parse is None and not (holder is owner and attributes and is_parser(thing)):
        parse = own_parse(holder)
    state = () if isinstance(holder, ModuleType) else (holder,)
    others = () if parse is not None or is_parser(holder) else _methods_that_parse(holder)
    return Target(parser, parse, _lexer_beside(holder), state, others=others)


def _methods_that_parse(holder: object) -> tuple[str, ...]:
    """The methods of an object that have parsing in their names and can take a text."""
    if isinstance(holder, ModuleType):
        return ()
    cls = type(holder)
    known = inspect.getmembers_static(cls, inspect.isfunction)
    names = [name for name, _ in known if "parse" in name and name[0] != "_"]
    return tuple(f"{cls.__name__}.{n}" for n in names if reads_text(getattr(holder, n)))


def _parser_of_module(source: str, module: ModuleType, start: str | None) -> Parser:
    parsers = _parsers(vars(module))
    if len(parsers) > 1:
        raise _several(source, parsers, ":")
    if parsers:
        return next(iter(parsers.values()))
    if not has_rules(module, "p_"):
        raise AdapterError(
            f"{source} holds no PLY parser and no p_ functions; "
            "if a class or function makes the parser, name it: module:name"
        )
    return last_parser(module) or make_parser(module, start)


def _parser_inside(source: str, thing: object) -> Parser:
    """The parser among the attributes of an object, or of those of its attributes."""
    parsers = _parsers(_attributes(thing))
    if not parsers:
        for name, value in _attributes(thing).items():
            inner = _parsers(_attributes(value))
            parsers.update((f"{name}.{key}", parser) for key, parser in inner.items())
    if len(parsers) > 1:
        raise _several(source, parsers, "." if ":" in source else ":")
    for parser in parsers.values():
        return parser
    raise AdapterError(f"{source}: {type(thing).__name__} holds no PLY parser")


def _parsers(attributes: Mapping[str, object]) -> dict[str, Parser]:
    """The parsers among some attributes, each once."""
    found: dict[int, tuple[str, Parser]] = {}
    for name, value in attributes.items():
        if is_parser(value):
            found.setdefault(id(value), (name, value))
    return dict(found.values())


def _several(source: str, parsers: Mapping[str, Parser], separator: str) -> AdapterError:
    names = ", ".join(parsers)
    example = f"{source}{separator}{next(iter(parsers))}"
    return AdapterError(f"{source} holds several parsers ({names}); name one, such as {example}")


def _lexer_beside(holder: object) -> Lexer | None:
    """The lexer among the attributes of what holds the parser; one called ``lexer`` comes first."""
    attributes = _attributes(holder)
    lexers = {id(value): value for value in attributes.values() if is_lexer(value)}
    named = attributes.get("lexer")
    if is_lexer(named):
        return named
    return next(iter(lexers.values())) if len(lexers) == 1 else None


def _lexer_of_module(module: ModuleType) -> Lexer | None:
    """The lexer of a module, or of the module that its ``tokens`` are imported from."""
    tokens = vars(module).get("tokens")
    sharing = [m for m in tuple(sys.modules.values()) if tokens and _tokens_of(m) is tokens]
    for candidate in (module, *sharing):
        lexer = _lexer_beside(candidate)
        if lexer is None and has_rules(candidate, "t_"):
            lexer = make_lexer(candidate)
        if lexer is not None:
            return lexer
    return None


def _tokens_of(module: ModuleType) -> object:
    return getattr(module, "__dict__", {}).get("tokens")


def _last_lexers() -> tuple[object, ...]:
    """The lexer that each loaded copy of PLY made last."""
    names = [name for name in sys.modules if name.rpartition(".")[2] == "lex"]
    return tuple(getattr(sys.modules[name], "lexer", None) for name in names)


def _new_lexer(parser: Parser, old: tuple[object, ...]) -> Lexer | None:
    """The lexer that PLY would take by itself, if it was made when the parser was loaded."""
    lexer = default_lexer(parser)
    return None if any(lexer is other for other in old) else lexer


def _attributes(thing: object) -> Mapping[str, object]:
    """The attributes of a module or object, those of its class included."""
    if isinstance(thing, ModuleType):
        return vars(thing)
    return {**vars(type(thing)), **attributes_of(thing)}


def parser_in(thing: object) -> Parser:
    """The parser that a live object is or has.

    Raises:
        AdapterError: there is none in it, or there are several.
    """
    if is_parser(thing):
        return thing
    name = f"the object of {type(thing).__name__}"
    if isinstance(thing, ModuleType):
        return _parser_of_module(thing.__name__, thing, None)
    return _parser_inside(name, thing)


def has_parser(thing: object) -> bool:
    """Whether a thing is a PLY parser, has one, or is a module with rules for one."""
    if is_parser(thing) or _parsers(_attributes(thing)):
        return True
    if isinstance(thing, ModuleType):
        return has_rules(thing, "p_")
    return any(_parsers(_attributes(value)) for value in _attributes(thing).values())
